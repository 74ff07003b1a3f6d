"""Kernels of microaggregation: a spatial index that shrinks.

The index keeps the live records in blocks of neighbours (a k-d split), each block with its
bounding box and its reach from the origin.

Numba caches a kernel by the date of its own file: after a change here, touch the files that use it.
"""

from typing import NamedTuple

import numpy as np

from sudare.core import Array, Floats, Integers, kernel

_LANES = 64  # records of a block: fewer prune better, more compute faster
_THINNED = 0.6  # the index is built again when this share of its records is left
ROUNDING = 2.0**-22  # of one single-precision operation, with room to spare

Single = np.float32


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
        for position in range(start, stop):
            value = points[order[position], t]
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
        for position in range(start, stop):
            keys[order[position]] = points[order[position], column]
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
    largest = ROUNDING  # not 0, which the slack would multiply with infinity
    for position in range(size):
        largest = max(largest, _put(index, order[position], position // _LANES, position % _LANES))
    for block in range(blocks):
        _fit_box(index, block)
    index.slack[0] = (p + 4) * ROUNDING
    index.slack[1] = 4 * np.sqrt(p) * largest * ROUNDING
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
    index.radius[record] = np.sqrt(square) * (1 + ROUNDING)
    return largest


@kernel
def thinned(index: Index, live: int) -> Index:
    """Return the index, built again if many of its records have gone."""
    if live <= _LANES or live > _THINNED * len(index.live) * _LANES:
        return index
    order, position = np.empty(live, np.int64), 0
    for block in range(len(index.live)):
        for lane in range(index.live[block]):
            order[position] = index.ids[block, lane]
            position += 1
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
