"""Kernels that exchange records between neighboring groups while the summed squares fall.

Moving x from A (a records, mean α) to B (b records, mean β) lowers the summed squares by
a/(a-1) |x - α|² - b/(b+1) |x - β|². Exchanging x of A for y of B lowers them by
2 (α - β)·(y - x) + (1/a + 1/b) |y - x|². In large groups the first term decides, so that only
records far along β - α need be tried.
"""

from typing import NamedTuple

import numpy as np

from sudare.core import (
    FlagVector,
    FloatMatrix,
    FloatVector,
    IntegerMatrix,
    IntegerVector,
    inlined,
    kernel,
)
from sudare.mask.microaggregation.grouping._kernels_index import (
    LANES,
    Index,
    Single,
    build,
    place_median,
)
from sudare.mask.microaggregation.grouping._kernels_search import (
    Neighbors,
    bound_below,
    forget,
    insert,
    look_into,
)

_LOOKED = 128  # blocks of 64 groups searched for neighbors
_SMALL = 32  # records of a group of which every one is tried in an exchange
_OUTERMOST = 8  # records that are tried of a larger one
_INFINITE = Single(np.inf)


class GroupState(NamedTuple):
    """Groups: their members (groups, 2k or more), sizes (groups,) and means (groups, p)."""

    points: FloatMatrix
    members: IntegerMatrix
    sizes: IntegerVector
    means: FloatMatrix


@kernel
def near_groups(
    index: Index,
    part: int,
    parts: int,
    neighbors: Neighbors,
    keys: FloatVector,
    order: IntegerVector,
    near: IntegerMatrix,
) -> None:
    """Find groups with near means: the rows of ``near`` (groups, count) that fall to a part.

    The groups are shared out over ``parts``, so that each part can run on a core of its own.

    Parameters
    ----------
    index
        Room for the means.
    neighbors
        Room for as many as are sought.
    keys, order
        Working space, shape (blocks,).
    """
    blocks = build(index, len(index.points))
    for block in range(part, blocks, parts):
        _near_groups_of(index, blocks, block, neighbors, keys, order, near)


@inlined
def _near_groups_of(
    index: Index,
    blocks: int,
    block: int,
    neighbors: Neighbors,
    keys: FloatVector,
    order: IntegerVector,
    near: IntegerMatrix,
) -> None:
    """Find the neighbors of the records of one block together.

    Only the blocks nearest to the middle of this one are searched: near, not nearest.
    """
    apart, there = np.empty(LANES, Single), index.there
    for t in range(len(there)):
        there[t] = (index.low[t, block] + index.high[t, block]) / 2
    bound_below(index, blocks)
    for other in range(blocks):
        keys[other], order[other] = index.bound[other], other
    if blocks > _LOOKED:
        place_median(keys, order, 0, blocks, _LOOKED)
    for lane in range(index.live[block]):
        record, limit = index.ids[block, lane], _INFINITE
        for t in range(len(there)):
            there[t] = index.points[record, t] - index.origin[t]
        forget(index, neighbors)
        for rank in range(min(blocks, _LOOKED)):
            limit = look_into(
                index, order[rank], index.points[record], record, neighbors, apart, limit
            )
        near[record] = neighbors.ids


@inlined
def _center(grouping: GroupState, group: int) -> None:
    """Compute the mean of a group."""
    mean, size = grouping.means[group], grouping.sizes[group]
    mean[:] = 0
    for member in range(size):
        for t in range(len(mean)):
            mean[t] += grouping.points[grouping.members[group, member], t]
    for t in range(len(mean)):
        mean[t] /= size


@inlined
def _squared(point: FloatVector, center: FloatVector) -> float:
    square = 0.0
    for t in range(len(point)):
        square += (point[t] - center[t]) ** 2
    return square


@inlined
def outermost(
    grouping: GroupState, a: int, b: int, chosen: IntegerVector, reaches: FloatVector
) -> None:
    """Choose the members of a group that lie farthest toward another."""
    chosen[:] = 0
    reaches[:] = np.inf
    for member in range(grouping.sizes[a]):
        point, reach = grouping.points[grouping.members[a, member]], 0.0
        for t in range(len(point)):
            reach += (grouping.means[a, t] - grouping.means[b, t]) * point[t]
        insert(Neighbors(chosen, reaches), member, reach)


