"""Information capacity, ILD and ILSSDM: loss based on distances (Akiyama and Wada)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from sudare.core import (
    Array,
    Column,
    Floats,
    InputError,
    Integers,
    Label,
    MismatchError,
    Numeric,
    SettingError,
    distinct,
)
from sudare.describe import Distance, PNorm, Tree
from sudare.describe.distances import Discrete, Given, as_distance
from sudare.engine.counting import in_units, joint_keys, magnitude, renumbered, side_by_side, summed
from sudare.loss.distances.pair_sums import OnShare, gaps, pair_sum, tree_pairs
from sudare.loss.distances.sums_of_squares import LEAST, group_squares, spread

Values = Sequence[Any] | Array | Column
_NARROW = 1 << 24  # whole numbers of this range are counted by a table
_MANY = 1 << 19  # numbers for which threads are worth starting
_DEEP = 64  # a tree that is deeper is no hierarchy: its table by depth would not be small


def information_capacity(
    values: Values,
    distance: Given,
    power: float = 2,
    *,
    weights: Sequence[float] | Floats | None = None,
    on_progress: OnShare | None = None,
) -> float:
    """Return I(A): the sum of d(x, y)^power over all ordered pairs of records (section 2.1).

    Parameters
    ----------
    values
        Labels or numbers, shape (n,); or points, shape (n, p); or a column, whose absent values
        are left out.
    distance
        A word such as "euclidean", "discrete" or "levenshtein", a ``Tree``, ``Graph`` or ``PNorm``,
        or a symmetric function of two labels.
    power
        The exponent q, 1 or more; 2 in table 1 of the paper, 1 in table 2.
    weights
        What each record counts, shape (n,); by default 1.
    on_progress
        Called with the share done where pairs of distinct values have to be visited.

    Notes
    -----
    Never O(n²). Numbers: O(n) for Euclid with power 2 (eq. 3: 2N²·variance), O(n log n) for the
    1-norm with power 1, else pairs of distinct points in blocks. Labels: O(n) to count them, then
    O(u) in distinct labels u for the discrete distance and trees, O(u²) in blocks for others.

    Examples
    --------
    >>> information_capacity([1, 2, 3, 4], "euclidean")
    40.0
    >>> information_capacity(["Nara", "Nara", "Osaka"], "discrete")
    4.0
    """
    chosen = as_distance(distance)
    if not power >= 1:
        raise SettingError("power must be at least 1, got {given}.", given=power)
    values = _rows(values, chosen)
    if weights is not None:
        weights = _checked(weights, _size(values))
    if isinstance(values, Column):
        values, weights = _known(values, weights)
    if isinstance(chosen, PNorm):
        return numbers_capacity(points_of(values), chosen, power, weights, on_progress)
    labels, counts = tally(values, weights)
    if chosen.nothing is not None and not isinstance(chosen, Discrete):
        _refuse_nothing(labels)
    return labels_capacity(labels, counts, chosen, power, on_progress)


def ild(
    before: Values,
    after: Values,
    distance: Given,
    power: float = 2,
    *,
    weights: Sequence[float] | Floats | None = None,
    on_progress: OnShare | None = None,
) -> float:
    """Return ILD = (I(A) - I(Â)) / I(A), the share of the capacity that masking took (section 2.2).

    Parameters are those of :func:`information_capacity`. The value is below 0 where masking added
    spread. Where all records were equal there was nothing to lose: 0.

    Examples
    --------
    >>> ild([1, 2, 3, 4], [1.5, 1.5, 3.5, 3.5], "euclidean")
    0.2
    """
    chosen = as_distance(distance)
    before, after = _rows(before, chosen), _rows(after, chosen)
    _refuse_mismatch(before, after)
    capacity = partial(information_capacity, distance=distance, power=power, weights=weights)
    whole = capacity(before, on_progress=_part(on_progress, 0, 2))
    left = capacity(after, on_progress=_part(on_progress, 1, 2))
    if isinstance(chosen, PNorm) and not (LEAST < whole < np.inf > left):
        unit = max(magnitude(points_of(values)) for values in (before, after))
        whole, left = (capacity(_in_units(values, unit)) for values in (before, after))
    return lost_share(whole, left)


def lost_share(whole: float, left: float) -> float:
    """Return the share of a capacity that was lost; 0 where there was nothing to lose."""
    return (whole - left) / whole if whole else 0.0


def ilssdm(values: Values, groups: Values) -> float:
    """Return SSE / SST: the sum of squares within groups over the total (section 4.1).

    It equals ILD for the Euclidean distance when each group is replaced by its mean (eq. 6); 0
    where all records are equal. One pass over the records.

    Parameters
    ----------
    values
        Numbers, shape (n,) or (n, p).
    groups
        The group of each record, shape (n,).

    Examples
    --------
    >>> ilssdm([1, 2, 3, 4], ["a", "a", "b", "b"])
    0.2
    """
    points = np.ascontiguousarray(points_of(values))
    codes, labels = coded(groups)
    if len(codes) != len(points):
        raise MismatchError("ilssdm: there must be one group for each record.")
    if not len(points):
        return 0.0
    if unknown := int((codes < 0).sum()) if isinstance(groups, Column) else 0:
        raise InputError("ilssdm: {count} {count:record has|records have} no group.", count=unknown)
    codes = codes.astype(np.int64, copy=False)
    with np.errstate(over="ignore", invalid="ignore"):
        within, between = group_squares(points, codes, len(labels))
        total = within + between
    if not LEAST < total < np.inf:
        _refuse_absent(points)
        points = in_units(points, magnitude(points))
        within, between = group_squares(points, codes, len(labels))
        total = within + between
    return within / total if within else 0.0


def numbers_capacity(
    points: Floats,
    distance: PNorm,
    power: float,
    weights: Floats | None = None,
    on_progress: OnShare | None = None,
) -> float:
    """Return the capacity of points, shape (n, p), under a p-norm; infinite if it is too large."""
    with np.errstate(over="ignore", invalid="ignore"):
        if not np.isfinite(points.sum()):
            _refuse_absent(points)
        capacity = _points_capacity(points, distance, power, weights, on_progress)
    return capacity if math.isfinite(capacity) else math.inf


def _points_capacity(
    points: Floats,
    distance: PNorm,
    power: float,
    weights: Floats | None,
    on_progress: OnShare | None,
) -> float:
    rows, columns = points.shape
    if not rows:
        return 0.0
    if power == 2 and (distance.p == 2 or columns == 1):
        return 2 * float(rows if weights is None else weights.sum()) * spread(points, weights)
    if columns > 1 and power == distance.p:  # then d^q is a sum over the columns
        return summed(
            _points_capacity(
                points[:, [j]], distance, power, weights, _part(on_progress, j, columns)
            )
            for j in range(columns)
        )
    codes, levels = _distinct_rows(points)
    counts = _counts(codes, weights, len(levels))
    if power == 1 and columns == 1:
        return gaps(levels[:, 0], counts)
    return pair_sum(distance.between(levels), counts, power, distance.cells, on_progress)


def labels_capacity(
    labels: Sequence[Label],
    counts: Floats,
    distance: Distance,
    power: float,
    on_progress: OnShare | None = None,
) -> float:
    """Return the capacity of labels of which each has so many records, shape (u,)."""
    if isinstance(distance, Discrete):
        return float(counts @ (counts.sum() - counts))
    if isinstance(distance, Tree) and distance.depth.max() <= _DEEP:
        return tree_pairs(distance, distance.codes(labels), counts, power)
    return pair_sum(distance.between(labels), counts, power, distance.cells, on_progress)


def tally(values: Values, weights: Floats | None = None) -> tuple[list[Label], Floats]:
    """Return the distinct labels and the (weighted) number of records of each.

    Examples
    --------
    >>> tally(["a", "b", "a"])
    (['a', 'b'], array([2., 1.]))
    """
    codes, labels = coded(values)
    counts = _counts(codes, weights, len(labels))
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


def _in_units(values: Values, power: int) -> Values:
    """Return numbers in units of a power of two."""
    if isinstance(values, Numeric):
        return replace(values, values=in_units(values.values, power))
    return in_units(points_of(values), power)


def _rows(values: Values, distance: Distance) -> Values:
    """Return numbers as points and a frame as the array of its rows; all else as it is."""
    if isinstance(values, Column):
        return values
    if isinstance(distance, PNorm):
        return points_of(values)
    return np.asarray(values) if len(getattr(values, "shape", ())) > 1 else values


def _size(values: Values) -> int:
    return values.rows if isinstance(values, Column) else len(values)


def _refuse_mismatch(before: Values, after: Values) -> None:
    if _size(before) != _size(after):
        raise MismatchError(
            "ild: there are {before} values before and {after} after masking; their records must "
            "correspond.",
            before=_size(before),
            after=_size(after),
        )
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        widths = [math.prod(values.shape[1:]) for values in (before, after)]
        if widths[0] != widths[1]:
            raise MismatchError(
                "ild: records have {before} values before and {after} after masking.",
                before=widths[0],
                after=widths[1],
            )


def _checked(weights: Sequence[float] | Floats, records: int) -> Floats:
    """Return weights as numbers; refuse what cannot be weights of so many records."""
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


def _part(on_progress: OnShare | None, done: int, parts: int) -> OnShare | None:
    """Return the callback for one of several equal parts of the work, of which some are done."""
    if on_progress is None:
        return None
    return lambda share: on_progress((done + share) / parts)


def _known(column: Column, weights: Floats | None) -> tuple[Column, Floats | None]:
    known = column.known
    if known.all():
        return column, weights
    return column.take(known), None if weights is None else weights[known]


def _distinct_rows(points: Floats) -> tuple[Integers, Floats]:
    """Return the number of each row among the distinct rows, and these."""
    by_column = [distinct(column) for column in points.T]
    keys = joint_keys([(codes, len(levels)) for levels, codes in by_column])
    codes, size = renumbered(*keys)
    first = np.empty(size, np.int64)
    first[codes] = np.arange(len(points))
    return codes, points[first]


def _counts(codes: Integers, weights: Floats | None, size: int) -> Floats:
    return np.bincount(codes, weights, size).astype(np.float64)


def _refuse_nothing(labels: Sequence[Label]) -> None:
    if any(label is None or label != label for label in labels):  # noqa: PLR0124 - NaN is not
        raise InputError("some of the values are missing; leave them out, or give a column.")


def _refuse_absent(points: Floats) -> None:
    absent = int((~np.isfinite(points)).any(axis=1).sum())
    if absent:
        raise InputError(
            "{count} of {total} records have a missing or infinite number; leave them out.",
            count=absent,
            total=len(points),
        )
