"""Functions of numbers that an engine can compute by itself, without the plan.

Each applies to an array, or to those of several columns; an engine that holds no arrays translates
it. A plan says which one takes the place of a column (:meth:`Plan.function_of`).
"""

from dataclasses import dataclass

import numpy as np

from sudare.core.table import MISSING
from sudare.core.types import Codes, Floats


@dataclass(frozen=True)
class Tails:
    """The bounds of one column of numbers and what takes the place of numbers beyond them."""

    bottom: float = -np.inf
    top: float = np.inf
    low: float = np.nan
    high: float = np.nan

    def apply(self, values: Floats) -> Floats:
        """Return the numbers with both tails replaced; NaN stays NaN."""
        within = np.where(values > self.top, self.high, values)
        return np.where(values < self.bottom, self.low, within)


@dataclass(frozen=True)
class Multiples:
    """The multiples of a base, greater than 0, that numbers are rounded to.

    Attributes
    ----------
    base
        Greater than 0.
    down
        Whether to the multiple below, or to the nearest, halves to the even one.

    Examples
    --------
    >>> Multiples(10.0).apply(np.array([14.0, 15.0, 25.0, -3.0])).tolist()
    [10.0, 20.0, 20.0, 0.0]
    """

    base: float
    down: bool = False

    @property
    def parts(self) -> float | None:
        """How many bases make 1; None where that is no whole number from 2 on.

        3 · 0.1 is not 0.3 but 3 / 10 is: where the base is one part of a whole, one divides by it.
        """
        parts = round(1 / self.base)
        return float(parts) if parts > 1 and parts * self.base == 1 else None

    def steps(self, values: Floats) -> Floats:
        """Return numbers in bases, not rounded."""
        return values / self.base if self.parts is None else values * self.parts

    def multiples(self, steps: Floats) -> Floats:
        """Return whole numbers of bases as numbers; 0 has no sign."""
        return (steps * self.base if self.parts is None else steps / self.parts) + 0.0

    def apply(self, values: Floats) -> Floats:
        """Return the numbers rounded; NaN stays NaN."""
        with np.errstate(over="ignore"):
            steps = self.steps(values)
            return self.finite(
                values, self.multiples(np.floor(steps) if self.down else np.rint(steps))
            )

    def finite(self, values: Floats, made: Floats) -> Floats:
        """Return multiples; one beyond the largest double is the nearest to 0 beside its number.

        A number that is more bases than doubles can count is a multiple already.
        """
        beyond = np.isinf(made)
        if not beyond.any():
            return made
        steps = self.steps(values)
        return np.where(
            beyond, np.where(np.isinf(steps), values, self.multiples(np.trunc(steps))), made
        )


@dataclass(frozen=True, eq=False)
class NumberClasses:
    """NumberClasses of numbers.

    Attributes
    ----------
    breaks
        Where classes begin but the first, ascending, shape (classes - 1,).
    labels
        Of the classes.
    """

    breaks: Floats
    labels: tuple[str, ...]

    def apply(self, values: Floats) -> Codes:
        """Return the class of each number; a break belongs to the class above it, NaN to none."""
        codes = np.searchsorted(self.breaks, values, side="right").astype(np.int32)
        codes[np.isnan(values)] = MISSING
        return codes


@dataclass(frozen=True, eq=False)
class Combination:
    """The mean of a column plus deviations of some columns from their means, each times a weight.

    A missing value counts as the mean. Terms are added to 0 in the order of the columns, the mean
    at the end.

    Attributes
    ----------
    mean
        Of the column.
    terms
        The columns by name, each with its mean and its weight.
    """

    mean: float
    terms: tuple[tuple[str, float, float], ...]


NumberFunction = Tails | Multiples | NumberClasses | Combination
