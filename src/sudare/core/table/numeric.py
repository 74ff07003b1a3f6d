"""Columns of numbers, their distinct values, and whether two columns hold the same."""

from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from sudare.core.errors import ColumnError
from sudare.core.table.categorical import Categorical, label_codes
from sudare.core.table.column import MISSING, NOT_APPLICABLE, Column, frozen, taken
from sudare.core.types import Array, Codes, Flags, Floats, Scale


@dataclass(frozen=True, eq=False, repr=False)
class Numeric(Column):
    """Numbers; a record without one is NaN, and ``absent`` says which of these cannot have one."""

    values: Array
    _: KW_ONLY
    absent: Flags | None = None
    scale: Scale = "ratio"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "values", frozen(self.values, np.float64))
        infinite = np.isinf(self.values)
        if infinite.any():
            raise ColumnError(
                "column '{column}' has {count} infinite {count:number|numbers}; make them "
                "missing or top-code them before reading.",
                column=self.name,
                count=int(infinite.sum()),
            )
        if self.absent is not None:
            object.__setattr__(self, "absent", frozen(self.absent, np.bool_))

    @property
    def rows(self) -> int:
        """Number of entries."""
        return len(self.values)

    @cached_property
    def missing(self) -> Flags:
        """Which records should have a value and have none."""
        empty: Flags = np.isnan(self.values)
        return empty if self.absent is None else empty & ~self.absent

    @property
    def not_applicable(self) -> Flags:
        """Which records cannot have a value."""
        return np.zeros(self.rows, np.bool_) if self.absent is None else self.absent

    @property
    def known(self) -> Flags:
        """Which records have a value."""
        return ~np.isnan(self.values)

    @property
    def empty(self) -> bool:
        """Whether no record has a value."""
        return bool(np.isnan(self.values[:1]).all() and np.isnan(self.values).all())

    @property
    def numeric(self) -> "Numeric":
        """The column itself."""
        return self

    @cached_property
    def coded(self) -> Categorical:
        """One code per distinct number, in ascending order."""
        levels, positions = distinct(self.values[self.known])
        codes = np.full(self.rows, MISSING, np.int32)
        codes[self.known] = positions
        codes[self.not_applicable] = NOT_APPLICABLE
        whole = bool((levels == np.rint(levels)).all() and (np.abs(levels) < 2**53).all())
        return Categorical(
            self.name,
            codes,
            tuple(levels.astype(np.int64).tolist() if whole else levels.tolist()),
            role=self.role,
            scale="ordinal",
            storage=self.storage,
            absent_label=self.absent_label,
            copies=self.copies,
            written=self.written,
        )

    def take(self, rows: Array) -> Self:
        """Return the column of some records, in the order given."""
        return replace(
            self,
            values=self.values[rows],
            absent=taken(self.absent, rows),
            copies=taken(self.copies, rows),
            written=None if self.written is None else self.written.take(rows),
        )


def distinct(values: Floats) -> tuple[Floats, Codes]:
    """Return the distinct numbers in ascending order and each record's position among them.

    Whole numbers of a narrow range are looked up in a table, everything else by sorting.

    Examples
    --------
    >>> levels, positions = distinct(np.array([5.0, 3.0, 5.0]))
    >>> levels.tolist(), positions.tolist()
    ([3.0, 5.0], [1, 0, 1])
    """
    if len(values):
        low, high = float(values.min()), float(values.max())
        if high - low < min(4 * len(values) + 256, 2**24) and (values == np.rint(values)).all():
            shifted = (values - low).astype(np.int32)
            seen = np.bincount(shifted) > 0
            position = (np.cumsum(seen) - 1).astype(np.int32)
            return np.flatnonzero(seen).astype(np.float64) + low, position[shifted]
    levels, codes = np.unique(values, return_inverse=True)
    return levels, codes.astype(np.int32)


def blanked(column: Column, lost: Flags) -> Column:
    """Return the column with some values missing.

    Examples
    --------
    >>> blanked(Numeric("age", np.array([31.0, 40.0])), np.array([True, False])).gaps
    1
    """
    if isinstance(column, Numeric):
        absent = None if column.absent is None else column.absent & ~lost
        return replace(column, values=np.where(lost, np.nan, column.values), absent=absent)
    coded = column.coded
    return replace(coded, codes=np.where(lost, MISSING, coded.codes))


def same_values(mine: Column, theirs: Column) -> bool:
    """Return whether two columns have the same values, as they would be written.

    Examples
    --------
    >>> ages = Numeric("age", np.array([31.0, 40.0]))
    >>> same_values(ages, ages.coded), same_values(ages, ages.take(np.array([1, 0])))
    (True, False)
    """
    if mine.rows != theirs.rows:
        return False
    if isinstance(mine, Numeric) and isinstance(theirs, Numeric):
        alike = np.array_equal(mine.values, theirs.values, equal_nan=True)
        return alike and np.array_equal(mine.not_applicable, theirs.not_applicable)
    mine_coded, theirs_coded = mine.coded, theirs.coded
    labels = tuple(map(str, mine_coded.labels))
    moved = label_codes(map(str, theirs_coded.labels), labels)[theirs_coded.codes]
    return np.array_equal(label_codes(labels, labels)[mine_coded.codes], moved)
