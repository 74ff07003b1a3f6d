"""Kernels of microaggregation: who is nearest to a point, and who farthest.

A query computes a bound for every block of the index, skips the blocks that cannot matter, and
computes the rest in single precision; what comes near the best so far is computed again in double
precision, always by :func:`_squared`. Results are therefore exactly those of a full scan, ties
included: the lower record number wins.
"""

import math
from typing import NamedTuple

import numpy as np

from sudare.core import FloatVector, IntegerVector, SingleMatrix, SingleVector, inlined
from sudare.mask.microaggregation.grouping._kernels_index import LANES, ROUNDING, Index, Single

_ZERO, _INFINITE, _NOTHING = Single(0), Single(np.inf), Single(-1)


class Neighbors(NamedTuple):
    """The nearest records, nearest first: their numbers and squared distances, shape (k,).

    The caller makes one, and the kernels fill it again and again.
    """

    ids: IntegerVector
    squares: FloatVector


@inlined
def _squared(index: Index, record: int, target: FloatVector) -> float:
    """Return the squared distance of a record, summed in the order of the columns."""
    point, square = index.points[record], 0.0
    for t in range(len(target)):
        square += (point[t] - target[t]) ** 2
    return square


@inlined
def _above(index: Index, square: float) -> Single:
    """Return what single precision can make of a squared distance at most."""
    slack = index.slack[1]
    return Single(square * (1 + index.slack[0]) + slack * (2 * math.sqrt(square) + slack))


@inlined
def _below(index: Index, square: float) -> Single:
    """Return what single precision can make of a squared distance at least."""
    slack = index.slack[1]
    return Single(square * (1 - index.slack[0]) - slack * (2 * math.sqrt(square) + slack))


@inlined
def _measure(
    lanes: SingleMatrix, live: int, target: FloatVector, near: SingleVector, limit: Single
) -> int:
    """Put the squared distances of a block's records into ``near``; return how many are near."""
    for lane in range(live):
        near[lane] = _ZERO
    for t in range(len(target)):
        values, value = lanes[t], Single(target[t])
        for lane in range(live):
            apart = values[lane] - value
            near[lane] += apart * apart
    within = 0
    for lane in range(live):
        within += near[lane] <= limit
    return within


@inlined
def insert(neighbors: Neighbors, record: int, square: float) -> None:
    """Put a record into its rank among the nearest, ties by record number."""
    ids, squares = neighbors.ids, neighbors.squares
    rank = len(ids) - 1
    if square > squares[rank] or (square == squares[rank] and record > ids[rank]):
        return
    while rank > 0 and (
        square < squares[rank - 1] or (square == squares[rank - 1] and record < ids[rank - 1])
    ):
        ids[rank], squares[rank] = ids[rank - 1], squares[rank - 1]
        rank -= 1
    ids[rank], squares[rank] = record, square


@inlined
def forget(index: Index, neighbors: Neighbors) -> None:
    """Make room for the neighbors of another point: nobody, infinitely far."""
    neighbors.ids[:] = len(index.points)
    neighbors.squares[:] = np.inf


@inlined
def look_into(
    index: Index,
    block: int,
    target: FloatVector,
    itself: int,
    neighbors: Neighbors,
    near: SingleVector,
    limit: Single,
) -> Single:
    """Merge the near records of a block; return how near is near from now on."""
    live = index.live[block]
    if _measure(index.lanes[block], live, index.there, near, limit) > 0:
        for lane in range(live):
            record = index.ids[block, lane]
            if near[lane] <= limit and record != itself:
                insert(neighbors, record, _squared(index, record, target))
                limit = _above(index, neighbors.squares[len(neighbors.squares) - 1])
    return limit


@inlined
def bound_below(index: Index, blocks: int) -> int:
    """Find how near each block can be to ``there``; return the block that can be nearest."""
    bound, first = index.bound, 0
    bound[:blocks] = _ZERO
    for t in range(len(index.there)):
        low, high, value = index.low[t], index.high[t], Single(index.there[t])
        for block in range(blocks):
            apart = max(low[block] - value, value - high[block], _ZERO)
            bound[block] += apart * apart
    for block in range(blocks):
        if bound[block] < bound[first]:
            first = block
    return first


@inlined
def nearest(
    index: Index, blocks: int, target: FloatVector, itself: int, neighbors: Neighbors
) -> None:
    """Find the live records nearest to a point, without ``itself``, ties by record number."""
    near = np.empty(LANES, Single)
    for t in range(len(target)):
        index.there[t] = target[t] - index.origin[t]
    block, limit = bound_below(index, blocks), _INFINITE
    forget(index, neighbors)
    for _ in range(blocks):  # the best first, then around
        if index.bound[block] <= limit:
            limit = look_into(index, block, target, itself, neighbors, near, limit)
        block = block + 1 if block + 1 < blocks else 0


@inlined
def _bound_above(index: Index, blocks: int) -> int:
    """Find how far each block can be from ``there``; return the block that can be farthest.

    From the origin, for x in a box with reach r: |x - q|² = |q|² + |x|² - 2 q·x, where |x| is at
    most r, and -q·x at most |q| r and at most its largest value on the corners of the box.
    """
    bound, length, first = index.bound, 0.0, 0
    bound[:blocks] = _ZERO
    for t in range(len(index.there)):
        low, high, value = index.low[t], index.high[t], Single(-index.there[t])
        length += index.there[t] ** 2
        for block in range(blocks):
            bound[block] += max(low[block] * value, high[block] * value)
    far, slack = Single(math.sqrt(length) * (1 + ROUNDING)), Single(index.slack[0])
    for block in range(blocks):
        reach = index.reach[block]
        cross = 2 * (min(bound[block], far * reach) + slack * far * reach)
        bound[block] = (far * far + reach * reach) * (1 + slack) + cross
        if reach < _ZERO:
            bound[block] = -_INFINITE
        if bound[block] > bound[first]:
            first = block
    return first


@inlined
def farthest(index: Index, blocks: int, target: FloatVector) -> int:
    """Return the live record farthest from a point, ties by record number."""
    near = np.empty(LANES, Single)
    for t in range(len(target)):
        index.there[t] = target[t] - index.origin[t]
    block, limit = _bound_above(index, blocks), _NOTHING
    square, record = 0.0, len(index.points)
    for _ in range(blocks):  # the best first, then around
        live = index.live[block]
        if (
            index.bound[block] > limit
            and _measure(index.lanes[block], live, index.there, near, limit) < live
        ):
            limit = _below(index, square)
            for lane in range(live):
                if near[lane] > limit:
                    other = index.ids[block, lane]
                    apart = _squared(index, other, target)
                    if apart > square or (apart == square and other < record):
                        square, record = apart, other
                        limit = _below(index, square)
        block = block + 1 if block + 1 < blocks else 0
    return record
