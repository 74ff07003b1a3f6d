"""Minimal sample uniques: the smallest sets of keys on which a record is alone.

Sets of columns are visited in the order of their bits, so that every part of a set comes before it.
The records with equal values on a set are split by one more column; who is alone is noted if it is
not on any part, and leaves, and so does a group in which nobody can become alone. The column with
most categories comes last: all sets with it are below it, and little is left of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from sudare.core.columns import MISSING, Column
from sudare.core.errors import SettingError
from sudare.core.types import Array, Codes, Flags, Integers
from sudare.engine.counts import groups

if TYPE_CHECKING:
    from sudare.risk._kernels_uniques import Found

_MOST_PLACES = 2**27  # rows that match all times the values they match: half a gigabyte
_MOST_COLUMNS = 60  # a set of columns is the bits of one whole number


@dataclass(frozen=True, eq=False)
class MinimalUniques:
    """The minimal uniques of a table.

    Attributes
    ----------
    record
        Whose it is, shape (u,).
    members
        The columns, as bits of a whole number, shape (u,).
    columns
        Number of columns.
    """

    record: Integers
    members: Integers
    columns: int

    @property
    def sizes(self) -> Integers:
        """Number of columns of each, shape (u,)."""
        return np.bitwise_count(self.members).astype(np.int64)

    def holding(self, column: int) -> Flags:
        """Return which of them hold a column."""
        held: Flags = self.members >> column & 1 == 1
        return held


def minimal_uniques(
    columns: Sequence[Column], max_size: int, *, wildcard: bool = False
) -> MinimalUniques:
    """Return all sets of up to ``max_size`` columns on which a record is alone, but on no part.

    Parameters
    ----------
    columns
        The keys; not applicable is a value like any other.
    max_size
        The largest set that is looked at.
    wildcard
        Whether a missing value matches every value; otherwise missing is a value.

    References
    ----------
    Manning, Haglin and Keane (2008). A recursive search algorithm for statistical disclosure
    assessment. Data Mining and Knowledge Discovery 16(2). The search is ours.

    Examples
    --------
    >>> from sudare.core.columns import Categorical
    >>> sex = Categorical("sex", np.array([0, 0, 1, 1]), ("f", "m"))
    >>> job = Categorical("job", np.array([0, 1, 1, 1]), ("a", "b"))
    >>> found = minimal_uniques([sex, job], 2)
    >>> found.record.tolist(), found.members.tolist()  # job alone; sex and job together
    ([0, 1], [2, 3])
    """
    if len(columns) > _MOST_COLUMNS:
        raise SettingError(
            "at most {limit} key columns can be compared, got {count}; take fewer columns.",
            limit=_MOST_COLUMNS,
            count=len(columns),
        )
    kinds = groups(columns)
    example = np.empty(len(kinds.sizes), np.int64)
    example[kinds.index] = np.arange(len(kinds.index))
    codes = [_codes(column.take(example), wildcard) for column in columns]
    for column, code in zip(columns, codes, strict=True):
        _check_places(column.name, code)
    order = np.argsort([code.max(initial=0) for code in codes], kind="stable")
    search = _Search.over([codes[place] for place in order], kinds.sizes == 1)
    search.visit(max_size)
    record, found = example[search.found.row[: search.used]], search.found.members[: search.used]
    members = np.zeros(len(found), np.int64)
    for bit, place in enumerate(order):
        members |= (found >> bit & 1) << int(place)
    order = np.lexsort((members, record))
    return MinimalUniques(record[order], members[order], len(columns))


def _codes(column: Column, wildcard: bool) -> Codes:  # noqa: FBT001
    codes = column.coded.codes
    moved: Codes = (codes + 2).astype(np.int32)  # the absent come first
    if wildcard:
        moved[codes == MISSING] = -1
    return moved


def _check_places(name: str, codes: Codes) -> None:
    missing, values = int((codes < 0).sum()), int(codes.max(initial=0)) + 1
    if missing * values > _MOST_PLACES:
        raise SettingError(
            "column '{column}' has {missing} missing values that would match {values} others each; "
            "recode it first, or take missing as a category.",
            column=name,
            missing=missing,
            values=values,
        )


@dataclass(eq=False)
class _Search:
    """What the visits share; the chains of what was found grow as they go."""

    codes: list[Codes]
    unknown: list[int]
    barred: Integers
    table: Array
    found: "Found"
    used: int = 0

    @classmethod
    def over(cls, codes: list[Codes], single: Flags) -> Self:
        from sudare.risk._kernels_uniques import Found

        d = len(single)
        barred = np.where(single, 0, -1)  # a row of several records is alone on no columns
        for place, column in enumerate(codes):
            barred |= np.where(column < 0, 1 << place, 0)
        table = np.zeros((4, max(int(column.max(initial=0)) for column in codes) + 1), np.int32)
        last, before, row = (np.full(room, -1, np.int32) for room in (d, 4 * d, 4 * d))
        found = Found(last, before, row, np.zeros(4 * d, np.int64))
        unknown = [int((column < 0).sum()) for column in codes]
        return cls(codes, unknown, barred, table, found)

    def visit(self, depth: int) -> None:
        """Visit all sets of up to so many columns, all rows being one group to begin with."""
        from sudare.risk._kernels_uniques import split

        def extend(rows: Array, ends: Array, members: int, below: int, depth: int) -> None:
            for place in range(below):
                self._make_room(len(rows))
                wider = members | 1 << place
                kept, stops, self.used = split(
                    rows,
                    ends,
                    self.codes[place],
                    self.unknown[place],
                    self.barred,
                    wider,
                    self.table,
                    self.found,
                    self.used,
                )
                if len(stops) and depth > 1:
                    extend(kept, stops, wider, place, depth - 1)

        rows = np.arange(len(self.barred), dtype=np.int32)
        extend(rows, np.array([len(rows)], np.int32), 0, len(self.codes), depth)

    def _make_room(self, more: int) -> None:
        """Make the chains longer if so many more might not find room."""
        if self.used + more > len(self.found.row):
            last, *chains = self.found
            longer = [np.resize(chain, 2 * (self.used + more)) for chain in chains]
            self.found = type(self.found)(last, *longer)
