"""What it costs that customers publish the same rows: bounds for all pairs, exact costs for some.

Two rows published as one cost the hull of their amounts and the set of their items; the rows of
two customers are matched at the least cost, an assignment problem, and rows that are left over are
deleted. Assignments are dear, so that each pair first gets a lower bound that is cheap.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Self

import numpy as np

from sudare.core import Array, Codes, Floats, Integers
from sudare.transactions.cells import MaskedHistory
from sudare.transactions.history import AMOUNTS

if TYPE_CHECKING:
    from sudare.transactions.mask._kernels_group import AlignmentSpace, Rows

OnShare = Callable[[float], None]
_BATCHES = 64  # between two of them, work can be interrupted


@dataclass(frozen=True, repr=False)
class Baskets:
    """The rows of a file by customer, in units of their standard deviations.

    Customers and rows are in an order that depends on what they hold, not on where they were in
    the file.

    Attributes
    ----------
    rows
        Place of each row in the file; deleted rows are left out.
    starts
        Where each customer's rows begin, one more at the end.
    amounts
        Dates, prices and quantities, shape (3, rows).
    items
        Item, or set of items, of each row.
    steps
        What one day, one hundredth and one unit are, shape (3,).
    """

    rows: Integers
    starts: Integers
    amounts: Codes
    items: Codes
    steps: Floats

    @classmethod
    def of(cls, masked: MaskedHistory) -> Self:
        """Return the rows of a file. A range counts as its middle, a set as an item of its own."""
        from sudare.transactions.mask._kernels_pairs import SCALE

        kept = np.flatnonzero(~masked.gone)
        scaled, steps = [], []
        for name in AMOUNTS:
            cells = masked.amounts(name).take(kept)
            middle = (cells.low + cells.high) / 2
            step = SCALE / (middle.std() or np.inf)
            scaled.append(np.minimum(np.rint((middle - middle.min()) * step), 2**30))
            steps.append(step)
        amounts = np.array(scaled, dtype=np.int32)
        items = masked.items.cells[kept]
        order = np.lexsort([items, *amounts[::-1], masked.pseudonyms[kept]])
        order, starts = _by_content(order, masked.pseudonyms[kept][order], amounts, items)
        rows = np.ascontiguousarray(amounts[:, order]), items[order].astype(np.int32)
        return cls(kept[order], starts, *rows, np.array(steps, np.float64))

    @property
    def sizes(self) -> Integers:
        """Number of rows of each customer."""
        return np.diff(self.starts)

    def taking(self, customers: Integers) -> Self:
        """Return the rows of some customers."""
        rows = np.concatenate([np.arange(*self.starts[[at, at + 1]]) for at in customers])
        return replace(
            self,
            rows=self.rows[rows],
            starts=np.concatenate([[0], np.cumsum(self.sizes[customers])]),
            amounts=np.ascontiguousarray(self.amounts[:, rows]),
            items=self.items[rows],
        )

    def in_blocks(self, most: int, block: int) -> list[Integers]:
        """Return customers with alike numbers of rows together, where there are more than most.

        Examples
        --------
        >>> from sudare.datasets import purchases_like
        >>> baskets = Baskets.of(MaskedHistory.of(purchases_like(15, seed=1)))
        >>> [len(customers) for customers in baskets.in_blocks(most=10, block=6)]
        [4, 6, 5]
        """
        count = len(self.sizes)
        if count <= most:
            return [np.arange(count)]
        pairs = np.linspace(0, count // 2, -(-count // block) + 1).round().astype(np.int64)
        return np.split(np.argsort(self.sizes, kind="stable"), 2 * pairs[1:-1])

    def pair_bounds(self) -> Integers:
        """Return a lower bound of the cost of every pair, shape (customers, customers).

        The cost of a pair is at least the sum over the columns of what the column alone would
        cost: the surplus rows, the way that amounts must travel, and the rows without a partner of
        the same item.
        """
        from sudare.transactions.mask._kernels_pairs import ROW, SCALE, count_items_in_common

        sizes = self.sizes
        fewer = np.minimum(sizes[:, None], sizes)
        bounds: Integers = ROW * np.abs(sizes[:, None] - sizes)
        for values in self.amounts:
            bounds += self._travel(values)
        who = np.repeat(np.arange(len(sizes)), sizes)
        ascending = self.items[np.lexsort((self.items, who))]
        common = np.zeros_like(bounds)
        count_items_in_common(ascending, self.starts, common)
        bounds += SCALE * (fewer - common)
        return bounds

    def _travel(self, values: Codes) -> Integers:
        from sudare.transactions.mask._kernels_pairs import transport_bounds

        who = np.repeat(np.arange(len(self.sizes)), self.sizes)
        best = np.zeros((len(self.sizes), len(self.sizes)), dtype=np.int64)
        for view in views(values):
            levels, at = np.unique(view, return_inverse=True)
            counts = np.zeros((len(self.sizes), len(levels)), dtype=np.int32)
            np.add.at(counts, (who, at), 1)
            counts = np.cumsum(counts, axis=1, dtype=np.int32)[:, :-1]
            gaps = np.diff(levels).astype(np.int64)
            transport_bounds(np.ascontiguousarray(counts), gaps, self.sizes, best)
        return best

    def pair_costs(self, pairs: Integers, on_progress: OnShare | None = None) -> Integers:
        """Return the cost of some pairs of customers, shape (pairs,)."""
        from sudare.transactions._kernels_assignment import assignment_space
        from sudare.transactions.mask._kernels_pairs import pair_costs

        work, sizes = self.sizes[pairs].prod(axis=1), self.sizes[pairs]

        def costs_of(some: Integers) -> Integers:
            least, pool = np.empty(len(some), np.int64), np.empty(work[some].max(), np.int32)
            space = assignment_space(sizes[some].min(axis=1).max(), sizes[some].max())
            chosen = np.ascontiguousarray(pairs[some], np.int64)
            pair_costs(self.amounts, self.items, self.starts, chosen, pool, space, least)
            return least

        return _in_batches(costs_of, work, on_progress)

    def group_costs(self, groups: Sequence[Sequence[int]]) -> Integers:
        """Return the cost of some groups of customers, as far as they could be aligned."""
        costs = np.zeros(len(groups), dtype=np.int64)
        lengths = np.array([len(group) for group in groups])
        for length in np.unique(lengths):
            mine = np.flatnonzero(lengths == length)
            same = np.array([self.ascending(groups[number]) for number in mine.tolist()])
            costs[mine] = _in_batches(
                lambda some, same=same: self._aligned_costs(same[some]),  # type: ignore[misc]
                self.sizes[same].sum(axis=1) ** 2,
            )
        return costs

    def _aligned_costs(self, groups: Integers) -> Integers:
        """Return the cost of groups of one length, the members with the fewest rows first."""
        from sudare.transactions.mask._kernels_group import align_all

        costs = np.empty(len(groups), np.int64)
        align_all(self._held, groups, self._space(groups), costs)
        return costs

    @property
    def _held(self) -> "Rows":
        from sudare.transactions.mask._kernels_group import Rows

        return Rows(self.amounts, self.items, self.steps, self.starts)

    def _space(self, groups: Integers) -> "AlignmentSpace":
        from sudare.transactions.mask._kernels_group import alignment_space

        sizes = self.sizes[groups]
        return alignment_space(int(sizes[:, 0].max()), int(sizes.max()), groups.shape[1])

    def ascending(self, group: Sequence[int]) -> Integers:
        """Return the members of a group, those with the fewest rows first."""
        members = np.sort(np.asarray(group, dtype=np.int64))
        return members[np.argsort(self.sizes[members], kind="stable")]

    def aligned(self, group: Sequence[int]) -> tuple[Integers, Integers]:
        """Return the members of a group, and which of their rows are published as one, (m, k)."""
        from sudare.transactions.mask._kernels_group import align

        members = self.ascending(group)
        rows = np.empty((self.sizes[members[0]], len(members)), np.int64)
        align(self._held, members, rows, self._space(members[None]))
        return members, rows


def views(values: Codes) -> list[Codes]:
    """Return images of a column in which no two values are farther apart than cost can tell.

    Amounts farther apart than two standard deviations are deleted, at the cost of two. Cut off at
    that width, from below or from above, or shrunk to it, no two values are farther apart than
    their cost, so that each image gives a lower bound.
    """
    from sudare.transactions.mask._kernels_pairs import CAP

    top = int(values.max(initial=0))
    cut = [np.minimum(values, CAP)]
    if CAP < top <= 2 * CAP:
        cut.append(np.maximum(values, top - CAP))
        cut.append(values.astype(np.int64) * CAP // top)
    return [np.asarray(view, dtype=np.int32) for view in cut]


def _by_content(
    order: Integers, owners: Integers, amounts: Codes, items: Codes
) -> tuple[Integers, Integers]:
    """Return rows and starts with customers sorted by size, then by what they bought."""
    begins = np.concatenate([[0], np.flatnonzero(np.diff(owners)) + 1, [len(owners)]])
    contents = np.ascontiguousarray(np.vstack([amounts, items])[:, order].T.astype(">i4"))
    spans = [slice(a, b) for a, b in pairwise(begins)]
    spans.sort(key=lambda span: (span.stop - span.start, contents[span].tobytes()))
    starts = np.concatenate([[0], np.cumsum([span.stop - span.start for span in spans])])
    return np.concatenate([order[span] for span in spans]), starts


def _in_batches(
    work: Callable[[Integers], Array], effort: Array, on_progress: OnShare | None = None
) -> Integers:
    """Do some work on all processors, the largest pieces first; stop between two batches."""
    results = np.zeros(len(effort), dtype=np.int64)
    order = np.argsort(-effort, kind="stable")
    batches = [order[start::_BATCHES] for start in range(min(_BATCHES, len(order)))]
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        for done, (batch, costs) in enumerate(
            zip(batches, pool.map(work, batches), strict=True), 1
        ):
            results[batch] = costs
            if on_progress is not None:
                on_progress(done / len(batches))
    finally:
        pool.shutdown(cancel_futures=True)
    return results
