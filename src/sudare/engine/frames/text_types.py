"""The type of plain text: whole numbers, numbers, dates or labels.

Caution rules: a code such as ``0123`` stays a label, because as a number it would lose its zero,
and so does a whole number too long to be exact; only ISO dates are dates, because ``01/02/03``
means different days to different readers.
"""

import pyarrow as pa
import pyarrow.compute as pc

from sudare.engine.frames.arrow_types import is_exact_time

_WHOLE = r"^(0|-?[1-9][0-9]{0,17})$"
_LONG_WHOLE = r"^[-+]?[0-9]{16,}$"
_NUMBER = r"^-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$"
_NO_NUMBER = r"(?i)^[-+]?(nan|inf|infinity)$"  # numeric in every CSV writer; infinite is refused
_WORDS = r"^[A-Za-z][A-Za-z ]*$"
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_SHORTEST = r"^-?(0|[1-9][0-9]{0,6})\.([0-9]{0,7}[1-9]|0)$"  # not all shortest ones
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
