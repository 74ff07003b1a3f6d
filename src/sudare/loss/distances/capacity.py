"""Information capacity and ILD: loss based on distances (Akiyama and Wada)."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from sudare.core import (
    Column,
    Floats,
    Integers,
    Label,
    MismatchError,
    Numeric,
    SettingError,
    distinct,
)
from sudare.describe import Distance, PNorm, Tree
from sudare.describe.distances import Discrete, Given, as_distance
from sudare.engine.counting import in_units, joint_keys, magnitude, renumbered, summed
from sudare.loss.distances.pair_sums import OnShare, gaps, pair_sum, tree_pairs
from sudare.loss.distances.sums_of_squares import LEAST, spread
from sudare.loss.distances.values import (
    Values,
    checked_weights,
    known_only,
    points_of,
    refuse_absent,
    refuse_nothing,
    size_of,
    tally,
    weighted_counts,
)

_DEEP = 64  # a deeper tree is not a hierarchy: its table by depth would not be small


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
        weights = checked_weights(weights, size_of(values))
    if isinstance(values, Column):
        values, weights = known_only(values, weights)
    if isinstance(chosen, PNorm):
        return numbers_capacity(points_of(values), chosen, power, weights, on_progress)
    labels, counts = tally(values, weights)
    if chosen.nothing is not None and not isinstance(chosen, Discrete):
        refuse_nothing(labels)
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
            refuse_absent(points)
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
    counts = weighted_counts(codes, weights, len(levels))
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
    """Return the capacity of labels, given how many records each has, shape (u,)."""
    if isinstance(distance, Discrete):
        return float(counts @ (counts.sum() - counts))
    if isinstance(distance, Tree) and distance.depth.max() <= _DEEP:
        return tree_pairs(distance, distance.codes(labels), counts, power)
    return pair_sum(distance.between(labels), counts, power, distance.cells, on_progress)


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


def _refuse_mismatch(before: Values, after: Values) -> None:
    if size_of(before) != size_of(after):
        raise MismatchError(
            "ild: there are {before} values before and {after} after masking; their records must "
            "correspond.",
            before=size_of(before),
            after=size_of(after),
        )
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        widths = [math.prod(values.shape[1:]) for values in (before, after)]
        if widths[0] != widths[1]:
            raise MismatchError(
                "ild: records have {before} values before and {after} after masking.",
                before=widths[0],
                after=widths[1],
            )


def _part(on_progress: OnShare | None, done: int, parts: int) -> OnShare | None:
    """Return the callback for one of several equal parts of the work, of which some are done."""
    if on_progress is None:
        return None
    return lambda share: on_progress((done + share) / parts)


def _distinct_rows(points: Floats) -> tuple[Integers, Floats]:
    """Return the number of each row among the distinct rows, and these."""
    by_column = [distinct(column) for column in points.T]
    keys = joint_keys([(codes, len(levels)) for levels, codes in by_column])
    codes, size = renumbered(*keys)
    first = np.empty(size, np.int64)
    first[codes] = np.arange(len(points))
    return codes, points[first]
