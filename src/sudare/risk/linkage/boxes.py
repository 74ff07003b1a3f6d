"""Records dealt into boxes, so that the distance between boxes dismisses whole blocks of pairs."""

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from sudare.core import Array, Flags, Floats, Integers

_BOX = 1024  # most records in a box: a block of pairs takes four megabytes at most
_COORDINATES = 3


@dataclass(frozen=True, eq=False)
class Boxed:
    """Records in boxes.

    Attributes
    ----------
    order
        Number of each record before they were dealt, shape (n,).
    points
        Coordinates, the most telling first, shape (n, p).
    sketch
        The first coordinates and the length of the rest, shape (n, few). Sketches are never further
        apart than the records themselves.
    boxes
        The records of each box.
    """

    order: Integers
    points: Floats
    sketch: Floats
    boxes: list[slice]

    @classmethod
    def dealt(cls, points: Floats) -> Self:
        """Deal records into boxes by halving the longest side again and again."""
        few = min(_COORDINATES, points.shape[1])
        sketch = np.column_stack([points[:, :few], length(points[:, few:])])
        parts = [np.arange(len(points))]
        while len(parts[-1]) > _BOX:
            parts = [half for part in parts for half in _halves(part, sketch)]
        order = np.concatenate(parts)
        ends = np.cumsum([len(part) for part in parts])
        boxes = [slice(int(end) - len(p), int(end)) for p, end in zip(parts, ends, strict=True)]
        return cls(order, points[order], sketch[order], boxes)

    @cached_property
    def length(self) -> Floats:
        """Distance from the origin, shape (n,)."""
        return length(self.points)

    @cached_property
    def longest(self) -> Floats:
        """Largest distance from the origin in each box, shape (boxes,)."""
        return np.array([self.length[box].max() for box in self.boxes])

    @cached_property
    def edges(self) -> tuple[Floats, Floats]:
        """Lower and upper edges of the boxes, shapes (boxes, few)."""
        low = np.stack([self.sketch[box].min(axis=0) for box in self.boxes])
        return low, np.stack([self.sketch[box].max(axis=0) for box in self.boxes])

    def within_reach(self, sketch: Floats, reach: Floats) -> Flags:
        """Return whether a box may hold a record this near, shape (records, boxes).

        Parameters
        ----------
        sketch
            Of other records, shape (records, few).
        reach
            How near, shape (records,).
        """
        from sudare.risk.linkage import _kernels

        within = np.empty((len(sketch), len(self.boxes)), np.bool_)
        _kernels.within_reach(sketch, reach, *self.edges, within)
        return within


def length(vectors: Floats) -> Floats:
    """Return the Euclidean length of each row, shape (n,)."""
    return np.sqrt(np.einsum("ij,ij->i", vectors, vectors))


def distinct_rows(values: Floats) -> tuple[Integers, Integers, Integers]:
    """Return the first record of each kind, the kind of each record, and the records of each kind.

    Examples
    --------
    >>> [array.tolist() for array in distinct_rows(np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]]))]
    [[0, 1], [0, 1, 0], [2, 1]]
    """
    odd = np.random.default_rng(1).integers(0, 2**63, values.shape[1], np.uint64) * 2 + 1
    bits = np.ascontiguousarray(values).view(np.uint64)
    mixed = bits >> np.uint64(32)  # whole numbers differ in their upper bits only
    mixed ^= bits
    mixed *= odd
    mixed ^= mixed >> np.uint64(29)
    return kinds(values, mixed.sum(axis=1))  # all of this wraps around


def kinds(values: Floats, keys: Array) -> tuple[Integers, Integers, Integers]:
    """Return the same as ``distinct_rows``, from keys that are equal where rows are.

    Examples
    --------
    >>> rows = np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]])
    >>> [array.tolist() for array in kinds(rows, np.zeros(3))]  # keys that tell nothing
    [[0, 1], [0, 1, 0], [2, 1]]
    """
    distinct = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    _, first, kind, count = distinct
    if not np.array_equal(values[first][kind], values):  # two kinds share a key
        _, first, kind, count = np.unique(
            values, axis=0, return_index=True, return_inverse=True, return_counts=True
        )
    order = np.argsort(first)
    return first[order], np.argsort(order)[kind.ravel()], count[order]


def _halves(part: Integers, sketch: Floats) -> tuple[Integers, Integers]:
    """Return a box's records on either side of the median of its longest side."""
    longest = int(np.argmax(sketch[part].std(axis=0)))
    middle = len(part) // 2
    ranked = part[np.argpartition(sketch[part, longest], middle)]
    return ranked[:middle], ranked[middle:]
