"""Measures of tables: what every risk and loss sees is written alike before and after masking."""

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial

from sudare.core import (
    BlockResult,
    Categorical,
    Column,
    LargeTable,
    LargeTablePair,
    Measure,
    Microdata,
    Numeric,
    Sizes,
    Step,
    TablePair,
)
from sudare.describe.pairing.writing import Rewriting, rewriting


class TableMeasure(Measure, ABC):
    """A measure that sees the columns of the masked table written as the original has them.

    Dates that became text, numbers that became labels and the like are what they were, so that a
    release is neither safer nor worse for the way in which it is written. The catalog's measures
    of tables are all of this kind.
    """

    def _pair(
        self,
        before: Microdata | LargeTable,
        after: Microdata | LargeTable,
        steps: Sequence[Step],
    ) -> TablePair:
        return written_alike(super()._pair(before, after, steps))


def written_alike(pair: TablePair) -> TablePair:
    """Return the pair with the masked columns written as the original ones are."""
    names = [
        column.name
        for column in pair.before.columns
        if column.role != "identifier"
        and column.name in pair.after
        and not _is_untouched(column, pair.after[column.name])
    ]
    if isinstance(pair, LargeTablePair):
        proposed = {name: _large_rewriting(pair, name) for name in names}
    else:
        proposed = {name: rewriting(pair.before[name], pair.after[name]) for name in names}
    rewritings = {name: each for name, each in proposed.items() if each is not None}
    if not rewritings:
        return pair
    after = _rewritten(rewritings, pair.after)
    if not isinstance(pair, LargeTablePair):
        return replace(pair, after=after)
    return RewrittenPair(
        pair.before,
        after,
        pair.columns,
        pair.steps,
        pair.detail,
        tables=pair.tables,
        rewritings=rewritings,
    )


@dataclass(frozen=True)
class RewrittenPair(LargeTablePair):
    """Tables that are not in memory, the masked columns rewritten where they are read."""

    _: KW_ONLY
    rewritings: Mapping[str, Rewriting] = field(repr=False)

    def released(self, columns: Sequence[str]) -> Microdata:
        """Return the table after masking with equal records once, and their mean weights."""
        return _rewritten(self.rewritings, super().released(columns))

    def released_sizes(self, groupings: Sequence[Sequence[str]]) -> list[Sizes] | None:
        """Return the sizes of groups by columns that are not rewritten."""
        if any(name in self.rewritings for names in groupings for name in names):
            return None
        return super().released_sizes(groupings)

    def on(self, before: Sequence[str], after: Sequence[str] | None = None) -> TablePair:
        """Return both tables with equal pairs of records once, and their mean weights."""
        return _rewritten_pair(self.rewritings, super().on(before, after))

    def released_in_blocks(
        self, columns: Sequence[str], work: Callable[[Microdata], BlockResult]
    ) -> list[BlockResult]:
        """Return what some work finds in each block of records of the table after masking."""
        return super().released_in_blocks(columns, partial(_on_table, self.rewritings, work))

    def in_blocks(
        self, columns: Sequence[str], work: Callable[[TablePair], BlockResult]
    ) -> list[BlockResult]:
        """Return what some work finds in each block of records of both tables, in any order."""
        return super().in_blocks(columns, partial(_on_pair, self.rewritings, work))


def _on_table(
    rewritings: Mapping[str, Rewriting], work: Callable[[Microdata], BlockResult], data: Microdata
) -> BlockResult:
    return work(_rewritten(rewritings, data))


def _on_pair(
    rewritings: Mapping[str, Rewriting], work: Callable[[TablePair], BlockResult], pair: TablePair
) -> BlockResult:
    return work(_rewritten_pair(rewritings, pair))


def _rewritten_pair(rewritings: Mapping[str, Rewriting], pair: TablePair) -> TablePair:
    return replace(pair, after=_rewritten(rewritings, pair.after))


def _rewritten(rewritings: Mapping[str, Rewriting], data: Microdata) -> Microdata:
    return data.replacing(
        rewritings[column.name](column) for column in data.columns if column.name in rewritings
    )


def _large_rewriting(pair: LargeTablePair, name: str) -> Rewriting | None:
    """Return what rewrites a column of a table that is not in memory; most need no look at it."""
    before, after = pair.before[name], pair.after[name]
    if isinstance(before, Categorical):
        if _is_alike(before, after):
            return None
        before = before if before.labels else pair.tables[0].outlined(name)
    elif isinstance(after, Numeric):
        return rewriting(before, after)
    if not isinstance(after, Categorical) or not after.labels:
        after = pair.tables[1].outlined(name)
    return rewriting(before, after)


def _is_untouched(before: Column, after: Column) -> bool:
    """Return whether masking kept the kind of a column and its very labels."""
    if type(before) is not type(after) or before.storage != after.storage:
        return False
    return isinstance(before, Numeric) or before.coded.labels is after.coded.labels


def _is_alike(before: Categorical, after: Column) -> bool:
    """Return whether labels are written alike, by what is known without reading a table."""
    if not isinstance(after, Categorical):
        return False
    same = bool(before.labels) and before.labels == after.labels
    return same or before.storage == after.storage
