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
    (?:※|注(?:[記釈]|意?\W|\s*\d|$)|備考|出典|出所|資料[:：）)］]|単位[:：]|
       (?:notes?|sources?|remarks?|footnotes?)\s*\d*\s*[:：.)\]])""",
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE = re.compile(
    r"\s*(?:\*?\d{1,2}[)）].*\D.*|.*(?:[。．]|[ぁ-ん一-龠]\.)\s*|(?=.*(?:\s\S+\s|、)).{25,})",
    re.DOTALL,
)
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


def notes_named(rows: int, below: int) -> tuple[str, ...]:
    """Return a sentence on the notes below so many rows that are as wide as the table."""
    if not below:
        return ()
    return (
        say(
            "{count:row|rows} {numbers} of the table {count:was|were} taken for notes; if there is "
            "a record among them, fill one of its blank cells with a word for no answer and name "
            "that word (missing; --missing).",
            count=below,
            numbers=str(rows + 1) if below == 1 else f"{rows + 1}–{rows + below}",
        ),
    )


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
