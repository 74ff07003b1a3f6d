"""The way in: an Arrow table becomes Microdata. Every file and frame passes through here."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core.columns import MISSING, NOT_APPLICABLE, Categorical, Column, Numeric
from sudare.core.errors import InputError, SettingError, unknown_name
from sudare.core.microdata import ROLES, SCALES, Microdata, Origin, check_words
from sudare.core.types import Codes, Role, Scale
from sudare.engine.text import typed_labels

_EXACT = 2**53  # whole numbers up to here are exact as floats


@dataclass(frozen=True)
class Asked:
    """What the reader of a table asked for.

    Attributes
    ----------
    orders
        By column, the labels of an ordinal variable from lowest to highest.
    missing, not_applicable
        Words that stand for "no answer" and "cannot have one".
    text
        Columns of plain text that were read as codes; their labels have no order of their own.
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


def from_arrow(table: pa.Table, asked: Asked, origin: Origin) -> Microdata:
    """Return an Arrow table as microdata; columns are coded in parallel."""
    asked.check(table.column_names)
    if not table.num_rows:
        raise InputError("the table has column names but no rows.")
    with ThreadPoolExecutor() as pool:
        columns = pool.map(
            lambda place: _column(table.schema.field(place), table.column(place), asked),
            range(table.num_columns),
        )
        return Microdata(tuple(columns), origin)


def _column(schema: pa.Field, values: pa.ChunkedArray, asked: Asked) -> Column:
    name, kind = schema.name, values.type
    scale = asked.scales.get(name)
    if asked.untyped and name in asked.text and scale is None and name not in asked.orders:
        column = typed_labels(
            _from_labels(schema, values, asked), asked.missing, asked.not_applicable
        )
    elif pa.types.is_dictionary(kind) or is_text(kind):
        column = _from_labels(schema, values, asked)
    elif pa.types.is_null(kind):
        column = _from_labels(schema, values.cast(pa.string()), asked)
    elif pa.types.is_boolean(kind) or scale in {"nominal", "ordinal"} or not _is_exact(values):
        column = _from_labels(schema, values, asked)
    else:
        column = _from_numbers(name, values)
    if isinstance(column, Categorical):
        column = _set_apart(column, asked.missing, asked.not_applicable)
        column = _ordered(column, asked.orders.get(name))
    return replace(column, role=asked.roles.get(name, "other"), scale=scale or column.scale)


def is_text(kind: pa.DataType) -> bool:
    """Return whether a type is plain text."""
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def _is_exact(values: pa.ChunkedArray) -> bool:
    """Return whether every value is exact as a float."""
    kind = values.type
    if (pa.types.is_integer(kind) and kind.bit_width == 64) or pa.types.is_decimal(kind):
        bounds = pc.min_max(values).as_py()
        digits = 10 ** (kind.scale if pa.types.is_decimal(kind) else 0)
        return all(abs(b or 0) * digits <= _EXACT for b in bounds.values())
    return True


def _from_numbers(name: str, values: pa.ChunkedArray) -> Numeric:
    kind = values.type
    scale: Scale = "ratio"
    if pa.types.is_temporal(kind):
        scale = "ratio" if pa.types.is_duration(kind) else "interval"
        values = values.cast(pa.int32() if kind.bit_width == 32 else pa.int64())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise InputError(
            "column '{column}' has the type {type}, which is neither numbers, dates nor labels; "
            "turn it into one of these first.",
            column=name,
            type=str(kind),
        )
    numbers = values.cast(pa.float64()).to_numpy()
    return Numeric(name, numbers, scale=scale, storage=kind)


def _from_labels(schema: pa.Field, values: pa.ChunkedArray, asked: Asked) -> Categorical:
    """Return the labels of a column as codes; a category type keeps its own order."""
    kind = values.type
    plain = schema.name in asked.text
    keeps_order = pa.types.is_dictionary(kind) and not (plain or _is_polars_categorical(schema))
    if not pa.types.is_dictionary(kind):
        values = values.dictionary_encode()
    labels, codes = _joined(values.unify_dictionaries())
    if not keeps_order:
        labels, codes = _sorted(labels, codes)
    ordered = pa.types.is_dictionary(kind) and kind.ordered
    return Categorical(
        schema.name,
        codes,
        tuple(labels.to_pylist()),
        scale="ordinal" if ordered else "nominal",
        storage=kind.value_type if plain else kind,
    )


def _is_polars_categorical(schema: pa.Field) -> bool:
    """Return whether labels stand in the order in which a process happened to meet them."""
    return any(key.startswith(b"_PL_CATEGORICAL") for key in schema.metadata or {})


def _joined(values: pa.ChunkedArray) -> tuple[pa.Array, Codes]:
    """Return the labels and one array of codes of a dictionary column in chunks."""
    if not values.num_chunks:
        return pa.array([], values.type.value_type), np.empty(0, np.int32)
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
    place = np.full(len(labels) + 1, MISSING, np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    if len(order) == len(labels) and (order == np.arange(len(order))).all():
        return labels, codes
    return labels.take(pa.array(order)), place[codes]


def _set_apart(
    column: Categorical, missing: tuple[str, ...], not_applicable: tuple[str, ...]
) -> Categorical:
    """Turn the words for "no answer" and "cannot have one" from labels into their codes."""
    special: dict[object, int] = dict.fromkeys(missing, MISSING)
    special.update(dict.fromkeys(not_applicable, NOT_APPLICABLE))
    found = [label for label in column.labels if label in special]
    if not found:
        return column
    kept = [label for label in column.labels if label not in special]
    place = {**special, **{label: code for code, label in enumerate(kept)}}
    table = np.array([place[label] for label in column.labels] + [-2, -1], np.int32)
    absent = next((str(label) for label in found if label in not_applicable), None)
    return replace(column, codes=table[column.codes], labels=tuple(kept), absent_label=absent)


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
    labels = tuple(by_text.get(text, text) for text in order)
    return replace(column, codes=column.codes_in(labels), labels=labels, scale="ordinal")
