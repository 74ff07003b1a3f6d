"""Tasks that are run over the blocks of a large table. Results of parts are merged in any order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from sudare.core import (
    MISSING,
    MOST_VALUES,
    NOT_APPLICABLE,
    Array,
    Categorical,
    Column,
    Draws,
    Floats,
    Integers,
    LabelWords,
    Microdata,
    Numeric,
    TooLargeError,
    check_weights,
    content_sum,
    distinct,
)
from sudare.engine.counting import Piece, pieces
from sudare.engine.large.coding import Range, extremes, plain
from sudare.engine.large.masked_blocks import Chain
from sudare.engine.large.survey import Blocks, joined

_GAPS = [NOT_APPLICABLE, MISSING]  # codes -2 and -1, as they index a list from its end


@dataclass(frozen=True, eq=False)
class BlockTask:
    """Does some work on each block of one chain, or on the blocks of two side by side."""

    chains: tuple[Chain, ...]
    work: Callable[..., Any]

    def __call__(self, blocks: Blocks) -> list[Any]:
        """Return what the work finds in each block."""
        return [
            self.work(*(chain.block(first_row, raw) for chain in self.chains))
            for first_row, raw in blocks
        ]


@dataclass(frozen=True, eq=False)
class MomentTask:
    """Sums up numbers, with the weights in the last column if they count."""

    chain: Chain
    weighted: bool

    def __call__(self, blocks: Blocks) -> list[Piece]:
        """Return what some blocks contribute to the moments."""
        gathered: list[Piece] = []
        for first_row, raw in blocks:
            columns = list(self.chain.block(first_row, raw).columns)
            weights = check_weights(columns.pop(), first_row) if self.weighted else None
            values = np.stack([c.values for c in columns if isinstance(c, Numeric)])
            gathered += pieces(first_row, values, weights)
        return gathered


@dataclass(frozen=True, eq=False)
class ContentTask:
    """Sums up the values of all columns, each times a draw of its own."""

    chain: Chain
    draws: Draws

    def __call__(self, blocks: Blocks) -> Array:
        """Return what some blocks contribute."""
        known: LabelWords = {}
        sums = (
            content_sum(self.chain.block(first_row, raw), self.draws.starting_at(first_row), known)
            for first_row, raw in blocks
        )
        return sum(sums, np.zeros(1, np.uint64))


@dataclass
class Outlined:
    """The distinct values of a masked column so far, or what they span."""

    values: Floats = field(default_factory=lambda: np.zeros(0))
    counts: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    range: Range = field(default_factory=Range)
    is_many: bool = False
    most: int = MOST_VALUES

    def add(self, values: Floats, counts: Array) -> None:
        """Count distinct values."""
        if self.is_many:
            return
        levels, positions = np.unique(np.concatenate([self.values, values]), return_inverse=True)
        together = np.concatenate([self.counts, counts])
        self.values = levels
        self.counts = np.bincount(positions, weights=together, minlength=len(levels)).astype(
            np.int64
        )
        if len(levels) > self.most:
            self.is_many, self.values, self.counts = True, np.zeros(0), np.zeros(0, np.int64)

    def merge(self, other: "Outlined") -> None:
        """Add what another part of the table has."""
        self.is_many |= other.is_many
        self.add(other.values, other.counts)
        self.range.merge(other.range)


@dataclass(frozen=True, eq=False)
class OutlineTask:
    """Counts the distinct values of one column."""

    chain: Chain
    most: int = MOST_VALUES

    def __call__(self, blocks: Blocks) -> Outlined:
        """Return the distinct values of some blocks; of labels, codes."""
        outlined = Outlined(most=self.most)
        for first_row, raw in blocks:
            column = self.chain.block(first_row, raw).columns[0]
            if isinstance(column, Categorical):
                codes, counts = np.unique(column.codes, return_counts=True)
                outlined.add(codes.astype(np.float64), counts)
            elif isinstance(column, Numeric):
                levels, positions = distinct(column.values[column.known])
                outlined.add(levels, np.bincount(positions, minlength=len(levels)))
                outlined.range.add(column)
        return outlined


def outline_of(head: Column, outlined: Outlined) -> Column:
    """Return the outline of a column from what was counted."""
    if isinstance(head, Categorical):
        return replace(head, codes=outlined.values.astype(np.int32), copies=outlined.counts)
    head = head.numeric
    if outlined.is_many:
        return extremes(head, outlined.range.ends, outlined.range.counts)
    gaps = [outlined.range.counts[1], outlined.range.counts[2]]
    used = [count > 0 for count in gaps]
    values = np.concatenate([outlined.values, np.full(sum(used), np.nan)])
    copies = np.concatenate([outlined.counts, np.array(gaps)[used]]).astype(np.int64)
    absent = np.zeros(len(values), np.bool_)
    absent[-1:] = used[1]
    has_absent = head.absent is not None or used[1]
    made = replace(head, values=values, copies=copies, absent=absent if has_absent else None)
    return made.take(in_order([made]))


@dataclass(frozen=True, eq=False)
class SampleTask:
    """Takes some records, as they are or, by a chain, masked.

    Attributes
    ----------
    rows
        Numbers of the records, ascending.
    """

    rows: Integers
    chain: Chain | None = None

    def __call__(self, blocks: Blocks) -> list[tuple[int, Any]]:
        """Return the records that are in some blocks, with the number of the first in a block."""
        taken: list[tuple[int, Any]] = []
        for first_row, raw in blocks:
            low, high = np.searchsorted(self.rows, [first_row, first_row + raw.num_rows])
            if low < high:
                rows = self.rows[low:high] - first_row
                taken.append((first_row, self._taken(first_row, raw, rows)))
        return taken

    def _taken(self, first_row: int, raw: pa.Table, rows: Integers) -> pa.Table | Microdata:
        if self.chain is None:
            some = raw.take(pa.array(rows))
            return pa.table([plain(joined(c)) for c in some.columns], some.column_names)
        if self.chain.steps:
            data = self.chain.block(first_row, raw).take(rows)
        else:  # of a whole block, labels too many to be counted would be sorted for a few
            data = self.chain.block(first_row + rows, raw.take(pa.array(rows)))
        heads = self.chain.head().columns
        own = (_own_labels(*pair) for pair in zip(data.columns, heads, strict=True))
        return replace(data, columns=tuple(own))


def _own_labels(column: Column, head: Column) -> Column:
    """Return a column without the labels of its block that no record has.

    Only where each block has its own list: all labels of all blocks may not fit in memory.
    """
    if not isinstance(column, Categorical) or not isinstance(head, Categorical):
        return column
    if column.labels == head.labels:
        return column
    used, codes = np.unique(column.codes, return_inverse=True)
    gaps = used[used < 0]
    labels = tuple(column.labels[code] for code in used[len(gaps) :].tolist())
    moved = np.concatenate([gaps, np.arange(len(labels))]).astype(np.int32)
    return replace(column, codes=moved[codes], labels=labels)


@dataclass(frozen=True, eq=False)
class FilterTask:
    """Keeps some of the records.

    Attributes
    ----------
    keep
        Says which of some records remain.
    most
        How many may remain.
    """

    chain: Chain
    keep: Callable[[Microdata], Integers]
    most: int

    def __call__(self, blocks: Blocks) -> tuple[Integers, Microdata]:
        """Return the records of some blocks that remain, with their numbers."""
        remaining = np.zeros(0, np.int64), self.chain.head()
        for first_row, raw in blocks:
            rows = np.arange(first_row, first_row + raw.num_rows)
            seen = [remaining] if len(remaining[0]) else []
            remaining = self.merged([*seen, (rows, self.chain.block(first_row, raw))])
        return remaining

    def merged(self, parts: Sequence[tuple[Integers, Microdata]]) -> tuple[Integers, Microdata]:
        """Return what remains of several parts."""
        rows = np.concatenate([part[0] for part in parts])
        order = np.argsort(rows)
        data = stacked([part[1] for part in parts]).take(order)
        kept = np.sort(self.keep(data))
        if len(kept) > self.most:
            raise TooLargeError(
                "more than {limit} records would have to be side by side, too many for the memory "
                "allowed; round the column first, allow more memory, or work on a sample: "
                "table.sample(rows).",
                limit=self.most,
            )
        return rows[order][kept], data.take(kept)


def stacked(parts: Sequence[Microdata]) -> Microdata:
    """Return tables with the same columns one below the other."""
    return Microdata(
        tuple(
            _stacked([part.columns[position] for part in parts])
            for position in range(len(parts[0].columns))
        )
    )


def _stacked(parts: Sequence[Column]) -> Column:
    first = parts[0]
    if isinstance(first, Categorical):
        own = [part for part in parts if isinstance(part, Categorical)]
        if all(part.labels == first.labels for part in own):
            return replace(first, codes=np.concatenate([part.codes for part in own]))
        # Each block had its own list.
        together = {label for part in own for label in part.labels}
        labels = tuple(sorted(together))  # type: ignore[type-var]
        code_of = {label: code for code, label in enumerate(labels)}
        tables = [[code_of[label] for label in part.labels] + _GAPS for part in own]
        moved = [
            np.array(table, np.int32)[part.codes] for table, part in zip(tables, own, strict=True)
        ]
        return replace(first, codes=np.concatenate(moved), labels=labels)
    numbers = [part for part in parts if isinstance(part, Numeric)]
    if not isinstance(first, Numeric) or len(numbers) < len(parts):
        raise TypeError("the parts differ in kind")
    absent = None
    if any(part.absent is not None for part in numbers):
        absent = np.concatenate([part.not_applicable for part in numbers])
    return replace(first, values=np.concatenate([p.values for p in numbers]), absent=absent)


def in_order(columns: Sequence[Column]) -> Integers:
    """Return the order of entries by their codes, absent ones first."""
    keys: list[Array] = []
    for column in columns:
        if isinstance(column, Categorical):
            keys.append(column.codes)
        elif isinstance(column, Numeric):
            keys.append(np.where(column.known, column.values, -np.inf))
            keys.append(np.where(column.not_applicable, NOT_APPLICABLE, MISSING))
    return np.lexsort(keys[::-1])
