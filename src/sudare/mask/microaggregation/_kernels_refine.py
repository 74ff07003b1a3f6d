"""Kernels that exchange records between neighbouring groups while the summed squares fall.

Moving x from A (a records, mean α) to B (b records, mean β) lowers the summed squares by
a/(a-1) |x - α|² - b/(b+1) |x - β|². Exchanging x of A for y of B lowers them by
2 (α - β)·(y - x) + (1/a + 1/b) |y - x|². In large groups the first term decides, so that only
records far along β - α need be tried.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sudare.core import Floats, Integers, kernel
from sudare.mask.microaggregation._kernels_index import build
from sudare.mask.microaggregation._kernels_search import Neighbors, insert, nearest_of_block

_LOOKED = 128  # blocks of 64 groups searched for neighbours
_SMALL = 32  # records of a group of which every one is tried in an exchange
_OUTERMOST = 8  # records that are tried of a larger one


class Grouping(NamedTuple):
    """Groups: their members (groups, 2k or more), sizes (groups,) and means (groups, p)."""

    points: Floats
    members: Integers
    sizes: Integers
    means: Floats


@kernel
def neighbors(means: Floats, count: int, part: int, parts: int) -> Integers:
    """Return groups with near means, shape (groups, count); rows of other parts are -1.

    The groups are shared out over ``parts``, so that each part can run on a core of its own.
    """
    index = build(means, np.arange(len(means)))
    nearest = Neighbors(np.empty(count, np.int64), np.empty(count))
    near = np.full((len(means), count), -1)
    for block in range(part, len(index.live), parts):
        nearest_of_block(index, block, _LOOKED, nearest, near)
    return near


@kernel
def _center(grouping: Grouping, group: int) -> None:
    """Compute the mean of a group."""
    mean, size = grouping.means[group], grouping.sizes[group]
    mean[:] = 0
    for member in range(size):
        mean += grouping.points[grouping.members[group, member]]
    mean /= size


@kernel
def gathered(points: Floats, groups: Integers, k: int) -> Grouping:
    """Return the members and means of groups 0 …, none of them empty."""
    sizes = np.bincount(groups)
    count = len(sizes)
    grouping = Grouping(
        points,
        np.zeros((count, max(2 * k, sizes.max())), np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, points.shape[1])),
    )
    for record in range(len(points)):
        group = groups[record]
        grouping.members[group, grouping.sizes[group]] = record
        grouping.sizes[group] += 1
    for group in range(count):
        _center(grouping, group)
    return grouping


@kernel
def _squared(point: Floats, center: Floats) -> float:
    square = 0.0
    for t in range(len(point)):
        square += (point[t] - center[t]) ** 2
    return square


@kernel
def _outermost(grouping: Grouping, a: int, b: int) -> Integers:
    """Return the members of a group that lie farthest toward another."""
    points, members, sizes, means = grouping
    outermost = Neighbors(np.zeros(_OUTERMOST, np.int64), np.full(_OUTERMOST, np.inf))
    along = means[a] - means[b]
    for member in range(sizes[a]):
        point, reach = points[members[a, member]], 0.0
        for t in range(len(along)):
            reach += along[t] * point[t]
        insert(outermost, member, reach)
    return outermost.ids


@kernel
def _best_exchange(grouping: Grouping, a: int, b: int) -> tuple[float, int, int]:
    """Return what the best exchange between two groups gains, and the members exchanged."""
    sizes = grouping.sizes
    if min(sizes[a], sizes[b]) <= _SMALL:
        return _best_of(grouping, a, b, range(sizes[a]), range(sizes[b]))
    return _best_of(grouping, a, b, _outermost(grouping, a, b), _outermost(grouping, b, a))


@kernel
def _best_of(
    grouping: Grouping, a: int, b: int, mine: Iterable[int], theirs: Iterable[int]
) -> tuple[float, int, int]:
    """Return what the best exchange of some members of two groups gains, and the members."""
    points, members, sizes, means = grouping
    share = 1 / sizes[a] + 1 / sizes[b]
    along = means[a] - means[b]
    best, x, y = 0.0, -1, -1
    for i in mine:
        own = points[members[a, i]]
        for j in theirs:
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


@kernel
def _best_move(grouping: Grouping, a: int, b: int, k: int) -> tuple[float, int]:
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


@kernel
def _move(grouping: Grouping, a: int, b: int, member: int) -> None:
    """Move a record from one group into another."""
    _, members, sizes, _ = grouping
    sizes[a] -= 1
    members[b, sizes[b]] = members[a, member]
    members[a, member] = members[a, sizes[a]]
    sizes[b] += 1


@kernel
def _improve(grouping: Grouping, a: int, b: int, k: int, least: float) -> bool:
    """Do the best move or exchange between two groups, if it gains at least something."""
    members = grouping.members
    gain, x, y = _best_exchange(grouping, a, b)
    there, out = _best_move(grouping, a, b, k)
    back, home = _best_move(grouping, b, a, k)
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
def refine(grouping: Grouping, near: Integers, k: int, rounds: int, least: float) -> Integers:
    """Improve pairs of neighbours, round by round, until none gains; return the groups, shape (n,).

    Pairs neither of which has changed since they were last looked at are skipped.
    """
    count, most = grouping.members.shape  # rounding may find gains for ever
    changed = np.ones(count, np.bool_)
    for _ in range(rounds):
        before = changed.copy()
        changed[:] = False
        for a in range(count):
            for b in near[a]:
                if before[a] or before[b] or changed[a] or changed[b]:
                    for _ in range(most):
                        if not _improve(grouping, a, b, k, least):
                            break
                        changed[a] = changed[b] = True
        if not changed.any():
            break
    groups = np.empty(len(grouping.points), np.int64)
    for group in range(count):
        for member in range(grouping.sizes[group]):
            groups[grouping.members[group, member]] = group
    return groups
