"""The way in: an Arrow table becomes Microdata. Every file and frame passes through here."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import (
    MISSING,
    NOT_APPLICABLE,
    Categorical,
    Codes,
    Column,
    ColumnError,
    FixedDecimals,
    InputError,
    Microdata,
    Numeric,
    Scale,
    SettingError,
    Written,
    WrittenLabels,
    rescaled,
)
from sudare.engine.counting import Threads
from sudare.engine.frames.arrow_types import as_counts, counted, is_exact_time, is_label, is_value
from sudare.engine.frames.read_options import ColumnType, ReadOptions
from sudare.engine.frames.text_columns import TextColumn

if TYPE_CHECKING:
    from sudare.engine.frames.frame_libraries import FrameOrigin

DECIMALS = b"decimals"  # of a column read as numbers: how many digits each has behind the point

_EXACT = 2**53  # whole numbers up to here are exact as floats


def from_arrow(table: pa.Table, options: ReadOptions, origin: "FrameOrigin") -> Microdata:
    """Return an Arrow table as microdata; columns are coded in parallel."""
    options.check(table.column_names)
    if not table.num_rows:
        raise InputError("the table has column names but no rows.")
    with Threads() as pool:
        coded = pool.map(
            lambda position: read_column(
                table.schema.field(position), table.column(position), options
            ),
            range(table.num_columns),
        )
        columns, notes = zip(*coded, strict=True)
    column_notes = tuple(note for some in notes for note in some)
    return Microdata(columns, replace(origin, notes=(*origin.notes, *column_notes)))


def column_of(schema: pa.Field, values: pa.ChunkedArray, options: ReadOptions) -> Column:
    """Return one column, read by the options."""
    return read_column(schema, values, options)[0]


def read_column(
    schema: pa.Field, values: pa.ChunkedArray, options: ReadOptions
) -> tuple[Column, tuple[str, ...]]:
    """Return one column, read by the options, and the notes about it."""
    name = schema.name
    if not is_value(values.type):
        raise InputError(
            "column '{column}' has the type {type}, which is neither numbers, dates nor labels; "
            "turn it into one of these first.",
            column=name,
            type=str(values.type),
        )
    column, notes = _from_text(schema, values, options)
    if column is None:
        stated = options.type_of(name)
        typed = values if stated is None else _as_stated(name, values, stated)
        column = _coded(schema, typed, options)
    if options.has_words:
        column = set_apart(column, options)
        if "" in options.not_applicable.words(name):
            column = absent_where(column, pc.is_null(values, nan_is_null=True))
    if isinstance(column, Categorical) and name in options.orders:
        column = _ordered(column, options.orders[name])
    if name in options.scales:
        column = rescaled(column, options.scales[name])
    return replace(column, role=options.roles.get(name, "other")), notes


def _from_text(
    schema: pa.Field, values: pa.ChunkedArray, options: ReadOptions
) -> tuple[Column | None, tuple[str, ...]]:
    """Return text as the numbers or dates that it holds or must hold; None if it is labels."""
    name, stated = schema.name, options.type_of(schema.name)
    is_text = is_label(values.type) and not pa.types.is_boolean(values.type)
    if not is_text or not options.reads_text(name):
        return None, ()
    labels, codes = _labels(values)
    column, notes = text_column(name, labels, codes, options).read()
    is_kept = options.as_labels(name) and stated is None
    if column is None or (is_kept and (column.scale == "interval" or notes)):
        return None, () if is_kept else notes
    return column, notes


def text_column(name: str, labels: pa.Array, codes: Codes, options: ReadOptions) -> TextColumn:
    """Return a column of text, read by the options."""
    return TextColumn(
        name,
        labels.cast(pa.string()),
        codes,
        options.missing.words(name),
        options.not_applicable.words(name),
        options.type_of(name),
        numbered=options.numbered,
        typed=not options.untyped,
    )


def _as_stated(name: str, values: pa.ChunkedArray, stated: ColumnType) -> pa.ChunkedArray:
    """Return numbers and dates as the type that was stated; refuse what they are not."""
    kind = values.type
    if stated == "text":
        return values if is_label(kind) else values.cast(pa.string())
    is_date = pa.types.is_temporal(kind)
    fits = pa.types.is_null(kind) or is_date == (stated == "date")
    if stated == "integer" and pa.types.is_floating(kind):
        fits = bool(pc.all(pc.equal(values, pc.round(values))).as_py() is not False)
    if is_date and stated != "date":
        raise ColumnError(
            "column '{column}' holds dates or times, not numbers; in a workbook, format its cells "
            "as numbers.",
            column=name,
        )
    if not fits or pa.types.is_boolean(kind):
        raise ColumnError(
            "column '{column}' has the type {type}, so it cannot be read as the type "
            "'{stated}'; leave its type out, or state another.",
            column=name,
            type=str(kind),
            stated=stated,
        )
    return values


def _coded(schema: pa.Field, values: pa.ChunkedArray, options: ReadOptions) -> Column:
    """Return the column as its type has it: codes for labels, else numbers."""
    kind, as_labels = values.type, options.as_labels(schema.name)
    if pa.types.is_null(kind):
        return _from_labels(schema, values.cast(pa.string()), options)
    if is_label(kind) or (as_labels and not pa.types.is_floating(kind)):
        return _from_labels(schema, values, options)
    if not is_exact(values):
        is_fine = pa.types.is_temporal(kind)  # nanoseconds have no Python object
        return _from_labels(schema, values.cast(pa.string()) if is_fine else values, options)
    column = from_numbers(schema.name, values)
    decimals = (schema.metadata or {}).get(DECIMALS)
    if decimals is None:
        return column
    return replace(column, written=FixedDecimals(column.values, int(decimals)))


def is_exact(values: pa.ChunkedArray) -> bool:
    """Return whether every value is exact as a float."""
    kind = values.type
    if (pa.types.is_integer(kind) and kind.bit_width == 64) or pa.types.is_decimal(kind):
        bounds = pc.min_max(values).as_py()
        digits = 10 ** (kind.scale if pa.types.is_decimal(kind) else 0)
        return all(abs(b or 0) * digits <= _EXACT for b in bounds.values())
    if pa.types.is_temporal(kind) and kind.bit_width == 64:
        try:
            return is_exact_time(values.cast(counted(kind)))
        except pa.ArrowInvalid:  # nanoseconds that make no whole microsecond
            return False
    return True


def from_numbers(name: str, values: pa.ChunkedArray) -> Numeric:
    """Return numbers, dates and times as the numbers that count them."""
    kind = values.type
    is_date = pa.types.is_temporal(kind) and not pa.types.is_duration(kind)
    if pa.types.is_decimal(kind):
        values = values.cast(pa.string())  # the direct way to floats is off by a last digit
    else:
        values = as_counts(values.cast(counted(kind)))
    counts = values.cast(pa.float64(), safe=False)
    scale: Scale = "interval" if is_date else "ratio"
    return Numeric(name, counts.to_numpy(), scale=scale, storage=kind)


def _from_labels(schema: pa.Field, values: pa.ChunkedArray, options: ReadOptions) -> Categorical:
    """Return the labels of a column as codes; a category type keeps its own order."""
    kind = values.type
    is_category = pa.types.is_dictionary(kind)
    is_plain = schema.name in options.text or not is_category
    labels, codes = _labels(values)
    # Polars' categories are in the order in which a process happened to see them.
    if is_plain or any(key.startswith(b"_PL_CATEGORICAL") for key in schema.metadata or {}):
        labels, codes = _sorted(labels, codes)
    return Categorical(
        schema.name,
        codes,
        tuple(labels.to_pylist()),
        scale="ordinal" if is_category and kind.ordered else "nominal",
        storage=kind.value_type if is_plain and is_category else kind,
    )


def _labels(values: pa.ChunkedArray) -> tuple[pa.Array, Codes]:
    """Return the distinct values of a column and the position of each record's among them."""
    if not pa.types.is_dictionary(values.type):
        return _joined(values.dictionary_encode())
    labels, codes = _joined(values.unify_dictionaries())
    if labels.null_count or len(labels.unique()) < len(labels):  # Arrow forbids neither
        labels, codes = _joined(values.cast(values.type.value_type).dictionary_encode())
    return labels, codes


