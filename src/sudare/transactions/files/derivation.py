"""Purchase histories from tables of purchases, such as UCI Online Retail."""

import re
from collections.abc import Collection, Iterable
from datetime import date

import numpy as np

from sudare.core import Categorical, Codes, ColumnError, Floats, Microdata, Numeric
from sudare.engine.frames import days_of
from sudare.transactions.files.notation import EPOCH, is_customer, is_item
from sudare.transactions.history import History

ONLINE_RETAIL = {
    "customer": "CustomerID",
    "date": "InvoiceDate",
    "item": "StockCode",
    "price": "UnitPrice",
    "quantity": "Quantity",
}
_DATE = re.compile(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})", re.ASCII)
_LARGEST = 1e12  # far beyond what a contest takes, and within what whole numbers hold


def history_from(
    data: Microdata,
    *,
    customers: Collection[str] | None = None,
    last_date: date = date(2011, 11, 30),
    columns: dict[str, str] = ONLINE_RETAIL,
) -> History:
    """Return the purchases of a table, as the history of the 2018 contest was made.

    Kept are rows with a customer, a positive quantity, a price of at least 0.01, a date not after
    ``last_date`` and an item of 1 to 9 capital letters and digits. Prices are rounded to 0.01.
    Customers that a history cannot name and quantities that are not whole are refused.

    Parameters
    ----------
    data
        A table of purchases.
    customers
        Whose purchases; by default everybody's.
    last_date
        The last day.
    columns
        The table's name for customer, date, item, price and quantity. Dates are dates or times, or
        texts such as 2011/3/5.
    """
    who, what = (_labels(data, columns[name]) for name in ("customer", "item"))
    price, count = (_numbers(data, columns[name]) for name in ("price", "quantity"))
    days = _days(data, columns["date"])
    wanted = np.array([customers is None or name in customers for name in who[1]], dtype=np.bool_)
    allowed = np.array([is_item(name) for name in what[1]], dtype=np.bool_)
    cents = np.round(np.minimum(price.values, _LARGEST) * 100)
    kept = (who[0] >= 0) & (what[0] >= 0) & (count.values > 0) & (cents >= 1)
    kept &= days <= (last_date - EPOCH).days
    rows = np.flatnonzero(kept)
    rows = rows[wanted[who[0][rows]] & allowed[what[0][rows]]]
    if not rows.size:
        raise ColumnError(
            "no row has a customer, an item of 1 to 9 capital letters and digits, a price and a "
            "quantity above 0, and a date up to {last}.",
            last=last_date,
        )
    _check_customers(columns["customer"], [who[1][code] for code in np.unique(who[0][rows])])
    _check_whole(columns["quantity"], count.values[rows])
    return History.from_rows(
        [who[1][code] for code in who[0][rows]],
        days[rows].astype(np.int64),
        [what[1][code] for code in what[0][rows]],
        cents[rows].astype(np.int64),
        count.values[rows].astype(np.int64),
    )


def _days(data: Microdata, name: str) -> Floats:
    """Return days since 1970; NaN where there is no date."""
    column = data[name]
    if isinstance(column, Numeric):
        return days_of(column)
    codes, labels = _labels(data, name)
    days = [_day(label) for label in labels]
    if None in days:
        raise ColumnError(
            "column '{column}': {count} {count:value is not a date|values are not dates}; write "
            "them as 2011-03-05 or 2011/3/5.",
            column=name,
            count=days.count(None),
        )
    return np.array([*days, np.nan], dtype=np.float64)[np.where(codes >= 0, codes, -1)]


def _day(text: str) -> int | None:
    match = _DATE.fullmatch(text.strip())
    try:
        return (date(*map(int, match.groups())) - EPOCH).days if match else None
    except ValueError:
        return None


def _check_customers(column: str, names: Iterable[str]) -> None:
    wrong = sum(not is_customer(name) for name in names)
    if wrong:
        raise ColumnError(
            "column '{column}': {count} {count:customer name is|customer names are} not made of "
            "1 to 20 letters A to Z, a to z and digits; rename them first.",
            column=column,
            count=wrong,
        )


def _check_whole(column: str, quantities: Floats) -> None:
    wrong = np.count_nonzero((quantities != np.floor(quantities)) | (quantities > _LARGEST))
    if wrong:
        raise ColumnError(
            "column '{column}': {count} {count:quantity is not a whole number|quantities are "
            "not whole numbers}; round them, or leave those rows out.",
            column=column,
            count=wrong,
        )


def _labels(data: Microdata, name: str) -> tuple[Codes, tuple[str, ...]]:
    column = data[name]
    if not isinstance(column, Categorical):
        raise ColumnError(
            "column '{column}' holds numbers; read it on a nominal scale.", column=name
        )
    return column.codes, tuple(map(str, column.labels))


def _numbers(data: Microdata, name: str) -> Numeric:
    column = data[name]
    if not isinstance(column, Numeric):
        raise ColumnError("column '{column}' does not hold numbers.", column=name)
    return column
