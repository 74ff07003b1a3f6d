"""How many originals are nearer to a synthetic record than its own: exact, in blocks.

With s and o measured from one center, an original is the nearer the larger s·o − |o|²/2 is: one
matrix product says how near all are. It is taken in single precision, in the leading directions
only (the length of what is left bounds the rest), and it only dismisses: the other originals are
looked at in all directions, and in double precision if that is too close to call. Boxes that are
too far apart are not multiplied at all, and a record that already has as many rivals as the
attacker has guesses is done.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sudare.core import Array, Flags, Floats, Integers
from sudare.engine.counting import side_by_side
from sudare.risk.linkage.boxes import Boxed, distinct_rows, length

if TYPE_CHECKING:
    from sudare.risk.linkage._kernels import Attack, Factors

_BLOCK = 256  # records with gaps that a thread takes at a time
_ROUNDING = 2.0**-24  # of single precision
_DIRECTIONS = (4, 8, 12, 16, 24, 32, 40, 48, 64)
_PILOT_RECORDS, _PILOT_ORIGINALS = 128, 1024


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
        Records that correspond, shape (n, p). NaN of a synthetic record is no further from one
        original than from another; the originals have none.
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
    >>> counted = rivals(np.array([[0.5], [2.9], [3.0]]), original, np.ones(1), cap=3)
    >>> counted.closer.tolist(), counted.ties.tolist()
    ([0, 1, 0], [1, 0, 0])
    """
    gaps = np.isnan(synthetic)
    if gaps.any():
        return _with_gaps(synthetic, original, weight, gaps, cap)
    search = _search(synthetic, original, weight)
    view = search.best_view(cap) if cap < len(synthetic) else search.view(search.size)
    closer = np.zeros(len(synthetic), np.int64)
    ties = search.attack.copies[search.attack.own] - 1
    side_by_side(lambda box: view.scan(box, closer, ties, cap), search.records.boxes)
    back = np.argsort(search.records.order)
    return Rivals(closer[back], ties[back])


def _with_gaps(
    synthetic: Floats, original: Floats, weight: Floats, gaps: Flags, cap: int
) -> Rivals:
    """Return it where some records lack numbers: these are compared with all originals in turn."""
    from sudare.risk.linkage._kernels import count_rivals_of_gaps

    counted = rivals(np.where(gaps, original, synthetic), original, weight, cap=cap)
    rows = np.flatnonzero(gaps.any(axis=1))
    some = np.ascontiguousarray(synthetic[rows], np.float64)
    originals, weight = (np.ascontiguousarray(each, np.float64) for each in (original, weight))
    closer, ties = (np.empty(len(rows), np.int64) for _ in range(2))

    def count(part: slice) -> None:
        facts = some[part], rows[part], originals, weight
        count_rivals_of_gaps(*facts, closer[part], ties[part], cap)

    side_by_side(count, [slice(start, start + _BLOCK) for start in range(0, len(rows), _BLOCK)])
    counted.closer[rows], counted.ties[rows] = closer, ties
    return counted


@dataclass(frozen=True, eq=False)
class _LinkageSearch:
    """Records and distinct originals in boxes.

    Their points are measured from the center in the principal directions of the originals, in
    units of the longest; ``blur`` bounds the rounding of the points, ``reach`` is the distance to
    the own original.
    """

    attack: "Attack"
    records: Boxed
    originals: Boxed
    reach: Floats
    blur: float

    @property
    def size(self) -> int:
        """Number of columns."""
        return int(self.records.points.shape[1])

    @cached_property
    def target(self) -> Floats:
        """How near the own original is, shape (n,)."""
        mine, half = self.attack.own, self.originals.length**2 / 2
        product = np.einsum("ij,ij->i", self.records.points, self.originals.points[mine])
        return product - half[mine]

    def view(self, directions: int) -> "_View":
        """Return the search in some leading directions and the length of what is left."""
        from sudare.risk.linkage._kernels import Factors

        def both(side: Boxed, last: Floats) -> tuple[Array, Array]:
            rest = side.points[:, directions:]
            bounds = np.column_stack([side.points[:, :directions], length(rest), last])
            return bounds.astype(np.float32), np.ascontiguousarray(rest, np.float32)

        left, left_rest = both(self.records, np.ones(len(self.reach)))
        right, right_rest = both(self.originals, -(self.originals.length**2) / 2)
        return _View(self, Factors(left, right, left_rest, right_rest))

    def best_view(self, cap: int) -> "_View":
        """Return the search in the number of directions that promises the least work.

        Found on a sample of pairs, with the costs of a product and of a distance in nanoseconds.
        The choice moves time only: every view counts the same.
        """
        some = np.linspace(0, len(self.reach) - 1, _PILOT_RECORDS).astype(int)
        others = np.linspace(0, len(self.originals.order) - 1, _PILOT_ORIGINALS).astype(int)
        left, right = self.records.points[some], self.originals.points[others]
        half = self.originals.length[others] ** 2 / 2
        target = self.target[some, None]
        apart = self.records.sketch[some, None] - self.originals.sketch[others]
        looked_at = (apart**2).sum(axis=2) <= self.reach[some, None] ** 2
        looked_at &= ((left @ right.T - half > target).sum(axis=1) < cap)[:, None]
        costs = {}
        for count in (*(count for count in _DIRECTIONS if count < self.size), self.size):
            bound = left[:, :count] @ right[:, :count].T - half
            bound += np.outer(length(left[:, count:]), length(right[:, count:]))
            share = (looked_at & (bound >= target)).sum() / max(looked_at.sum(), 1)
            costs[count] = 0.02 * count + 15 * float(share)
        return self.view(min(costs, key=lambda count: costs[count]))


