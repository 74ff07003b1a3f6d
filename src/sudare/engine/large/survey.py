"""The survey of a large table: distinct values counted in blocks, and the codings they give."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import MOST_VALUES, ColumnError, Integers, Numeric
from sudare.engine.counting import collapsed
from sudare.engine.frames import (
    DecimalMarks,
    ReadOptions,
    Units,
    comes_back,
    has_long_wholes,
    is_exact,
    is_label,
    is_number,
    kind_of,
    marks_of,
    read_column,
    text_column,
    units_of,
)
from sudare.engine.large.coding import Carried, Coding, Counted, LookedUp, Range, extremes, plain

_SHORT = 16  # bytes of a value that counts for one
Blocks = Iterator[tuple[int, pa.Table]]
# Runs work over every part of a table's raw columns and returns what each part gave.
Gather = Callable[[Callable[[Blocks], Any], Sequence[str]], list[Any]]


def survey(
    fields: Sequence[pa.Field], options: ReadOptions, gather: Gather, most: int = MOST_VALUES
) -> dict[str, Coding]:
    """Return how each column is coded, after counting its distinct values.

    Columns with more than ``most`` are read once more, for their type and range.
    """
    names = [raw_field.name for raw_field in fields]
    counted = [Distinct(most=most) for _ in fields]
    for part in gather(DistinctTask(tuple(fields), options, most), names):
        for own, other in zip(counted, part, strict=True):
            own.merge(other)
    return codings_of(fields, options, gather, counted)


def codings_of(
    fields: Sequence[pa.Field], options: ReadOptions, gather: Gather, counted: "Sequence[Distinct]"
) -> dict[str, Coding]:
    """Return how each column is coded, given its distinct values."""
    codings: dict[str, Coding] = {}
    many: list[pa.Field] = []
    for raw_field, distinct in zip(fields, counted, strict=True):
        levels, counts = distinct.gather()
        if distinct.is_many:
            many.append(raw_field)
        else:
            codings[raw_field.name] = _coding(raw_field, options, distinct, levels, counts)
    return codings | _survey_many(many, options, gather) if many else codings


@dataclass
class Distinct:
    """The distinct raw values of a column so far, or that they are too many.

    Attributes
    ----------
    parts
        Values and how often they occur; together at most a few times the limit.
    order
        Of a category type: where each label first occurred, by block and position.
    most
        How many are counted; beyond, they are too many.
    held
        How many are in the parts, the same ones counted again.
    """

    parts: list[tuple[pa.Array, Integers]] = field(default_factory=list)
    nulls: int = 0
    order: dict[object, tuple[int, int]] = field(default_factory=dict)
    is_many: bool = False
    most: int = MOST_VALUES
    held: int = 0

    def add(self, values: pa.Array, counts: Integers) -> None:
        """Count values, each of which occurs once in the array."""
        if self.is_many:
            return
        self.parts.append((values, counts))
        self.held += _size(values)
        if self.held > 2 * self.most:
            self.gather()

    def gather(self) -> tuple[pa.Array, Integers]:
        """Return the distinct values and how often each occurs."""
        self.parts = [part for part in self.parts if len(part[0])] or self.parts[:1]
        if len(self.parts) > 1:
            values = pa.concat_arrays([part for part, _ in self.parts]).dictionary_encode()
            counts = np.concatenate([part for _, part in self.parts])
            sums = np.bincount(values.indices.to_numpy(), weights=counts).astype(np.int64)
            self.parts = [(values.dictionary, sums)]
        self.held = _size(self.parts[0][0])
        if self.held > self.most:
            self.is_many, self.parts = True, [(self.parts[0][0][:0], self.parts[0][1][:0])]
        return self.parts[0]

    def merge(self, other: "Distinct") -> None:
        """Add what another part of the table has."""
        self.nulls += other.nulls
        for label, position in other.order.items():
            self.order[label] = min(position, self.order.get(label, position))
        for values, counts in other.parts:
            self.add(values, counts)
        self.is_many |= other.is_many


def _size(values: pa.Array) -> int:
    """Return the number of values; long texts count for several."""
    return max(len(values), int(values.nbytes) // _SHORT)


@dataclass(frozen=True)
class DistinctTask:
    """Counts the distinct raw values of columns."""

    fields: tuple[pa.Field, ...]
    options: ReadOptions
    most: int = MOST_VALUES

    def __call__(self, blocks: Blocks) -> list[Distinct]:
        """Return the distinct values of each column in some blocks."""
        counted = [
            Distinct([(pa.array([], _value_type(raw_field)), _NONE)], most=self.most)
            for raw_field in self.fields
        ]
        for first_row, block in blocks:
            for raw_field, own in zip(self.fields, counted, strict=True):
                if not own.is_many:
                    values = joined(block.column(raw_field.name))
                    own.nulls += values.null_count
                    own.add(*tallied(values))
                    if is_category(raw_field, self.options):
                        _note_order(own, values, first_row)
        return counted


_NONE: Integers = np.zeros(0, np.int64)


def joined(values: pa.ChunkedArray) -> pa.Array:
    """Return the chunks of a block as one array."""
    if values.num_chunks == 1:
        return values.chunk(0)
    if pa.types.is_dictionary(values.type):
        values = values.unify_dictionaries()
    return values.combine_chunks() if values.num_chunks else pa.array([], values.type)


def tallied(values: pa.Array) -> tuple[pa.Array, Integers]:
    """Return the distinct values of an array but null, and how often each occurs."""
    coded = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
    indices = coded.indices.drop_null() if coded.indices.null_count else coded.indices
    counts = np.bincount(indices.to_numpy(), minlength=len(coded.dictionary))
    used = np.flatnonzero(counts)
    if len(used) == len(counts):
        return coded.dictionary, counts
    return coded.dictionary.take(pa.array(used)), counts[used]


def is_category(raw_field: pa.Field, options: ReadOptions) -> bool:
    """Return whether a column is of a category type, whose labels have an order of their own."""
    return pa.types.is_dictionary(raw_field.type) and raw_field.name not in options.text


def _note_order(own: Distinct, values: pa.Array, first_row: int) -> None:
    for position, label in enumerate(values.dictionary.to_pylist()):
        at = (first_row, position)
        own.order[label] = min(at, own.order.get(label, at))


def _value_type(raw_field: pa.Field) -> pa.DataType:
    return raw_field.type.value_type if pa.types.is_dictionary(raw_field.type) else raw_field.type


def _coding(
    raw_field: pa.Field,
    options: ReadOptions,
    distinct: Distinct,
    levels: pa.Array,
    counts: Integers,
) -> Coding:
    """Return the coding of a column whose distinct values are all known."""
    if distinct.order:  # labels of a category type, also those that no record has
        labels = sorted(distinct.order, key=distinct.order.__getitem__)
        by_label = dict(zip(levels.to_pylist(), counts.tolist(), strict=True))
        levels = pa.array(labels, levels.type)
        counts = np.array([by_label.get(label, 0) for label in labels], np.int64)
    raw = pa.concat_arrays([levels, pa.nulls(1, levels.type)])
    if is_category(raw_field, options):
        indices = pa.array([*range(len(levels)), None], pa.int32())
        raw = pa.DictionaryArray.from_arrays(indices, levels, ordered=raw_field.type.ordered)
    typed = raw_field if is_category(raw_field, options) else raw_field.with_type(levels.type)
    entries, notes = read_column(typed, pa.chunked_array([raw]), replace(options, numbered=False))
    copies = np.append(counts, distinct.nulls)
    outline = collapsed([entries], copies).columns[0]
    if isinstance(entries, Numeric) and isinstance(outline, Numeric) and is_number(raw_field.type):
        return Counted(outline, options)
    return LookedUp(outline, levels, entries, notes)


def _survey_many(
    fields: Sequence[pa.Field], options: ReadOptions, gather: Gather
) -> dict[str, Coding]:
    """Return the codings of columns with too many distinct values to count."""
    names = [raw_field.name for raw_field in fields]
    kinds = [Kinds() for _ in fields]
    for part in gather(KindTask(tuple(fields), options), names):
        for own, other in zip(kinds, part, strict=True):
            own.merge(other)
    codings: dict[str, Coding] = {}
    for raw_field, kind in zip(fields, kinds, strict=True):
        joined_kind = kind.joined
        if kind.units.differ or kind.marks.unclear:
            _refuse_stated(raw_field.name, options, kind)
            joined_kind = None
        if joined_kind is None or options.as_labels(raw_field.name):
            codings[raw_field.name] = Carried(None, raw_field, options)
            continue
        role, temporal = (
            options.roles.get(raw_field.name, "other"),
            pa.types.is_temporal(joined_kind),
        )
        shape = Numeric(
            raw_field.name,
            np.zeros(0),
            absent=np.zeros(0, np.bool_),
            role=role,
            scale=options.scales.get(
                raw_field.name,
                "interval" if temporal and not pa.types.is_duration(joined_kind) else "ratio",
            ),
            storage=joined_kind,
        )
        text = joined_kind if is_label(_value_type(raw_field)) else None
        codings[raw_field.name] = Counted(
            shape, options, text, is_written=kind.is_written, notes=kind.notes
        )
    numbers = {name: coding for name, coding in codings.items() if isinstance(coding, Counted)}
    return codings | (_with_ranges(numbers, gather) if numbers else {})


def _refuse_stated(name: str, options: ReadOptions, kind: "Kinds") -> None:
    """Refuse different units or marks in a column that must be numbers; others become labels."""
    if options.type_of(name) is None:
        return
    if kind.units.differ:
        raise ColumnError(
            "column '{column}': parts of the file have different units, or none beside percent, "
            "thousands or the like; write all numbers in one unit, or state that it is text "
            "(types).",
            column=name,
        )
    raise ColumnError(
        "column '{column}': parts of the file have a point before three digits and parts a "
        "comma, so the decimal mark cannot be told from the thousands separator; write all of "
        "them in one way, or state that it is text (types).",
        column=name,
    )


def _length(notes: tuple[str, ...]) -> int:
    return sum(map(len, notes))


@dataclass
class Kinds:
    """The types that the values of a column turned out to be of, block by block."""

    kinds: set[pa.DataType | None] = field(default_factory=set)
    has_long: bool = False
    is_written: bool = False
    notes: tuple[str, ...] = ()  # of the block of which most is to be said
    units: Units = field(default_factory=Units)
    marks: DecimalMarks = field(default_factory=DecimalMarks)

    def merge(self, other: "Kinds") -> None:
        """Add what another part of the table has."""
        self.kinds |= other.kinds
        self.is_written |= other.is_written
        self.units |= other.units
        self.marks |= other.marks
        self.notes = max(self.notes, other.notes, key=_length)
        self.has_long |= other.has_long

    @property
    def joined(self) -> pa.DataType | None:
        """The type of all of them together; None if they are labels."""
        if self.kinds == {pa.int64(), pa.float64()}:
            return None if self.has_long else pa.float64()
        return next(iter(self.kinds)) if len(self.kinds) == 1 else None


@dataclass(frozen=True)
class KindTask:
    """Finds the type of columns with many distinct values."""

    fields: tuple[pa.Field, ...]
    options: ReadOptions

    def __call__(self, blocks: Blocks) -> list[Kinds]:
        """Return the types in some blocks."""
        kinds = [Kinds() for _ in self.fields]
        for _, block in blocks:
            for raw_field, own in zip(self.fields, kinds, strict=True):
                self._look(raw_field, joined(block.column(raw_field.name)), own)
        return kinds

    def _look(self, raw_field: pa.Field, values: pa.Array, own: Kinds) -> None:
        if self.options.types.get(raw_field.name) == "text":
            own.kinds.add(None)
        elif not is_label(values.type):
            own.kinds.add(raw_field.type if is_exact(pa.chunked_array([values])) else None)
        elif self.options.reads_text(raw_field.name):
            texts = plain(values).drop_null().unique()
            absent, lacking = self.options.not_applicable, self.options.missing
            words = (*absent.words(raw_field.name), *lacking.words(raw_field.name))
            plain_texts = texts.filter(pc.invert(pc.is_in(texts, pa.array(words, texts.type))))
            own.is_written |= len(plain_texts) < len(texts)
            if len(plain_texts):
                self._look_at_texts(raw_field.name, plain_texts, own)
        else:
            own.kinds.add(None)

    def _look_at_texts(self, name: str, texts: pa.Array, own: Kinds) -> None:
        kind = kind_of(texts)
        is_marked = kind is None  # with signs or words beside the digits
        own.has_long |= has_long_wholes(texts)
        if kind is None or self.options.type_of(name) is not None:
            codes = np.arange(len(texts), dtype=np.int32)
            options = replace(self.options, numbered=False)
            column, notes = replace(text_column(name, texts, codes, options), commas=False).read()
            own.notes = max(own.notes, notes, key=_length)
            kind = column.storage if isinstance(column, Numeric) else None
            own.is_written |= column is not None and column.written is not None
        elif not comes_back(texts, kind):
            own.is_written = True
        if kind in {pa.int64(), pa.float64()}:
            own.units |= units_of(texts) if is_marked else Units(frozenset({""}))
            if is_marked or kind == pa.float64():
                own.marks |= marks_of(texts)
        own.kinds.add(kind)


def _with_ranges(codings: dict[str, Counted], gather: Gather) -> dict[str, Coding]:
    """Return the codings of numbers with their range."""
    ranges = {name: Range() for name in codings}
    for part in gather(RangeTask(codings), list(codings)):
        for name, own in ranges.items():
            own.merge(part[name])
    made: dict[str, Coding] = {}
    for name, coding in codings.items():
        own, shape = ranges[name], coding.outline
        words = [word for word in coding.options.not_applicable.words(name) if word in own.words]
        shape = replace(shape, absent_label=words[0] if words else None)
        made[name] = replace(coding, outline=extremes(shape, own.ends, own.counts))
    return made


@dataclass(frozen=True)
class RangeTask:
    """Finds what numbers span."""

    codings: dict[str, Counted]

    def __call__(self, blocks: Blocks) -> dict[str, Range]:
        """Return what the numbers of some blocks span."""
        ranges = {name: Range() for name in self.codings}
        for _, block in blocks:
            for name, own in ranges.items():
                column = self.codings[name].column(joined(block.column(name)))
                own.add(column)
                if column.absent_label is not None:
                    own.words.add(column.absent_label)
        return ranges
