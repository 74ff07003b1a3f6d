"""Loops that NumPy cannot say: plain arrays in and out."""

from sudare.core import (
    CardVector,
    FloatMatrix,
    FloatVector,
    IntegerMatrix,
    IntegerVector,
    inlined,
    kernel,
    prefetch,
)

RANGE_BITS = 12
RANGE = 1 << RANGE_BITS  # groups in a range: that many means fit in the cache of a core
SLAB_BITS = 32 - RANGE_BITS
SLAB = 1 << SLAB_BITS  # records in a slab: their numbers leave room for the group on a card
_RUN = 4096  # rows summed on their own, so that rounding does not grow with n
_AHEAD = 24  # records that are on their way from memory while one is worked on


@kernel
def count_ranges(groups: IntegerVector, counts: IntegerVector) -> None:
    """Add the number of records of each range of groups to ``counts``, shape (ranges,)."""
    for group in groups:
        counts[group >> RANGE_BITS] += 1


@kernel
def deal(groups: IntegerVector, starts: IntegerVector, cards: CardVector) -> None:
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
        cards[position] = (i << RANGE_BITS) | (group & (RANGE - 1))
        starts[group >> RANGE_BITS] = position + 1


@inlined
def _apart(value: float, origin: float, mean: float) -> float:
    """Return value - origin - mean in this order, whatever the caller lets the compiler change."""
    return value - origin - mean


@inlined(fastmath="contract reassoc")
def _within(
    values: FloatMatrix,
    slab: int,
    cards: CardVector,
    edges: IntegerVector,
    origin: FloatVector,
    counts: FloatVector,
    means: FloatMatrix,
) -> float:
    columns, within = values.shape[1], 0.0
    for part in range(edges.shape[0] - 1):
        first, end = part * slab, edges[part + 1]
        for start in range(edges[part], end, _RUN):
            run = 0.0
            for i in range(start, min(start + _RUN, end)):
                ahead = first + (cards[min(i + _AHEAD, end - 1)] >> RANGE_BITS)
                prefetch(values, ahead, 0)
                prefetch(values, ahead, 8 * columns - 1)
                card = cards[i]
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


@inlined(fastmath="contract")
def _between(
    counts: FloatVector, means: FloatMatrix, run: FloatVector, center: FloatVector
) -> float:
    size, columns, between = len(means), means.shape[1], 0.0
    center[:] = 0
    for start in range(0, size, _RUN):
        run[:] = 0
        for group in range(start, min(start + _RUN, size)):
            count, mean = counts[group], means[group]
            for j in range(columns):
                part = count * mean[j]
                center[j] += part
                run[j] += part * mean[j]
        between += _summed(run)
    records = _summed(counts)
    for j in range(columns):
        run[j] = center[j]
        center[j] = center[j] / records
    return max(between - _product(run, center), 0.0)


@inlined
def _summed(values: FloatVector) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


@inlined
def _product(values: FloatVector, others: FloatVector) -> float:
    total = 0.0
    for j in range(len(values)):
        total += values[j] * others[j]
    return total


@kernel
def within_groups(
    values: FloatMatrix,
    slab: int,
    cards: CardVector,
    edges: IntegerVector,
    origin: FloatVector,
    counts: FloatVector,
    means: FloatMatrix,
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
    return _within(values, slab, cards, edges, origin, counts, means)


@kernel
def between_groups(
    counts: FloatVector, means: FloatMatrix, run: FloatVector, center: FloatVector
) -> float:
    """Return the sum of squares of the means of groups about their common mean.

    Parameters
    ----------
    counts, means
        Shapes (groups,) and (groups, p); the means are counted from a point in their midst.
    run
        Working space, shape (p,).
    center
        Gets the common mean, shape (p,).
    """
    return _between(counts, means, run, center)


@kernel
def range_squares(
    values: FloatMatrix,
    slab: int,
    cards: CardVector,
    edges: IntegerMatrix,
    origin: FloatVector,
    squares: FloatMatrix,
    centers: FloatMatrix,
    counts: FloatVector,
    means: FloatMatrix,
    run: FloatVector,
) -> None:
    """Find the squares within and between groups, the records and their mean, by range.

    Parameters
    ----------
    edges
        As in :func:`within_groups`, shape (ranges, slabs + 1).
    squares
        Gets the squares within, the records and the squares between, shape (3, ranges).
    centers
        Gets the means, shape (ranges, p); zeros.
    counts, means, run
        Working space, shapes (groups of a range,), (groups of a range, p) and (p,).
    """
    for number in range(edges.shape[0]):
        counts[:] = 0
        means[:] = 0
        squares[0, number] = _within(values, slab, cards, edges[number], origin, counts, means)
        records = _summed(counts)
        squares[1, number] = records
        if records > 0:
            squares[2, number] = _between(counts, means, run, centers[number])
