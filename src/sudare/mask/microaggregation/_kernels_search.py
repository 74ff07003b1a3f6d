"""Kernels of microaggregation: who is nearest to a point, and who farthest.

A query computes a bound for every block of the index, skips the blocks that cannot matter, and
computes the rest in single precision; what comes near the best so far is computed again in double
precision, always by :func:`_squared`. Results are therefore exactly those of a full scan, ties
included: the lower record number wins.
"""

from typing import NamedTuple

import numpy as np

from sudare.core import Array, Floats, Integers, kernel
from sudare.mask.microaggregation._kernels_index import ROUNDING, Index, Single

_ZERO = Single(0)


@kernel
def _squared(points: Floats, record: int, target: Floats) -> float:
    """Return the squared distance of a record, summed in the order of the columns."""
    point, square = points[record], 0.0
    for t in range(len(target)):
        square += (point[t] - target[t]) ** 2
    return square


@kernel
def _above(index: Index, square: float) -> Single:
    """Return what single precision can make of a squared distance at most."""
    slack = index.slack[1]
    return Single(square * (1 + index.slack[0]) + slack * (2 * np.sqrt(square) + slack))


@kernel
def _below(index: Index, square: float) -> Single:
    """Return what single precision can make of a squared distance at least."""
    slack = index.slack[1]
    return Single(square * (1 - index.slack[0]) - slack * (2 * np.sqrt(square) + slack))


@kernel
def _measure(lanes: Array, live: int, target: Floats, near: Array, limit: Single) -> int:
    """Put the squared distances of a block's records into ``near``; return how many are in a limit.

    Plain arrays in place of the index: Numba counts references to each array of a tuple it passes.
    """
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


class Neighbors(NamedTuple):
    """The nearest records, nearest first: their numbers and squared distances, shape (k,).

    The caller makes one, and the kernels fill it again and again.
    """

    ids: Integers
    squares: Floats


@kernel
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


@kernel
def _merge_near(
    index: Index, block: int, target: Floats, itself: int, neighbors: Neighbors, limit: Single
) -> Single:
    """Merge the records of the block measured last; return how near is near from now on."""
    for lane in range(index.live[block]):
        record = index.ids[block, lane]
        if index.near[lane] <= limit and record != itself:
            insert(neighbors, record, _squared(index.points, record, target))
            limit = _above(index, neighbors.squares[-1])
    return limit


@kernel
def _bound_below(index: Index, there: Floats) -> None:
    """Put into ``bound`` how near each block can be to a point, which is given from the origin."""
    columns, blocks = index.low.shape
    bound = index.bound
    bound[:] = _ZERO
    for t in range(columns):
        low, high, value = index.low[t], index.high[t], Single(there[t])
        for block in range(blocks):
            apart = max(low[block] - value, value - high[block], _ZERO)
            bound[block] += apart * apart


@kernel
def nearest(index: Index, target: Floats, itself: int, neighbors: Neighbors) -> None:
    """Find the live records nearest to a point, without ``itself``, ties by record number."""
    there, bound = target - index.origin, index.bound
    _bound_below(index, there)
    neighbors.ids[:] = len(index.points)
    neighbors.squares[:] = np.inf
    lanes, live, near, limit = index.lanes, index.live, index.near, Single(np.inf)
    first, blocks = int(np.argmin(bound)), len(bound)
    for turn in range(blocks):
        block = (first + turn) % blocks  # the best first, then around
        if bound[block] <= limit and _measure(lanes[block], live[block], there, near, limit) > 0:
            limit = _merge_near(index, block, target, itself, neighbors, limit)


@kernel
def nearest_of_block(
    index: Index, block: int, looked: int, neighbors: Neighbors, near: Integers
) -> None:
    """Fill the rows of ``near`` for the records of one block, which they are found for together.

    Only the ``looked`` blocks nearest to the middle of this one are searched: near, not nearest.
    """
    middle = (index.low[:, block] + index.high[:, block]) / 2
    _bound_below(index, middle.astype(np.float64))
    blocks = np.argsort(index.bound)[:looked]
    lanes, live, apart = index.lanes, index.live, index.near
    for record in index.ids[block, : live[block]]:
        target, limit = index.points[record], Single(np.inf)
        there = target - index.origin
        neighbors.ids[:] = len(index.points)
        neighbors.squares[:] = np.inf
        for other in blocks:
            if _measure(lanes[other], live[other], there, apart, limit) > 0:
                limit = _merge_near(index, other, target, record, neighbors, limit)
        near[record] = neighbors.ids


@kernel
def _merge_far(
    index: Index, block: int, target: Floats, square: float, record: int
) -> tuple[float, int]:
    """Return the farthest of the one so far and the records of the block measured last."""
    limit = _below(index, square)
    for lane in range(index.live[block]):
        if index.near[lane] > limit:
            other = index.ids[block, lane]
            apart = _squared(index.points, other, target)
            if apart > square or (apart == square and other < record):
                square, record = apart, other
                limit = _below(index, square)
    return square, record


@kernel
def farthest(index: Index, target: Floats) -> int:
    """Return the live record farthest from a point, ties by record number.

    From the origin, for x in a box with reach r: |x - q|² = |q|² + |x|² - 2 q·x, where |x| is at
    most r, and -q·x at most |q| r and at most its largest value on the corners of the box.
    """
    columns, blocks = index.low.shape
    bound, there = index.bound, target - index.origin
    bound[:] = _ZERO
    length = 0.0
    for t in range(columns):
        low, high, value = index.low[t], index.high[t], Single(-there[t])
        length += there[t] ** 2
        for block in range(blocks):
            bound[block] += max(low[block] * value, high[block] * value)
    far, slack = Single(np.sqrt(length) * (1 + ROUNDING)), Single(index.slack[0])
    for block in range(blocks):
        reach = index.reach[block]
        cross = 2 * (min(bound[block], far * reach) + slack * far * reach)
        bound[block] = (far * far + reach * reach) * (1 + slack) + cross
        if reach < 0:
            bound[block] = -np.inf
    lanes, live, near, limit = index.lanes, index.live, index.near, Single(-1)
    square, record, first = 0.0, len(index.points), int(np.argmax(bound))
    for turn in range(blocks):
        block = (first + turn) % blocks  # the best first, then around
        size = live[block]
        if bound[block] > limit and _measure(lanes[block], size, there, near, limit) < size:
            square, record = _merge_far(index, block, target, square, record)
            limit = _below(index, square)
    return record
