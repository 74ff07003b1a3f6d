"""Sums over all pairs of records that never visit all pairs of records."""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from sudare.core.types import Floats, Integers
from sudare.describe.distances import Block, Tree

OnShare = Callable[[float], None]  # called with the share of the pairs that is done
_BLOCK_ROWS = 1 << 12


def spread(points: Floats, weights: Floats | None = None) -> float:
    """Return the sum of squared distances from the mean, shape (n, p).

    The sum within blocks and the spread of the means of the blocks (Chan, Golub and LeVeque 1983):
    one pass, and rounding grows neither with n nor with a common shift.

    Examples
    --------
    >>> spread(np.array([[1.0], [2.0], [3.0], [4.0]]))
    5.0
    """
    if len(points) <= _BLOCK_ROWS:
        return _centred(points, weights)[2]
    blocks = [
        _centred(points[start : start + _BLOCK_ROWS], _part(weights, start))
        for start in range(0, len(points), _BLOCK_ROWS)
    ]
    sizes, means, within = zip(*blocks, strict=True)
    return math.fsum(within) + spread(np.array(means), np.array(sizes))


def group_squares(points: Floats, groups: Integers, size: int) -> tuple[float, float]:
    """Return the sums of squares within and between groups in one pass: SSE and SSA (section 4.1).

    Where groups are few, two threads take half of the records each.

    Parameters
    ----------
    points
        Shape (n, p), n at least 1.
    groups
        Whole numbers from 0 to ``size`` - 1, shape (n,).
    """
    from sudare.loss._kernels import between_groups, within_groups

    def half(rows: slice) -> tuple[float, Floats, Floats]:
        counts, means = np.zeros(size), np.zeros((size, points.shape[1]))
        within = within_groups(points[rows], groups[rows], points[0], counts, means)
        return float(within), counts, means

    middle = len(points) // 2 if 16 * size <= len(points) else 0
    if not middle:
        within, counts, means = half(slice(None))
        return within, float(between_groups(counts, means))
    with ThreadPoolExecutor(2) as threads:
        parts = threads.map(half, (slice(0, middle), slice(middle, None)))
        (first, left, lefts), (second, right, rights) = parts
    both = np.maximum(left + right, 1)
    between_halves = ((left * right / both)[:, None] * (lefts - rights) ** 2).sum()
    means = (left[:, None] * lefts + right[:, None] * rights) / both[:, None]
    within = first + second + float(between_halves)
    return within, float(between_groups(left + right, means))


def gaps(levels: Floats, counts: Floats) -> float:
    """Return the sum of |x - y| over all ordered pairs, from distinct numbers in ascending order.

    Each gap is crossed by as many pairs as there are records below it times records above it.

    Examples
    --------
    >>> gaps(np.array([1.0, 2.0, 4.0]), np.array([1.0, 1.0, 1.0]))
    12.0
    """
    below = np.cumsum(counts)[:-1]
    above = np.cumsum(counts[::-1])[-2::-1]
    return float(2 * (np.diff(levels) * below) @ above)


def pair_sum(
    distances: Block,
    counts: Floats,
    power: float,
    cells: int,
    on_progress: OnShare | None = None,
) -> float:
    """Return the sum of count · count · distance^power over all ordered pairs, in blocks of rows.

    Only pairs above the diagonal are visited: distances are symmetric, and 0 for equal labels.

    Parameters
    ----------
    distances
        Distances between the u labels, block by block.
    counts
        (Weighted) number of records of each label, shape (u,).
    cells
        The most distances in a block.
    """
    size = len(counts)
    sums = []
    for rows in _row_blocks(size, cells):
        block = distances(rows, slice(rows.start, size))
        square = block[:, : len(block)]
        square[:] = np.triu(square, 1)
        powers = block if power == 1 else block**power
        sums.append(float(counts[rows] @ (powers @ counts[rows.start :])))
        if on_progress is not None:
            on_progress(1 - ((size - rows.stop) / size) ** 2)
    return 2 * math.fsum(sums)


def tree_pairs(tree: Tree, codes: Integers, counts: Floats, power: float) -> float:
    """Return the same sum for nodes of a tree, from the depths of the records below each node.

    Two records meet at their lowest common ancestor, coming from two of its branches, or one of
    them from the node itself: each branch is paired with the branches before it and with the node.
    All terms are positive, so that no digits are lost. O(nodes · depth²).
    """
    deepest = int(tree.depth.max())
    at_node = np.bincount(codes, counts, minlength=len(tree.nodes))
    below = np.zeros((len(tree.nodes), deepest + 1))  # records under each node, by depth
    below[np.arange(len(tree.nodes)), tree.depth] = at_node
    sums = []
    for depth in range(deepest, 0, -1):
        branches = np.flatnonzero(tree.depth == depth)
        branches = branches[np.argsort(tree.parent[branches], kind="stable")]
        parents, first, sizes = np.unique(
            tree.parent[branches], return_index=True, return_counts=True
        )
        inside = below[branches]
        earlier = np.cumsum(inside, axis=0) - inside
        earlier -= np.repeat(earlier[first], sizes, axis=0)
        earlier[:, depth - 1] += np.repeat(at_node[parents], sizes)
        steps = np.maximum(np.arange(deepest + 1) - (depth - 1), 0)  # from each depth to the node
        sums.append(float(np.vdot(earlier @ (steps[:, None] + steps) ** float(power), inside)))
        below[parents] += np.add.reduceat(inside, first, axis=0)
    return 2 * math.fsum(sums)


def _centred(points: Floats, weights: Floats | None) -> tuple[float, Floats, float]:
    """Return weight, mean and sum of squares of one block."""
    block = np.ascontiguousarray(points.T)
    total = float(len(points) if weights is None else weights.sum())
    if total == 0:
        return 0.0, np.zeros(len(block)), 0.0
    mean = (block if weights is None else block * weights).sum(axis=1) / total
    block = block - mean[:, None]
    weighted = block if weights is None else block * weights
    left = weighted.sum(axis=1)  # what rounding left of the mean
    squares = float(np.einsum("ij,ij->", weighted, block) - (left**2).sum() / total)
    return total, mean + left / total, max(squares, 0.0)


def _part(weights: Floats | None, start: int) -> Floats | None:
    return None if weights is None else weights[start : start + _BLOCK_ROWS]


def _row_blocks(size: int, cells: int) -> Iterator[slice]:
    start = 0
    while start < size:
        stop = min(start + max(cells // (size - start), 1), size)
        yield slice(start, stop)
        start = stop
