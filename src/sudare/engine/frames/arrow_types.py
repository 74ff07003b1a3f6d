"""Arrow types, sorted by what they mean to a table of records."""

from typing import Any

import numpy as np
import pyarrow as pa

from sudare.core import ColumnError, Floats, Numeric


def is_text(kind: pa.DataType) -> bool:
    """Return whether a type is plain text."""
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def is_label(kind: pa.DataType) -> bool:
    """Return whether values of a type are labels and nothing else."""
    return bool(is_text(kind) or pa.types.is_dictionary(kind) or pa.types.is_boolean(kind))


def is_number(kind: pa.DataType) -> bool:
    """Return whether a type is numbers, dates or times."""
    return bool(
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_decimal(kind)
        or (pa.types.is_temporal(kind) and not pa.types.is_interval(kind))
    )


def is_value(kind: pa.DataType) -> bool:
    """Return whether a cell of a type is one number, date or label, and no list or the like."""
    if pa.types.is_dictionary(kind):
        return is_value(kind.value_type)
    return is_number(kind) or is_label(kind) or bool(pa.types.is_null(kind))


def counted(kind: pa.DataType) -> pa.DataType:
    """Return the type whose unit numbers count: days for dates, at finest microseconds."""
    if pa.types.is_date(kind):
        return pa.date32()
    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        return pa.timestamp("us", kind.tz)
    if pa.types.is_duration(kind) and kind.unit == "ns":
        return pa.duration("us")
    return kind


def as_counts(values: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return dates and times as counts of their unit; other values as they are."""
    if not pa.types.is_temporal(values.type):
        return values
    return values.cast(pa.int32() if values.type.bit_width == 32 else pa.int64())


def is_exact_time(values: pa.Array | pa.ChunkedArray) -> bool:
    """Return whether every count of a time unit is exact as a float."""
    counts = as_counts(values).cast(pa.int64()).fill_null(0).to_numpy()
    with np.errstate(invalid="ignore"):  # beyond 64 bits, and so not equal
        return bool((counts.astype(np.float64).astype(np.int64) == counts).all())


def days_of(column: Numeric) -> Floats:
    """Return a column of dates or times as whole days since 1970-01-01; NaN where unknown."""
    kind: Any = column.storage
    if not isinstance(kind, pa.DataType) or not is_day(kind):
        raise ColumnError(
            "column '{column}' does not hold dates; read it as dates first.", column=column.name
        )
    days: Floats = np.floor(column.values / per_day(counted(kind)))
    return days


def hours_of(column: Numeric) -> Floats | None:
    """Return the hours of a column of times, NaN where unknown; nothing of other columns."""
    kind: Any = column.storage
    if not isinstance(kind, pa.DataType) or not (
        pa.types.is_time(kind) or pa.types.is_timestamp(kind)
    ):
        return None
    day = per_day(counted(kind))
    hours: Floats = np.floor(column.values % day / (day // 24))
    return hours


def per_day(unit: Any) -> int:
    """Return how many of what a date, time or duration is counted in make a day."""
    if pa.types.is_date(unit):
        return 1
    return 86_400 * {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit.unit]


def is_day(kind: pa.DataType) -> bool:
    """Return whether values of a type lie on a day."""
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))
