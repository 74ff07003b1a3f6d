"""Kernels of microaggregation: a spatial index that shrinks.

The index keeps the live records in blocks of neighbors (a k-d split), each block with its
bounding box and its reach from the origin.
"""

import math
from typing import NamedTuple

import numpy as np

from sudare.core import (
    CodeMatrix,
    CodeVector,
    FloatMatrix,
    Floats,
    FloatVector,
    IntegerVector,
    SingleCube,
    SingleMatrix,
    SingleVector,
    inlined,
)

LANES = 64  # records of a block: fewer prune better, more compute faster
_THINNED = 0.6  # the index is built again when this share of its records is left
_DEEPEST = 64  # parts of a split that wait at one time: one for each bit of the number of records
ROUNDING = 2.0**-22  # of one single-precision operation, with room to spare

Single = np.float32
_INFINITE, _NOTHING = Single(np.inf), Single(-1)


class Index(NamedTuple):
    """Live records in blocks; p is the number of columns. There is room for all n records.

    ``points`` (n, p) double; ``origin`` (p,) their mean; ``lanes`` (blocks, p, lanes) the points
    from there in single precision; ``ids`` (blocks, lanes) and ``live`` (blocks,) which records;
    ``home`` (n,) the block of each; ``low`` and ``high`` (p, blocks) the boxes; ``radius`` (n,) and
    ``reach`` (blocks,) the distance from the origin; ``slack`` (2,) what single precision may err;
    ``bound`` (blocks,), ``keys`` (n,), ``order`` (n,) and ``there`` (p,) are working space.
    """

    points: FloatMatrix
    origin: FloatVector
    lanes: SingleCube
    ids: CodeMatrix
    live: IntegerVector
    home: CodeVector
    low: SingleMatrix
    high: SingleMatrix
    radius: SingleVector
    reach: SingleVector
    slack: FloatVector
    bound: SingleVector
    keys: FloatVector
    order: IntegerVector
    there: FloatVector


def empty_index(points: Floats) -> Index:
    """Return room for the index of some points; ``order`` names all of them."""
    (n, p), blocks = points.shape, -(-len(points) // LANES)
    return Index(
        points,
        np.empty(p),
        np.empty((blocks, p, LANES), Single),
        np.empty((blocks, LANES), np.int32),
        np.empty(blocks, np.int64),
        np.empty(n, np.int32),
        np.empty((p, blocks), Single),
        np.empty((p, blocks), Single),
        np.empty(n, Single),
        np.empty(blocks, Single),
        np.empty(2),
        np.empty(blocks, Single),
        np.empty(n),
        np.arange(n),
        np.empty(p),
    )


@inlined
def place_median(keys: FloatVector, order: IntegerVector, low: int, high: int, middle: int) -> None:
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


@inlined
def _widest(points: FloatMatrix, order: IntegerVector, start: int, stop: int) -> int:
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


@inlined
def _split(index: Index, size: int) -> None:
    """Reorder records so that each run of a block's length is a cell of a k-d split."""
    order, starts, stops = index.order, np.empty(_DEEPEST, np.int64), np.empty(_DEEPEST, np.int64)
    starts[0], stops[0], depth = 0, size, 1
    while depth > 0:
        depth -= 1
        start, stop = starts[depth], stops[depth]
        if stop - start <= LANES:
            continue
        column = _widest(index.points, order, start, stop)
        for position in range(start, stop):
            index.keys[order[position]] = index.points[order[position], column]
        middle = start + ((stop - start + LANES - 1) // LANES + 1) // 2 * LANES
        place_median(index.keys, order, start, stop, middle)
        starts[depth], stops[depth] = start, middle
        starts[depth + 1], stops[depth + 1] = middle, stop
        depth += 2


@inlined
def _fit_box(index: Index, block: int) -> None:
    """Shrink the box and the reach of a block to its live records."""
    live, reach = index.live[block], _NOTHING
    for lane in range(live):
        reach = max(reach, index.radius[index.ids[block, lane]])
    index.reach[block] = reach
    for t in range(len(index.origin)):
        values = index.lanes[block, t]
        low, high = _INFINITE, -_INFINITE
        for lane in range(live):
            low, high = min(low, values[lane]), max(high, values[lane])
        index.low[t, block] = low
        index.high[t, block] = high


@inlined
def build(index: Index, size: int) -> int:
    """Build the index of the first records in ``order``; return the number of blocks."""
    p, blocks = len(index.origin), (size + LANES - 1) // LANES
    _split(index, size)
    for t in range(p):
        total = 0.0
        for position in range(size):
            total += index.points[index.order[position], t]
        index.origin[t] = total / size
    index.live[:blocks] = 0
    largest = ROUNDING  # not 0, which the slack would multiply with infinity
    for position in range(size):
        put = _put(index, index.order[position], position // LANES, position % LANES)
        largest = max(largest, put)
    for block in range(blocks):
        _fit_box(index, block)
    index.slack[0] = (p + 4) * ROUNDING
    index.slack[1] = 4 * math.sqrt(p) * largest * ROUNDING
    return blocks


@inlined
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
    index.radius[record] = math.sqrt(square) * (1 + ROUNDING)
    return largest


@inlined
def renewed(index: Index, blocks: int, live: int) -> int:
    """Build the index if there is none, or if many of its records have gone; return its blocks."""
    if blocks > 0 and (live <= LANES or live > _THINNED * blocks * LANES):
        return blocks
    position = 0
    for block in range(blocks):
        for lane in range(index.live[block]):
            index.order[position] = index.ids[block, lane]
            position += 1
    return build(index, live)


@inlined
def remove(index: Index, record: int) -> None:
    """Take a record out; the last live one of its block moves into its lane."""
    block = index.home[record]
    last, lane = index.live[block] - 1, 0
    while index.ids[block, lane] != record:
        lane += 1
    index.ids[block, lane] = index.ids[block, last]
    for t in range(len(index.origin)):
        index.lanes[block, t, lane] = index.lanes[block, t, last]
    index.live[block] = last
    _fit_box(index, block)
