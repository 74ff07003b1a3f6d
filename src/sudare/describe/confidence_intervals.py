"""Confidence intervals of shares, for every measure that counts how often something happens."""

from statistics import NormalDist
from typing import Annotated

import numpy as np

from sudare.core import Between

Confidence = Annotated[
    float, Between(0, 1, above=True, below=True), "probability that the interval aims for"
]


def wilson_interval(share: float, n: float, confidence: float) -> tuple[float, float]:
    """Return the Wilson score interval of a share of n records.

    References
    ----------
    Wilson (1927). Probable inference, the law of succession, and statistical inference. Journal of
    the American Statistical Association 22(158).

    Examples
    --------
    >>> [round(end, 4) for end in wilson_interval(0.5, 100, 0.95)]
    [0.4038, 0.5962]
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return max(float(middle - half), 0.0), min(float(middle + half), 1.0)
