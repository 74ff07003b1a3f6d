"""Rows of a file that are no records: notes around a table, and totals above and below it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.csv as pa_csv

from sudare.core import say
from sudare.engine.frames import Totals, is_total

if TYPE_CHECKING:
    from sudare.engine.formats.text.file_layout import Layout

Row = Sequence[str]
_MOST = 500  # rows of notes
_OPENING = re.compile(
    r"""\s*["'（(［\[【〔<＜]*\s*
    (?:※|注(?:[記釈]|意?\W|\s*\d|$)|備考|出典|出所|資料[:：）)］]|単位[:：]|
       (?:notes?|sources?|remarks?|footnotes?)\s*\d*\s*[:：.)\]])""",
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE = re.compile(
    r"\s*(?:\*?\d{1,2}[)）].*\D.*|.*(?:[。．]|[ぁ-ん一-龠]\.)\s*|(?=.*(?:\s\S+\s|、)).{25,})",
    re.DOTALL,
)
_INDENTED = re.compile(r"[\s\u3000]+\S")
_MOST_TOTALS = 3  # rows of totals at one end; more of them are a category


def is_note(line: str) -> bool:
    """Return whether a line begins as notes do.

    Examples
    --------
    >>> is_note("（注１）所得は総所得金額。"), is_note("Source: Statistics Bureau, 2024")
    (True, True)
    >>> is_note("1,234"), is_note("注文番号")
    (False, False)
    """
    return _OPENING.match(line) is not None


def continues_note(line: str) -> bool:
    """Return whether a line that is a single field is indented, as the rest of a note is."""
    return _INDENTED.match(line) is not None


def rows_above_header(filled: Iterable[int], usual: int) -> int | None:
    """Return how many rows are above the header: those that fill at most half of the usual cells.

    A header that is short by a name is not taken for a note. One that lacks half of its names is,
    until `rows_above_gapped_header` has looked at what follows. None where no row is a header.
    """
    for number, cells in enumerate(filled):
        if cells and cells * 2 > usual:
            return number
    return None


def rows_above_gapped_header(above: Sequence[Row], table: Sequence[Row]) -> int:
    """Return how many rows are above the header, which may be the last filled one of those above.

    It is the header where the first row of the table is a record, and where nobody can tell and
    more than the first cell is filled: no record is taken for a header in its place.

    Examples
    --------
    >>> records = [["0", "F", "51"], ["1", "M", "60"], ["2", "F", "43"]]
    >>> rows_above_gapped_header([["", "sex", ""]], records)
    0
    >>> rows_above_gapped_header([["Survey of 2024", "", ""]], [["id", "sex", "age"], *records])
    1
    """
    last = max((number for number, row in enumerate(above) if any(row)), default=None)
    if last is None or len(above[last]) != len(table[0]) or is_note(above[last][0]):
        return len(above)
    beyond_first = any(above[last][1:])
    if last < len(above) - 1 and not beyond_first:  # a title with blank rows below it
        return len(above)
    record = _is_record(*table)
    return last if record or (record is None and beyond_first) else len(above)


def _is_record(row: Row, *below: Row) -> bool | None:
    """Return whether a row is a record like those below it; None if nobody can tell.

    A record repeats a value of theirs or has a number where they have; a header has words there.
    """
    header = None
    for cell, *others in zip_longest(row, *below, fillvalue=""):
        answers = [other for other in others if other]
        numeric = sum(map(is_number, answers)) * 2 > len(answers)
        if cell and (cell in answers or (numeric and is_number(cell))):
            return True
        header = False if cell and numeric else header
    return header


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, perhaps with separators of thousands."""
    try:
        float(cell.replace(",", ""))
    except ValueError:
        return False
    return True


def usual_width(widths: Iterable[int]) -> int:
    """Return the commonest width of rows; of several, the largest."""
    counts = Counter(widths)
    return max(counts, key=lambda width: (counts[width], width), default=0)


