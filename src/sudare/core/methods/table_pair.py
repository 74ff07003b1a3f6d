"""Pairs of tables before and after masking: what a measure compares, and how it reads them."""

from collections.abc import Callable, Sequence, Set
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial
from math import prod

import numpy as np

from sudare.core.errors import TooLargeError
from sudare.core.methods.masker import Step
from sudare.core.table import BlockResult, Categorical, Column, Counts, LargeTable, Microdata, Sizes
from sudare.core.types import Integers

_FEW_CELLS = 2**20  # columns are counted together while so few combinations are possible


@dataclass(frozen=True)
class TablePair:
    """What a measure compares: both tables, the columns that count, and what was done.

    A measure that needs counts or moments asks for the columns whose values it needs side by side.
    Tables in memory are then given as they are; of other tables equal records are
    counted, and are given once, with their number in ``copies``.

    Attributes
    ----------
    before, after
        Both tables; of tables that are not in memory only names, roles, scales and labels.
    columns
        The columns that count.
    steps
        What was done.
    detail
        Whether entries are records in memory, so that a result can have a record detail.
    """

    before: Microdata
    after: Microdata
    columns: tuple[str, ...]
    steps: tuple[Step, ...]
    detail: bool = True

    @property
    def records(self) -> int:
        """Number of records after masking."""
        return self.after.records

    @property
    def is_shuffled(self) -> bool:
        """Whether the released table has its records in another order than the original."""
        return self.after.is_shuffled

    @property
    def stands_alone(self) -> bool:
        """Whether only the released table counts: there is no other, or its order is unknown."""
        return self.before is self.after or _is_shuffled(self.before, self.after)

    @property
    def read_apart(self) -> bool:
        """Whether the tables were read one by one, perhaps with other words for no answer."""
        return self.before.origin is not self.after.origin

    def side_by_side(self) -> "TablePair":
        """Return the pair with the records before masking that are still there after it."""
        kept = self.before.still_in(self.after)
        return self if kept is self.before else replace(self, before=kept)

    def original(self, columns: Sequence[str]) -> Microdata:
        """Return the table before masking, as far as some columns go, and its weights."""
        return self.before

    def released(self, columns: Sequence[str]) -> Microdata:
        """Return the table after masking, as far as some columns go, and its weights."""
        return self.after

    def released_sizes(self, groupings: Sequence[Sequence[str]]) -> list[Sizes] | None:
        """Return the sizes of the groups of equal records after masking, and how many have each.

        Of several groupings, each by some columns. None where they are to be counted from
        ``released``.
        """
        return None

    def may_have_suppressed(self) -> bool:
        """Return whether masking may have made values of the columns that count missing."""
        before, after = self.before.still_in(self.after), self.after
        same_entries = before.rows == after.rows and (
            before.copies is after.copies or np.array_equal(_copies(before), _copies(after))
        )
        if before is after or not same_entries:
            return False
        return any(after[name].suppressed_since(before[name]).any() for name in self.columns)

    def on(self, before: Sequence[str], after: Sequence[str] | None = None) -> "TablePair":
        """Return the pair with some columns of both tables side by side, record by record.

        Parameters
        ----------
        before
            Columns of the table before masking.
        after
            Columns of the table after masking; by default the same.
        """
        return replace(self.side_by_side(), columns=tuple(before))

    def original_in_blocks(
        self,
        columns: Sequence[str],
        work: Callable[[Microdata], BlockResult],
    ) -> list[BlockResult]:
        """Return what some work finds in each block of records of the table before masking."""
        return [work(self.before)]

    def released_in_blocks(
        self,
        columns: Sequence[str],
        work: Callable[[Microdata], BlockResult],
    ) -> list[BlockResult]:
        """Return what some work finds in each block of records of the table after masking."""
        return [work(self.after)]

    def in_blocks(
        self, columns: Sequence[str], work: "Callable[[TablePair], BlockResult]"
    ) -> list[BlockResult]:
        """Return what some work finds in each block of records of both tables, in any order.

        For sums over numbers that are too many to be counted: the work returns something small,
        and is done where the block is.
        """
        return [work(replace(self.side_by_side(), columns=tuple(columns)))]


