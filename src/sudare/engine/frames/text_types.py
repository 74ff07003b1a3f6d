"""The type of plain text: whole numbers, numbers, dates or labels.

Caution rules: a code such as ``0123`` stays a label, because as a number it would lose its zero,
and so does a whole number too long to be exact; only ISO dates are dates, because ``01/02/03``
means different days to different readers.
"""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_WHOLE = r"^(0|-?[1-9][0-9]{0,17})$"
_LONG_WHOLE = r"^[-+]?[0-9]{16,}$"
_NUMBER = r"^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$"
_NO_NUMBER = r"(?i)^[-+]?(nan|inf|infinity)$"  # numeric in every CSV writer; infinite is refused
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?$"


def kind_of(texts: pa.Array) -> pa.DataType | None:
    """Return the type that every text is of: whole numbers, numbers, dates, times, or None."""
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


def has_long_wholes(texts: pa.Array) -> bool:
    """Return whether a whole number is too long to be exact as a float."""
    return _any_match(texts, _LONG_WHOLE)


def read_as(texts: pa.Array, kind: pa.DataType) -> pa.Array:
    """Return texts as what :func:`kind_of` found them to be."""
    if pa.types.is_temporal(kind):
        return _trimmed(texts).cast(kind)
    if pa.types.is_floating(kind) and _any_match(texts, r"^\+"):
        texts = pc.replace_substring_regex(texts, r"^\+", "")
    return texts.cast(kind)


def _trimmed(texts: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(texts, r"(\.[0-9]{6})000$", r"\1")  # nanoseconds


def _all_match(texts: pa.Array, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(texts, pattern)).as_py())


def _any_match(texts: pa.Array, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(texts, pattern)).as_py())


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
