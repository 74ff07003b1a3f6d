"""Confidence intervals of shares, for every measure that counts how often something happens."""

from statistics import NormalDist
from typing import Annotated

import numpy as np

from sudare.core import Between, Floats

_FAR = 40  # standard deviations beyond which nothing is drawn, to the last digit
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


def binomial_chances(total: int, share: float) -> Floats:
    """Return how likely at most 0, 1, …, ``total`` of so many are drawn, shape (total + 1,).

    Written out, since importing SciPy for it takes longer than an attack on a small table: ratios
    of neighbors, from the likeliest number outwards, so that rounding does not add up.

    Examples
    --------
    >>> binomial_chances(2, 0.5).tolist()
    [0.25, 0.75, 1.0]
    """
    likeliest = min(int((total + 1) * share), total)
    reach = 100 + int(_FAR * np.sqrt(total * share * (1 - share)))
    low, high = max(likeliest - reach, 0), min(likeliest + reach, total)
    drawn = np.arange(low + 1, high + 1)
    rise = np.log((total + 1 - drawn) / drawn) + np.log(share) - np.log1p(-share)
    before, after = rise[: likeliest - low], rise[likeliest - low :]
    logs = np.concatenate((-np.cumsum(before[::-1])[::-1], [0.0], np.cumsum(after)))
    sums = np.cumsum(np.exp(logs))
    chances = np.ones(total + 1)
    chances[:low] = 0
    chances[low : high + 1] = sums / sums[-1]
    return chances


def exact_bound(count: int, total: int, chance: float) -> float:
    """Return the share at which at most ``count`` of so many are drawn with a given chance.

    References
    ----------
    Clopper and Pearson (1934). The use of confidence or fiducial limits illustrated in the case of
    the binomial. Biometrika 26(4).

    Examples
    --------
    >>> round(exact_bound(0, 10, 0.05), 6), round(1 - 0.05 ** 0.1, 6)
    (0.258866, 0.258866)
    """
    low, high = 0.0, 1.0
    while low < (middle := (low + high) / 2) < high:  # halves: to the last digit
        rare = binomial_chances(total, middle)[count] > chance
        low, high = (middle, high) if rare else (low, middle)
    return high
