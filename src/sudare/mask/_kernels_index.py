"""Kernels of microaggregation: a spatial index that shrinks, and the loops that use it.

The index keeps the live records in blocks of neighbours (a k-d split), each block with its
bounding box and its reach from the origin. A query computes a bound for every block, skips the
blocks that cannot matter, and computes the rest in single precision; what comes near the best so
far is computed again in double precision, always by :func:`_squared`. Results are therefore
exactly those of a full scan, ties included: the lower record number wins.

Numba caches a kernel by the date of its own file: after a change here, touch the files that use it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from numba import njit

from sudare.core.types import Array, Floats, Integers

_LANES = 64  # records of a block: fewer prune better, more compute faster
_THINNED = 0.6  # the index is built anew when this share of its records is left
_ROUNDING = 2.0**-22  # of one single-precision operation, with room to spare

Single = np.float32
_ZERO = Single(0)
Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(function: Kernel) -> Kernel:
    """Compile a function with Numba; it runs without Python's lock and is cached on disk."""
    return cast("Kernel", njit(cache=True, nogil=True)(function))


class Index(NamedTuple):
    """Live records in blocks; p is the number of columns.

    ``points`` (n, p) double; ``origin`` (p,) their mean; ``lanes`` (blocks, p, lanes) the points
    from there in single precision; ``ids`` (blocks, lanes) and ``live`` (blocks,) which records;
    ``home`` (n,) the block of each; ``low`` and ``high`` (p, blocks) the boxes; ``radius`` (n,) and
    ``reach`` (blocks,) the distance from the origin; ``slack`` (2,) what single precision may err;
    the rest is working space.
    """

    points: Floats
    origin: Floats
    lanes: Array
    ids: Array
    live: Integers
    home: Array
    low: Array
    high: Array
    radius: Array
    reach: Array
    slack: Floats
    near: Array
    bound: Array