def rows_below(table: pa.Table) -> int:
    """Return how many of the last rows are notes that fill the first cell alone, or are blank.

    Notes begin as such, with the mark of a footnote, or are sentences. Blank rows alone are
    records without an answer.
    """
    if table.num_columns < 3:
        return 0
    below = 0
    for count in range(1, min(table.num_rows, _MOST) + 1):
        first, *others = (column[-count].as_py() for column in table.columns)
        if any(cell is not None for cell in others):
            break
        if first is None:
            below = count if below == count - 1 > 0 else below
        elif is_note(str(first)) or _SENTENCE.fullmatch(str(first)):
            below = count
        elif not continues_note(str(first)):
            break
    return below


def notes_skipped(above: int, below: int = 0) -> tuple[str, ...]:
    """Return sentences on the lines of notes that were skipped."""
    sentences = []
    if above:
        sentences.append(
            say("{count} note {count:line|lines} above the header skipped", count=above)
        )
    if below:
        sentences.append(
            say("{count} note {count:line|lines} below the table or in it skipped", count=below)
        )
    return tuple(sentences)


def totals_around(table: pa.Table) -> tuple[int, int]:
    """Return how many rows above the records and below them are totals, or blank beside totals."""
    numbers = range(min(table.num_rows, 2 * _MOST_TOTALS + 1))
    above, below = _totals_at(table, numbers), _totals_at(table, [-1 - n for n in numbers])
    return (above, below) if above + below < table.num_rows else (0, 0)


def _totals_at(table: pa.Table, rows: Iterable[int]) -> int:
    """Return how many of the first of some rows are totals; blank ones that follow go with them."""
    count = totals = 0
    for number, row in enumerate(rows, 1):
        cells = [column[row].as_py() for column in table.columns]
        if is_total(cells):
            count, totals = number, totals + 1
        elif count and not any(cell not in {None, ""} for cell in cells):
            count = number
        else:
            break
    return count if totals <= _MOST_TOTALS else 0


def totals_skipped(above: int, below: int, records: int) -> tuple[str, ...]:
    """Return a sentence on totals that were left out of a table with a number of records."""
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


class SkippedRows:
    """Skips rows that are notes or totals while a file is read, and counts them.

    Attributes
    ----------
    totals
        What was said about totals; by default they are skipped.
    notes, totals_above, totals_below
        How many rows were skipped: notes, and totals above the records and below them.
    """

    def __init__(self, totals: Totals | None) -> None:
        self.totals = totals
        self.notes = self.below = self.totals_above = self.totals_below = 0

    def __call__(self, row: pa_csv.InvalidRow) -> str:
        """Return what becomes of a row with another number of fields than the header."""
        if row.actual_columns > row.expected_columns:
            return "error"
        if is_note(row.text) or (
            self.notes and row.actual_columns == 1 and continues_note(row.text)
        ):
            self.notes += 1
            return "skip"
        if self.totals != "keep" and is_total(re.split(r"[,;\t|]", row.text)):
            self.totals_below += 1
            return "skip"
        return "error"

    def last(self, table: pa.Table) -> pa.Table:
        """Return the last records of a table without what is below them."""
        below = self.below = rows_below(table)
        self.notes += below
        table = table.slice(0, table.num_rows - below)
        totals = totals_around(table)[1] if self.totals != "keep" else 0
        self.totals_below += totals
        return table.slice(0, table.num_rows - totals)

    def first(self, table: pa.Table) -> pa.Table:
        """Return the first records of a table without the totals above them."""
        self.totals_above = totals_around(table)[0] if self.totals != "keep" else 0
        return table.slice(self.totals_above)

    def added_to(self, layout: "Layout", records: int) -> "Layout":
        """Return the layout of a file, with a note on the rows that were skipped."""
        notes = [*layout.notes, *notes_skipped(0, self.notes)]
        rows = self.totals_above + records + self.totals_below
        if self.below:
            told = say(
                "{count:row|rows} {numbers} of the table {count:was|were} taken for notes; if "
                "there is a record among them, fill one of its blank cells with a word for no "
                "answer and name that word (missing; --missing).",
                count=self.below,
                numbers=str(rows + 1) if self.below == 1 else f"{rows + 1}–{rows + self.below}",
            )
            notes.append(told)
        notes.extend(totals_skipped(self.totals_above, self.totals_below, records))
        return replace(layout, notes=tuple(notes))
