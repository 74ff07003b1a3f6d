"""Values given to functions of distances: labels, numbers, points or a column, and their counts."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from sudare.core import Array, Column, Floats, InputError, Integers, Label, Numeric, SettingError
from sudare.engine.counting import side_by_side

Values = Sequence[Any] | Array | Column
_NARROW = 1 << 24  # whole numbers of this range are counted by a table
_MANY = 1 << 19  # numbers for which threads are worth starting


def tally(values: Values, weights: Floats | None = None) -> tuple[list[Label], Floats]:
    """Return the distinct labels and the (weighted) number of records of each.

    Examples
    --------
    >>> tally(["a", "b", "a"])
    (['a', 'b'], array([2., 1.]))
    """
    codes, labels = coded(values)
    counts = weighted_counts(codes, weights, len(labels))
    seen = np.flatnonzero(counts).tolist()
    return [labels[code] for code in seen], counts[seen]


def coded(values: Values) -> tuple[Integers, Sequence[Label]]:
    """Return codes from 0, shape (n,), and the label of each code; rows of a table are labels."""
    if isinstance(values, Column):
        return values.coded.codes, values.coded.labels
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iubfMUS":
        if values.dtype.kind in "iu" and len(values):
            low, high = _ends(values)
            if high - low < _NARROW:
                return (_above(values, low, high) if low else values), range(low, high + 1)
        levels, codes = np.unique(values, return_inverse=True)
        return codes, levels.tolist()
    if isinstance(values, np.ndarray) and values.ndim > 1:
        values = list(map(tuple, values.tolist()))
    code_of = {label: code for code, label in enumerate(dict.fromkeys(values))}
    return np.fromiter(map(code_of.__getitem__, values), np.int64, len(values)), tuple(code_of)


def _above(values: Integers, low: int, high: int) -> Integers:
    """Return whole numbers as what they are above the least, in a type that holds it."""
    narrow = high - low > np.iinfo(values.dtype).max
    wide: Integers = values.astype(np.int64) if narrow else values
    above: Integers = wide - wide.dtype.type(low)
    return above.astype(np.int64) if above.dtype == np.uint64 else above


def _ends(values: Integers) -> tuple[int, int]:
    """Return the least and the greatest of whole numbers."""
    if len(values) > _MANY:
        ends = side_by_side(_ends, np.array_split(values, -(-len(values) // _MANY)))
        return min(low for low, _ in ends), max(high for _, high in ends)
    return int(values.min()), int(values.max())


def points_of(values: Values) -> Floats:
    """Return numbers as points, shape (n, p)."""
    try:
        points = np.asarray(values.values if isinstance(values, Numeric) else values, np.float64)
    except (TypeError, ValueError):
        raise InputError(
            "this distance is one of numbers, and the values are not all numbers; use another, "
            "for example 'discrete'."
        ) from None
    return points.reshape(len(points), math.prod(points.shape[1:]))


def size_of(values: Values) -> int:
    """Return the number of records."""
    return values.rows if isinstance(values, Column) else len(values)


def checked_weights(weights: Sequence[float] | Floats, records: int) -> Floats:
    """Return weights as numbers; refuse what cannot be weights of the records."""
    try:
        checked = np.asarray(weights, np.float64)
    except (TypeError, ValueError):
        checked = np.full(records, np.nan)
    if checked.shape != (records,):
        raise SettingError(
            "weights: there must be one for each of {records} records.", records=records
        )
    if records and not (checked.min() >= 0 and checked.max() < np.inf):
        raise SettingError("weights must be finite numbers, 0 or more.")
    return checked


def known_only(column: Column, weights: Floats | None) -> tuple[Column, Floats | None]:
    """Return the records that have a value, and their weights."""
    known = column.known
    if known.all():
        return column, weights
    return column.take(known), None if weights is None else weights[known]


def weighted_counts(codes: Integers, weights: Floats | None, size: int) -> Floats:
    """Return the (weighted) number of records of each code, shape (size,)."""
    return np.bincount(codes, weights, size).astype(np.float64)


def refuse_nothing(labels: Sequence[Label]) -> None:
    """Refuse labels that are missing: a distance does not place them."""
    if any(label is None or label != label for label in labels):  # noqa: PLR0124 - NaN is not
        raise InputError("some of the values are missing; leave them out, or give a column.")


def refuse_absent(points: Floats) -> None:
    """Refuse points with a missing or infinite number."""
    absent = int((~np.isfinite(points)).any(axis=1).sum())
    if absent:
        raise InputError(
            "{count} of {total} records have a missing or infinite number; leave them out.",
            count=absent,
            total=len(points),
        )
