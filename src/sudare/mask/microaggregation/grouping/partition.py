"""Partitions of records into groups of at least k near ones: MDAV, V-MDAV, blocks, refinement.

All of them sort the records first and know them by their position in that order, so that the order
in which they were given does not matter; equal records are interchangeable.
"""

from collections.abc import Callable, Iterator

import numpy as np

from sudare.core import Floats, InputError, Integers, SettingError
from sudare.engine.counting import side_by_side
from sudare.mask.microaggregation.grouping.kernel_groups import (
    mdav_groups,
    refined_groups,
    variable_mdav_groups,
)

_GRID_BITS = 32  # sums of up to 2²¹ numbers of this length are free of rounding
_NEIGHBORS = 12
_ROUNDS = 20
_LOOKS = 2


def on_grid(values: Floats) -> Floats:
    """Return columns about the middle of their range, in 2⁻³² steps of the widest range.

    On such a grid sums are exact, so that centroids can be kept up to date by subtraction, and
    what shifting, scaling or reordering the records does to the last digits disappears.

    Examples
    --------
    >>> on_grid(np.array([[1.0, 0.0], [2.0, 0.0], [5.0, 2.0]])).tolist()
    [[-0.5, -0.25], [-0.25, -0.25], [0.5, 0.25]]
    """
    low, ranges = values.min(axis=0), np.ptp(values, axis=0)
    steps = 2.0**_GRID_BITS / (ranges.max() or 1.0)
    return np.asarray(np.rint((values - (low + ranges / 2)) * steps) / 2.0**_GRID_BITS)


def mdav(values: Floats, k: int) -> Integers:
    """Return the group of each record by MDAV, shape (n,).

    While at least 3k records are left: the record farthest from their centroid forms a group with
    its k - 1 nearest; of the others, the record farthest from it does the same. Of 2k … 3k - 1
    records, the one farthest from the centroid forms a group with its nearest, and the rest
    another. Groups have k … 2k - 1 records.

    Parameters
    ----------
    values
        Shape (n, p), without missing values, on comparable scales.
    k
        Least size of a group, 2 … n.

    Notes
    -----
    Ties go to the record that comes first when the rows are sorted. Numbers are rounded to 2⁻³² of
    the widest range (:func:`on_grid`).

    References
    ----------
    Domingo-Ferrer and Mateo-Sanz (2002). Practical data-oriented microaggregation for statistical
    disclosure control. IEEE Transactions on Knowledge and Data Engineering 14(1).
    Domingo-Ferrer and Torra (2005). Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation. Data Mining and Knowledge Discovery 11(2), algorithm MDAV-generic.

    Examples
    --------
    >>> mdav(np.array([[1.0], [9.0], [1.2], [8.8]]), 2).tolist()
    [0, 1, 0, 1]
    """
    return _by_sorted_rows(values, k, lambda points: mdav_groups(points, k))


