"""The density ratio as a linear function of the record (algorithm 1 with K = Y)."""

from typing import Annotated

import numpy as np

from sudare.core import AtLeast, BoundedNoise, Numeric
from sudare.reconstruct.density_ratio.ratio_estimator import DensityRatio, Model, Sample
from sudare.reconstruct.pairs import Singles
from sudare.reconstruct.released import Stratum


def linear_features(stratum: Stratum) -> Singles:
    """Return 0/1 columns for categories, and the distance of numbers from either bound.

    All lie between 0 and 1, so that coefficients at least 0 give weights at least 0; the two
    distances let a weight rise or fall with a number.
    """
    parts: list[Singles] = []
    for column, channel in zip(stratum.columns, stratum.channels, strict=True):
        if isinstance(channel, BoundedNoise) and isinstance(column, Numeric):
            width = (channel.high - channel.low) or 1.0
            share = np.clip((column.values - channel.low) / width, 0, 1)
            parts.append(np.column_stack((share, 1 - share)).astype(np.float32))
        elif not isinstance(channel, BoundedNoise):
            codes = column.coded.codes_in(channel.labels)
            parts.append(np.eye(len(channel.labels), dtype=np.float32)[codes])
    return np.concatenate(parts, axis=1)


class LinearDensityRatio(DensityRatio):
    """Weight the randomized records by the linear function under which they are most likely.

    The weight of a record is a sum of one coefficient per category and of the numbers' distances
    from their bounds times a coefficient, all at least 0. It is far cheaper than the
    [kernel](kernel-density-ratio.md), and can say less: it moves the distribution of each column,
    hardly that of their combinations.

    Columns that were not randomized are known: records that differ there, or in what is absent,
    are estimated apart, so that the relation of the others to them is estimated too. Ascent and
    samples of large tables are as with the kernel.

    References
    ----------
    Hasegawa, Hamada and Kikuchi, Efficient reconstruction algorithm for multivariate statistics:
    eq. 12, and algorithm 1 with the record itself instead of the kernel.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy(2000)
    >>> masked = sudare.apply(data, sudare.mask.PkAnonymization(k=2), seed=7)
    >>> estimate = LinearDensityRatio().fit(masked.data, masked.steps)
    >>> round(float(estimate.weights.mean()), 9), estimate.error
    (1.0, 0.0)
    """

    rounds: Annotated[int, AtLeast(1), "largest number of rounds"] = 200
    tolerance: Annotated[
        float, AtLeast(0), "a round that gains less mean log-likelihood is the last"
    ] = 1e-8
    landmarks: Annotated[int, AtLeast(2), "largest number of records compared with one another"] = (
        16_384
    )
    seed: Annotated[int, AtLeast(0), "which records are compared"] = 0

    def _models(self, sample: Sample) -> list[Model]:
        return [linear_features]
