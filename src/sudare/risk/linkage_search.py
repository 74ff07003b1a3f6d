"""How many originals are nearer to a synthetic record than its own: exact, by brute force in blocks.

With s and o measured from one centre, an original is the nearer the larger s·o − |o|²/2 is: one matrix
product says how near all are. It is taken in single precision, in the leading directions only (the
length of what is left bounds the rest), and it only dismisses: whoever it cannot dismiss is measured
in double precision. Records and originals are dealt into boxes by their first coordinates and the
length of the rest; the distance between boxes dismisses whole blocks.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from sudare.core.types import Array, Flags, Floats, Integers

_BOX = 1024  # most records in a box: a block of the product takes four megabytes at most
_BOX_COORDINATES = 3
_ROUNDING = 2.0**-24  # of single precision
_DIRECTIONS = (4, 8, 12, 16, 24, 32, 48, 64)
_PILOT_RECORDS, _PILOT_ORIGINALS = 256, 1024


@dataclass(frozen=True, eq=False)
class Rivals:
    """What the attacker of each record meets.

    Attributes
    ----------
    closer
        Number of originals nearer than the own one, shape (n,); where it reaches the cap there may
        be more.
    ties
        Number of other originals at the same distance, shape (n,); complete where ``closer`` is
        below the cap.
    """

    closer: Integers
    ties: Integers


def rivals(synthetic: Floats, original: Floats, weight: Floats, *, cap: int) -> Rivals:
    """Count the originals that are nearer to each synthetic record than its own.

    Parameters
    ----------
    synthetic, original
        Records that correspond, shape (n, p), without NaN.
    weight
        Weight of each column in the squared distance, shape (p,).
    cap
        A record with this many nearer originals needs no more counting.

    Notes
    -----
    Squared distances that differ by less than 1e-12 of themselves are ties.

    Examples
    --------
    >>> original = np.array([[0.0], [1.0], [3.0]])
    >>> found = rivals(np.array([[0.5], [2.9], [3.0]]), original, np.ones(1), cap=3)
    >>> found.closer.tolist(), found.ties.tolist()
    ([0, 1, 0], [1, 0, 0])
    """
    with _one_product_per_thread() as threads:
        search = _search(synthetic, original, weight)
        view = search.best_view(cap) if cap < len(synthetic) else search.view(search.size)
        closer = np.zeros(len(synthetic), np.int64)
        ties = search.copies[search.own] - 1
        with ThreadPoolExecutor(threads) as pool:
            done = pool.map(lambda box: view.scan(box, closer, ties, cap), search.records.boxes)
            list(done)
    back = np.argsort(search.records.order)
    return Rivals(closer[back], ties[back])


@dataclass(frozen=True, eq=False)
class _Side:
    """Records, or originals, dealt into boxes.

    Attributes
    ----------
    order
        Number of each record before they were dealt, shape (n,).
    turned
        Coordinates about the centre in the principal directions, scaled so that the longest record
        of both sides has length 1, shape (n, p).
    sketch
        The first coordinates and the length of the rest, shape (n, few). Sketches are never further
        apart than the records themselves.
    boxes
        The records of each box.
    """

    order: Integers
    turned: Floats
    sketch: Floats
    boxes: list[slice]

    @classmethod
    def dealt(cls, turned: Floats) -> Self:
        """Deal records into boxes by halving the longest side again and again."""
        few = min(_BOX_COORDINATES, turned.shape[1])
        sketch = np.column_stack([turned[:, :few], _length(turned[:, few:])])
        parts = [np.arange(len(turned))]
        while len(parts[0]) > _BOX:
            parts = [half for part in parts for half in _halves(part, sketch)]
        order = np.concatenate(parts)
        ends = np.cumsum([len(part) for part in parts])
        boxes = [slice(int(end) - len(p), int(end)) for p, end in zip(parts, ends, strict=True)]
        return cls(order, turned[order], sketch[order], boxes)

    @cached_property
    def length(self) -> Floats:
        """Distance from the centre, shape (n,)."""
        return _length(self.turned)

    @cached_property
    def longest(self) -> Floats:
        """Largest distance from the centre in each box, shape (boxes,)."""
        return np.array([self.length[box].max() for box in self.boxes])

    @cached_property
    def edges(self) -> tuple[Floats, Floats]:
        """Lower and upper edges of the boxes, shapes (boxes, few)."""
        low = np.stack([self.sketch[box].min(axis=0) for box in self.boxes])
        return low, np.stack([self.sketch[box].max(axis=0) for box in self.boxes])


@dataclass(frozen=True, eq=False)
class _Search:
    """Records and distinct originals, dealt into boxes.

    ``own`` is the place of each record's original, ``copies`` how many originals are equal to it,
    ``blur`` a bound of the rounding of the turned coordinates.
    """

    records: _Side
    originals: _Side
    synthetic: Floats
    original: Floats
    weight: Floats
    own: Integers
    copies: Integers
    distance: Floats
    reach: Floats
    blur: float

    @property
    def size(self) -> int:
        """Number of columns."""
        return self.records.turned.shape[1]

    @cached_property
    def target(self) -> Floats:
        """How near the own original is, shape (n,)."""
        mine = self.originals.turned[self.own]
        near: Floats = ((self.records.turned - mine / 2) * mine).sum(axis=1)
        return near

    def view(self, directions: int) -> "_View":
        """Return the search in some leading directions and the length of what is left."""
        left, right = self.records.turned, self.originals.turned
        sides = (
            (left, np.ones(len(left))),
            (right, -(self.originals.length**2) / 2),
        )
        factors = (
            np.column_stack([side[:, :directions], _length(side[:, directions:]), last])
            for side, last in sides
        )
        return _View(self, directions == self.size, *(f.astype(np.float32) for f in factors))

    def best_view(self, cap: int) -> "_View":
        """Return the search in the number of directions that promises the least work.

        Found on a sample of pairs, with the costs of a product and of a distance in nanoseconds.
        The choice moves time only: every view counts the same.
        """
        some = np.linspace(0, len(self.own) - 1, _PILOT_RECORDS).astype(int)
        others = np.linspace(0, len(self.copies) - 1, _PILOT_ORIGINALS).astype(int)
        left, right = self.records.turned[some], self.originals.turned[others]
        half = self.originals.length[others] ** 2 / 2
        target = self.target[some, None]
        sketches = self.records.sketch[some, None] - self.originals.sketch[others]
        looked_at = (sketches**2).sum(axis=2) <= self.reach[some, None] ** 2
        looked_at &= ((left @ right.T - half > target).sum(axis=1) < cap)[:, None]
        costs = {self.size: 0.02 * self.size}
        for count in _DIRECTIONS:
            if count < self.size:
                bound = left[:, :count] @ right[:, :count].T - half
                bound += np.outer(_length(left[:, count:]), _length(right[:, count:]))
                share = (looked_at & (bound >= target)).sum() / max(looked_at.sum(), 1)
                costs[count] = 0.02 * count + 30 * float(share)
        return self.view(min(costs, key=lambda count: costs[count]))


@dataclass(frozen=True, eq=False)
class _View:
    """The search as single-precision factors whose product bounds the nearness from above."""

    search: _Search
    complete: bool
    left: Array
    right: Array

    def scan(self, box: slice, closer: Integers, ties: Integers, cap: int) -> None:
        """Count the rivals of a box of records, in the boxes of originals from near to far."""
        from sudare.risk._kernels import count_rivals

        search = self.search
        records = np.arange(box.start, box.stop)
        buffer = np.empty((len(records), _BOX), np.float32)
        within, (lowest, certain) = self._within_reach(box), self._limits(box)
        for number in np.argsort(-within.sum(axis=0), kind="stable"):
            places = np.flatnonzero(within[:, number] & (closer[box] < cap))
            if not len(places):
                continue
            rivals = search.originals.boxes[number]
            product = buffer[: len(places), : rivals.stop - rivals.start]
            np.matmul(self.left[records[places]], self.right[rivals].T, out=product)
            count_rivals(
                product, lowest[places, number], certain[places, number], records[places],
                rivals.start, search.synthetic, search.original, search.weight,
                search.own, search.distance, search.copies, closer, ties, cap,
            )  # fmt: skip

    def _within_reach(self, box: slice) -> Flags:
        """Return whether a box of originals may hold a rival of a record, shape (records, boxes)."""
        apart = np.zeros((box.stop - box.start, len(self.search.originals.boxes)))
        edges = zip(*(edge.T for edge in self.search.originals.edges), strict=True)
        for place, (low, high) in zip(self.search.records.sketch[box].T, edges, strict=True):
            side = place[:, None]
            apart += np.maximum(np.maximum(low - side, side - high), 0) ** 2
        within: Flags = apart <= self.search.reach[box, None] ** 2
        return within

    def _limits(self, box: slice) -> tuple[Array, Array]:
        """Return below what a pair is certainly not nearer, and above what it certainly is.

        Both have the shape (records, boxes of originals). A product of length m in single precision
        is wrong by no more than about m times the rounding times the lengths of its factors.
        """
        longest = self.search.originals.longest
        lengths = self.search.records.length[box, None] + longest
        slack = (self.left.shape[1] + 8) * _ROUNDING * lengths * longest
        slack += 4 * self.search.blur * lengths
        target = self.search.target[box, None]
        lowest = np.nextafter((target - slack).astype(np.float32), np.float32(-np.inf))
        if not self.complete:
            return lowest, np.full_like(lowest, np.inf)
        return lowest, np.nextafter((target + slack).astype(np.float32), np.float32(np.inf))


def _search(synthetic: Floats, original: Floats, weight: Floats) -> _Search:
    from sudare.risk._kernels import own_distances

    synthetic, original = synthetic + 0.0, original + 0.0  # -0.0 and 0.0 are one number
    kept, own, copies = distinct_rows(original)
    centre, root = original.mean(axis=0), np.sqrt(weight)
    left, right = (synthetic - centre) * root, (original[kept] - centre) * root
    _, turn = np.linalg.eigh(right.T @ right)
    left, right = left @ turn[:, ::-1], right @ turn[:, ::-1]
    longest = float(max(_length(left).max(), _length(right).max())) or 1.0
    largest = max(float(np.abs(side * root).max()) for side in (synthetic, original))
    blur = 2.0**-50 * len(weight) * (1 + largest / longest)
    records, originals = _Side.dealt(left / longest), _Side.dealt(right / longest)
    own = np.argsort(originals.order)[own][records.order]
    synthetic, original = synthetic[records.order], original[kept][originals.order]
    distance: Floats = own_distances(synthetic, original, own, weight)
    return _Search(
        records,
        originals,
        synthetic,
        original,
        weight,
        own,
        copies[originals.order],
        distance,
        np.sqrt(distance) / longest * (1 + 1e-9) + 4 * blur,
        blur,
    )


def distinct_rows(values: Floats) -> tuple[Integers, Integers, Integers]:
    """Return the first record of each kind, the kind of each record, and the records of each kind.

    Examples
    --------
    >>> [found.tolist() for found in distinct_rows(np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]]))]
    [[0, 1], [0, 1, 0], [2, 1]]
    """
    odd = np.random.default_rng(1).integers(0, 2**63, values.shape[1], np.uint64) * 2 + 1
    bits = np.ascontiguousarray(values).view(np.uint64)
    mixed = bits >> np.uint64(32)  # whole numbers differ in their upper bits only
    mixed ^= bits
    mixed *= odd
    mixed ^= mixed >> np.uint64(29)
    keys = mixed.sum(axis=1)  # all of this wraps around
    found = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    _, first, kind, count = found
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


def _length(vectors: Floats) -> Floats:
    length: Floats = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))
    return length


@contextmanager
def _one_product_per_thread() -> Iterator[int]:
    """Keep matrix products to one thread each, and say how many may run side by side.

    Threads over blocks are faster than threads inside a product. Without threadpoolctl products
    cannot be kept to one thread, so that one runs at a time.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield 1
        return
    with threadpool_limits(limits=1, user_api="blas"):
        yield os.cpu_count() or 1
