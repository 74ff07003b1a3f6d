"""Totals above and below the records of a table: they are no persons."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

import pyarrow as pa

from sudare.core import say

_MOST = 3  # rows of totals at one end; more of them are a category
_TOTAL = re.compile(
    r"(?:総?合計|[総小累]計|計|総数|(?:grand|sub)?-?totals?|平均値?|average)値?"
    r"(?::|\(.*\))?"
)


def is_total(cells: Sequence[object]) -> bool:
    """Return whether a row is one of totals: its first word says so, and no other follows.

    Examples
    --------
    >>> is_total(["合　計", None, "1,234"]), is_total([None, "Total", "12.5"])
    (True, True)
    >>> is_total(["計", "一郎", "51"]), is_total(["合計特殊出生率", "1.2"])
    (False, False)
    """
    texts = [unicodedata.normalize("NFKC", str(cell)) for cell in cells if cell not in {None, ""}]
    first, *others = ["".join(text.split()).lower() for text in texts] or [""]
    return _TOTAL.fullmatch(first) is not None and not any(map(_is_word, others))


def _is_word(text: str) -> bool:
    return any(map(str.isalpha, text)) and not any(map(str.isdigit, text))


def totals_around(table: pa.Table) -> tuple[int, int]:
    """Return how many rows above the records and below them are totals, or blank beside totals."""
    rows = table.num_rows
    numbers = range(min(rows, 2 * _MOST + 1))
    above = _leading(_cells(table, number) for number in numbers)
    below = _leading(_cells(table, rows - 1 - number) for number in numbers)
    return (above, below) if above + below < rows else (0, 0)


def _cells(table: pa.Table, row: int) -> list[object]:
    return [column[row].as_py() for column in table.columns]


def _leading(rows: Iterable[Sequence[object]]) -> int:
    """Return how many of the first rows are totals; blank rows that follow totals go with them."""
    count = totals = 0
    for number, cells in enumerate(rows, 1):
        if is_total(cells):
            count, totals = number, totals + 1
        elif count and not any(cell not in {None, ""} for cell in cells):
            count = number
        else:
            break
    return count if totals <= _MOST else 0


def totals_skipped(above: int, below: int, records: int) -> tuple[str, ...]:
    """Return a sentence on totals that were left out of a table with so many records."""
    numbers = [*range(1, above + 1), *range(above + records + 1, above + records + below + 1)]
    if not numbers:
        return ()
    return (
        say(
            "{count:row|rows} {numbers} of the table {count:is a total, not a person, and was|are "
            "totals, not persons, and were} left out; if {count:it is a record|they are records}, "
            "state totals = 'keep' (--totals keep).",
            count=len(numbers),
            numbers=", ".join(map(str, numbers)),
        ),
    )
