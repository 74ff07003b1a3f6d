"""Kernels of microaggregation: MDAV, V-MDAV, and the optimal grouping of one column.

Groups are numbered from 0 in the order in which they are formed.
"""

import numpy as np

from sudare.core import Floats, Integers, kernel
from sudare.mask.microaggregation._kernels_index import Index, build, remove, thinned
from sudare.mask.microaggregation._kernels_search import Neighbors, farthest, nearest


@kernel
def mdav(points: Floats, k: int) -> Integers:
    """Return the group of each record by MDAV; ``points`` are on a grid, so that sums are exact."""
    n = len(points)
    groups, group, left = np.full(n, -1), 0, n
    index, total = build(points, np.arange(n)), np.zeros(points.shape[1])
    for record in range(n):
        total += points[record]
    neighbors = Neighbors(np.empty(k - 1, np.int64), np.empty(k - 1))
    while left >= 2 * k:
        first = farthest(index, total / left)
        _close(index, first, neighbors, group, groups, total)
        group, left = group + 1, left - k
        if left >= 2 * k:
            opposite = farthest(index, points[first])
            _close(index, opposite, neighbors, group, groups, total)
            group, left = group + 1, left - k
        index = thinned(index, left)
    groups[groups < 0] = group
    return groups


@kernel
def _close(
    index: Index, center: int, neighbors: Neighbors, group: int, groups: Integers, total: Floats
) -> None:
    """Make a group of a record and its nearest, and take them out."""
    nearest(index, index.points[center], center, neighbors)
    remove(index, center)
    groups[center] = group
    total -= index.points[center]
    for record in neighbors.ids:
        remove(index, record)
        groups[record] = group
        total -= index.points[record]


@kernel
def variable_mdav(points: Floats, k: int, gain: float, outermost: Integers) -> Integers:
    """Return the group of each record by V-MDAV; -1 for fewer than k that are left over.

    ``outermost`` are the records in descending distance from the centroid of all, shape (n,).
    """
    n = len(points)
    groups, group, left = np.full(n, -1), 0, n
    index, total = build(points, np.arange(n)), np.zeros(points.shape[1])
    neighbors = Neighbors(np.empty(k - 1, np.int64), np.empty(k - 1))
    for center in outermost:
        if left < k:
            break
        if groups[center] >= 0:
            continue
        _close(index, center, neighbors, group, groups, total)
        left -= k
        left -= _extend(index, center, neighbors.ids, groups, gain)
        group += 1
        index = thinned(index, left)
    return groups


@kernel
def _extend(index: Index, center: int, others: Integers, groups: Integers, gain: float) -> int:
    """Add near records to a group while they are nearer to it than to the rest; return how many."""
    k, nobody = len(others) + 1, len(index.points)
    members, size = np.append(np.append(center, others), np.zeros(k - 1, np.int64)), k
    outside = Neighbors(np.full(2 * k - 1, -1), np.full(2 * k - 1, np.inf))  # the nearest of each
    neighbors = Neighbors(np.empty(1, np.int64), np.empty(1))
    while size < 2 * k - 1:
        for member in range(size):
            if outside.ids[member] < 0:
                nearest(index, index.points[members[member]], nobody, neighbors)
                outside.ids[member], outside.squares[member] = (
                    neighbors.ids[0],
                    neighbors.squares[0],
                )
        best = np.argmin(outside.squares)
        record = outside.ids[best]
        if record == nobody:
            break
        nearest(index, index.points[record], record, neighbors)
        if not np.sqrt(outside.squares[best]) < gain * np.sqrt(neighbors.squares[0]):
            break
        remove(index, record)
        groups[record] = groups[center]
        members[size] = record
        outside.ids[outside.ids == record] = -1
        size += 1
    return size - k


@kernel
def optimal_breaks(values: Floats, k: int) -> Integers:
    """Return where the groups of least summed squares begin, shape (groups,).

    ``values`` ascend. The shortest path of Hansen and Mukherjee: record ``stop`` is reached from
    ``start`` at the cost of the group between, which has k … 2k - 1 records. The cost is summed up
    from the last record backwards (Welford), so that nothing is lost by cancellation.
    """
    n = len(values)
    cost, origin = np.full(n + 1, np.inf), np.zeros(n + 1, np.int64)
    cost[0] = 0.0
    for stop in range(k, n + 1):
        mean = squares = 0.0
        for size in range(1, min(2 * k - 1, stop) + 1):
            apart = values[stop - size] - mean
            mean += apart / size
            squares += apart * (values[stop - size] - mean)
            reached = cost[stop - size] + squares
            if size >= k and reached < cost[stop]:
                cost[stop], origin[stop] = reached, stop - size
    breaks, stop = [n], n
    while stop > 0:
        stop = origin[stop]
        breaks.append(stop)
    return np.array(breaks[:0:-1])
