"""The way in: an Arrow table becomes Microdata. Every file and frame passes through here."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import (
    MISSING,
    NOT_APPLICABLE,
    ROLES,
    SCALES,
    Categorical,
    Codes,
    Column,
    InputError,
    Microdata,
    Numeric,
    Origin,
    Role,
    Scale,
    SettingError,
    check_words,
    rescaled,
    unknown_name,
)
from sudare.engine.frames.arrow_types import counted, is_label, is_value
from sudare.engine.frames.text_types import as_counts, is_exact_time, typed_text

_EXACT = 2**53  # whole numbers up to here are exact as floats


@dataclass(frozen=True)
class ReadOptions:
    """How the columns of a table are to be read.

    Attributes
    ----------
    orders
        By column, the labels of an ordinal variable from lowest to highest.
    missing, not_applicable
        Words that mean "no answer" and "cannot have one".
    text
        Columns of plain text; if they were read as codes, their labels have no order of their own.
    untyped
        Whether the type of the text is still to be found (CSV).
    """

    roles: Mapping[str, Role] = field(default_factory=dict)
    scales: Mapping[str, Scale] = field(default_factory=dict)
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    not_applicable: tuple[str, ...] = ()
    text: frozenset[str] = frozenset()
    untyped: bool = False

    def check(self, names: list[str]) -> None:
        """Refuse columns that do not exist and words that mean nothing."""
        for name in (*self.roles, *self.scales, *self.orders):
            if name not in names:
                raise unknown_name("column", name, names)
        check_words("role", self.roles, ROLES)
        check_words("scale", self.scales, SCALES)

    def as_labels(self, name: str) -> bool:
        """Return whether the values of a column are to be labels, whatever their type."""
        return name in self.orders or self.scales.get(name) in {"nominal", "ordinal"}


def from_arrow(table: pa.Table, options: ReadOptions, origin: Origin) -> Microdata:
    """Return an Arrow table as microdata; columns are coded in parallel."""
    options.check(table.column_names)
    if not table.num_rows:
        raise InputError("the table has column names but no rows.")
    with ThreadPoolExecutor() as pool:
        columns = pool.map(
            lambda position: column_of(
                table.schema.field(position), table.column(position), options
            ),
            range(table.num_columns),
        )
        return Microdata(tuple(columns), origin)


def column_of(schema: pa.Field, values: pa.ChunkedArray, options: ReadOptions) -> Column:
    """Return one column, read by the options."""
    name = schema.name
    if not is_value(values.type):
        raise InputError(
            "column '{column}' has the type {type}, which is neither numbers, dates nor labels; "
            "turn it into one of these first.",
            column=name,
            type=str(values.type),
        )
    column = _coded(schema, values, options)
    if options.missing or options.not_applicable:
        column = _set_apart(column, options)
    if isinstance(column, Categorical):
        column = _ordered(column, options.orders.get(name))
    column = rescaled(column, options.scales.get(name))
    return replace(column, role=options.roles.get(name, "other"))


def _coded(schema: pa.Field, values: pa.ChunkedArray, options: ReadOptions) -> Column:
    """Return the column as its type has it: codes for labels, else numbers."""
    kind, as_labels = values.type, options.as_labels(schema.name)
    if options.untyped and schema.name in options.text and schema.name not in options.orders:
        labels, codes = _labels(values)
        column = typed_text(schema.name, labels, codes, options.missing, options.not_applicable)
        if column is not None and not (as_labels and column.scale == "interval"):
            return column
    if pa.types.is_null(kind):
        return _from_labels(schema, values.cast(pa.string()), options)
    if is_label(kind) or (as_labels and not pa.types.is_floating(kind)):
        return _from_labels(schema, values, options)
    if not is_exact(values):
        is_fine = pa.types.is_temporal(kind)  # nanoseconds have no Python object
        return _from_labels(schema, values.cast(pa.string()) if is_fine else values, options)
    return from_numbers(schema.name, values)


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
    if is_plain or _is_polars_categorical(schema):
        labels, codes = _sorted(labels, codes)
    return Categorical(
        schema.name,
        codes,
        tuple(labels.to_pylist()),
        scale="ordinal" if is_category and kind.ordered else "nominal",
        storage=kind.value_type if is_plain and is_category else kind,
    )


def _is_polars_categorical(schema: pa.Field) -> bool:
    """Return whether labels stand in the order in which a process happened to meet them."""
    return any(key.startswith(b"_PL_CATEGORICAL") for key in schema.metadata or {})


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


def _set_apart(column: Column, options: ReadOptions) -> Column:
    """Turn the words for "no answer" and "cannot have one" into what they mean."""
    if isinstance(column, Categorical):
        return _labels_apart(column, options)
    if isinstance(column, Numeric) and not pa.types.is_temporal(column.storage):
        return numbers_apart(column, options)
    return column


def _labels_apart(column: Categorical, options: ReadOptions) -> Categorical:
    special = dict.fromkeys(options.missing, MISSING)
    special.update(dict.fromkeys(options.not_applicable, NOT_APPLICABLE))
    texts = [str(label) for label in column.labels]
    kept = [code for code, text in enumerate(texts) if text not in special]
    if len(kept) == len(texts):
        return column
    table = np.array([special.get(text, 0) for text in texts] + [NOT_APPLICABLE, MISSING], np.int32)
    table[kept] = np.arange(len(kept))
    return replace(
        column,
        codes=table[column.codes],
        labels=tuple(column.labels[code] for code in kept),
        absent_label=next((text for text in texts if text in options.not_applicable), None),
    )


def numbers_apart(column: Numeric, options: ReadOptions) -> Numeric:
    """Set apart the numbers that are such words (99, -8)."""
    absent = np.isin(column.values, _as_numbers(options.not_applicable))
    special = absent | np.isin(column.values, _as_numbers(options.missing))
    if not special.any():
        return column
    values = np.where(special, np.nan, column.values)
    if not absent.any():
        return replace(column, values=values)
    word = first_word(options.not_applicable, set(column.values[absent].tolist()))
    absent |= column.not_applicable
    return replace(column, values=values, absent=absent, absent_label=word)


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


def _ordered(column: Categorical, order: tuple[str, ...] | None) -> Categorical:
    """Put the labels of an ordinal variable in the order the reader gave."""
    if order is None:
        return column
    by_text = {str(label): label for label in column.labels}
    lacking = [text for text in by_text if text not in order]
    if lacking or len(set(order)) < len(order):
        raise SettingError(
            "column '{column}': the order given lacks {count} of {all} labels, or repeats one.",
            column=column.name,
            count=len(lacking),
            all=len(by_text),
        )
    if by_text and all(type(label) is int for label in column.labels):
        by_text = {text: int(text) for text in order if text.lstrip("-").isdecimal()}
    labels = tuple(by_text.get(text, text) for text in order)
    return replace(column, codes=column.codes_in(labels), labels=labels, scale="ordinal")
