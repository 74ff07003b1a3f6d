"""Simple maskers of purchase histories: coarser cells, deleted rows and columns, new names."""

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np

from sudare.core import AtLeast, Between, Draws, Integers, SettingError
from sudare.transactions.cells import GONE, ItemSets, MaskedHistory, Ranges
from sudare.transactions.files import EPOCH
from sudare.transactions.history import AMOUNTS, Amount
from sudare.transactions.methods import HistoryMasker

Period = Literal["week", "decade", "month", "quarter", "year"]


class CoarseDates(HistoryMasker):
    """Replace every date by the period that it lies in.

    A period ends where the rules of the history do, unless the date itself lies beyond them.
    """

    period: Annotated[
        Period, "how long a period is: a week from Monday, ten days, a month, a quarter or a year"
    ] = "month"

    def touches(self) -> tuple[str, ...]:
        """Return the dates."""
        return ("date",)

    def _mask(self, masked: MaskedHistory, draws: Draws) -> MaskedHistory:
        deleted, low, high = masked.dates.deleted, masked.dates.low, masked.dates.high
        first, _ = period_of(np.where(deleted, 0, low), self.period)
        _, last = period_of(np.where(deleted, 0, high), self.period)
        ends = ((end - EPOCH).days for end in (masked.rules.first_date, masked.rules.last_date))
        cells = _within(masked.dates, first, last, *ends)
        return masked.with_amounts({"date": cells.without(deleted)})


def _within(cells: Ranges, low: Integers, high: Integers, lowest: int, highest: int) -> Ranges:
    """Return wider cells, cut at the ends of what is allowed where the cells lie inside."""
    return Ranges(
        np.where(cells.low < lowest, low, np.maximum(low, lowest)),
        np.where(cells.high > highest, high, np.minimum(high, highest)),
    )


def period_of(days: Integers, period: Period) -> tuple[Integers, Integers]:
    """Return the first and the last day of the period of each day.

    Examples
    --------
    >>> period_of(np.array([0, 30, 31]), "month")
    (array([ 0,  0, 31]), array([30, 30, 58]))
    """
    if period == "week":  # 1970-01-01 was a Thursday
        monday = (days + 3) // 7 * 7 - 3
        return monday, monday + 6
    months = days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    if period == "decade":
        start = _month_start(months)
        third = np.minimum((days - start) // 10, 2)
        return start + 10 * third, np.where(
            third == 2, _month_start(months + 1), start + 10 * third + 10
        ) - 1
    length = {"month": 1, "quarter": 3, "year": 12}[period]
    first = months // length * length
    return _month_start(first), _month_start(first + length) - 1


def _month_start(months: Integers) -> Integers:
    return months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)


class PriceBands(HistoryMasker):
    """Replace every price by the band that it lies in."""

    width: Annotated[float, Between(0.02, 10_000), "how wide a band is"] = 1.0

    def touches(self) -> tuple[str, ...]:
        """Return the prices."""
        return ("price",)

    def _mask(self, masked: MaskedHistory, draws: Draws) -> MaskedHistory:
        return masked.with_amounts(
            {"price": _banded(masked.prices, round(self.width * 100), masked.rules.max_price_cents)}
        )


class QuantityBands(HistoryMasker):
    """Replace every quantity by the band that it lies in: 1 to width, and so on."""

    width: Annotated[int, AtLeast(2), "how many quantities are in a band"] = 12

    def touches(self) -> tuple[str, ...]:
        """Return the quantities."""
        return ("quantity",)

    def _mask(self, masked: MaskedHistory, draws: Draws) -> MaskedHistory:
        return masked.with_amounts(
            {"quantity": _banded(masked.quantities, self.width, masked.rules.max_quantity, first=1)}
        )


def _banded(cells: Ranges, width: int, highest: int, *, first: int = 0) -> Ranges:
    """Return ranges that begin at ``first`` plus a multiple of the width, and at 1 or more."""
    low = (cells.low - first) // width * width + first
    high = (cells.high - first) // width * width + first + width - 1
    return _within(cells, low, high, 1, highest).without(cells.deleted)


class ItemFamilies(HistoryMasker):
    """Replace every item by its family: neighbors in the sorted list, or a common beginning."""

    size: Annotated[int, Between(2, 100), "how many neighbors of the sorted list make a family"] = (
        10
    )
    prefix: Annotated[
        int | None, AtLeast(1), "instead: how many first characters a family has in common"
    ] = None

    def touches(self) -> tuple[str, ...]:
        """Return the items."""
        return ("item",)

    def _mask(self, masked: MaskedHistory, draws: Draws) -> MaskedHistory:
        items = masked.items
        if not (items.sizes == 1).all():
            raise SettingError("ItemFamilies: the items are sets already; use it first.")
        names = items.item_ids
        if self.prefix is None:
            family = np.arange(len(names)) // self.size
        else:
            heads = [name[: self.prefix] for name in names]
            family = np.unique(heads, return_inverse=True)[1]
        starts = np.searchsorted(family, np.arange(family[-1] + 2))
        if np.diff(starts).max() > masked.rules.set_size:
            raise SettingError(
                "ItemFamilies: a family has more than {limit} items, the most that the rules allow "
                "in a set; use a smaller size or a longer prefix.",
                limit=masked.rules.set_size,
            )
        cells = np.append(family[items.members], -1)[items.cells].astype(np.int32)
        members = np.arange(len(names), dtype=np.int32)
        return masked.with_items(ItemSets(cells, starts.astype(np.int64), members, names))


class RowDeletion(HistoryMasker):
    """Delete rows at random."""

    random = True
    share: Annotated[float, Between(0, 1), "expected share of the rows that are deleted"] = 0.1

    def touches(self) -> tuple[str, ...]:
        """Return every column."""
        return ("customer", "date", "item", "price", "quantity")

    def _mask(self, masked: MaskedHistory, draws: Draws) -> MaskedHistory:
        return masked.without_rows(draws.uniform("row", masked.rows) < self.share)


class CellDeletion(HistoryMasker):
    """Delete whole columns."""

    columns: Annotated[tuple[str, ...], "the columns: date, item, price, quantity"] = ("quantity",)

    def touches(self) -> tuple[str, ...]:
        """Return the columns."""
        return self.columns

    def _mask(self, masked: MaskedHistory, draws: Draws) -> MaskedHistory:
        if set(self.columns) - {"item", *AMOUNTS}:
            raise SettingError("CellDeletion: columns are date, item, price and quantity.")
        every = np.ones(masked.rows, dtype=np.bool_)
        amounts: dict[Amount, Ranges] = {
            name: masked.amounts(name).without(every) for name in AMOUNTS if name in self.columns
        }
        masked = masked.with_amounts(amounts)
        return masked.with_items(masked.items.without(every)) if "item" in self.columns else masked


class Pseudonyms(HistoryMasker):
    """Renumber the customers in random order."""

    random = True

    def touches(self) -> tuple[str, ...]:
        """Return the customers."""
        return ("customer",)

    def _mask(self, masked: MaskedHistory, draws: Draws) -> MaskedHistory:
        kept = ~masked.gone
        old, code = np.unique(masked.pseudonyms[kept], return_inverse=True)
        numbers = np.full(masked.rows, GONE, dtype=np.int64)
        order = np.argsort(draws.uniform("customer", len(old)), kind="stable")
        numbers[kept] = (np.argsort(order, kind="stable") + 1)[code]
        return replace(masked, pseudonyms=numbers)