@inlined
def best_exchange(
    grouping: GroupState, a: int, b: int, along: FloatVector
) -> tuple[float, int, int]:
    """Return what the best exchange between two groups gains, and the members exchanged."""
    points, members, sizes, means = grouping
    chosen, reaches = np.empty((2, _OUTERMOST), np.int64), np.empty(_OUTERMOST)
    small = min(sizes[a], sizes[b]) <= _SMALL
    mine, theirs = _OUTERMOST, _OUTERMOST
    if small:
        mine, theirs = sizes[a], sizes[b]
    else:
        outermost(grouping, a, b, chosen[0], reaches)
        outermost(grouping, b, a, chosen[1], reaches)
    for t in range(len(along)):
        along[t] = means[a, t] - means[b, t]
    share = 1 / sizes[a] + 1 / sizes[b]
    best, x, y = 0.0, -1, -1
    for rank in range(mine):
        i = rank if small else chosen[0, rank]
        own = points[members[a, i]]
        for other_rank in range(theirs):
            j = other_rank if small else chosen[1, other_rank]
            candidate = points[members[b, j]]
            square = cross = 0.0
            for t in range(len(along)):
                apart = candidate[t] - own[t]
                square += apart * apart
                cross += along[t] * apart
            gain = 2 * cross + share * square
            if gain > best:
                best, x, y = gain, i, j
    return best, x, y


@inlined
def best_move(grouping: GroupState, a: int, b: int, k: int) -> tuple[float, int]:
    """Return what the best move from one group into another gains, and the member moved."""
    points, members, sizes, means = grouping
    best, x = 0.0, -1
    if sizes[a] > k and sizes[b] < 2 * k - 1:
        for i in range(sizes[a]):
            mine = points[members[a, i]]
            gain = _squared(mine, means[a]) * sizes[a] / (sizes[a] - 1)
            gain -= _squared(mine, means[b]) * sizes[b] / (sizes[b] + 1)
            if gain > best:
                best, x = gain, i
    return best, x


@inlined
def _move(grouping: GroupState, a: int, b: int, member: int) -> None:
    """Move a record from one group into another."""
    members, sizes = grouping.members, grouping.sizes
    sizes[a] -= 1
    members[b, sizes[b]] = members[a, member]
    members[a, member] = members[a, sizes[a]]
    sizes[b] += 1


@inlined
def _improve(
    grouping: GroupState, a: int, b: int, k: int, least: float, along: FloatVector
) -> bool:
    """Do the best move or exchange between two groups, if it gains at least something."""
    members = grouping.members
    gain, x, y = best_exchange(grouping, a, b, along)
    there, out = best_move(grouping, a, b, k)
    back, home = best_move(grouping, b, a, k)
    if max(gain, there, back) <= least:
        return False
    if gain >= max(there, back):
        members[a, x], members[b, y] = members[b, y], members[a, x]
    elif there >= back:
        _move(grouping, a, b, out)
    else:
        _move(grouping, b, a, home)
    _center(grouping, a)
    _center(grouping, b)
    return True


@kernel
def refine(
    grouping: GroupState,
    near: IntegerMatrix,
    k: int,
    rounds: int,
    least: float,
    changed: FlagVector,
    before: FlagVector,
    along: FloatVector,
) -> None:
    """Improve pairs of neighbors, round by round, until none gains.

    Pairs neither of which has changed since they were last looked at are skipped.

    Parameters
    ----------
    changed
        True for each group.
    before, along
        Working space, shapes (groups,) and (p,).
    """
    count, most = grouping.members.shape  # rounding may find gains for ever
    for _ in range(rounds):
        before[:] = changed
        changed[:] = False
        any_changed = False
        for a in range(count):
            for b in near[a]:
                if before[a] or before[b] or changed[a] or changed[b]:
                    for _ in range(most):
                        if not _improve(grouping, a, b, k, least, along):
                            break
                        changed[a] = changed[b] = any_changed = True
        if not any_changed:
            break