def _joined(values: pa.ChunkedArray) -> tuple[pa.Array, Codes]:
    """Return the labels and one array of codes of a column whose chunks share a dictionary."""
    codes = np.empty(len(values), np.int32)
    start = 0
    for chunk in values.chunks:
        indices = chunk.indices
        if indices.null_count:
            indices = indices.cast(pa.int32()).fill_null(MISSING)
        codes[start : start + len(chunk)] = indices.to_numpy()
        start += len(chunk)
    return values.chunk(0).dictionary, codes


def _sorted(labels: pa.Array, codes: Codes) -> tuple[pa.Array, Codes]:
    """Sort the labels, drop those that do not occur, and renumber the codes."""
    occurs = np.zeros(len(labels) + 1, np.bool_)
    occurs[codes] = True  # a missing code marks the extra entry at the end
    order = pc.sort_indices(labels).to_numpy()
    order = order[occurs[order]]
    new_code = np.full(len(labels) + 1, MISSING, np.int32)
    new_code[order] = np.arange(len(order), dtype=np.int32)
    if len(order) == len(labels) and (order == np.arange(len(order))).all():
        return labels, codes
    return labels.take(pa.array(order)), new_code[codes]


def set_apart(column: Column, options: ReadOptions) -> Column:
    """Turn the words for "no answer" and "cannot have one" into what they mean."""
    missing, absent = options.missing.words(column.name), options.not_applicable.words(column.name)
    if not missing and not absent:
        return column
    if isinstance(column, Categorical):
        return _labels_apart(column, missing, absent)
    if isinstance(column, Numeric) and not pa.types.is_temporal(column.storage):
        return numbers_apart(column, missing, absent)
    return column


