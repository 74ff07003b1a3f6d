"""What an attacker with maximum knowledge holds: the history and what was published of it."""

import itertools
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sudare.core import Codes, Flags, Floats, Integers
from sudare.transactions.cells import ItemSets, MaskedHistory
from sudare.transactions.history import AMOUNTS, History

if TYPE_CHECKING:
    from sudare.transactions.attack._kernels import PurchaseCells, Purchases

_BLOCK = 64  # published customers whose equal rows are looked up once
_LOWEST, _HIGHEST = np.iinfo(np.int32).min, np.iinfo(np.int32).max


@dataclass(frozen=True, eq=False, repr=False)
class Evidence:
    """A history and a published file, and what comparing their rows says.

    Published customers are numbered so that those with equal rows are neighbors; the number of a
    pseudonym plays no part.
    """

    history: History
    published: MaskedHistory

    @cached_property
    def items(self) -> ItemSets:
        """The published sets, with the items as the history codes them; strange ones left out."""
        cells = self.published.items
        code_of = {name: code for code, name in enumerate(self.history.item_ids)}
        known = np.array([code_of.get(name, -1) for name in cells.item_ids], dtype=np.int32)
        members = known[cells.members] if len(known) else np.empty(0, np.int32)
        owner = np.repeat(np.arange(len(cells.sizes)), cells.sizes)
        starts = np.searchsorted(owner[members >= 0], np.arange(len(cells.sizes) + 1))
        return ItemSets(cells.cells, starts, members[members >= 0], self.history.item_ids)

    @cached_property
    def distinct_rows(self) -> tuple[Integers, Integers]:
        """The distinct published rows, as columns, and which of them each row is.

        A column for the set of items, and two for each amount: its lowest and its highest value,
        which hold everything where it is deleted.
        """
        columns = [self.items.cells.astype(np.int64)]
        for name in AMOUNTS:
            cells = self.published.amounts(name)
            columns.append(np.where(cells.deleted, _LOWEST, cells.low))
            columns.append(np.where(cells.deleted, _HIGHEST, cells.high))
        order = np.lexsort(columns)
        table = np.stack(columns)[:, order]
        new = np.ones(table.shape[1], dtype=np.bool_)
        new[1:] = (table[:, 1:] != table[:, :-1]).any(axis=0)
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.cumsum(new) - 1
        return table[:, new], number

    @cached_property
    def _sorted(self) -> tuple[Integers, Integers, Integers]:
        """Return pseudonyms in order, their distinct rows one after another, and the starts."""
        number = self.distinct_rows[1]
        order = np.lexsort((number, self.published.pseudonyms))
        names, starts = np.unique(self.published.pseudonyms[order], return_index=True)
        rows = np.split(number[order], starts[1:]) if len(names) else []
        content = sorted(range(len(names)), key=lambda customer: rows[customer].tolist())
        joined = np.concatenate([rows[customer] for customer in content] or [number])
        sizes = [len(rows[customer]) for customer in content]
        return names[content], joined, np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])

    @property
    def pseudonyms(self) -> Integers:
        """The published customers."""
        return self._sorted[0]

    @property
    def row_counts(self) -> Integers:
        """Rows of each published customer."""
        return np.diff(self._sorted[2])

    @cached_property
    def groups_alike(self) -> Integers:
        """The group of each published customer: those with equal rows have one number."""
        _, joined, starts = self._sorted
        rows = [joined[a:b].tobytes() for a, b in itertools.pairwise(starts)]
        new = [1, *(rows[i] != rows[i - 1] for i in range(1, len(rows)))]
        return np.cumsum(new[: len(rows)])

    @property
    def shape(self) -> tuple[int, int]:
        """Number of published and of original customers."""
        return len(self.pseudonyms), len(self.history.customer_ids)

    @cached_property
    def owners(self) -> Integers:
        """The index in ``pseudonyms`` of each published row."""
        back = np.argsort(self.pseudonyms)
        return back[np.searchsorted(self.pseudonyms[back], self.published.pseudonyms)]

    @cached_property
    def _bought(self) -> "Purchases":
        from sudare.transactions.attack._kernels import Purchases

        t = self.history
        columns = (t.dates, t.prices, t.quantities, t.items, t.customers)
        table = np.stack(columns, axis=1).astype(np.int32)
        keys = (t.items, t.dates, t.prices, t.quantities, t.customers)
        tables = np.stack([table[np.argsort(key, kind="stable")] for key in keys])
        starts = np.searchsorted(tables[0, :, 3], np.arange(len(t.item_ids) + 1))
        return Purchases(tables, starts, t.by_customer[1])

    @cached_property
    def _cells(self) -> "PurchaseCells":
        from sudare.transactions.attack._kernels import PurchaseCells

        sets, *ends = self.distinct_rows[0]
        starts, members = self.items.starts, self.items.members
        table = np.stack(ends, axis=1).astype(np.int32)
        table[(sets >= 0) & (np.append(self.items.sizes, 0)[sets] == 0), :2] = 1, 0  # strange items
        sets = np.where(sets < 0, len(starts) - 1, sets).astype(np.int32)
        starts = np.append(starts, starts[-1])
        return PurchaseCells(table, sets, starts, members, *self._routes(sets, table))

    def _routes(self, sets: Codes, ends: Codes) -> tuple[Integers, Integers, Integers]:
        """Return the order of the purchases in which each published row has the fewest to see."""
        tables, item_starts, _ = self._bought
        spread = np.concatenate([[0], np.cumsum(np.diff(item_starts)[self.items.members])])
        per_set = np.append(np.diff(spread[self.items.starts]), self.history.rows + 1)
        first, last = [np.zeros(len(sets), np.int64)], [per_set[sets]]
        for column in range(len(AMOUNTS)):
            ordered = tables[1 + column, :, column]
            first.append(np.searchsorted(ordered, ends[:, 2 * column]))
            last.append(np.searchsorted(ordered, ends[:, 2 * column + 1], side="right"))
        start, stop = np.stack(first), np.stack(last)
        order = np.argmin(stop - start, axis=0)
        at = np.arange(len(sets))
        return order, start[order, at], stop[order, at]

    @cached_property
    def _compared(self) -> dict[float, tuple[Integers, Floats]]:
        return {}

    @cached_property
    def distance_scores(self) -> dict[int, Floats]:
        """What :class:`DistanceAttacker` found, by its rounds: it attacks more than once."""
        return {}

    def compare(self, error: float) -> tuple[Integers, Floats]:
        """Compare every published row with every purchase that it may represent.

        Parameters
        ----------
        error
            Probability that a published row is like any purchase of the history rather than like
            one of its customer's own.

        Returns
        -------
        reach
            How many rows of each published customer each customer can explain at most, row by row.
        gain
            Logarithm of how much likelier those rows are as the customer's than as anybody's.
        """
        if error not in self._compared:
            self._compared[error] = self._compare((1 - error) / error)
        return self._compared[error]

    def _compare(self, odds: float) -> tuple[Integers, Floats]:
        reach, gain = np.zeros(self.shape, np.int64), np.zeros(self.shape)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            done = pool.map(lambda block: self._meet(block, odds, reach, gain), self._blocks())
            list(done)  # raises what a thread raised
        return reach, gain

    def _meet(
        self, part: tuple[slice, Integers, Any], odds: float, reach: Integers, gain: Floats
    ) -> None:
        from sudare.transactions.attack._kernels import Tallied, meet

        tallied = Tallied(np.zeros(self.shape[1], np.int64), np.empty(self.shape[1], np.int64))
        block, numbers, owners = part
        meet(numbers, owners, self._cells, self._bought, odds, tallied, reach[block], gain[block])

    def _blocks(self) -> Iterator[tuple[slice, Integers, Any]]:
        """Yield blocks of published customers, their distinct rows, and who has them."""
        from sudare.transactions.attack._kernels import Owners

        _, joined, starts = self._sorted
        for begin in range(0, self.shape[0], _BLOCK):
            block = slice(begin, min(begin + _BLOCK, self.shape[0]))
            rows = joined[starts[block.start] : starts[block.stop]]
            sizes = np.diff(starts[block.start : block.stop + 1])
            holders = np.repeat(np.arange(len(sizes)), sizes)
            numbers, row = np.unique(rows, return_inverse=True)
            pairs, times = np.unique(row * len(sizes) + holders, return_counts=True)
            row, holders = np.divmod(pairs, len(sizes))
            row_starts = np.searchsorted(row, np.arange(len(numbers) + 1))
            yield block, numbers, Owners(row_starts, holders.astype(np.int32), times)

    def explained(self, pairs: Integers) -> Flags:
        """Return for pairs (published, original) whether the one's rows can be the other's.

        Every published row needs a purchase of its own that all its cells contain: a matching.
        """
        pairs = np.ascontiguousarray(pairs, np.int64)
        parts = np.array_split(pairs, 4 * (os.cpu_count() or 1))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return np.concatenate(list(pool.map(self._explained, parts)))

    def _explained(self, pairs: Integers) -> Flags:
        from sudare.transactions.attack._kernels_matching import explain_pairs, matching_room

        _, joined, starts = self._sorted
        fits, done = np.zeros(len(pairs), np.bool_), 0
        left = int(np.diff(starts).max(initial=0))
        right = int(np.diff(self._bought.customer_starts).max(initial=0))
        edges = 8 * left + right
        while done < len(pairs):
            given = joined, starts, self._cells, self._bought, matching_room(left, right, edges)
            done = explain_pairs(pairs, done, *given, fits)
            edges *= 4
        return fits
