"""Masked histories: cells that hold a value, a range, a set of items, or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from sudare.core import Codes, Flags, Integers, MismatchError
from sudare.transactions.history import AMOUNTS, Amount, History
from sudare.transactions.rules import PWSCUP_2018, HistoryRules

GONE = 0  # the pseudonym of a deleted row
DELETED = -1  # the set of a deleted cell


@dataclass(frozen=True, repr=False)
class Ranges:
    """One column of amounts: from ``low`` to ``high``, both included; nothing where low > high.

    ``bracketed`` tells which cells were written as a range though they hold one value: a value
    may differ from the original, a range must contain it.
    """

    low: Integers
    high: Integers
    bracketed: Flags | None = None

    @property
    def plain(self) -> Flags:
        """Which cells hold a value."""
        return _plain(self.low == self.high, self.bracketed)

    @property
    def deleted(self) -> Flags:
        """Which cells hold nothing."""
        return self.low > self.high

    def take(self, rows: Integers) -> "Ranges":
        """Return the cells of some rows."""
        bracketed = None if self.bracketed is None else self.bracketed[rows]
        return Ranges(self.low[rows], self.high[rows], bracketed)

    def without(self, rows: Flags) -> "Ranges":
        """Return the column with the cells of some rows deleted."""
        low, high = np.where(rows, 1, self.low), np.where(rows, 0, self.high)
        return Ranges(low, high, self.bracketed)


@dataclass(frozen=True, repr=False)
class ItemSets:
    """The column of items: each cell points to one of the distinct sets, or is deleted (-1).

    Attributes
    ----------
    cells
        Set of each row.
    starts, members
        Items of set s, as indices of ``item_ids``, ascending: ``members[starts[s]:starts[s + 1]]``.
    item_ids
        Names of items, sorted.
    braced
        Which sets were written as a set though they hold one item.
    """

    cells: Codes
    starts: Integers
    members: Codes
    item_ids: tuple[str, ...]
    braced: Flags | None = None

    @classmethod
    def of_items(cls, items: Codes, item_ids: tuple[str, ...]) -> Self:
        """Return a column in which every cell holds one item."""
        members = np.arange(len(item_ids), dtype=np.int32)
        return cls(items, np.arange(len(item_ids) + 1), members, item_ids)

    @property
    def sizes(self) -> Integers:
        """Number of items of each set."""
        return np.diff(self.starts)

    @property
    def plain(self) -> Flags:
        """Which sets are one item."""
        return _plain(self.sizes == 1, self.braced)

    @property
    def deleted(self) -> Flags:
        """Which cells hold nothing."""
        return self.cells == DELETED

    def members_of(self, number: int) -> Codes:
        """Return the items of one set."""
        return self.members[self.starts[number] : self.starts[number + 1]]

    def take(self, rows: Integers) -> "ItemSets":
        """Return the cells of some rows."""
        return replace(self, cells=self.cells[rows])

    def without(self, rows: Flags) -> "ItemSets":
        """Return the column with the cells of some rows deleted."""
        return replace(self, cells=np.where(rows, DELETED, self.cells).astype(np.int32))


@dataclass(frozen=True, repr=False)
class MaskedHistory:
    """A masked file. Row i corresponds to row i of the original, unless it is :meth:`published`.

    Attributes
    ----------
    pseudonyms
        The customer's new number; 0 where the row is deleted.
    dates, prices, quantities
        Ranges, in the units of :class:`History`.
    items
        Sets of items.
    rules
        What the file may hold: those of the history.
    """

    pseudonyms: Integers
    dates: Ranges
    items: ItemSets
    prices: Ranges
    quantities: Ranges
    rules: HistoryRules = PWSCUP_2018

    @classmethod
    def of(cls, history: History) -> Self:
        """Return a history as a masked file in which nothing is masked but the names.

        Customers are numbered in the order of their first purchase in the file.
        """
        _, first = np.unique(history.customers, return_index=True)
        number = np.empty(len(first), dtype=np.int64)
        number[np.argsort(first)] = np.arange(1, len(first) + 1)
        return cls(
            number[history.customers],
            Ranges(history.dates, history.dates),
            ItemSets.of_items(history.items, history.item_ids),
            Ranges(history.prices, history.prices),
            Ranges(history.quantities, history.quantities),
            history.rules,
        )

    @property
    def rows(self) -> int:
        """Number of rows, deleted ones included."""
        return len(self.pseudonyms)

    @property
    def gone(self) -> Flags:
        """Which rows are deleted."""
        return self.pseudonyms == GONE

    def amounts(self, column: Amount) -> Ranges:
        """Return the dates, prices or quantities."""
        return {"date": self.dates, "price": self.prices, "quantity": self.quantities}[column]

    def with_amounts(self, columns: Mapping[Amount, Ranges]) -> "MaskedHistory":
        """Return the file with other dates, prices or quantities; deleted rows stay deleted."""
        kept = {name: columns.get(name, self.amounts(name)).without(self.gone) for name in AMOUNTS}
        return replace(self, dates=kept["date"], prices=kept["price"], quantities=kept["quantity"])

    def with_items(self, items: ItemSets) -> "MaskedHistory":
        """Return the file with other items; deleted rows stay deleted."""
        return replace(self, items=items.without(self.gone))

    def without_rows(self, rows: Flags) -> "MaskedHistory":
        """Return the file with some rows deleted."""
        return MaskedHistory(
            np.where(rows, GONE, self.pseudonyms),
            self.dates.without(rows),
            self.items.without(rows),
            self.prices.without(rows),
            self.quantities.without(rows),
            self.rules,
        )

    def take(self, rows: Integers) -> "MaskedHistory":
        """Return some of the rows, in the order given."""
        return MaskedHistory(
            self.pseudonyms[rows],
            self.dates.take(rows),
            self.items.take(rows),
            self.prices.take(rows),
            self.quantities.take(rows),
            self.rules,
        )

    def __repr__(self) -> str:
        customers = len(np.unique(self.pseudonyms[~self.gone]))
        return (
            f"<MaskedHistory {self.rows} rows: {customers} customers, "
            f"{int(self.gone.sum())} rows deleted>"
        )


def _plain(single: Flags, marked: Flags | None) -> Flags:
    return single if marked is None else single & ~marked


def check_rows(history: History, masked: MaskedHistory) -> None:
    """Refuse a masked file that does not have the rows of the history."""
    if history.rows != masked.rows:
        raise MismatchError(
            "the history has {before} rows and the masked file has {after}; a masked file has the "
            "rows of the history, deleted ones too.",
            before=history.rows,
            after=masked.rows,
        )
