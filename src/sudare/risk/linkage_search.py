"""How many originals are nearer to a synthetic record than its own: exact, by brute force in blocks.

With s and o measured from one centre, an original is the nearer the larger s·o − |o|²/2 is: one matrix
product says how near all are. It is taken in single precision, in the leading directions only (the
length of what is left bounds the rest), and it only dismisses: whoever it cannot dismiss is measured
in double precision. Records and originals stand in order of their distance from the centre, so that
whole blocks are dismissed by the triangle inequality.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sudare.core.types import Array, Floats, Integers

_ROWS, _COLUMNS = 512, 2048  # of a block of the product: 4 MB in single precision
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
    search = _search(synthetic, original, weight)
    view = search.best_view(cap) if cap < len(synthetic) else search.view(search.size)
    closer = np.zeros(len(synthetic), np.int64)
    ties = search.copies[search.own] - 1
    blocks = [slice(start, start + _ROWS) for start in range(0, len(synthetic), _ROWS)]
    _in_parallel(lambda block: view.scan(block, closer, ties, cap), blocks)
    back = np.argsort(search.order)
    return Rivals(closer[back], ties[back])


@dataclass(frozen=True, eq=False)
class _Search:
    """Records and distinct originals in order of their distance from the centre.

    ``left`` and ``right`` are their coordinates about the centre, weighted, turned to the principal
    directions of the originals, and scaled so that the longest has length 1.
    """

    order: Integers
    synthetic: Floats
    original: Floats
    weight: Floats
    own: Integers
    copies: Integers
    left: Floats
    right: Floats
    squared_scale: float
    blur: float

    @property
    def size(self) -> int:
        """Number of columns."""
        return self.left.shape[1]

    @cached_property
    def distance(self) -> Floats:
        """Squared distance to the own original, shape (n,)."""
        from sudare.risk._kernels import own_distances

        found: Floats = own_distances(self.synthetic, self.original, self.own, self.weight)
        return found

    @cached_property
    def target(self) -> Floats:
        """How near the own original is, shape (n,)."""
        mine = self.right[self.own]
        near: Floats = ((self.left - mine / 2) * mine).sum(axis=1)
        return near

    def view(self, directions: int) -> "_View":
        """Return the search in some leading directions and the length of what is left."""
        half = (self.right**2).sum(axis=1) / 2
        one = np.ones(len(self.left))
        return _View(
            self,
            directions == self.size,
            _stacked(self.left[:, :directions], _tails(self.left)[:, directions], one),
            _stacked(self.right[:, :directions], _tails(self.right)[:, directions], -half),
            np.sqrt(2 * half),
            np.sqrt((self.left**2).sum(axis=1)),
        )

    def best_view(self, cap: int) -> "_View":
        """Return the search in the number of directions that promises the least work.

        Found on a sample of pairs, with the costs of a product, a look and a distance in
        nanoseconds. The choice moves time only: every view counts the same.
        """
        some = np.linspace(0, len(self.left) - 1, _PILOT_RECORDS).astype(int)
        others = np.linspace(0, len(self.right) - 1, _PILOT_ORIGINALS).astype(int)
        left, right = self.left[some], self.right[others]
        half = (right**2).sum(axis=1) / 2
        excess = left @ right.T - half - self.target[some, None]
        open_ones = (excess > 0).sum(axis=1) < cap
        if not open_ones.any():
            return self.view(min(_DIRECTIONS[0], self.size))
        left, target = left[open_ones], self.target[some][open_ones, None]
        left_tails, right_tails = _tails(left), _tails(right)
        costs = {self.size: 0.03 * self.size}
        for count in _DIRECTIONS:
            if count < self.size:
                bound = left[:, :count] @ right[:, :count].T - half
                bound += np.outer(left_tails[:, count], right_tails[:, count])
                costs[count] = 0.03 * count + 80 * float((bound >= target).mean())
        return self.view(min(costs, key=lambda count: costs[count]))


@dataclass(frozen=True, eq=False)
class _View:
    """The search as single-precision factors whose product bounds the nearness from above."""

    search: _Search
    complete: bool
    left: Array
    right: Array
    right_length: Floats
    left_length: Floats

    def scan(self, rows: slice, closer: Integers, ties: Integers, cap: int) -> None:
        """Count the rivals of a block of records, the originals of like length first."""
        from sudare.risk._kernels import count_rivals

        search = self.search
        records = np.arange(*rows.indices(len(self.left)))
        buffer = np.empty((len(records), _COLUMNS), np.float32)
        reach = np.sqrt(search.distance * search.squared_scale) * (1 + 1e-9) + 4 * search.blur
        middle = float(self.left_length[records].mean())
        starts = np.arange(0, len(self.right), _COLUMNS)
        ends = np.minimum(starts + _COLUMNS, len(self.right))
        shortest, longest = self.right_length[starts], self.right_length[ends - 1]
        apart = np.maximum(shortest - middle, middle - longest)
        for number in np.argsort(apart, kind="stable"):
            first, last = int(starts[number]), int(ends[number])
            length = self.left_length[records]
            gap = np.maximum(shortest[number] - length, length - longest[number])
            active = records[(gap <= reach[records]) & (closer[records] < cap)]
            if not len(active):
                continue
            product = buffer[: len(active), : last - first]
            np.matmul(self.left[active], self.right[first:last].T, out=product)
            lowest, certain = self._limits(active, float(longest[number]))
            count_rivals(
                product, lowest, certain, active, first,
                search.synthetic, search.original, search.weight, search.own,
                search.distance, search.copies, closer, ties, cap,
            )  # fmt: skip

    def _limits(self, records: Integers, longest: float) -> tuple[Array, Array]:
        """Return below what a pair is certainly not nearer, and above what it certainly is."""
        length = self.left_length[records]
        slack = (self.left.shape[1] + 8) * _ROUNDING * (length + longest) * longest
        slack += 4 * self.search.blur * (length + longest)
        target = self.search.target[records]
        lowest = np.nextafter((target - slack).astype(np.float32), np.float32(-np.inf))
        if not self.complete:
            return lowest, np.full(len(records), np.inf, np.float32)
        return lowest, np.nextafter((target + slack).astype(np.float32), np.float32(np.inf))


def _search(synthetic: Floats, original: Floats, weight: Floats) -> _Search:
    synthetic, original = synthetic + 0.0, original + 0.0  # -0.0 and 0.0 are one number
    distinct, own, copies = np.unique(original, axis=0, return_inverse=True, return_counts=True)
    centre, root = original.mean(axis=0), np.sqrt(weight)
    left, right = (synthetic - centre) * root, (distinct - centre) * root
    _, turn = np.linalg.eigh(right.T @ right)
    left, right = left @ turn[:, ::-1], right @ turn[:, ::-1]
    left_length, right_length = ((side**2).sum(axis=1) for side in (left, right))
    longest = float(np.sqrt(max(left_length.max(), right_length.max()))) or 1.0
    order, right_order = np.argsort(left_length), np.argsort(right_length)
    place = np.argsort(right_order)
    size = max(float(np.abs(side * root).max()) for side in (synthetic, original))
    return _Search(
        order=order,
        synthetic=synthetic[order],
        original=distinct[right_order],
        weight=weight,
        own=place[own.ravel()][order],
        copies=copies[right_order],
        left=left[order] / longest,
        right=right[right_order] / longest,
        squared_scale=longest**-2,
        blur=2.0**-50 * len(weight) * (1 + size / longest),  # of the turned coordinates
    )


def _tails(turned: Floats) -> Floats:
    """Return the length of each record in the directions from each one on, shape (n, p + 1)."""
    rest = np.cumsum(turned[:, ::-1] ** 2, axis=1)[:, ::-1]
    return np.sqrt(np.column_stack([rest, np.zeros(len(turned))]))


def _stacked(directions: Floats, *more: Floats) -> Array:
    return np.column_stack([directions, *more]).astype(np.float32)


def _in_parallel(work: Callable[[slice], None], blocks: Iterable[slice]) -> None:
    """Do the blocks in threads, each with single-threaded products; else one after another."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        for block in blocks:
            work(block)
        return
    with (
        threadpool_limits(limits=1, user_api="blas"),
        ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool,
    ):
        list(pool.map(work, blocks))
