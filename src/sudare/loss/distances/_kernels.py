"""Loops that NumPy cannot say: plain arrays in and out."""

from typing import Any

import numpy as np

from sudare.core import Floats, Integers, kernel
from sudare.loss.distances._prefetch import prefetch

RANGE_BITS = 12
RANGE = 1 << RANGE_BITS  # groups in a range: so many means fit in the cache of a core
SLAB_BITS = 32 - RANGE_BITS
SLAB = 1 << SLAB_BITS  # records in a slab: their numbers leave room for the group on a card
_RUN = 4096  # rows summed on their own, so that rounding does not grow with n
_AHEAD = 24  # records that are on their way from memory while one is worked on


@kernel
def range_counts(groups: Integers, ranges: int) -> Any:
    """Return the number of records of each range of groups, shape (ranges,)."""
    counts = np.zeros(ranges, np.int64)
    for group in groups:
        counts[group >> RANGE_BITS] += 1
    return counts


@kernel
def deal(groups: Integers, starts: Integers, cards: Any) -> None:
    """Write the card of each record, its number in the slab and its group in the range, by range.

    Parameters
    ----------
    groups
        Group of each record of one slab, shape (n,).
    starts
        Where the cards of each range begin, shape (ranges,); moved on.
    cards
        Filled in.
    """
    for i in range(groups.shape[0]):
        group = groups[i]
        position = starts[group >> RANGE_BITS]
        cards[position] = np.uint32((i << RANGE_BITS) | (group & (RANGE - 1)))
        starts[group >> RANGE_BITS] = position + 1


@kernel
def _apart(value: float, origin: float, mean: float) -> float:
    """Return value - origin - mean in this order, whatever the caller lets the compiler change."""
    return value - origin - mean


@kernel(error_model="numpy", fastmath={"contract", "reassoc"})
def within_groups(
    values: Floats,
    slab: int,
    cards: Any,
    edges: Integers,
    origin: Floats,
    counts: Floats,
    means: Floats,
) -> float:
    """Return the sum of squares within groups in one pass, and fill counts and means (Welford).

    Parameters
    ----------
    values
        Shape (n, p), row by row.
    slab
        Records of a slab.
    cards, edges
        See :func:`deal`; those of each slab end where those of the next begin, shape (slabs + 1,).
    origin
        A point from which the means are counted, so that a large common shift costs no digits.
    counts, means
        Zeros, shapes (groups,) and (groups, p).
    """
    columns, within = values.shape[1], 0.0
    for part in range(edges.shape[0] - 1):
        first, end = part * slab, edges[part + 1]
        for start in range(edges[part], end, _RUN):
            run = 0.0
            for i in range(start, min(start + _RUN, end)):
                ahead = first + (np.int64(cards[min(i + _AHEAD, end - 1)]) >> RANGE_BITS)
                prefetch(values, ahead, 0)
                prefetch(values, ahead, 8 * columns - 1)
                card = np.int64(cards[i])
                group = card & (RANGE - 1)
                counts[group] += 1
                share = 1 / counts[group]
                value, mean = values[first + (card >> RANGE_BITS)], means[group]
                square = 0.0
                for j in range(columns):
                    apart = _apart(value[j], origin[j], mean[j])
                    mean[j] += apart * share
                    square += apart * apart
                run += square * (1 - share)
            within += run
    return within


@kernel(error_model="numpy", fastmath={"contract"})
def between_groups(counts: Floats, means: Floats) -> Any:
    """Return the common mean of groups, and the sum of squares of their means about it.

    Parameters
    ----------
    counts, means
        Shapes (groups,) and (groups, p); the means are counted from a point in their midst.
    """
    size, columns = means.shape
    sums, between, run = np.zeros(columns), 0.0, np.empty(columns)
    for start in range(0, size, _RUN):
        run[:] = 0
        for group in range(start, min(start + _RUN, size)):
            count, mean = counts[group], means[group]
            for j in range(columns):
                part = count * mean[j]
                sums[j] += part
                run[j] += part * mean[j]
        between += run.sum()
    center = sums / counts.sum()
    return center, max(between - (sums * center).sum(), 0.0)


@kernel(error_model="numpy")
def range_squares(
    values: Floats, slab: int, cards: Any, edges: Integers, origin: Floats, width: int
) -> Any:
    """Return the squares within groups, the records, their mean and the squares between, by range.

    Parameters
    ----------
    edges
        As in :func:`within_groups`, shape (ranges, slabs + 1).
    width
        Groups of a range.
    """
    ranges, columns = edges.shape[0], values.shape[1]
    within, sizes, between = np.zeros(ranges), np.zeros(ranges), np.zeros(ranges)
    centers = np.zeros((ranges, columns))
    counts, means = np.empty(width), np.empty((width, columns))
    for number in range(ranges):
        counts[:] = 0
        means[:] = 0
        within[number] = within_groups(values, slab, cards, edges[number], origin, counts, means)
        sizes[number] = counts.sum()
        if sizes[number]:
            centers[number], between[number] = between_groups(counts, means)
    return within, sizes, centers, between