def _labels_apart(
    column: Categorical, missing: tuple[str, ...], not_applicable: tuple[str, ...]
) -> Categorical:
    special = dict.fromkeys(missing, MISSING)
    special.update(dict.fromkeys(not_applicable, NOT_APPLICABLE))
    texts = [str(label) for label in column.labels]
    kept = [code for code, text in enumerate(texts) if text not in special]
    if len(kept) == len(texts):
        return column
    table = np.array([special.get(text, 0) for text in texts] + [NOT_APPLICABLE, MISSING], np.int32)
    table[kept] = np.arange(len(kept))
    special_codes = np.array([special.get(text, 0) for text in texts], np.int32)
    return replace(
        column,
        codes=table[column.codes],
        labels=tuple(column.labels[code] for code in kept),
        absent_label=next((text for text in texts if text in not_applicable), None),
        written=column.written or WrittenLabels(column.labels, special_codes, column.codes),
    )


def numbers_apart(
    column: Numeric, missing: tuple[str, ...], not_applicable: tuple[str, ...]
) -> Numeric:
    """Set apart the numbers that are such words (99, -8)."""
    if isinstance(column.written, Written):
        column = replace(column, written=_texts_apart(column.written, missing, not_applicable))
    absent = np.isin(column.values, _as_numbers(not_applicable))
    special = absent | np.isin(column.values, _as_numbers(missing))
    if not special.any():
        return column
    values = np.where(special, np.nan, column.values)
    if column.written is None:
        rows = np.arange(len(values), dtype=np.int32)
        written = Written(column.values, values, absent, rows, plain=True)
        column = replace(column, written=written)
    if not absent.any():
        return replace(column, values=values)
    word = first_word(not_applicable, set(column.values[absent].tolist()))
    absent |= column.not_applicable
    return replace(column, values=values, absent=absent, absent_label=word)


def _texts_apart(
    written: Written, missing: tuple[str, ...], not_applicable: tuple[str, ...]
) -> Written:
    absent = np.isin(written.numbers, _as_numbers(not_applicable))
    special = absent | np.isin(written.numbers, _as_numbers(missing))
    numbers = np.where(special, np.nan, written.numbers)
    return replace(written, numbers=numbers, absent=written.absent | absent)


def absent_where(column: Column, blank: pa.Array | pa.ChunkedArray) -> Column:
    """Return the column with blank cells as ones that cannot have a value."""
    flags = np.asarray(blank.to_numpy() if isinstance(blank, pa.ChunkedArray) else blank)
    if not flags.any():
        return column
    if isinstance(column, Numeric):
        return replace(column, absent=column.not_applicable | flags)
    coded = column.coded
    return replace(coded, codes=np.where(flags, NOT_APPLICABLE, coded.codes))


def first_word(words: tuple[str, ...], hits: set[float]) -> str | None:
    """Return the first of the words that is one of the numbers."""
    return next((word for word in words if hits.intersection(_as_numbers((word,)))), None)


def _as_numbers(words: tuple[str, ...]) -> list[float]:
    numbers = []
    for word in words:
        try:
            numbers.append(float(word))
        except ValueError:
            continue
    return numbers


def _ordered(column: Categorical, order: tuple[str, ...]) -> Categorical:
    """Put the labels of an ordinal variable in the order the reader gave."""
    by_text = {str(label): label for label in column.labels}
    lacking = [text for text in by_text if text not in order]
    if lacking or len(set(order)) < len(order):
        raise SettingError(
            "column '{column}': the stated order lacks {count} of {all} labels, or repeats one.",
            column=column.name,
            count=len(lacking),
            all=len(by_text),
        )
    if by_text and all(type(label) is int for label in column.labels):
        by_text = {text: int(text) for text in order if text.lstrip("-").isdecimal()}
    labels = tuple(by_text.get(text, text) for text in order)
    return replace(column, codes=column.codes_in(labels), labels=labels, scale="ordinal")
