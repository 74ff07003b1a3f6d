"""Sampling: a history drawn uniformly from all that a masked file allows (section 6.3.1.1).

A generalized file cannot be analyzed as it is. What an analyst would see is estimated by drawing
each cell: a whole number of its range, an item of its set, and for a deleted cell any value between
the smallest and the largest of the original, or any item of it. Deleted rows stay away.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sudare.core import Array, Codes, Draws, Floats, InputError, Integers, Seed, draws_from
from sudare.transactions.cells import ItemSets, MaskedHistory, Ranges
from sudare.transactions.history import AMOUNTS, Amount, History
from sudare.transactions.rules import HistoryRules


@dataclass(frozen=True, repr=False)
class Possible:
    """What each row of a masked file may have been. Deleted rows are left out.

    Attributes
    ----------
    rows
        Places of the rows in the masked file: a row keeps its draws whatever else is deleted.
    low, high
        By amount, the smallest and the largest value of each row.
    starts, sizes
        Which items each row may have: ``members[start : start + size]``.
    members
        Places in ``item_ids``.
    customers, customer_ids
        The pseudonyms, as a history holds customers.
    length
        Number of rows of the masked file, deleted ones included.
    rules
        Those of the history.
    """

    rows: Integers
    low: Mapping[Amount, Integers]
    high: Mapping[Amount, Integers]
    starts: Integers
    sizes: Integers
    members: Codes
    item_ids: tuple[str, ...]
    customers: Codes
    customer_ids: tuple[str, ...]
    length: int
    rules: HistoryRules

    @classmethod
    def of(cls, history: History, masked: MaskedHistory) -> "Possible":
        """Return what a masked file allows; the history says what a deleted cell may be."""
        rows = np.flatnonzero(~masked.gone)
        if not len(rows):
            raise InputError("every row of the masked file is deleted; nothing can be drawn.")
        kept = masked.take(rows)
        ends = {name: _ends(kept.amounts(name), history.amounts(name)) for name in AMOUNTS}
        starts, sizes, members, item_ids = _choices(kept.items, history.item_ids)
        numbers, codes = np.unique(kept.pseudonyms, return_inverse=True)
        customers, customer_ids = _sorted_by_name(codes, tuple(map(str, numbers.tolist())))
        return cls(
            rows,
            {name: low for name, (low, _) in ends.items()},
            {name: high for name, (_, high) in ends.items()},
            starts,
            sizes,
            members,
            item_ids,
            customers,
            customer_ids,
            masked.rows,
            history.rules,
        )

    def draw(self, draws: Draws) -> History:
        """Return one history; every row's values are independent and uniform."""
        amounts = {
            name: _between(self.low[name], self.high[name], self._uniform(draws, name))
            for name in AMOUNTS
        }
        zero = np.zeros_like(self.sizes)
        chosen = self.starts + _between(zero, self.sizes - 1, self._uniform(draws, "item"))
        present, items = np.unique(self.members[chosen], return_inverse=True)
        return History(
            self.customers,
            amounts["date"],
            items.astype(np.int32),
            amounts["price"],
            amounts["quantity"],
            self.customer_ids,
            tuple(self.item_ids[code] for code in present),
            self.rules,
        )

    def _uniform(self, draws: Draws, column: str) -> Floats:
        return draws.uniform(column, self.length)[self.rows]


def sample(
    history: History, masked: MaskedHistory, *, seed: Seed = None, number: int = 0
) -> History:
    """Return a history drawn uniformly from all that a masked file allows.

    Parameters
    ----------
    history
        The original: a deleted date, price or quantity is drawn between its smallest and its
        largest, a deleted item from all of its items.
    masked
        The masked file, with or without deleted rows.
    seed
        Same seed and number, same history.
    number
        Which of the seed's samples.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> history = purchases_like(20, seed=1)
    >>> sample(history, MaskedHistory.of(history), seed=1)
    <History 1913 rows: 20 customers, 1132 items>
    """
    return Possible.of(history, masked).draw(draws_from(seed).for_step(number))


def _ends(cells: Ranges, values: Integers) -> tuple[Integers, Integers]:
    low = np.where(cells.deleted, values.min(), cells.low)
    high = np.where(cells.deleted, values.max(), cells.high)
    return low, high


def _choices(
    cells: ItemSets, known: tuple[str, ...]
) -> tuple[Integers, Integers, Codes, tuple[str, ...]]:
    """Return start and size of each row's items, the items, and their names; all for deleted."""
    names = tuple(sorted({*known, *cells.item_ids}))
    code_of = {name: code for code, name in enumerate(names)}
    own = np.array([code_of[name] for name in cells.item_ids], dtype=np.int32)[cells.members]
    everything = np.array([code_of[name] for name in known], dtype=np.int32)
    # A deleted cell, -1, takes the last set: all items of the original.
    starts = np.append(cells.starts[:-1], len(own))[cells.cells]
    sizes = np.append(cells.sizes, len(everything))[cells.cells]
    return starts, sizes, np.concatenate([own, everything]), names


def _sorted_by_name(codes: Array, names: tuple[str, ...]) -> tuple[Codes, tuple[str, ...]]:
    order = sorted(range(len(names)), key=names.__getitem__)
    rank = np.empty(len(names), dtype=np.int32)
    rank[order] = np.arange(len(names))
    return rank[codes], tuple(names[code] for code in order)


def _between(low: Integers, high: Integers, uniform: Floats) -> Integers:
    """Return whole numbers from ``low`` to ``high``, both included."""
    steps = np.floor(uniform * (high - low + 1)).astype(np.int64)
    return low + np.minimum(steps, high - low)  # rounding could reach one more
