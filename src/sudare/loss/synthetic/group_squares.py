"""How far categories tell numbers apart, summed up block by block."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from sudare.core import Array, Floats, Integers


@dataclass(frozen=True, eq=False)
class GroupSquares:
    """Numbers by category: weights, means, and squares about these means.

    Attributes
    ----------
    sizes
        Summed weights of each category, shape (categories,).
    means
        Mean of each category, shape (categories,); 0 where it does not occur.
    within
        Sum of squared distances from the mean of the own category.
    """

    sizes: Floats
    means: Floats
    within: float

    @classmethod
    def of(cls, codes: Integers, values: Floats, counted: Array | None, categories: int) -> Self:
        """Sum up one block.

        Parameters
        ----------
        codes, values
            Category and number of each entry, shape (n,).
        counted
            What each entry counts, if not one, shape (n,).
        categories
            Number of categories.

        Examples
        --------
        >>> codes, values = np.array([0, 0, 1]), np.array([1.0, 3.0, 5.0])
        >>> GroupSquares.of(codes, values, None, 2)
        GroupSquares(sizes=array([2., 1.]), means=array([2., 5.]), within=2.0)
        """
        sizes = np.bincount(codes, counted, categories).astype(np.float64)
        if not sizes.any():
            return cls(sizes, np.zeros(categories), 0.0)
        near = float(values[:1000].mean())  # about the mean, so that no digits are lost
        apart = values - near
        weighted = apart if counted is None else apart * counted
        away = np.bincount(codes, weighted, categories)
        away = np.divide(away, sizes, out=away, where=sizes > 0)
        means = np.where(sizes > 0, near + away, 0.0)
        return cls(sizes, means, max(float(weighted @ apart - sizes @ away**2), 0.0))

    def merged(self, other: Self) -> Self:
        """Return both blocks together (Chan, Golub and LeVeque 1983)."""
        sizes = self.sizes + other.sizes
        share = np.divide(other.sizes, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
        apart = other.means - self.means
        between = float((self.sizes * share) @ apart**2)
        means = self.means + apart * share
        return type(self)(sizes, means, self.within + other.within + between)

    @property
    def correlation_ratio(self) -> float:
        """η², the share of the squares that is between categories; NaN if numbers are all equal."""
        if not (self.sizes > 0).sum() > 1:
            return float("nan")
        center = np.average(self.means, weights=self.sizes)
        between = float(self.sizes @ (self.means - center) ** 2)
        total = between + self.within
        return between / total if total > 0 else float("nan")
