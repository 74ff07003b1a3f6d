"""Moments: weight, means and sums of products, mergeable across blocks and partitions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from sudare.core.types import Floats


@dataclass(frozen=True, eq=False)
class Moments:
    """Weight, means and sums of products about the means: of records, or of each of their groups.

    Everything has one more axis in front where there are groups; then what is said of p columns
    holds for those of every group.

    Attributes
    ----------
    weight
        Sum of weights (the number of records when there are none): a number, or shape (groups,).
    mean
        Shape (p,); 0 without records.
    products
        Sums of products of deviations, shape (p, p).
    """

    weight: Any
    mean: Floats
    products: Floats

    @classmethod
    def joined(cls, parts: Iterable[Self]) -> Self:
        """Return the moments of all blocks together, merged in pairs: rounding grows with log n."""
        moments = list(parts)
        whole = cls(*(np.stack(part) for part in zip(*map(cls._fields, moments), strict=True)))
        while len(whole.weight) > 1:
            half = len(whole.weight) // 2
            merged = whole[:half].merged(whole[half : 2 * half])
            whole = cls.grouped([merged, whole[2 * half :]])
        return whole[0]

    @classmethod
    def grouped(cls, parts: Iterable[Self]) -> Self:
        """Return the groups of several moments as those of one."""
        return cls(*(np.concatenate(part) for part in zip(*map(cls._fields, parts), strict=True)))

    def __getitem__(self, group: int | slice) -> Self:
        """Return the moments of one group, or of some."""
        return type(self)(self.weight[group], self.mean[group], self.products[group])

    @property
    def covariance(self) -> Floats:
        """Population covariance (divided by the weight), shape (p, p); NaN without records."""
        weight = np.asarray(self.weight)
        return self.products / np.where(weight == 0, np.nan, weight)[..., None, None]

    @property
    def sd(self) -> Floats:
        """Population standard deviation, shape (p,)."""
        return np.sqrt(np.diagonal(self.covariance, axis1=-2, axis2=-1))

    @property
    def correlation(self) -> Floats:
        """Pearson correlation, shape (p, p); NaN for a constant column."""
        sd = self.sd
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.covariance / (sd[..., :, None] * sd[..., None, :])

    @property
    def squares(self) -> float:
        """Sum of squared distances from the means, over all columns and groups."""
        return float(np.trace(self.products, axis1=-2, axis2=-1).sum())

    def merged(self, other: Self) -> Self:
        """Return the moments of both blocks together (Chan, Golub and LeVeque 1983)."""
        weight = self.weight + other.weight
        known = np.asarray(weight) != 0
        share = np.divide(other.weight, weight, out=np.zeros(known.shape), where=known)
        apart = other.mean - self.mean
        factor = np.asarray(self.weight * share)[..., None, None]
        between = apart[..., :, None] * apart[..., None, :]
        return type(self)(
            weight,
            self.mean + apart * share[..., None],
            # where one side is empty, its distance from the other may be too large to be squared
            self.products + other.products + np.where(factor == 0, 0.0, between * factor),
        )

    def _fields(self) -> tuple[Any, Floats, Floats]:
        return self.weight, self.mean, self.products
