"""From a file of purchases to the project of a history."""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from sudare.engine import TEXT
from sudare.release.project import history_project, project_history
from sudare.transactions import COLUMNS
from sudare.transactions.files import Problems, is_history_line, lines_of
from sudare.web import ReportProgress

HISTORY_OPENING = "open-history"  # what jobs call the work
_LONGEST_LINE = 8000  # characters
_WORDS: Mapping[str, tuple[str, ...]] = {
    "customer": ("customer", "member", "user", "client", "card", "顧客", "会員", "利用者"),
    "date": ("date", "day", "time", "bought", "日付", "日時", "年月日", "購入日"),
    "item": ("item", "stock", "product", "goods", "jan", "sku", "商品", "品目"),
    "price": ("price", "unit_price", "unitprice", "amount", "単価", "価格", "金額"),
    "quantity": ("quantity", "units", "count", "qty", "数量", "個数"),
}


def is_contest_format(path: Path) -> bool:
    """Return whether a file begins with a purchase, as a history without a header does."""
    if not path.is_file() or path.suffix.lower() not in TEXT:
        return False
    first = next(iter(lines_of(path, longest=_LONGEST_LINE, problems=Problems())), None)
    return first is not None and is_history_line(first[1])


def guessed_columns(names: Sequence[str]) -> dict[str, str]:
    """Return which column of a table is probably the customer, the date and so on.

    Examples
    --------
    >>> guessed_columns(["CustomerID", "InvoiceDate", "StockCode", "UnitPrice", "Quantity"])["item"]
    'StockCode'
    """
    guessed: dict[str, str] = {}
    for wanted in COLUMNS:
        fitting = [
            name
            for word in _WORDS[wanted]
            for name in names
            if word in name.lower() and name not in guessed.values()
        ]
        guessed[wanted] = fitting[0] if fitting else ""
    return guessed


def create_history_project(
    report: ReportProgress,
    path: Path,
    columns: Mapping[str, str] | None,
    days: tuple[date | None, date | None],
) -> str:
    """Make the project of a purchase history, and return where it is; a job.

    Parameters
    ----------
    report
        Told how far the work has come.
    path
        A file in the format of the contest, or a table of purchases.
    columns
        The table's names of customer, date, item, price and quantity; None for the format of the
        contest.
    days
        The first and the last day, where they are limited.
    """
    report("Reading the purchases", 0.1)
    project = history_project(path, columns=columns, first_date=days[0], last_date=days[1])
    project_history(project)  # refused here, before there is a project
    return str(project.save().path)
