"""Purchase histories from tables of purchases, such as UCI Online Retail."""

from collections.abc import Collection
from datetime import date

import numpy as np

from sudare.core.columns import Categorical, Numeric
from sudare.core.errors import ColumnError
from sudare.core.microdata import Microdata
from sudare.core.types import Codes
from sudare.engine.kinds import days_of
from sudare.transactions.history import History
from sudare.transactions.notation import EPOCH, is_item

ONLINE_RETAIL = {
    "customer": "CustomerID",
    "date": "InvoiceDate",
    "item": "StockCode",
    "price": "UnitPrice",
    "quantity": "Quantity",
}


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

    Parameters
    ----------
    data
        A table of purchases.
    customers
        Whose purchases; by default everybody's.
    last_date
        The last day.
    columns
        The table's name for customer, date, item, price and quantity.
    """
    who, what = (_labels(data, columns[name]) for name in ("customer", "item"))
    when, price, count = (_numbers(data, columns[name]) for name in ("date", "price", "quantity"))
    days = days_of(when)
    wanted = np.array([customers is None or name in customers for name in who[1]], dtype=np.bool_)
    allowed = np.array([is_item(name) for name in what[1]], dtype=np.bool_)
    cents = np.round(price.values * 100)
    kept = (who[0] >= 0) & (what[0] >= 0) & (count.values > 0) & (cents >= 1)
    kept &= days <= (last_date - EPOCH).days
    rows = np.flatnonzero(kept)
    rows = rows[wanted[who[0][rows]] & allowed[what[0][rows]]]
    return History.from_rows(
        [who[1][code] for code in who[0][rows]],
        days[rows].astype(np.int64),
        [what[1][code] for code in what[0][rows]],
        cents[rows].astype(np.int64),
        count.values[rows].astype(np.int64),
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