@kernel
def _place_median(keys: Array, order: Integers, low: int, high: int, middle: int) -> None:
    """Reorder until ``order[middle]`` is in its place by key: Hoare's selection."""
    high -= 1
    while low < high:
        pivot = keys[order[(low + high) // 2]]
        left, right = low, high
        while left <= right:
            while keys[order[left]] < pivot:
                left += 1
            while keys[order[right]] > pivot:
                right -= 1
            if left <= right:
                order[left], order[right] = order[right], order[left]
                left += 1
                right -= 1
        if middle <= right:
            high = right
        elif middle >= left:
            low = left
        else:
            return


@kernel
def _widest(points: Array, order: Integers, start: int, stop: int) -> int:
    """Return the column in which some records spread most."""
    widest, spread = 0, -np.inf
    for t in range(points.shape[1]):
        low = high = points[order[start], t]
        for place in range(start, stop):
            value = points[order[place], t]
            low, high = min(low, value), max(high, value)
        if high - low > spread:
            widest, spread = t, high - low
    return widest


@kernel
def split_order(points: Array, order: Integers, lanes: int) -> None:
    """Reorder records so that each run of ``lanes`` is a cell of a k-d split."""
    keys = np.empty(points.shape[0], points.dtype)
    stack = [(0, len(order))]
    while len(stack) > 0:
        start, stop = stack.pop()
        if stop - start <= lanes:
            continue
        column = _widest(points, order, start, stop)
        for place in range(start, stop):
            keys[order[place]] = points[order[place], column]
        blocks = -(-(stop - start) // lanes)
        middle = start + (blocks + 1) // 2 * lanes
        _place_median(keys, order, start, stop, middle)
        stack.append((start, middle))
        stack.append((middle, stop))


@kernel
def _fit_box(index: Index, block: int) -> None:
    """Shrink the box and the reach of a block to its live records."""
    live = index.live[block]
    reach = Single(-1)
    for lane in range(live):
        reach = max(reach, index.radius[index.ids[block, lane]])
    index.reach[block] = reach
    for t in range(index.low.shape[0]):
        values = index.lanes[block, t]
        low, high = Single(np.inf), Single(-np.inf)
        for lane in range(live):
            low, high = min(low, values[lane]), max(high, values[lane])
        index.low[t, block] = low
        index.high[t, block] = high


@kernel
def build(points: Floats, order: Integers) -> Index:
    """Return the index of the records in ``order``, which is reordered."""
    (n, p), size = points.shape, len(order)
    split_order(points, order, _LANES)
    blocks = -(-size // _LANES)
    index = Index(
        points,
        np.zeros(p),
        np.zeros((blocks, p, _LANES), Single),
        np.zeros((blocks, _LANES), np.int32),
        np.zeros(blocks, np.int64),
        np.zeros(n, np.int32),
        np.zeros((p, blocks), Single),
        np.zeros((p, blocks), Single),
        np.zeros(n, Single),
        np.zeros(blocks, Single),
        np.zeros(2),
        np.zeros(_LANES, Single),
        np.zeros(blocks, Single),
    )
    for record in order:
        index.origin[:] += points[record]
    index.origin[:] /= size
    largest = _ROUNDING  # not 0, which the slack would multiply with infinity
    for place in range(size):
        largest = max(largest, _put(index, order[place], place // _LANES, place % _LANES))
    for block in range(blocks):
        _fit_box(index, block)
    index.slack[0] = (p + 4) * _ROUNDING
    index.slack[1] = 4 * np.sqrt(p) * largest * _ROUNDING
    return index


@kernel
def _put(index: Index, record: int, block: int, lane: int) -> float:
    """Put a record into a lane of a block; return its largest coordinate."""
    index.ids[block, lane] = record
    index.home[record] = block
    index.live[block] += 1
    square = largest = 0.0
    for t in range(len(index.origin)):
        value = index.points[record, t] - index.origin[t]
        index.lanes[block, t, lane] = value
        square += value**2
        largest = max(largest, abs(value))
    index.radius[record] = np.sqrt(square) * (1 + _ROUNDING)
    return largest


@kernel
def thinned(index: Index, live: int) -> Index:
    """Return the index, built anew if many of its records have gone."""
    if live <= _LANES or live > _THINNED * len(index.live) * _LANES:
        return index
    order, place = np.empty(live, np.int64), 0
    for block in range(len(index.live)):
        for lane in range(index.live[block]):
            order[place] = index.ids[block, lane]
            place += 1
    return build(index.points, order)


@kernel
def remove(index: Index, record: int) -> None:
    """Take a record out; the last live one of its block moves into its lane."""
    block = index.home[record]
    last = index.live[block] - 1
    lane = 0
    while index.ids[block, lane] != record:
        lane += 1
    index.ids[block, lane] = index.ids[block, last]
    for t in range(index.low.shape[0]):
        index.lanes[block, t, lane] = index.lanes[block, t, last]
    index.live[block] = last
    _fit_box(index, block)


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


class Found(NamedTuple):
    """The nearest records, nearest first: their numbers and squared distances, shape (k,)."""

    ids: Integers
    squares: Floats


@kernel
def _insert(found: Found, record: int, square: float) -> None:
    """Put a record into its place among the nearest, ties by record number."""
    ids, squares = found.ids, found.squares
    place = len(ids) - 1
    if square > squares[place] or (square == squares[place] and record > ids[place]):
        return
    while place > 0 and (
        square < squares[place - 1] or (square == squares[place - 1] and record < ids[place - 1])
    ):
        ids[place], squares[place] = ids[place - 1], squares[place - 1]
        place -= 1
    ids[place], squares[place] = record, square


@kernel
def _merge_near(
    index: Index, block: int, target: Floats, itself: int, found: Found, limit: Single
) -> Single:
    """Merge the records of the block measured last; return how near is near from now on."""
    for lane in range(index.live[block]):
        record = index.ids[block, lane]
        if index.near[lane] <= limit and record != itself:
            _insert(found, record, _squared(index.points, record, target))
            limit = _above(index, found.squares[-1])
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
def nearest(index: Index, target: Floats, itself: int, found: Found) -> None:
    """Find the live records nearest to a point, without ``itself``, ties by record number."""
    there, bound = target - index.origin, index.bound
    _bound_below(index, there)
    found.ids[:] = len(index.points)
    found.squares[:] = np.inf
    lanes, live, near, limit = index.lanes, index.live, index.near, Single(np.inf)
    first, blocks = int(np.argmin(bound)), len(bound)
    for turn in range(blocks):
        block = (first + turn) % blocks  # the best first, then around
        if bound[block] <= limit and _measure(lanes[block], live[block], there, near, limit) > 0:
            limit = _merge_near(index, block, target, itself, found, limit)


@kernel
def nearest_of_block(index: Index, block: int, looked: int, found: Found, near: Integers) -> None:
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
        found.ids[:] = len(index.points)
        found.squares[:] = np.inf
        for other in blocks:
            if _measure(lanes[other], live[other], there, apart, limit) > 0:
                limit = _merge_near(index, other, target, record, found, limit)
        near[record] = found.ids


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
    far, slack = Single(np.sqrt(length) * (1 + _ROUNDING)), Single(index.slack[0])
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