def variable_mdav(values: Floats, k: int, gain: float) -> Integers:
    """Return the group of each record by V-MDAV, shape (n,).

    The record farthest from the centroid of all forms a group with its k - 1 nearest. While the
    group has fewer than 2k - 1 records, the nearest one outside joins if its distance to the group
    (its nearest member) is below ``gain`` times its distance to the nearest other one outside.
    Fewer than k left over join the group with the nearest mean.

    Parameters
    ----------
    values
        Shape (n, p), without missing values, on comparable scales.
    k
        Least size of a group, 2 … n.
    gain
        0 gives groups of k; about 0.2 suits scattered and about 1.1 clustered records.

    Notes
    -----
    A group that left-overs bring to 2k records or more is divided by MDAV, which the paper leaves
    open: it lowers the loss and keeps sizes in k … 2k - 1.

    References
    ----------
    Solanas and Martínez-Ballesté (2006). V-MDAV: a multivariate microaggregation with variable
    group size. COMPSTAT 2006.

    Examples
    --------
    >>> variable_mdav(np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]), 2, 1.1).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    def grouped(points: Floats) -> Integers:
        groups = variable_mdav_groups(points, k, gain)
        return _divided(points, _joined(points, groups), k)

    return _by_sorted_rows(values, k, grouped)


def blockwise_mdav(values: Floats, k: int, block_rows: int) -> Integers:
    """Return the group of each record by MDAV inside blocks of neighbors, shape (n,).

    The records are divided at the middle of the column that varies most, and so on, into equal
    blocks of at most about ``block_rows``; they run in parallel. One block is :func:`mdav`.
    """

    def grouped(points: Floats) -> Integers:
        groups, first = np.empty(len(points), np.int64), 0
        count = min(-(-len(points) // block_rows), max(len(points) // (2 * k), 1))
        blocks = list(_blocks(points, np.arange(len(points)), count, k))
        for rows, part in zip(
            blocks, side_by_side(lambda rows: mdav_groups(points[rows], k), blocks), strict=True
        ):
            groups[rows] = part + first
            first += int(part.max()) + 1
        return groups

    return _by_sorted_rows(values, k, grouped)


def refined(values: Floats, groups: Integers, k: int) -> Integers:
    """Return better groups: records move to, or change places with records of, near groups.

    A move or exchange is done only if it lowers the summed squares and leaves both sizes in
    k … 2k - 1. Each group looks at 12 groups with near means, again and again until nothing gains,
    at most 20 times; then near groups are searched again, once.

    Examples
    --------
    >>> refined(np.array([[0.0], [9.0], [1.0], [10.0]]), np.array([0, 0, 1, 1]), 2).tolist()
    [1, 0, 1, 0]
    """
    order = np.lexsort((*values.T[::-1], groups))
    points = np.ascontiguousarray(on_grid(values)[order])
    better = np.unique(groups[order], return_inverse=True)[1]
    least = 1e-9 * summed_squares(points, better) / len(points)
    for _ in range(_LOOKS):
        better = refined_groups(points, better, k, _NEIGHBORS, _ROUNDS, least)
    return _in_place(better, order)


def summed_squares(values: Floats, groups: Integers) -> float:
    """Return the summed squared distances of records from the means of their groups (SSE)."""
    sizes = np.bincount(groups)
    return float(
        sum(
            ((column - (np.bincount(groups, column) / np.maximum(sizes, 1))[groups]) ** 2).sum()
            for column in values.T
        )
    )


def lost_share(values: Floats, groups: Integers) -> float:
    """Return the share of the summed squares that grouping takes away: SSE / SST, 0 … 1.

    Examples
    --------
    >>> lost_share(np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([0, 0, 1, 1]))
    0.2
    """
    total = summed_squares(values, np.zeros(len(values), np.int64))
    return summed_squares(values, groups) / total if total > 0 else 0.0


def _by_sorted_rows(values: Floats, k: int, partition: Callable[[Floats], Integers]) -> Integers:
    rows = len(values)
    if not 2 <= k <= rows:
        raise SettingError(
            "k must be from 2 to the number of records, {rows}; got {k}.", rows=rows, k=k
        )
    unknown = int((~np.isfinite(values)).any(axis=1).sum())
    if unknown:
        raise InputError(
            "{count} {count:record has|records have} missing or infinite values; group the "
            "others only.",
            count=unknown,
        )
    order = np.lexsort(values.T[::-1])
    points = on_grid(np.asarray(values, np.float64)[order])
    return _in_place(partition(np.ascontiguousarray(points)), order)


def _in_place(groups: Integers, order: Integers) -> Integers:
    placed = np.empty(len(order), np.int64)
    placed[order] = groups
    return placed


def _blocks(points: Floats, rows: Integers, count: int, k: int) -> Iterator[Integers]:
    if count == 1:
        yield np.sort(rows)  # a block keeps the order of the sorted rows, which decides ties
        return
    column = points[rows, int(np.argmax(points[rows].var(axis=0)))]
    middle = len(rows) * (count // 2) // count // k * k
    halves = np.argsort(column, kind="stable")  # partitions differ between processors
    yield from _blocks(points, rows[halves[:middle]], count // 2, k)
    yield from _blocks(points, rows[halves[middle:]], count - count // 2, k)


def _joined(points: Floats, groups: Integers) -> Integers:
    """Return the groups with the left-overs (-1) in the group with the nearest mean."""
    joined, inside = groups.copy(), groups >= 0
    sizes = np.bincount(groups[inside])
    means = np.stack([np.bincount(groups[inside], c[inside]) / sizes for c in points.T], axis=1)
    for record in np.flatnonzero(~inside):
        joined[record] = int(np.argmin(((means - points[record]) ** 2).sum(axis=1)))
    return joined


def _divided(points: Floats, groups: Integers, k: int) -> Integers:
    """Return the groups with those of 2k records or more divided by MDAV."""
    divided = groups.copy()
    for group in np.flatnonzero(np.bincount(groups) >= 2 * k):
        rows = np.flatnonzero(groups == group)
        parts = mdav_groups(points[rows], k)
        divided[rows[parts > 0]] = divided.max() + parts[parts > 0]
    return divided