@dataclass(frozen=True)
class LargeTablePair(TablePair):
    """A pair of tables that are not in memory: they are counted, or visited block by block.

    Every count is a pass over a table. So columns that a measure may ask for later are counted
    along while few combinations are possible, and what was counted is kept: if it is small with the
    table, for the next measure, else for this one.

    Attributes
    ----------
    tables
        Both tables themselves.
    counts
        What was counted and is not small: before, after, and both side by side.
    """

    _: KW_ONLY
    tables: tuple[LargeTable, LargeTable]
    counts: tuple[Counts, Counts, Counts] = field(default_factory=lambda: ({}, {}, {}), repr=False)

    @property
    def is_shuffled(self) -> bool:
        """Whether the released table has its records in another order than the original."""
        return self.tables[1].is_shuffled

    @property
    def stands_alone(self) -> bool:
        """Whether only the released table counts: there is no other, or its order is unknown."""
        before, after = self.tables
        return before is after or _is_shuffled(before, after)

    @property
    def read_apart(self) -> bool:
        """Whether the tables were read one by one, perhaps with other words for no answer."""
        before, after = self.tables
        return before is not after and not after.is_masked

    @property
    def records(self) -> int:
        """Number of records after masking."""
        return self.tables[1].records

    def original(self, columns: Sequence[str]) -> Microdata:
        """Return the table before masking with equal records once, and their mean weights."""
        return self._counted(0, columns)

    def released(self, columns: Sequence[str]) -> Microdata:
        """Return the table after masking with equal records once, and their mean weights."""
        return self._counted(1, columns)

    def released_sizes(self, groupings: Sequence[Sequence[str]]) -> list[Sizes] | None:
        """Return the sizes of groups, where the table counts them and they are not known."""
        table = self.tables[1]
        lacking = [names for names in groupings if frozenset(names) not in table.sizes]
        if lacking:
            columns = tuple(dict.fromkeys(name for names in groupings for name in names))
            is_small = _combinations(columns, [self.after]) <= _FEW_CELLS
            if is_small or _holding((table.counts, self.counts[1]), columns) is not None:
                return None  # what is small is counted, as the next measure can use it too
            sizes = table.group_sizes(lacking)
            if sizes is None:
                return None
            table.sizes.update(zip(map(frozenset, lacking), sizes, strict=True))
        return [table.sizes[frozenset(names)] for names in groupings]

    def may_have_suppressed(self) -> bool:
        """Return whether a column has more missing values than before; not where that is unknown.

        Columns of too many values to count are taken to have none, which is stricter.
        """
        before, after = self.tables
        if before is after or before.records != after.records:
            return False
        try:
            return any(
                after.outlined(name).gaps > before.outlined(name).gaps for name in self.columns
            )
        except TooLargeError:
            return False

    def on(self, before: Sequence[str], after: Sequence[str] | None = None) -> TablePair:
        """Return both tables with equal pairs of records once, and their mean weights."""
        both = tuple(dict.fromkeys([*before, *(before if after is None else after)]))
        original, masked = self.tables
        known = (original.counts_with.setdefault(masked, {}), self.counts[2])
        counted, heads = _holding(known, both), [self.before, self.after]
        if counted is None and after is not None and _combinations(both, heads) > _FEW_CELLS:
            counted = original.counted_with(masked, tuple(before), tuple(after))
        if counted is None:
            counted_before = {name for counts in known for names in counts for name in names}
            names = self._with_more(both, heads, counted_before)
            counted = _kept(known, names, original.counted_with(masked, names))
        return TablePair(counted[0], counted[1], tuple(before), self.steps, detail=False)

    def original_in_blocks(
        self, columns: Sequence[str], work: Callable[[Microdata], BlockResult]
    ) -> list[BlockResult]:
        """Return what some work finds in each block of records of the table before masking."""
        return list(self.tables[0].in_blocks(columns, work))

    def released_in_blocks(
        self, columns: Sequence[str], work: Callable[[Microdata], BlockResult]
    ) -> list[BlockResult]:
        """Return what some work finds in each block of records of the table after masking."""
        return list(self.tables[1].in_blocks(columns, work))

    def in_blocks(
        self, columns: Sequence[str], work: Callable[[TablePair], BlockResult]
    ) -> list[BlockResult]:
        """Return what some work finds in each block of records of both tables, in any order."""
        before, after = self.tables
        return list(before.in_blocks_with(after, columns, partial(_on_pair, work, tuple(columns))))

    def _counted(self, side: int, columns: Sequence[str]) -> Microdata:
        known = (self.tables[side].counts, self.counts[side])
        counted = _holding(known, columns)
        if counted is None:
            names = self._with_more(columns, [(self.before, self.after)[side]])
            counted = _kept(known, names, (self.tables[side].counted(names),))
        return counted[0]

    def _with_more(
        self, columns: Sequence[str], heads: Sequence[Microdata], known: Set[str] = frozenset()
    ) -> tuple[str, ...]:
        """Return the columns, and while few combinations are possible others; known ones last."""
        chosen = list(columns)
        cells = _combinations(columns, heads)
        for name in sorted(self.columns, key=known.__contains__):
            more = _combinations([name], heads)
            if name not in chosen and cells * more <= _FEW_CELLS:
                chosen.append(name)
                cells *= more
        return tuple(chosen)


def _is_shuffled(before: Microdata | LargeTable, after: Microdata | LargeTable) -> bool:
    return after.is_shuffled and not before.is_shuffled


def _copies(data: Microdata) -> Integers:
    return np.ones(data.rows, np.int64) if data.copies is None else data.copies


def _holding(known: tuple[Counts, Counts], columns: Sequence[str]) -> tuple[Microdata, ...] | None:
    """Return the smallest of what was counted that has all these columns."""
    able = [t for counts in known for names, t in counts.items() if names.issuperset(columns)]
    return min(able, key=lambda tables: tables[0].rows, default=None)


def _kept(
    known: tuple[Counts, Counts], columns: Sequence[str], counted: tuple[Microdata, ...]
) -> tuple[Microdata, ...]:
    """Keep what was counted: with the table if it is small, else with the pair."""
    known[0 if counted[0].rows <= _FEW_CELLS else 1][frozenset(columns)] = counted
    return counted


def _combinations(columns: Sequence[str], heads: Sequence[Microdata]) -> int:
    """Return how many combinations of values some columns may have in all tables together."""
    return prod(_cells(head[name]) for head in heads for name in columns)


def _cells(column: Column) -> int:
    """Return how many values a column may have; unknown is many."""
    known = isinstance(column, Categorical) and column.labels
    return len(column.coded.labels) + 2 if known else _FEW_CELLS + 1


def _on_pair(
    work: Callable[[TablePair], BlockResult],
    columns: tuple[str, ...],
    before: Microdata,
    after: Microdata,
) -> BlockResult:
    return work(TablePair(before, after, columns, (), detail=False))
