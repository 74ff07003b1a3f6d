"""Sums of squares about means: of all records, within groups and between them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sudare.core.types import Array, Floats, Integers
from sudare.engine.threads import side_by_side

_BLOCK_ROWS = 1 << 12
Cards = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Squares:
    """Sum of weights, mean and sum of squared distances from the mean of some points.

    Attributes
    ----------
    weight
        Sum of weights (the number of records when there are none).
    mean
        Shape (p,).
    total
        Sum of squared distances from the mean.
    """

    weight: float
    mean: Floats
    total: float


def squares(points: Floats, weights: Floats | None = None) -> Squares:
    """Return the sum of squared distances from the mean, and the mean, of points (n, p).

    The sum within blocks and the spread of the means of the blocks (Chan, Golub and LeVeque 1983):
    one pass, and rounding grows neither with n nor with a common shift.

    Examples
    --------
    >>> squares(np.array([[1.0], [2.0], [3.0], [4.0]])).total
    5.0
    """
    if len(points) <= _BLOCK_ROWS:
        return _centred(points, weights)
    return joined(
        _centred(points[start : start + _BLOCK_ROWS], _part(weights, start))
        for start in range(0, len(points), _BLOCK_ROWS)
    )


def joined(blocks: Iterable[Squares]) -> Squares:
    """Return the squares of all blocks together."""
    found = list(blocks)
    means = squares(np.array([b.mean for b in found]), np.array([b.weight for b in found]))
    return replace(means, total=math.fsum(b.total for b in found) + means.total)


def spread(points: Floats, weights: Floats | None = None) -> float:
    """Return the sum of squared distances from the mean, shape (n, p).

    Examples
    --------
    >>> spread(np.array([[1.0], [2.0], [3.0], [4.0]]))
    5.0
    """
    return squares(points, weights).total


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
    from sudare.loss._kernels import RANGE, between_groups, within_groups

    def gathered(dealt: Sequence[Cards], slabs: Sequence[Floats]) -> tuple[float, Floats, Floats]:
        counts, means = np.zeros(width), np.zeros((width, points.shape[1]))
        within = [
            within_groups(slab, cards, points[0], counts, means)
            for slab, cards in zip(slabs, dealt, strict=True)
        ]
        return math.fsum(within), counts, means

    def of_range(dealt: Sequence[Cards]) -> tuple[float, float, Floats, float]:
        within, counts, means = gathered(dealt, slabs)
        center, between = between_groups(counts, means)
        return within, counts.sum(), center, between

    width, slabs = min(size, RANGE), _slabs(points)
    ranges = [dealt for dealt in _dealt(_slabs(groups), size) if any(map(len, dealt))]
    if len(ranges) > 1:
        inside, sizes, centers, among = zip(*side_by_side(of_range, ranges), strict=True)
        return math.fsum(inside), math.fsum(among) + spread(np.array(centers), np.array(sizes))
    half = len(slabs) // 2
    halves = ((ranges[0][:half], slabs[:half]), (ranges[0][half:], slabs[half:]))
    within, counts, means = _merged(*side_by_side(lambda part: gathered(*part), halves))
    return within, float(between_groups(counts, means)[1])


def _slabs(records: Array) -> list[Array]:
    """Return the records in slabs, two or more if there are as many records: for two threads."""
    from sudare.loss._kernels import SLAB

    rows = min(SLAB, -(-len(records) // 2))
    return [records[start : start + rows] for start in range(0, len(records), rows)]


def _dealt(slabs: Sequence[Integers], size: int) -> list[list[Cards]]:
    """Return the cards of the records by range of groups and by slab."""
    from sudare.loss._kernels import RANGE, deal, range_counts

    ranges = -(-size // RANGE)
    counts = np.array(side_by_side(lambda slab: range_counts(slab, ranges), slabs))
    ends = np.cumsum(counts.T).reshape(counts.T.shape)  # shape (ranges, slabs)
    cards = np.empty(ends[-1, -1], np.uint32)
    starts = np.ascontiguousarray((ends - counts.T).T)
    side_by_side(lambda part: deal(*part, cards), zip(slabs, starts, strict=True))
    parts = np.split(cards, ends.ravel()[:-1])
    return [parts[first : first + len(slabs)] for first in range(0, len(parts), len(slabs))]


def _merged(
    one: tuple[float, Floats, Floats], other: tuple[float, Floats, Floats]
) -> tuple[float, Floats, Floats]:
    """Return squares within groups, counts and means of two sets of records together."""
    (first, left, lefts), (second, right, rights) = one, other
    both = np.maximum(left + right, 1)
    apart = float(((left * right / both)[:, None] * (lefts - rights) ** 2).sum())
    means = (left[:, None] * lefts + right[:, None] * rights) / both[:, None]
    return first + second + apart, left + right, means


def _centred(points: Floats, weights: Floats | None) -> Squares:
    """Return the squares of one block."""
    block = np.ascontiguousarray(points.T)
    total = float(len(points) if weights is None else weights.sum())
    if total == 0:
        return Squares(0.0, np.zeros(len(block)), 0.0)
    mean = (block if weights is None else block * weights).sum(axis=1) / total
    block = block - mean[:, None]
    weighted = block if weights is None else block * weights
    left = weighted.sum(axis=1)  # what rounding left of the mean
    about = float(np.einsum("ij,ij->", weighted, block) - (left**2).sum() / total)
    return Squares(total, mean + left / total, max(about, 0.0))


def _part(weights: Floats | None, start: int) -> Floats | None:
    return None if weights is None else weights[start : start + _BLOCK_ROWS]
