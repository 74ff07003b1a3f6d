"""Sums over all pairs of records that never visit all pairs of records."""

from collections.abc import Callable, Iterator

import numpy as np

from sudare.core import Floats, Integers
from sudare.describe import Tree
from sudare.describe.distances import Block
from sudare.engine.counting import summed

OnShare = Callable[[float], None]  # called with the share of the pairs that is done


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
    return 2 * summed(sums)


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
    return 2 * summed(sums)


def _row_blocks(size: int, cells: int) -> Iterator[slice]:
    start = 0
    while start < size:
        stop = min(start + max(cells // (size - start), 1), size)
        yield slice(start, stop)
        start = stop
