"""The kernels of microaggregation as functions of points; the arrays they fill are made here."""

import os
from typing import TYPE_CHECKING

import numpy as np

from sudare.core import Floats, Integers
from sudare.engine.counting import side_by_side

if TYPE_CHECKING:
    from sudare.mask.microaggregation.grouping._kernels_refine import GroupState


def mdav_groups(points: Floats, k: int) -> Integers:
    """Return the group of each record by MDAV, shape (n,); ``points`` (n, p) are on a grid."""
    from sudare.mask.microaggregation.grouping._kernels import mdav
    from sudare.mask.microaggregation.grouping._kernels_index import empty_index
    from sudare.mask.microaggregation.grouping._kernels_search import Neighbors

    groups, neighbors = np.empty(len(points), np.int64), Neighbors(*_room(k - 1))
    total, target = np.empty((2, points.shape[1]))
    mdav(empty_index(points), k, neighbors, total, target, groups)
    return groups


def variable_mdav_groups(points: Floats, k: int, gain: float) -> Integers:
    """Return the group of each record by V-MDAV; -1 for fewer than k that are left over."""
    from sudare.mask.microaggregation.grouping._kernels import variable_mdav
    from sudare.mask.microaggregation.grouping._kernels_index import empty_index
    from sudare.mask.microaggregation.grouping._kernels_search import Neighbors

    apart = ((points - points.mean(axis=0)) ** 2).sum(axis=1)
    outermost = np.argsort(-apart, kind="stable")
    groups, neighbors = np.empty(len(points), np.int64), Neighbors(*_room(k - 1))
    members, outside = np.empty(2 * k - 1, np.int64), Neighbors(*_room(2 * k - 1))
    total = np.zeros(points.shape[1])
    index = empty_index(points)
    variable_mdav(index, k, gain, outermost, neighbors, members, outside, total, groups)
    return groups


def near_groups(means: Floats, count: int) -> Integers:
    """Return, for each group, some groups with near means, shape (groups, count)."""
    from sudare.mask.microaggregation.grouping import _kernels_refine as kernels
    from sudare.mask.microaggregation.grouping._kernels_index import empty_index
    from sudare.mask.microaggregation.grouping._kernels_search import Neighbors

    parts, near = os.cpu_count() or 1, np.empty((len(means), count), np.int64)

    def of_part(part: int) -> None:
        index = empty_index(means)
        order, keys = _room(len(index.live))
        kernels.near_groups(index, part, parts, Neighbors(*_room(count)), keys, order, near)

    side_by_side(of_part, range(parts))
    return near


def refined_groups(
    points: Floats, groups: Integers, k: int, neighbors: int, rounds: int, least: float
) -> Integers:
    """Return groups after moves and exchanges between each and ``neighbors`` near ones."""
    from sudare.mask.microaggregation.grouping._kernels_refine import refine

    grouping = gathered(points, groups, k)
    number = len(grouping.sizes)
    count = min(neighbors, number - 1)
    if count == 0:
        return groups
    near = near_groups(grouping.means, count)
    changed, before = np.ones((2, number), np.bool_)
    refine(grouping, near, k, rounds, least, changed, before, np.empty(points.shape[1]))
    kept = np.arange(grouping.members.shape[1]) < grouping.sizes[:, None]
    better = np.empty(len(points), np.int64)
    better[grouping.members[kept]] = np.repeat(np.arange(number), grouping.sizes)
    return better


def gathered(points: Floats, groups: Integers, k: int) -> "GroupState":
    """Return the members and means of groups 0 …, none of them empty."""
    from sudare.mask.microaggregation.grouping._kernels_refine import GroupState

    sizes, order = np.bincount(groups), np.argsort(groups, kind="stable")
    members = np.zeros((len(sizes), max(2 * k, sizes.max())), np.int64)
    offset = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    members[groups[order], offset] = order
    means = np.stack([np.bincount(groups, column) / sizes for column in points.T], axis=1)
    return GroupState(points, members, sizes, np.ascontiguousarray(means))


def optimal_breaks(values: Floats, k: int) -> Integers:
    """Return where the groups of least summed squares begin, shape (groups,); values ascend."""
    from sudare.mask.microaggregation.grouping import _kernels

    n = len(values)
    cost, origin, breaks = np.full(n + 1, np.inf), np.zeros(n + 1, np.int64), np.empty(n // k, int)
    cost[0] = 0.0
    return breaks[_kernels.optimal_breaks(values, k, cost, origin, breaks) :]


def _room(count: int) -> tuple[Integers, Floats]:
    return np.empty(count, np.int64), np.empty(count)
