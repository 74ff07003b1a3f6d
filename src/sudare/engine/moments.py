"""Moments: weighted means and covariances in one pass, mergeable across blocks and partitions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from sudare.core.columns import Numeric
from sudare.core.types import Floats
from sudare.engine.counts import multiplied
from sudare.engine.threads import side_by_side

_BLOCK_CELLS = 1 << 16  # half a megabyte: a block and its deviations stay in the cache


@dataclass(frozen=True, eq=False)
class Moments:
    """Total weight, means and sums of products about the means.

    Attributes
    ----------
    weight
        Sum of weights (the number of records when there are none).
    mean
        Shape (p,).
    products
        Sums of products of deviations, shape (p, p).
    """

    weight: float
    mean: Floats
    products: Floats

    @property
    def covariance(self) -> Floats:
        """Population covariance (divided by the weight), shape (p, p); NaN without records."""
        return self.products / (self.weight or np.nan)

    @property
    def sd(self) -> Floats:
        """Population standard deviation, shape (p,)."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def correlation(self) -> Floats:
        """Pearson correlation, shape (p, p); NaN beside a constant column."""
        sd = self.sd
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.covariance / np.outer(sd, sd)

    def merged(self, other: Self) -> Self:
        """Return the moments of both blocks together (Chan, Golub and LeVeque 1983)."""
        weight = self.weight + other.weight
        if weight == 0:
            return self
        apart = other.mean - self.mean
        share = other.weight / weight
        return type(self)(
            weight,
            self.mean + apart * share,
            self.products + other.products + np.outer(apart, apart) * (self.weight * share),
        )


def moments(columns: Sequence[Numeric], weights: Floats | None = None) -> Moments:
    """Return the moments of some columns over the records that have all of them.

    Examples
    --------
    >>> found = moments([Numeric("x", np.array([1.0, 2.0, 3.0, np.nan]))])
    >>> found.weight, found.mean.tolist(), found.covariance.round(3).tolist()
    (3.0, [2.0], [[0.667]])
    """
    size = max(64, _BLOCK_CELLS // len(columns))
    weights = multiplied(columns[0].copies, weights)

    def of_block(start: int) -> Moments:
        block = slice(start, start + size)
        values = np.stack([column.values[block] for column in columns])
        return block_moments(values, None if weights is None else weights[block])

    return merge(side_by_side(of_block, range(0, columns[0].rows, size)), len(columns))


def block_moments(values: Floats, weights: Floats | None = None) -> Moments:
    """Return the moments of one block that fits in the cache.

    Parameters
    ----------
    values
        Shape (p, rows): one row per column. Records with NaN are left out.
    weights
        Shape (rows,).
    """
    if np.isnan(values.sum()):
        known = ~np.isnan(values).any(axis=0)
        values = values[:, known]
        weights = None if weights is None else weights[known]
    total = float(values.shape[1] if weights is None else weights.sum())
    if total == 0:
        return Moments(0.0, np.zeros(len(values)), np.zeros((len(values), len(values))))
    mean = np.average(values, axis=1, weights=weights)
    centred = values - mean[:, None]
    weighted = centred if weights is None else centred * weights
    return Moments(total, mean, weighted @ centred.T)


def merge(parts: Iterable[Moments], columns: int) -> Moments:
    """Return the moments of all blocks together."""
    total = Moments(0.0, np.zeros(columns), np.zeros((columns, columns)))
    for part in parts:
        total = total.merged(part)
    return total
