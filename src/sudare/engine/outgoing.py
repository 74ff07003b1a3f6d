"""The way out: Microdata becomes an Arrow table, each column as near as can be to how it came."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core.columns import NOT_APPLICABLE, Categorical, Column, Label, Numeric
from sudare.core.microdata import Microdata
from sudare.core.types import Floats


def to_arrow(data: Microdata, *, words: bool = False) -> pa.Table:
    """Return microdata as an Arrow table.

    Numbers that are not applicable are null, or with ``words`` the word for it, which turns their
    column into text. Labels keep the word in either case.
    """
    arrays = [_array(column, words=words) for column in data.columns]
    return pa.table(arrays, names=list(data.names))


def _array(column: Column, *, words: bool) -> pa.Array:
    if isinstance(column, Categorical):
        return _labels(column)
    if not isinstance(column, Numeric):  # pragma: no cover - there are two kinds of column
        raise TypeError(type(column).__name__)
    array = _numbers(column.values, column.storage)
    if words and column.absent is not None and column.absent_label is not None:
        return pc.if_else(pa.array(column.absent), column.absent_label, array.cast(pa.string()))
    return array


def _numbers(values: Floats, storage: object) -> pa.Array:
    """Return numbers in the type they came in, if every one of them still fits it."""
    empty = np.isnan(values)
    floats = pa.array(values, pa.float64(), mask=empty)
    if not isinstance(storage, pa.DataType) or storage == pa.float64():
        return floats
    if pa.types.is_floating(storage):
        return floats.cast(storage, safe=False)
    if pa.types.is_decimal(storage):
        return _decimals(floats, storage)
    whole = np.where(empty, 0, values)
    if pa.types.is_temporal(storage):
        whole = np.rint(whole)  # a mean of days is still a day
    elif (whole != np.rint(whole)).any():
        return floats
    width = 32 if pa.types.is_temporal(storage) and storage.bit_width == 32 else 64
    integers = pa.array(whole.astype(f"int{width}"), mask=empty)
    try:
        return integers.cast(storage)
    except pa.ArrowInvalid:  # a masked value left the range of a short integer type
        return integers


def _decimals(floats: pa.Array, storage: pa.DataType) -> pa.Array:
    try:
        return pc.round(floats, storage.scale).cast(storage, safe=False)
    except pa.ArrowInvalid:  # a masked value has more digits than the type
        return floats


def _labels(column: Categorical) -> pa.Array:
    """Return labels in the type they came in, if every one of them still fits it."""
    codes, labels = np.asarray(column.codes), column.labels
    if column.absent_label is not None:
        codes = np.where(codes == NOT_APPLICABLE, len(labels), codes)
        labels = (*labels, column.absent_label)
    storage: Any = column.storage
    is_category = isinstance(storage, pa.DataType) and pa.types.is_dictionary(storage)
    values = _label_values(labels, storage.value_type if is_category else storage)
    indices = pa.array(codes, mask=codes < 0)
    if not is_category:
        return values.take(indices)
    return pa.DictionaryArray.from_arrays(indices, values, ordered=storage.ordered)


def _label_values(labels: tuple[Label, ...], wish: object) -> pa.Array:
    kind = wish if isinstance(wish, pa.DataType) and not pa.types.is_null(wish) else None
    try:
        values = pa.array(labels, kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # merged labels no longer fit the type
        return pa.array([str(label) for label in labels], pa.string())
    return values.cast(pa.string()) if pa.types.is_null(values.type) else values
