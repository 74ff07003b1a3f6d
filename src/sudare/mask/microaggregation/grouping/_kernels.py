"""Kernels of microaggregation: MDAV, V-MDAV, and the optimal grouping of one column.

Groups are numbered from 0 in the order in which they are formed.
"""

import math

import numpy as np

from sudare.core import FloatVector, IntegerVector, inlined, kernel
from sudare.mask.microaggregation.grouping._kernels_index import Index, remove, renewed
from sudare.mask.microaggregation.grouping._kernels_search import Neighbors, farthest, nearest


@kernel
def mdav(
    index: Index,
    k: int,
    neighbors: Neighbors,
    total: FloatVector,
    target: FloatVector,
    groups: IntegerVector,
) -> None:
    """Find the group of each record by MDAV; the points are on a grid, so that sums are exact.

    Parameters
    ----------
    index
        Room for it.
    neighbors
        Room for k - 1.
    total, target
        Working space, shape (p,).
    groups
        Gets the groups, shape (n,).
    """
    left, group, blocks, record, opposite = len(index.points), 0, 0, 0, False
    total[:] = 0
    groups[:] = -1
    for row in range(left):
        for t in range(len(total)):
            total[t] += index.points[row, t]
    while left >= 2 * k:
        if not opposite:
            blocks = renewed(index, blocks, left)
        for t in range(len(total)):
            target[t] = index.points[record, t] if opposite else total[t] / left
        record = farthest(index, blocks, target)
        _close(index, blocks, record, neighbors, group, groups, total)
        group, left, opposite = group + 1, left - k, not opposite
    for row in range(len(groups)):
        if groups[row] < 0:
            groups[row] = group


@inlined
def _close(
    index: Index,
    blocks: int,
    center: int,
    neighbors: Neighbors,
    group: int,
    groups: IntegerVector,
    total: FloatVector,
) -> None:
    """Make a group of a record and its nearest, and take them out."""
    nearest(index, blocks, index.points[center], center, neighbors)
    for member in range(len(neighbors.ids) + 1):
        record = center if member == 0 else neighbors.ids[member - 1]
        remove(index, record)
        groups[record] = group
        for t in range(len(total)):
            total[t] -= index.points[record, t]


@kernel
def variable_mdav(
    index: Index,
    k: int,
    gain: float,
    outermost: IntegerVector,
    neighbors: Neighbors,
    members: IntegerVector,
    outside: Neighbors,
    total: FloatVector,
    groups: IntegerVector,
) -> None:
    """Find the group of each record by V-MDAV; -1 for fewer than k that are left over.

    Parameters
    ----------
    index, neighbors, total, groups
        As for :func:`mdav`.
    outermost
        The records in descending distance from the centroid of all, shape (n,).
    members, outside
        Working space for 2k - 1.
    """
    left, group, blocks = len(index.points), 0, 0
    groups[:] = -1
    for center in outermost:
        if left < k:
            break
        if groups[center] >= 0:
            continue
        blocks = renewed(index, blocks, left)
        _close(index, blocks, center, neighbors, group, groups, total)
        members[0] = center
        for member in range(k - 1):
            members[member + 1] = neighbors.ids[member]
        left -= k + _extend(index, blocks, k, members, outside, groups, gain)
        group += 1


@inlined
def _extend(
    index: Index,
    blocks: int,
    k: int,
    members: IntegerVector,
    outside: Neighbors,
    groups: IntegerVector,
    gain: float,
) -> int:
    """Add near records to a group while they are nearer to it than to the rest; return how many.

    ``outside`` gets the nearest of each member.
    """
    size, nobody = k, len(index.points)
    neighbors = Neighbors(np.empty(1, np.int64), np.empty(1))
    outside.ids[:] = -1
    while size < 2 * k - 1:
        best = 0
        for member in range(size):
            if outside.ids[member] < 0:
                nearest(index, blocks, index.points[members[member]], nobody, neighbors)
                outside.ids[member] = neighbors.ids[0]
                outside.squares[member] = neighbors.squares[0]
            if outside.squares[member] < outside.squares[best]:
                best = member
        record, square = outside.ids[best], outside.squares[best]
        if record == nobody:
            break
        nearest(index, blocks, index.points[record], record, neighbors)
        if not math.sqrt(square) < gain * math.sqrt(neighbors.squares[0]):
            break
        remove(index, record)
        groups[record] = groups[members[0]]
        members[size] = record
        for member in range(size):
            if outside.ids[member] == record:
                outside.ids[member] = -1
        size += 1
    return size - k


@kernel
def optimal_breaks(
    values: FloatVector,
    k: int,
    cost: FloatVector,
    origin: IntegerVector,
    breaks: IntegerVector,
) -> int:
    """Write where the groups of least summed squares begin to the end of ``breaks``.

    ``values`` ascend. The shortest path of Hansen and Mukherjee: record ``stop`` is reached from
    ``start`` at the cost of the group between, which has k … 2k - 1 records. The cost is summed up
    from the last record backwards (Welford), so that nothing is lost by cancellation.

    Parameters
    ----------
    cost, origin
        Working space, shape (n + 1,); all costs infinite but the first, which is 0.
    breaks
        As long as there can be groups.

    Returns
    -------
    int
        From where on ``breaks`` is filled.
    """
    n, free = len(values), len(breaks)
    for stop in range(k, n + 1):
        mean = squares = 0.0
        for size in range(1, min(2 * k - 1, stop) + 1):
            apart = values[stop - size] - mean
            mean += apart / size
            squares += apart * (values[stop - size] - mean)
            reached = cost[stop - size] + squares
            if size >= k and reached < cost[stop]:
                cost[stop], origin[stop] = reached, stop - size
    start = n
    while start > 0:
        start = origin[start]
        free -= 1
        breaks[free] = start
    return free
