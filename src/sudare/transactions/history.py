"""A purchase history: who bought what, when, at what price and how much of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

import numpy as np

from sudare.core import Codes, Floats, InputError, Integers, fingerprint
from sudare.transactions.rules import PWSCUP_2018, HistoryRules

Amount = Literal["date", "price", "quantity"]
AMOUNTS: tuple[Amount, ...] = ("date", "price", "quantity")
COLUMNS = ("customer", "date", "item", "price", "quantity")


@dataclass(frozen=True, repr=False)
class History:
    """Purchases, one per row, in the order of the file. Amounts are whole numbers of their grid.

    Attributes
    ----------
    customers, items
        Place of each row's customer in ``customer_ids`` and of its item in ``item_ids``.
    dates
        Days since 1970-01-01.
    prices
        Hundredths of the currency.
    quantities
        Units.
    customer_ids, item_ids
        The names, sorted, each at least once in the history.
    rules
        What files masked from it may hold, and when an attack on them is effective.
    """

    customers: Codes
    dates: Integers
    items: Codes
    prices: Integers
    quantities: Integers
    customer_ids: tuple[str, ...]
    item_ids: tuple[str, ...]
    rules: HistoryRules = PWSCUP_2018

    def __post_init__(self) -> None:
        if not len(self.customers):
            raise InputError("a history needs at least one purchase.")

    @classmethod
    def from_rows(
        cls,
        customers: Iterable[str],
        dates: Iterable[int],
        items: Iterable[str],
        prices: Iterable[int],
        quantities: Iterable[int],
        *,
        rules: HistoryRules = PWSCUP_2018,
    ) -> Self:
        """Return a history from columns: names as text, amounts as whole numbers of their grid."""
        who, what = list(customers), list(items)
        customer_ids, item_ids = tuple(sorted(set(who))), tuple(sorted(set(what)))
        customer_place = {name: code for code, name in enumerate(customer_ids)}
        item_place = {name: code for code, name in enumerate(item_ids)}
        return cls(
            customers=np.array([customer_place[name] for name in who], dtype=np.int32),
            dates=np.array(dates if isinstance(dates, np.ndarray) else list(dates), dtype=np.int64),
            items=np.array([item_place[name] for name in what], dtype=np.int32),
            prices=np.array(
                prices if isinstance(prices, np.ndarray) else list(prices), dtype=np.int64
            ),
            quantities=np.array(
                quantities if isinstance(quantities, np.ndarray) else list(quantities),
                dtype=np.int64,
            ),
            customer_ids=customer_ids,
            item_ids=item_ids,
            rules=rules,
        )

    @property
    def rows(self) -> int:
        """Number of purchases."""
        return len(self.customers)

    def amounts(self, column: Amount) -> Integers:
        """Return the dates, prices or quantities."""
        return {"date": self.dates, "price": self.prices, "quantity": self.quantities}[column]

    def deviation(self, column: Amount) -> float:
        """Return the population standard deviation of an amount, in units of its grid."""
        return float(self.amounts(column).std())

    @cached_property
    def row_counts(self) -> Integers:
        """Number of purchases of each customer."""
        return np.bincount(self.customers, minlength=len(self.customer_ids))

    @cached_property
    def by_customer(self) -> tuple[Integers, Integers]:
        """Rows sorted by customer, and where each customer's rows start (one more at the end)."""
        order = np.argsort(self.customers, kind="stable")
        return order, np.concatenate([[0], np.cumsum(self.row_counts)])

    def take(self, rows: Integers) -> "History":
        """Return some of the rows; customers and items without a row go."""
        customers, customer_places = np.unique(self.customers[rows], return_inverse=True)
        items, item_places = np.unique(self.items[rows], return_inverse=True)
        return History(
            customer_places.astype(np.int32),
            self.dates[rows],
            item_places.astype(np.int32),
            self.prices[rows],
            self.quantities[rows],
            tuple(self.customer_ids[code] for code in customers),
            tuple(self.item_ids[code] for code in items),
            self.rules,
        )

    def scaled(self, column: Amount) -> Floats:
        """Return an amount divided by its standard deviation; zeros where it does not vary."""
        deviation = self.deviation(column)
        values = self.amounts(column).astype(np.float64)
        return values / deviation if deviation else np.zeros_like(values)

    def fingerprint(self) -> str:
        """Return a digest of the rows and rules; as secret as the history."""
        arrays = (self.customers, self.dates, self.items, self.prices, self.quantities)
        return fingerprint([*arrays, self.customer_ids, self.item_ids, self.rules])

    def __repr__(self) -> str:
        return (
            f"<History {self.rows} rows: {len(self.customer_ids)} customers, "
            f"{len(self.item_ids)} items>"
        )
