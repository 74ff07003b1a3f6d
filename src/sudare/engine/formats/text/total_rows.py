"""Totals above and below the records of a table: they are no persons."""

from collections.abc import Iterable, Sequence

import pyarrow as pa

from sudare.core import say
from sudare.engine.frames import is_total

_MOST = 3  # rows of totals at one end; more of them are a category


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
