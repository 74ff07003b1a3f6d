"""Moments: total weight, means and sums of products, mergeable across blocks and partitions."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from sudare.core.types import Floats


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
