"""The type of text: whole numbers, numbers, dates or labels, decided on distinct values only.

Caution rules: a code such as ``0123`` stays a label, because as a number it would lose its zero,
and so does a whole number too long to be exact; only ISO dates are dates, because ``01/02/03``
means different days to different readers.
"""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core.columns import Categorical, Column, Numeric
from sudare.core.types import Floats, Scale

_WHOLE = r"^(0|-?[1-9][0-9]{0,17})$"
_LONG_WHOLE = r"^[-+]?[0-9]{16,}$"
_NUMBER = r"^[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$"
_NO_NUMBER = r"(?i)^[-+]?(nan|inf|infinity)$"  # numeric in every CSV writer; infinite is refused
_DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?$"
_EXACT = 2**53


def typed_labels(
    column: Categorical, missing: tuple[str, ...], not_applicable: tuple[str, ...]
) -> Column:
    """Return text as the column it is: numbers or dates where every label is one, else labels.

    Words for "no answer" and "cannot have one" do not count as labels.
    """
    special = {*missing, *not_applicable}
    texts = [str(label) for label in column.labels if label not in special]
    if not texts:
        return column
    parsed, kind, scale = _parsed(pa.array(texts, pa.string()))
    if parsed is None:
        return column
    if kind == pa.int64() and (np.abs(parsed.to_numpy()) > _EXACT).any():
        return _whole_labels(column, dict(zip(texts, parsed.to_pylist(), strict=True)))
    numbers = dict(zip(texts, _floats(parsed).tolist(), strict=True))
    lookup = np.array([numbers.get(str(label), np.nan) for label in column.labels] + [np.nan])
    absent = np.array([label in not_applicable for label in column.labels] + [False])
    return Numeric(
        column.name,
        lookup[column.codes],
        scale=scale,
        storage=kind,
        absent=absent[column.codes] if absent.any() else None,
        absent_label=next((str(label) for label in column.labels if label in not_applicable), None),
    )


def _parsed(texts: pa.Array) -> tuple[pa.Array | None, pa.DataType | None, Scale]:
    if _all_match(texts, _WHOLE):
        return texts.cast(pa.int64()), pa.int64(), "ratio"
    if _all_match(texts, f"{_NUMBER}|{_NO_NUMBER}") and not _all_match(texts, _NO_NUMBER):
        if _any_match(texts, _LONG_WHOLE):
            return None, None, "nominal"
        unsigned = pc.replace_substring_regex(texts, r"^\+", "")
        return unsigned.cast(pa.float64()), pa.float64(), "ratio"
    times = pc.replace_substring_regex(texts, r"(\.[0-9]{6})000$", r"\1")  # nanoseconds
    for pattern, kind in ((_DATE, pa.date32()), (_TIME, pa.timestamp("us"))):
        if _all_match(times, pattern):
            try:
                parsed = times.cast(kind)
            except pa.ArrowInvalid:  # the 31st of February is a label
                break
            return (parsed, kind, "interval") if is_exact_time(parsed) else (None, None, "nominal")
    return None, None, "nominal"


def _all_match(texts: pa.Array, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(texts, pattern)).as_py())


def _any_match(texts: pa.Array, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(texts, pattern)).as_py())


def _floats(parsed: pa.Array) -> Floats:
    numbers: Floats = as_counts(parsed).cast(pa.float64(), safe=False).to_numpy()
    return numbers


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


def _whole_labels(column: Categorical, numbers: dict[str, int]) -> Categorical:
    """Return labels as whole numbers in ascending order: too long to be exact as floats."""
    texts = sorted(column.labels, key=lambda label: numbers.get(str(label), 0))
    codes = column.codes_in(tuple(texts))
    labels = tuple(numbers.get(str(text), text) for text in texts)
    return replace(column, codes=codes, labels=labels, storage=pa.int64())
