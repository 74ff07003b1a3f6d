"""Lines of notes around a table: a title and a date above it, sources and remarks below it."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest

import pyarrow as pa

from sudare.core import say

Row = Sequence[str]

_MOST = 500  # rows of notes
_OPENING = re.compile(
    r"""\s*["'（(［\[【〔<＜]*\s*
    (?:※|注(?!文|射|意\w)|備考|出典|出所|資料[:：）)］]|単位[:：]|
       (?:notes?|sources?|remarks?|footnotes?)\s*\d*\s*[:：.)\]])""",
    re.IGNORECASE | re.VERBOSE,
)
_TOTAL = re.compile(
    r"\s*(?:[合総小]\s*計|計|総\s*数|(?:grand |sub-?)?totals?)\s*[:：]?\s*", re.IGNORECASE
)
_LAST = 3  # records at the end that may be totals
_INDENTED = re.compile(r"[\s\u3000]+\S")


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
        numeric = sum(map(_is_number, answers)) * 2 > len(answers)
        if cell and (cell in answers or (numeric and _is_number(cell))):
            return True
        header = False if cell and numeric else header
    return header


def _is_number(cell: str) -> bool:
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

    Blank rows alone are records without an answer.
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
        elif is_note(str(first)):
            below = count
        elif not continues_note(str(first)):
            break
    return below


def totals_noted(table: pa.Table, before: int = 0) -> tuple[str, ...]:
    """Return sentences on the last records if they may be totals: their first cell says so.

    ``before`` is the number of records before those of the table.
    """
    first = table.column(0)
    last = range(max(table.num_rows - _LAST, 0), table.num_rows)
    totals = [before + row + 1 for row in last if _TOTAL.fullmatch(str(first[row].as_py()))]
    if not totals:
        return ()
    return (
        say(
            "{count:record|records} {records} at the end may be {count:a total|totals}, not "
            "{count:a person|persons}, and {count:counts|count} as any other record; remove "
            "{count:it|them} from the file if so.",
            count=len(totals),
            records=", ".join(map(str, totals)),
        ),
    )


def second_header_noted(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return a sentence on the first record if it has words where those below have numbers."""
    if len(rows) < _LAST or any(map(_is_number, rows[0])):
        return ()
    below = rows[1:]
    named = [
        n for n, cell in enumerate(rows[0]) if cell and all(_is_number(row[n]) for row in below)
    ]
    if len(named) < 2:
        return ()
    return (
        say(
            "record 1 has words where the others have numbers and may be a second line of column "
            "names; write both lines as one, or skip the first (skip_rows)."
        ),
    )


def names_noted(names: Row, above: Row, line: int) -> tuple[str, ...]:
    """Return sentences on a header that lacks names, or has names in the line above it, too."""
    sentences = []
    lacking = sum(not name for name in names)
    if lacking:
        sentences.append(
            say(
                "line {line}, taken for the column names, has none for {count} "
                "{count:column, which is called by its number|columns, which are called by their "
                "numbers}; state how many lines precede it (skip_rows) if it is another line.",
                line=line,
                count=lacking,
            )
        )
    if len(above) == len(names) and sum(map(bool, above)) > 1 and not is_note(above[0]):
        sentences.append(
            say(
                "line {line} also has names of columns, or of groups of them, which are not used; "
                "write both lines as one if they are needed.",
                line=line - 1,
            )
        )
    return tuple(sentences)


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
