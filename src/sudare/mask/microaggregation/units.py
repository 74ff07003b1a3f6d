"""Columns of large tables in units of powers of two: their squares neither overflow nor vanish."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Self

from sudare.core import (
    Column,
    ColumnPlan,
    Draws,
    Floats,
    LargeTable,
    Moments,
    Numeric,
    Step,
    draws_from,
)
from sudare.engine.counting import in_units, magnitude

_FAR = 400  # powers of two: nearer ones need no other unit


@dataclass(frozen=True, repr=False)
class InUnits(ColumnPlan):
    """Gives some columns of numbers in units of powers of two; rounds none of them."""

    powers: Mapping[str, int]

    @classmethod
    def of(cls, powers: Mapping[str, int]) -> Self:
        """Return the plan for the columns named."""
        return cls(Step("", tuple(powers)), powers)

    def _mask(self, column: Column, draws: Draws) -> Column:
        column = column.numeric
        return replace(column, values=in_units(column.values, self.powers[column.name]))


def far_power(values: Floats) -> int:
    """Return the power of two of numbers that are very large or very small; 0 for others."""
    power = magnitude(values)
    return power if abs(power) > _FAR else 0


def far_powers(table: LargeTable, names: Iterable[str]) -> dict[str, int]:
    """Return the columns of a table whose numbers are such, with their powers."""
    columns = [table.outlined(name) for name in names]
    powers = {c.name: far_power(c.values) for c in columns if isinstance(c, Numeric)}
    return {name: power for name, power in powers.items() if power}


def moments_in_units(table: LargeTable, name: str, power: int) -> Moments:
    """Return the moments of one column of a table, in units of a power of two."""
    if power:
        table = table.transformed(InUnits.of({name: power}), draws_from(0))
    return table.moments([name])
