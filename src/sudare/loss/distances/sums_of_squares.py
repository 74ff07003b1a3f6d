"""Sums of squares about means: of all records, within groups, between them; before and after."""

import numpy as np
from numpy.typing import NDArray

from sudare.core import Array, Flags, Floats, Integers, Moments
from sudare.engine.counting import side_by_side, summed

_BLOCK_ROWS = 1 << 12
_SAMPLE = 1000  # records
LEAST = 1e-250  # sums of squares below it may have lost digits: compute them in larger units
_TASKS = 16  # shares of the ranges: enough for even work, few enough to start
Cards = NDArray[np.uint32]

# The groups: numbers before masking, and what became of them as far as they were not suppressed;
# the records whose number was suppressed; numbers before masking without sampling weights.
_BEFORE, _AFTER, _SUPPRESSED, _PLAIN = range(4)


def squares(points: Floats, weights: Floats | None = None) -> Moments:
    """Return the moments of each column of points (n, p) by itself: a group per column.

    The squares within blocks and those of the means of the blocks (Chan, Golub and LeVeque 1983):
    one pass, and rounding grows neither with n nor with a common shift.

    Examples
    --------
    >>> squares(np.array([[1.0], [2.0], [3.0], [4.0]])).products.ravel().tolist()
    [5.0]
    """
    if len(points) <= _BLOCK_ROWS:
        return _centred(points, weights)
    return Moments.joined(
        _centred(points[start : start + _BLOCK_ROWS], _part(weights, start))
        for start in range(0, len(points), _BLOCK_ROWS)
    )


def spread(points: Floats, weights: Floats | None = None) -> float:
    """Return the sum of squared distances from the mean, shape (n, p).

    Examples
    --------
    >>> spread(np.array([[1.0], [2.0], [3.0], [4.0]]))
    5.0
    """
    return squares(points, weights).squares


