"""Arrow types by what they mean to a table of records, and the types that texts are of."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import ColumnError, Floats, Numeric

_WHOLE = r"^(0|-?[1-9][0-9]{0,17})$"
_LONG_WHOLE = r"^[-+]?[0-9]{16,}$"
_NUMBER = r"^-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$"
_NO_NUMBER = r"(?i)^[-+]?(nan|inf|infinity)$"  # numeric in every CSV writer; infinite is refused
_WORDS = r"^[A-Za-z][A-Za-z ]*$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_SHORTEST = r"^-?(0|[1-9][0-9]{0,6})\.([0-9]{0,7}[1-9]|0)$"  # not all shortest ones
_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?$"


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
    return np.floor(column.values / per_day(counted(kind)))


def hours_of(column: Numeric) -> Floats | None:
    """Return the hours of a column of times, NaN where unknown; nothing of other columns."""
    kind: Any = column.storage
    if not isinstance(kind, pa.DataType) or not (
        pa.types.is_time(kind) or pa.types.is_timestamp(kind)
    ):
        return None
    day = per_day(counted(kind))
    return np.floor(column.values % day / (day // 24))


def per_day(unit: Any) -> int:
    """Return how many of what a date, time or duration is counted in make a day."""
    if pa.types.is_date(unit):
        return 1
    return 86_400 * {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit.unit]


def is_day(kind: pa.DataType) -> bool:
    """Return whether values of a type lie on a day."""
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def kind_of(texts: pa.Array) -> pa.DataType | None:
    """Return the type that every text is of: whole numbers, numbers, dates, times, or None.

    Caution rules: a code such as ``0123`` stays a label, because as a number it would lose its
    zero, and so does a whole number too long to be exact; only ISO dates are dates, because
    ``01/02/03`` means different days to different readers.
    """
    if not len(texts):
        return None
    if _all_match(texts, _WHOLE):
        return pa.int64()
    if _all_match(texts, f"{_NUMBER}|{_NO_NUMBER}") and not _all_match(texts, _NO_NUMBER):
        return None if has_long_wholes(texts) else pa.float64()
    times = _trimmed(texts)
    for pattern, kind in ((_DATE, pa.date32()), (_TIME, pa.timestamp("us"))):
        if _all_match(times, pattern):
            try:
                parsed = times.cast(kind)
            except pa.ArrowInvalid:  # the 31st of February is a label
                return None
            return kind if is_exact_time(parsed) else None
    return None


def has_words_only(texts: pa.Array) -> bool:
    """Return whether all texts are plain words, which are neither numbers nor dates."""
    return _all_match(texts, _WORDS)


def comes_back(texts: pa.Array, kind: pa.DataType) -> bool:
    """Return whether texts of a type are what a file gets when they are written as that type.

    Examples
    --------
    >>> comes_back(pa.array(["1.5", "2.0"]), pa.float64())
    True
    >>> comes_back(pa.array(["1.50", "2", "9e3"]), pa.float64())
    False
    """
    if kind == pa.float64():
        return _all_match(texts, _SHORTEST) and not _any_match(texts, r"^-?0\.00000")
    return not pa.types.is_timestamp(kind)


def fixed_decimals(texts: pa.Array) -> int | None:
    """Return how many decimals each of some numbers has; None where they differ.

    Examples
    --------
    >>> fixed_decimals(pa.array(["1.50", "20.25"])), fixed_decimals(pa.array(["1.5", "2.25"]))
    (2, None)
    """
    lengths = pc.utf8_length(pc.replace_substring_regex(texts, r"^-?[0-9]+\.", "")).unique()
    if len(lengths) != 1 or not _all_match(texts, r"^-?[0-9]+\.[0-9]{1,15}$"):
        return None
    return int(lengths[0].as_py())


def has_long_wholes(texts: pa.Array) -> bool:
    """Return whether a whole number is too long to be exact as a float."""
    return _any_match(texts, _LONG_WHOLE)


def read_as(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    """Return texts as what :func:`kind_of` found them to be."""
    if pa.types.is_temporal(kind):
        return _trimmed(texts).cast(kind)
    return texts.cast(kind)


def _trimmed(texts: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(texts, r"(\.[0-9]{6})000$", r"\1")  # nanoseconds


def _all_match(texts: pa.Array, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(texts, pattern)).as_py())


def _any_match(texts: pa.Array, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(texts, pattern)).as_py())
