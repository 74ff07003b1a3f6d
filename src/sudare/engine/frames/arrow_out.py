"""The way out: Microdata becomes an Arrow table, each column as near as can be to how it came."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import (
    NOT_APPLICABLE,
    Categorical,
    Codes,
    Column,
    FixedDecimals,
    Flags,
    Floats,
    Label,
    Microdata,
    Numeric,
    Written,
    WrittenLabels,
    label_codes,
)
from sudare.engine.frames.arrow_types import as_counts, counted, is_number

SUPPRESSED = "*"  # written in place of a suppressed value where a blank means not applicable
Marks = Mapping[str, Flags]  # by column, which records it is written for

MOST_SHORT = 128  # labels that have codes of a byte
SHORT = pa.dictionary(pa.int8(), pa.string())

_DAY = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
_BEYOND = 2.0**63  # whole numbers from here on have no integer type


def to_arrow(data: Microdata, *, short: bool = False) -> pa.Table:
    """Return microdata as an Arrow table.

    Labels that are not applicable keep the word for it. Numbers keep it where the word is a number
    (-8), and are null otherwise. Where ``short``, texts of few labels are codes of a byte.
    """
    arrays = [_array(column, short=short) for column in data.columns]
    return pa.table(arrays, names=list(data.names))


def to_plain(
    data: Microdata, marked: Marks = MappingProxyType({}), *, as_text: bool = True
) -> pa.Table:
    """Return microdata as an Arrow table for files that are read by people.

    Numbers that are not applicable have the word for it, which turns their column into text.
    Durations are in seconds. A column that was read from texts and not masked has them again.
    Blanks that are ``marked``, by column, get the word for suppressed values. Unless ``as_text``,
    plain numbers stay numbers, without the words for absent ones.
    """
    arrays = [_plain(column, as_text=as_text) for column in data.columns]
    for number, name in enumerate(data.names):
        if name in marked:
            texts = arrays[number].cast(pa.string())
            arrays[number] = pc.if_else(pa.array(marked[name]), SUPPRESSED, texts)
    return pa.table(arrays, names=list(data.names))


def in_one_spelling(data: Microdata) -> Microdata:
    """Return microdata of which equal values are written alike, as a release needs it.

    Whoever reads a file tells "40" from "40.0", 0 from -0, and one word for no answer from another,
    though they are one value to all that is counted.
    """
    return replace(data, columns=tuple(map(_in_one_spelling, data.columns)))


def _in_one_spelling(column: Column) -> Column:
    if not isinstance(column.written, FixedDecimals):
        column = replace(column, written=None)
    if isinstance(column, Numeric) and np.signbit(column.values[column.values == 0]).any():
        column = replace(column, values=column.values + 0.0)
    return column


def wider(first: pa.DataType, second: pa.DataType) -> pa.DataType:
    """Return the type that a column has as a whole, if parts of it have these.

    Examples
    --------
    >>> wider(pa.int8(), pa.float64()), wider(pa.date32(), pa.int64())
    (DataType(double), DataType(int64))
    """
    if first == second:
        return first
    for kind in (pa.float64(), pa.int64()):
        if kind in {first, second}:
            return kind
    return pa.string()


def widened(values: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """Return part of a column in the type of the whole."""
    if values.type == kind:
        return values
    if pa.types.is_temporal(values.type) and not pa.types.is_temporal(kind):
        values = as_counts(values.cast(counted(values.type)))
    return values.cast(kind)


def seconds(array: pa.Array) -> pa.Array:
    """Return durations as seconds; other values as they are."""
    if not pa.types.is_duration(array.type):
        return array
    units = _DAY[array.type.unit] // _DAY["s"]
    return pc.divide(array.cast(pa.int64()).cast(pa.float64(), safe=False), float(units))


def exact_or_text(array: pa.Array, limit: int) -> pa.Array:
    """Return whole numbers as text where one is beyond what a file format holds exactly."""
    if not pa.types.is_integer(array.type):
        return array
    bounds = pc.min_max(array).as_py().values()
    return array.cast(pa.string()) if any(abs(b or 0) > limit for b in bounds) else array


def _plain(column: Column, *, as_text: bool) -> pa.Array:
    if isinstance(column, Categorical) and isinstance(column.written, WrittenLabels):
        column = _with_words(column, column.written)
    is_plain = column.written is not None and column.written.plain
    written = as_written(column) if as_text or not is_plain else None
    if written is not None:
        return written
    array = seconds(_array(column))
    return array if is_plain and not as_text and words_written(column) else _worded(column, array)


def words_written(column: Column) -> dict[int, str | float]:
    """Return the words for absent values of plain numbers that were not masked, by record.

    Words of columns that were numbers are numbers.

    Examples
    --------
    >>> words_written(Numeric("age", np.array([31.0, 40.0])))
    {}
    """
    written = column.written
    if not isinstance(written, Written) or not written.plain:
        return {}
    texts = as_written(column)
    if texts is None:
        return {}
    words = (written.codes >= 0) & np.isnan(written.numbers)[written.codes]
    return {row: texts[row].as_py() for row in np.flatnonzero(words).tolist()}


def _worded(column: Column, array: pa.Array) -> pa.Array:
    if not isinstance(column, Numeric) or column.absent is None or column.absent_label is None:
        return array
    if is_number_word(column.absent_label):
        return array
    return pc.if_else(pa.array(column.absent), column.absent_label, array.cast(pa.string()))


def as_written(column: Column) -> pa.Array | None:
    """Return the texts that a column was read from, if every value is still the one it had."""
    written, numbers = column.written, _numbers_in(column)
    if isinstance(written, FixedDecimals):
        return _with_decimals(column, written)
    if not isinstance(written, Written) or numbers is None:
        return None
    if not written.fits(numbers, column.not_applicable):
        return None
    texts: Any = written.texts
    if isinstance(texts, np.ndarray):
        return _numbers(texts[written.codes], column.storage)
    return texts.take(pa.array(written.codes, mask=written.codes < 0))


def _with_decimals(column: Column, written: FixedDecimals) -> pa.Array | None:
    """Return numbers with the decimals they had, if they are the same and have no others."""
    values = column.numeric.values if isinstance(column, Numeric) else None
    if values is None or not np.array_equal(values, written.numbers, equal_nan=True):
        return None
    numbers = pa.array(values, mask=np.isnan(values))
    try:
        texts = numbers.cast(pa.decimal128(38, written.decimals)).cast(pa.string())
    except pa.ArrowInvalid:
        return None
    return texts if texts.cast(pa.float64()).equals(numbers) else None


def _numbers_in(column: Column) -> Floats | None:
    if isinstance(column, Numeric):
        return column.values
    coded = column.coded
    if not {type(label) for label in coded.labels} <= {int, float}:
        return None
    return np.array([*coded.labels, np.nan, np.nan], np.float64)[coded.codes]


def _array(column: Column, *, short: bool = False) -> pa.Array:
    if column.written is not None and column.written.typed:
        texts = as_written(column)
        if texts is not None:
            return texts
    if isinstance(column, Categorical):
        return _labels(column, short=short)
    column = column.numeric
    values = column.values
    if column.absent is not None and is_number_word(column.absent_label):
        values = np.where(column.absent, float(column.absent_label or 0), values)
    return _numbers(values, column.storage)


def is_number_word(word: str | None) -> bool:
    """Return whether a word for not applicable is a number, which a column of numbers can hold."""
    try:
        return word is not None and np.isfinite(float(word))
    except ValueError:
        return False


def _numbers(values: Floats, storage: object) -> pa.Array:
    """Return numbers in the type they came in, if every one of them still fits it.

    Numbers that came from no frame are whole numbers if all of them are.
    """
    storage = pa.int64() if storage is None else storage
    empty = np.isnan(values)
    floats = pa.array(values, pa.float64(), mask=empty)
    if not isinstance(storage, pa.DataType) or not is_number(storage):
        return floats
    if not (pa.types.is_floating(storage) or pa.types.is_decimal(storage)):
        return _wholes(np.where(empty, 0, values), empty, storage)
    rounded = pc.round(floats, storage.scale) if pa.types.is_decimal(storage) else floats
    if not rounded.equals(floats):
        return floats
    try:
        narrow = rounded.cast(storage, safe=pa.types.is_decimal(storage))
    except pa.ArrowInvalid:  # a masked value has more digits than the type
        return floats
    is_too_narrow = pa.types.is_floating(storage) and pc.any(pc.is_inf(narrow)).as_py()
    return floats if is_too_narrow else narrow


def _wholes(values: Floats, empty: Flags, storage: pa.DataType) -> pa.Array:
    """Return whole numbers, dates or times; with fractions they are floats."""
    if pa.types.is_temporal(storage):
        values = np.rint(values)  # a mean of days is still a day
    if (values != np.rint(values)).any() or (np.abs(values) >= _BEYOND).any():
        return pa.array(values, pa.float64(), mask=empty)
    integers = pa.array(values.astype(np.int64), mask=empty)
    if pa.types.is_time(storage) and ((values < 0) | (values >= _DAY[storage.unit])).any():
        return integers
    return _cast(integers, storage)


def _cast(integers: pa.Array, storage: pa.DataType) -> pa.Array:
    """Return whole numbers in a type of integers or times, if they are in its range."""
    unit = counted(storage)
    try:
        if pa.types.is_temporal(unit) and unit.bit_width == 32:
            integers = integers.cast(pa.int32())
        return integers.cast(unit).cast(storage)
    except pa.ArrowInvalid:
        return integers


def _labels(column: Categorical, *, short: bool) -> pa.Array:
    """Return labels in the type they came in, if every one of them still fits it."""
    codes, labels = with_absent(column)
    storage: Any = column.storage
    is_category = isinstance(storage, pa.DataType) and pa.types.is_dictionary(storage)
    values = _label_values(labels, storage.value_type if is_category else storage)
    if short and not is_category and values.type == pa.string() and len(values) <= MOST_SHORT:
        return pa.DictionaryArray.from_arrays(
            pa.array(codes.astype(np.int8), mask=codes < 0), values
        )
    indices = pa.array(codes, mask=codes < 0)
    if not is_category:
        return values.take(indices)
    return pa.DictionaryArray.from_arrays(indices, values, ordered=storage.ordered)


def with_absent(column: Categorical) -> tuple[Codes, tuple[Label, ...]]:
    """Return codes and labels in which the word for "not applicable" is a label like others."""
    codes, labels = np.asarray(column.codes), column.labels
    if column.absent_label is None:
        return codes, labels
    codes = np.where(codes == NOT_APPLICABLE, len(labels), codes)
    return codes, (*labels, _like(labels, column.absent_label))


def _with_words(column: Categorical, written: WrittenLabels) -> Categorical:
    """Return labels with the words for absent values among them, if every record is as it was."""
    strange = -3
    moved = label_codes(written.labels, column.labels, strange)
    moved[:-2] = np.where(written.special < 0, written.special, moved[:-2])
    had_label, codes = written.codes >= 0, np.asarray(column.codes)
    if len(codes) != len(had_label) or (codes[~had_label] >= 0).any():
        return column
    if not np.array_equal(moved[written.codes[had_label]], codes[had_label]):
        return column
    words = np.flatnonzero(written.special < 0)
    moved[words] = len(column.labels) + np.arange(len(words))
    labels = (*column.labels, *(written.labels[code] for code in words.tolist()))
    codes = np.where(had_label, moved[written.codes], codes)
    return replace(column, codes=codes, labels=labels, absent_label=None)


def _like(labels: tuple[Label, ...], word: str) -> Label:
    """Return a word as a number among numbers (-8), else as it is."""
    kinds = {type(label) for label in labels}
    if not labels or not kinds <= {int, float} or not is_number_word(word):
        return word
    return int(float(word)) if kinds == {int} else float(word)


def _label_values(labels: tuple[Label, ...], wish: object) -> pa.Array:
    """Return labels in the preferred type, else in one that has room for them, else as text."""
    kind = wish if isinstance(wish, pa.DataType) and not pa.types.is_null(wish) else None
    kinds = {type(label) for label in labels}
    if (
        kind is not None
        and is_number(kind)
        and kinds <= {int, float}
        and not (
            kinds == {int} and pa.types.is_integer(kind)  # these stay exact without floats
        )
    ):
        return _numbers(np.array(labels, np.float64), kind)
    for attempt in (kind, None):
        with suppress(pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
            values = pa.array(labels, attempt)
            return values.cast(pa.string()) if pa.types.is_null(values.type) else values
    return pa.array([str(label) for label in labels], pa.string())