def group_squares(points: Floats, groups: Integers, size: int) -> tuple[float, float]:
    """Return the sums of squares within and between groups in one pass: SSE and SSA (section 4.1).

    The numbers of the records are dealt out by ranges of groups whose means fit in the cache; the
    records are then read where they stand, range by range, in parallel.

    Parameters
    ----------
    points
        Shape (n, p), n at least 1.
    groups
        Whole numbers from 0 to ``size`` - 1, shape (n,).

    Examples
    --------
    >>> group_squares(np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([0, 0, 1, 1]), 2)
    (1.0, 4.0)
    """
    from sudare.loss.distances._kernels import (
        RANGE,
        SLAB,
        between_groups,
        range_squares,
        within_groups,
    )

    def of_ranges(edges: Integers) -> tuple[Floats, Floats, Floats, Floats]:
        squares, centers = np.zeros((3, len(edges))), np.zeros((len(edges), columns))
        space = np.empty(width), np.empty((width, columns)), np.empty(columns)
        range_squares(points, slab, cards, edges, origin, squares, centers, *space)
        return squares[0], squares[1], squares[2], centers

    def of_slabs(first: int, edges: Integers) -> tuple[float, Floats, Floats]:
        counts, means = np.zeros(width), np.zeros((width, columns))
        part = points[first * slab :]
        return within_groups(part, slab, cards, edges, origin, counts, means), counts, means

    points, columns = np.ascontiguousarray(points, np.float64), points.shape[1]
    width, slab = min(size, RANGE), min(SLAB, -(-len(points) // 2))  # for two threads
    origin = points[:: -(-len(points) // _SAMPLE)].mean(axis=0)  # in the midst of the records
    cards, edges = _dealt(groups, slab, size)
    if len(edges) > 1:
        by_task = side_by_side(of_ranges, np.array_split(edges, min(len(edges), _TASKS)))
        within, sizes, between, centers = map(np.concatenate, zip(*by_task, strict=True))
        return summed(within), summed(between) + spread(centers, sizes)
    half = edges.shape[1] // 2
    halves = ((0, edges[0, : half + 1]), (half, edges[0, half:]))
    inside, counts, means = _merged(*side_by_side(lambda part: of_slabs(*part), halves))
    return inside, between_groups(counts, means, np.empty(columns), np.empty(columns))


def _dealt(groups: Integers, slab: int, size: int) -> tuple[Cards, Integers]:
    """Return the cards of the records by range of groups and slab, and where each of these begins.

    The second has shape (ranges, slabs + 1): where the cards of a slab end, the next begin.
    """
    from sudare.loss.distances._kernels import RANGE, count_ranges, deal

    ranges, groups = -(-size // RANGE), np.ascontiguousarray(groups, np.int64)
    slabs = [groups[start : start + slab] for start in range(0, len(groups), slab)]
    counts = np.zeros((len(slabs), ranges), np.int64)
    side_by_side(lambda part: count_ranges(*part), zip(slabs, counts, strict=True))
    ends = np.cumsum(counts.T).reshape(counts.T.shape)  # shape (ranges, slabs)
    starts = ends - counts.T
    cards = np.empty(len(groups), np.uint32)
    starts_by_slab = starts.T.copy()
    side_by_side(lambda part: deal(*part, cards), zip(slabs, starts_by_slab, strict=True))
    return cards, np.column_stack([starts, ends[:, -1]])


def _merged(
    some: tuple[float, Floats, Floats], others: tuple[float, Floats, Floats]
) -> tuple[float, Floats, Floats]:
    """Return squares within groups, counts and means of two sets of records together."""
    (first, left, lefts), (second, right, rights) = some, others
    both = np.maximum(left + right, 1)
    apart = float(((left * right / both)[:, None] * (lefts - rights) ** 2).sum())
    means = (left[:, None] * lefts + right[:, None] * rights) / both[:, None]
    return first + second + apart, left + right, means


def _centred(points: Floats, weights: Floats | None) -> Moments:
    """Return the moments of each column of one block."""
    block = np.ascontiguousarray(points.T)
    total = float(len(points) if weights is None else weights.sum())
    if total == 0:
        nothing = np.zeros(len(block))
        return Moments(nothing, nothing[:, None], nothing[:, None, None])
    mean = (block if weights is None else block * weights).sum(axis=1) / total
    block = block - mean[:, None]
    weighted = block if weights is None else block * weights
    left = weighted.sum(axis=1)  # what rounding left of the mean
    about = np.maximum(np.einsum("ij,ij->i", weighted, block) - left**2 / total, 0.0)
    mean = mean + left / total
    return Moments(np.full(len(block), total), mean[:, None], about[:, None, None])


def _part(weights: Floats | None, start: int) -> Floats | None:
    return None if weights is None else weights[start : start + _BLOCK_ROWS]


def number_moments(
    before: Floats, after: Floats, copies: Array | None, weights: Array | None
) -> Moments:
    """Return what a block of records says about one column of numbers before and after masking.

    Records without a number before do not count.

    Parameters
    ----------
    before, after
        Shape (n,), NaN where there is no number.
    copies
        How many records each entry represents, if not one.
    weights
        What each entry counts: its sampling weight times its copies; by default its copies.
    """
    known, left = ~np.isnan(before), ~np.isnan(before + after)
    counted = copies if weights is None else weights
    old = squares(before[known, None], _at(counted, known))
    new = squares(after[left, None], _at(counted, left))
    gone = known & ~left
    lost = float(gone.sum() if counted is None else counted[gone].sum())
    plain = old if weights is None else squares(before[known, None], _at(copies, known))
    suppressed = Moments(np.array([lost]), np.zeros((1, 1)), np.zeros((1, 1, 1)))
    return Moments.grouped([old, new, suppressed, plain])


def are_reliable(moments: Moments) -> bool:
    """Return whether no square overflowed or vanished."""
    return bool(LEAST < moments[_BEFORE].squares < np.inf > moments[_AFTER].squares >= 0)


def original_sd(moments: Moments) -> float:
    """Return the standard deviation of the numbers before masking; 0 without any."""
    return float(np.sqrt(moments[_BEFORE].squares / (moments[_BEFORE].weight or 1)))


def pair_squares(moments: Moments) -> tuple[float, float]:
    """Return the sums of squared differences of all ordered pairs before and after masking.

    A number that was suppressed is guessed by the mean of the original ones.
    """
    guessed = Moments(moments[_SUPPRESSED].weight, moments[_PLAIN].mean, np.zeros((1, 1)))
    after = moments[_AFTER].merged(guessed)
    before = moments[_BEFORE]
    return 2 * float(before.weight) * before.squares, 2 * float(after.weight) * after.squares


def _at(values: Array | None, where: Flags) -> Array | None:
    return None if values is None else values[where]
