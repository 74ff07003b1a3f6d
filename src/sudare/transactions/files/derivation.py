"""Purchase histories from tables of purchases, such as UCI Online Retail."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

import numpy as np

from sudare.core import (
    Categorical,
    Codes,
    ColumnError,
    Flags,
    Floats,
    Integers,
    Message,
    Microdata,
    Numeric,
)
from sudare.engine.frames import days_of, hours_of
from sudare.transactions.files.history_files import read_history
from sudare.transactions.files.notation import EPOCH, is_customer, is_item
from sudare.transactions.history import History
from sudare.transactions.rules import ANY_YEAR, PWSCUP_2018, HistoryRules

ONLINE_RETAIL = {
    "customer": "CustomerID",
    "date": "InvoiceDate",
    "item": "StockCode",
    "price": "UnitPrice",
    "quantity": "Quantity",
}
_LAST_DAY = date(2011, 11, 30)  # of the data of the contest of 2018
_DATE = re.compile(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?:[T ]\d{1,2}:\d{2}.*)?", re.ASCII)
_TIME = re.compile(r"(?:\d{4}[/-]\d{1,2}[/-]\d{1,2}[T ])?(\d{1,2}):\d{2}.*", re.ASCII)
_WHOLE = re.compile(r"(\d+)\.0+", re.ASCII)
_LARGEST = 2**31 - 1  # hundredths, and units


@dataclass(frozen=True)
class HistoryDerivation:
    """A history that was made from a table of purchases, and what the table had besides.

    Attributes
    ----------
    history
        The purchases. Its rules fit them: dates from the first to the last year, items as long as
        the longest.
    left_out
        Why rows were left out, and how many; a row is counted once.
    unused
        The other columns of the table, which a history has no room for.
    numbered
        By column of an item whose values are mostly no codes, the values in the order of the
        numbers from 1 that stand for them.
    """

    history: History
    left_out: Mapping[str, int]
    unused: tuple[str, ...]
    numbered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def history_from(
    data: Microdata,
    *,
    columns: Mapping[str, str] | None = None,
    customers: Collection[str] | None = None,
    first_date: date | None = None,
    last_date: date | None = None,
    item_length: int | None = None,
) -> History:
    """Return the purchases of a table as a history; :func:`derive_history` says what was left out.

    Without ``columns`` the table is UCI Online Retail, and the history is made as that of the
    contest of 2018 was: up to 30 November 2011, items of at most nine characters.

    Parameters
    ----------
    data, columns, customers, first_date, last_date, item_length
        As for :func:`derive_history`.
    """
    of_the_contest = columns is None
    if columns is None:
        columns = ONLINE_RETAIL
        last_date = last_date or _LAST_DAY
        item_length = item_length or PWSCUP_2018.item_length
    history = derive_history(
        data,
        columns=columns,
        customers=customers,
        first_date=first_date,
        last_date=last_date,
        item_length=item_length,
    ).history
    return replace(history, rules=PWSCUP_2018) if of_the_contest else history


def derive_history(
    data: Microdata,
    *,
    columns: Mapping[str, str],
    customers: Collection[str] | None = None,
    first_date: date | None = None,
    last_date: date | None = None,
    item_length: int | None = None,
) -> HistoryDerivation:
    """Return the purchases of a table as a history, and how many rows were left out and why.

    Rows need a customer, an item of capital letters and digits, a quantity above 0, a price of at
    least 0.01 and a date. Prices are rounded to 0.01. Whole numbers written with a point, such as
    12346.0, count as whole. Customers that a history cannot name and quantities that are not whole
    are refused.

    Parameters
    ----------
    data
        A table of purchases.
    columns
        The table's name for customer, date, item, price and quantity. Dates are dates or times, or
        texts such as 2011/3/5 and 2011-03-05 10:30. An item may be made of several columns, such as
        "category+store+jan": its code has their values in turn, with zeros before shorter ones, so
        that maskers and attackers see them all. Of a column of times, also that of the date, it has
        the hour. A column most of whose values are no codes, such as names of shops, is numbered in
        the order of its values.
    customers
        Whose purchases; by default everybody's.
    first_date, last_date
        The first and the last day; by default all.
    item_length
        Most characters of an item; by default items are of any length.

    """
    parts = item_columns(columns["item"])
    who = _labels(data, columns["customer"])
    codes, numbered = _codes({name: _item_labels(data, name) for name in parts})
    what = _joined(codes)
    price, count = (_numbers(data, columns[name]) for name in ("price", "quantity"))
    days = _days(data, columns["date"])
    cents = np.round(price.values * 100)
    longest = item_length or max(map(len, what[1]), default=1)
    wrong = (
        (Message("no customer"), who[0] < 0),
        (Message("another customer"), ~_among(who, customers)),
        (Message("no date"), np.isnan(days)),
        (Message("before the first day"), days < _day_number(first_date, -np.inf)),
        (Message("after the last day"), days > _day_number(last_date, np.inf)),
        (Message("no item"), what[0] < 0),
        (
            Message("an item that is not made of capital letters and digits, or too long"),
            ~_flags(what, lambda name: is_item(name, longest)),
        ),
        (
            Message("no price, or one below 0.01 or above 21474836.47"),
            ~((cents >= 1) & (cents <= _LARGEST)),
        ),
        (
            Message("no quantity, or one of 0 or less or above 2147483647"),
            ~((count.values > 0) & (count.values <= _LARGEST)),
        ),
    )
    left_out = {}
    kept = np.ones(data.records, dtype=np.bool_)
    for reason, rows in wrong:
        left_out[reason.template] = int(np.count_nonzero(kept & rows))
        kept &= ~rows
    if not kept.any():
        raise ColumnError(
            "no row has a customer, an item of capital letters and digits, a price and a quantity "
            "above 0, and a date within the limits."
        )
    rows = np.flatnonzero(kept)
    _check_customers(columns["customer"], [who[1][code] for code in np.unique(who[0][rows])])
    _check_whole(columns["quantity"], count.values[rows])
    history = History.from_rows(
        [who[1][code] for code in who[0][rows]],
        days[rows].astype(np.int64),
        [what[1][code] for code in what[0][rows]],
        cents[rows].astype(np.int64),
        count.values[rows].astype(np.int64),
    )
    used = {*columns.values(), *parts}
    unused = tuple(column.name for column in data.columns if column.name not in used)
    reasons = {reason: number for reason, number in left_out.items() if number}
    fitting = replace(history, rules=fitting_rules(history))
    return HistoryDerivation(fitting, reasons, unused, numbered)


def read_any_history(path: str | os.PathLike[str]) -> History:
    """Read a history in the format of the contest, of any years; its rules fit it.

    Parameters
    ----------
    path
        Lines ``customer,date,item,price,quantity`` without a header.
    """
    history = read_history(path, rules=ANY_YEAR)
    return replace(history, rules=fitting_rules(history))


def fitting_rules(history: History) -> HistoryRules:
    """Return the rules of 2018 with limits that a history keeps: its years, items and amounts."""
    years = [(EPOCH + timedelta(days=int(day))).year for day in _ends(history.dates)]
    return replace(
        PWSCUP_2018,
        first_date=date(years[0], 1, 1),
        last_date=date(years[1], 12, 31),
        item_length=max(PWSCUP_2018.item_length, *map(len, history.item_ids)),
        max_price_cents=_limit(history.prices, PWSCUP_2018.max_price_cents),
        max_quantity=_limit(history.quantities, PWSCUP_2018.max_quantity),
    )


def _ends(values: Integers) -> tuple[int, int]:
    return int(values.min()), int(values.max())


def _limit(values: Integers, usual: int) -> int:
    """Return the usual limit, or nines for as many digits as the largest value has."""
    digits = len(str(_ends(values)[1]))
    return min(max(usual, int("9" * digits)), _LARGEST)


def _among(who: tuple[Codes, tuple[str, ...]], customers: Collection[str] | None) -> Flags:
    wanted = None if customers is None else set(customers)
    return _flags(who, lambda name: wanted is None or name in wanted)


def _flags(labeled: tuple[Codes, tuple[str, ...]], holds: Callable[[str], bool]) -> Flags:
    """Return for every row whether something holds of its label; not of a missing one."""
    codes, labels = labeled
    return np.array([*map(holds, labels), False], dtype=np.bool_)[codes]


def _day_number(day: date | None, default: float) -> float:
    return default if day is None else (day - EPOCH).days


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
    wrong = np.count_nonzero(quantities != np.floor(quantities))
    if wrong:
        raise ColumnError(
            "column '{column}': {count} {count:quantity is not a whole number|quantities are "
            "not whole numbers}; round them, or leave those rows out.",
            column=column,
            count=wrong,
        )


def _labels(data: Microdata, name: str) -> tuple[Codes, tuple[str, ...]]:
    """Return the labels of a column; 12346.0 is the same customer or item as 12346."""
    column = data[name]
    if isinstance(column, Categorical):
        labels = [_WHOLE.sub(r"\1", str(label)) for label in column.labels]
        distinct, number = np.unique(np.array(labels, dtype=object), return_inverse=True)
        return np.append(number, -1).astype(np.int32)[column.codes], tuple(distinct.tolist())
    raise ColumnError("column '{column}' holds numbers; read it on a nominal scale.", column=name)


def item_columns(name: str) -> list[str]:
    """Return the columns that an item is made of: one, or several with + between them.

    Examples
    --------
    >>> item_columns("category+jan")
    ['category', 'jan']
    """
    return name.split("+")


def _item_labels(data: Microdata, name: str) -> tuple[Codes, tuple[str, ...]]:
    """Return the labels of a column that items are made of; of times, the hour."""
    column = data[name]
    hours = hours_of(column) if isinstance(column, Numeric) else None
    if hours is not None:
        return np.nan_to_num(hours, nan=-1).astype(np.int32), tuple(f"{h:02}" for h in range(24))
    codes, labels = _labels(data, name)
    times = [_TIME.fullmatch(label) for label in labels]
    if not labels or None in times:
        return codes, labels
    return codes, tuple(match[1].zfill(2) for match in times if match)


def _codes(
    parts: Mapping[str, tuple[Codes, tuple[str, ...]]],
) -> tuple[list[tuple[Codes, tuple[str, ...]]], dict[str, tuple[str, ...]]]:
    """Return columns with numbers for values that are mostly no codes, and those values."""
    numbered = {
        name: labels
        for name, (_, labels) in parts.items()
        if 2 * sum(is_item(label, len(label)) for label in labels) < len(labels)
    }
    coded = [
        (codes, tuple(map(str, range(1, len(labels) + 1))) if name in numbered else labels)
        for name, (codes, labels) in parts.items()
    ]
    return coded, numbered


def _joined(parts: Sequence[tuple[Codes, tuple[str, ...]]]) -> tuple[Codes, tuple[str, ...]]:
    """Return labels made of those of several columns, with zeros before the shorter ones."""
    if len(parts) == 1:
        return parts[0]
    table, names = np.stack([codes for codes, _ in parts]), [labels for _, labels in parts]
    distinct, number = np.unique(table, axis=1, return_inverse=True)
    widths = [max(map(len, labels), default=0) for labels in names]
    joined = [
        "".join((*own, "")[at].rjust(w, "0") for at, own, w in zip(row, names, widths, strict=True))
        for row in distinct.T
    ]
    labels, code = np.unique(np.array(joined, dtype=object), return_inverse=True)
    missing = (table < 0).any(axis=0)
    return np.where(missing, -1, code[number]).astype(np.int32), tuple(labels.tolist())


def _numbers(data: Microdata, name: str) -> Numeric:
    column = data[name]
    if not isinstance(column, Numeric):
        raise ColumnError("column '{column}' does not hold numbers.", column=name)
    return column