@dataclass(frozen=True, eq=False)
class _View:
    """The search with factors whose product bounds the nearness from above."""

    search: _LinkageSearch
    factors: "Factors"

    def scan(self, box: slice, closer: Integers, ties: Integers, cap: int) -> None:
        """Count the rivals of a box of records, in the boxes of originals from near to far."""
        from sudare.risk.linkage._kernels import count_rivals

        factors, originals = self.factors, self.search.originals
        records = np.arange(box.start, box.stop)
        widest = max(other.stop - other.start for other in originals.boxes)
        buffer = np.empty(len(records) * widest, np.float32)
        within = originals.within_reach(self.search.records.sketch[box], self.search.reach[box])
        lowest, certain = self._limits(box)
        for number in np.argsort(-within.sum(axis=0), kind="stable"):
            active = np.flatnonzero(within[:, number] & (closer[box] < cap))
            if not len(active):
                continue
            other = originals.boxes[number]
            shape = len(active), other.stop - other.start
            nearness = buffer[: math.prod(shape)].reshape(shape)  # contiguous: the loop runs wide
            np.matmul(factors.left[records[active]], factors.right[other].T, out=nearness)
            limits = lowest[active, number], certain[active, number]
            count_rivals(
                nearness, *limits, records[active], other.start,
                factors, self.search.attack, closer, ties, cap,
            )  # fmt: skip

    def _limits(self, box: slice) -> tuple[Array, Array]:
        """Return below what an original is certainly not nearer, and above what it certainly is.

        Both have the shape (records, boxes of originals). A product of m terms in single precision
        is wrong by no more than about m times the rounding times the lengths of its factors; the
        length of what is left over may go in and out again.
        """
        longest = self.search.originals.longest
        lengths = self.search.records.length[box, None] + longest
        slack = 2 * (self.search.size + 12) * _ROUNDING * lengths * longest
        slack += 4 * self.search.blur * lengths
        target = self.search.target[box, None]
        lowest = np.nextafter((target - slack).astype(np.float32), np.float32(-np.inf))
        return lowest, np.nextafter((target + slack).astype(np.float32), np.float32(np.inf))


def _search(synthetic: Floats, original: Floats, weight: Floats) -> _LinkageSearch:
    from sudare.risk.linkage._kernels import Attack, own_distances

    original = np.ascontiguousarray(original, np.float64) + 0.0  # -0.0 and 0.0 are one number
    first, own, copies = distinct_rows(original)
    centre, root = original.mean(axis=0), np.sqrt(weight)
    right = (original[first] - centre) * root
    turn = np.linalg.eigh(right.T @ right)[1][:, ::-1]
    left, right = ((synthetic - centre) * root) @ turn, right @ turn
    longest = float(max(length(left).max(), length(right).max())) or 1.0
    largest = max(_largest(synthetic, root), _largest(original, root))
    blur = 2.0**-50 * len(weight) * (1 + largest / longest)
    records, originals = side_by_side(Boxed.dealt, (left / longest, right / longest))
    own = np.argsort(originals.order)[own][records.order]
    synthetic = np.ascontiguousarray(synthetic[records.order], np.float64)
    original, weight = original[first[originals.order]], np.ascontiguousarray(weight, np.float64)
    distance = np.empty(len(synthetic))
    own_distances(synthetic, original, own, weight, distance)
    attack = Attack(synthetic, original, weight, own, distance, copies[originals.order])
    reach = np.sqrt(distance) / longest * (1 + 1e-9) + 4 * blur
    return _LinkageSearch(attack, records, originals, reach, blur)


def _largest(values: Floats, root: Floats) -> float:
    return float((np.maximum(values.max(axis=0), -values.min(axis=0)) * root).max())
