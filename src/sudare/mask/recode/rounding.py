"""Rounding: numbers become multiples of a base."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from sudare.core import (
    AtLeast,
    Column,
    ColumnPlan,
    Draws,
    Floats,
    Masker,
    Microdata,
    Multiples,
    NumberFunction,
    Plan,
    SettingError,
)

How = Literal["nearest", "down", "random"]


def rounded(values: Floats, base: float, how: How, uniform: Floats | None = None) -> Floats:
    """Return the multiples of a base that numbers are rounded to; NaN stays NaN.

    Parameters
    ----------
    values
        Shape (n,).
    base
        Greater than 0.
    how
        "nearest" (halves to the even multiple, so that they do not all go up), "down", or
        "random": up with a probability equal to the part of a base that goes beyond the multiple
        below, so that the expected value is the number itself.
    uniform
        Draws in [0, 1) for "random", shape (n,).

    Examples
    --------
    >>> rounded(np.array([14.0, 15.0, 25.0, -3.0]), 10.0, "nearest").tolist()
    [10.0, 20.0, 20.0, 0.0]
    """
    rounding = Multiples(base, down=how == "down")
    if how != "random" or uniform is None:
        return rounding.apply(values)
    with np.errstate(over="ignore", invalid="ignore"):
        steps = rounding.steps(values)
        below = np.floor(steps)
        return rounding.finite(values, rounding.multiples(below + (uniform < steps - below)))


@dataclass(frozen=True, repr=False)
class RoundingPlan(ColumnPlan):
    """The base of each column."""

    bases: Mapping[str, float]
    how: How

    def _mask(self, column: Column, draws: Draws) -> Column:
        column = column.numeric
        uniform = draws.uniform(column.name, column.rows) if self.how == "random" else None
        values = rounded(column.values, self.bases[column.name], self.how, uniform)
        return replace(column, values=values)

    def function_of(self, name: str) -> NumberFunction | None:
        """Return the multiples of the base of a column, unless a draw says which."""
        return None if self.how == "random" else Multiples(self.bases[name], self.how == "down")


class Rounding(Masker):
    """Round numbers to multiples of a base.

    Deterministic rounding goes to the nearest multiple, or down. Random rounding goes to one of
    the two multiples around the number, so that the expected value is the number itself: means
    and totals, weighted or not, are unbiased. Missing and not-applicable values stay what they
    are.

    References
    ----------
    Hundepool et al. (2012). Statistical disclosure control. Wiley.
    Nargundkar and Saveland (1972). Random rounding to prevent statistical disclosures.
    Proceedings of the ASA Social Statistics Section.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, Rounding(base={"age": 5, "income": 100}))
    >>> sorted(set(masked.data["age"].values.tolist()))[:4]
    [5.0, 10.0, 15.0, 20.0]
    """

    works_on = "rows"
    relation = "covers"
    takes = "numbers"
    roles = ("key", "sensitive")

    base: Annotated[
        float | Mapping[str, float],
        AtLeast(0, above=True),
        "what numbers become multiples of; one number, or one per column",
    ] = 10.0
    how: Annotated[How, "to the nearest multiple, down, or at random without bias"] = "nearest"

    @property
    def random(self) -> bool:  # type: ignore[override]
        """Whether the result depends on the seed."""
        return self.how == "random"

    def chosen(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns named, those with a base of their own, or those whose role fits."""
        if self.columns is None and isinstance(self.base, Mapping):
            return replace(self, columns=tuple(self.base)).chosen(data)
        return super().chosen(data)

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        bases = {name: self._base(name) for name in columns}
        public = {name: {"base": base} for name, base in bases.items()}
        return RoundingPlan(self.step(columns, public), bases, self.how)

    def _base(self, column: str) -> float:
        if not isinstance(self.base, Mapping):
            return self.base
        if column not in self.base:
            raise SettingError("Rounding: base has no number for column '{column}'.", column=column)
        return self.base[column]
