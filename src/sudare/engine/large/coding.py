"""Coding in blocks: how raw values become codes or numbers, decided once for the whole table.

What a column holds (numbers or labels, which labels in which order) depends on all of its values.
A survey counts the distinct ones; from these a coding is made, by which every block is read alike.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import (
    MISSING,
    MOST_VALUES,
    Array,
    Categorical,
    Column,
    Extremes,
    Flags,
    Numeric,
    TooLargeError,
)
from sudare.engine.counting import Digit
from sudare.engine.frames import (
    ColumnType,
    ReadOptions,
    absent_where,
    as_counts,
    column_of,
    from_numbers,
    read_as,
    set_apart,
    text_column,
)

_NARROW = 1 << 24  # whole numbers of such a range are digits of a key


@dataclass(frozen=True, eq=False)
class Coding(ABC):
    """How the raw values of one column become a column.

    Attributes
    ----------
    outline
        The distinct values of the whole table, with copies; None where there are too many labels.
    """

    outline: Column | None

    @property
    @abstractmethod
    def head(self) -> Column:
        """The column without any record."""

    @abstractmethod
    def column(self, values: pa.Array) -> Column:
        """Return the column of a block."""


@dataclass(frozen=True, eq=False)
class LookedUp(Coding):
    """A column whose distinct values are few enough to be looked up.

    Attributes
    ----------
    levels
        The raw values, without null.
    entries
        What each of them became, and at the end what null becomes.
    notes
        What was noted when they were read.
    """

    levels: pa.Array
    entries: Column
    notes: tuple[str, ...] = ()

    @property
    def head(self) -> Column:
        """The column without any record."""
        return self.entries.take(np.zeros(0, np.int64))

    def column(self, values: pa.Array) -> Column:
        """Return the column of a block."""
        if not pa.types.is_dictionary(values.type):
            if len(self.levels) > len(values):
                return self.entries.take(_filled(_positions(values, self.levels), len(self.levels)))
            values = values.dictionary_encode()
        positions = _positions(values.dictionary, self.levels)
        # What each code of the block became; a missing one is behind the last.
        table = self.entries.take(np.append(_filled(positions, len(self.levels)), len(self.levels)))
        rows = _filled(values.indices, table.rows - 1)
        if isinstance(table, Categorical) and table.written is None:
            return replace(table, codes=table.codes.take(rows))  # half the time of an index
        return table.take(rows)


@dataclass(frozen=True, eq=False)
class Counted(Coding):
    """Numbers, dates and times, taken as they are.

    Attributes
    ----------
    outline
        The distinct numbers or, if they are many, the smallest and the largest.
    """

    outline: Numeric
    options: ReadOptions
    text: pa.DataType | None = None  # what the texts are, where these were the numbers
    is_written: bool = False  # whether these are numbers as people write them
    notes: tuple[str, ...] = ()  # what was noted when they were read

    @property
    def head(self) -> Numeric:
        """The column without any record."""
        absent = None if self.outline.absent is None else np.zeros(0, np.bool_)
        facts = self.outline
        return Numeric(
            facts.name,
            np.zeros(0),
            absent=absent,
            role=facts.role,
            scale=facts.scale,
            storage=facts.storage,
            absent_label=facts.absent_label,
        )

    def column(self, values: pa.Array) -> Numeric:
        """Return the column of a block."""
        name, absent = self.outline.name, self.options.not_applicable
        if self.text is None:
            column = set_apart(from_numbers(name, pa.chunked_array([values])), self.options)
        else:
            column = self._written(plain(values)) if self.is_written else self._read(plain(values))
        if "" in absent.words(name):
            column = absent_where(column, pc.is_null(values, nan_is_null=True))
        return replace(
            self.head,
            values=column.values,  # type: ignore[attr-defined]
            absent=None if self.outline.absent is None else column.not_applicable,
            absent_label=self.outline.absent_label or column.absent_label,
            written=column.written,
        )

    def _read(self, texts: pa.Array) -> Numeric:
        name = self.outline.name
        absent, lacking = (
            _is_word(texts, words.words(name))
            for words in (self.options.not_applicable, self.options.missing)
        )
        known = pc.if_else(pa.array(absent | lacking), None, texts)
        numbers = as_counts(read_as(known, self.text)).cast(pa.float64(), safe=False)
        word = texts[int(absent.argmax())].as_py() if absent.any() else None
        values = numbers.to_numpy(zero_copy_only=False)
        return Numeric(name, values, absent=absent, absent_label=word)

    def _written(self, texts: pa.Array) -> Column:
        coded = texts.dictionary_encode()
        stated: ColumnType = "date" if pa.types.is_temporal(self.text) else "number"
        options = replace(self.options, types={self.outline.name: stated}, numbered=False)
        codes = _filled(coded.indices, MISSING).astype(np.int32)
        column = text_column(self.outline.name, coded.dictionary, codes, options)
        return _sure(replace(column, commas=False).read()[0])


@dataclass(frozen=True, eq=False)
class Carried(Coding):
    """Labels too many to be counted, such as identifiers: each block has its own list of them."""

    field: pa.Field
    options: ReadOptions

    @property
    def head(self) -> Column:
        """The column without any record."""
        return self.column(pa.array([], self.field.type))

    def column(self, values: pa.Array) -> Column:
        """Return the column of a block."""
        options = replace(self.options, untyped=False)
        if not len(values):
            values = pa.nulls(1, self.field.type)
            return self.column(values).take(np.zeros(0, np.int64))
        column = column_of(self.field, pa.chunked_array([values]), options)
        return column if isinstance(column, Categorical) else column.coded


def extremes(column: Numeric, ends: tuple[float, float], counts: Array) -> Extremes:
    """Return the outline of many numbers.

    Parameters
    ----------
    column
        What the column is.
    ends
        Smallest and largest number.
    counts
        How many records have a number, miss one, and cannot have one.
    """
    copies = np.array([counts[0] - 1, 1, counts[1], counts[2]])
    used = copies > 0
    return Extremes(
        column.name,
        np.array([*ends, np.nan, np.nan])[used],
        absent=np.array([False, False, False, True])[used] if counts[2] else None,
        copies=copies[used],
        role=column.role,
        scale=column.scale,
        storage=column.storage,
        absent_label=column.absent_label,
    )


def outline_in(name: str, coding: Coding) -> Column:
    """Return the distinct values of a column; refuse too many labels."""
    if coding.outline is not None:
        return coding.outline
    raise TooLargeError(
        "column '{column}' of this large table has too many labels for the memory allowed, or "
        "more than {limit}; allow more memory, recode it before reading, give it the role of an "
        "identifier, or work on a sample.",
        column=name,
        limit=MOST_VALUES,
    )


def digit_of(head: Column, coding: Coding | None) -> Digit:
    """Return how a column is part of a key."""
    if coding is not None and coding.outline is None:
        outline_in(head.name, coding)  # refuses
    if isinstance(head, Categorical):
        return Digit(head, radix=len(head.labels) + 2)
    storage, outline = head.storage, None if coding is None else coding.outline
    if isinstance(outline, Numeric) and isinstance(storage, pa.DataType) and outline.known.any():
        low, high = float(np.nanmin(outline.values)), float(np.nanmax(outline.values))
        is_whole = pa.types.is_integer(storage) or pa.types.is_date(storage)
        if is_whole and high - low < _NARROW:
            return Digit(head, low, int(high - low) + 3)
    return Digit(head)


def _sure(column: Column | None) -> Column:
    if column is None:  # pragma: no cover - a stated type is read or refused
        raise TypeError
    return column


def _positions(values: pa.Array, levels: pa.Array) -> pa.Array:
    return pc.index_in(values.cast(levels.type), value_set=levels)


def _filled(positions: pa.Array, otherwise: int) -> Array:
    if positions.null_count:
        positions = positions.cast(pa.int64()).fill_null(otherwise)
    return positions.to_numpy(zero_copy_only=False)


def plain(values: pa.Array) -> pa.Array:
    """Return values that may be stored as codes as themselves."""
    return values.dictionary_decode() if pa.types.is_dictionary(values.type) else values


def _is_word(texts: pa.Array, words: tuple[str, ...]) -> Flags:
    return pc.is_in(texts, pa.array(words, texts.type)).to_numpy(zero_copy_only=False)


@dataclass
class Range:
    """What numbers span: ends, and how many are known, missing and not applicable."""

    ends: tuple[float, float] = (np.inf, -np.inf)
    counts: Array = field(default_factory=lambda: np.zeros(3, np.int64))
    words: set[str] = field(default_factory=set)

    def add(self, column: Numeric) -> None:
        """Take in the numbers of a block."""
        known = column.values[column.known]
        if len(known):
            own = float(known.min()), float(known.max())
            self.ends = min(self.ends[0], own[0]), max(self.ends[1], own[1])
        gaps = int(column.missing.sum()), int(column.not_applicable.sum())
        self.counts = self.counts + np.array([len(known), *gaps])

    def merge(self, other: "Range") -> None:
        """Take in what another part of the table has."""
        self.ends = min(self.ends[0], other.ends[0]), max(self.ends[1], other.ends[1])
        self.counts = self.counts + other.counts
        self.words |= other.words
