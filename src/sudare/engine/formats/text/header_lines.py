"""Names of columns on one line or on several, which are then joined."""

import re
from collections.abc import Sequence
from itertools import pairwise, zip_longest

from sudare.core import say, visible_text
from sudare.engine.formats.text.skipped_rows import Row, is_note, is_number
from sudare.engine.frames import is_total

_LEAST = 3  # records needed to recognize a second line of names
_COMMA = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}")
_POINT = re.compile(r"-?[1-9][0-9]{0,2}(\.[0-9]{3})?|0")
_MOSTLY = 0.9  # share of numbers in a column of them
_NO_NAMES = {"不詳", "不明", "非該当", "無回答", "未回答", "欠測", "N/A", "n/a", "NA", "missing"}


def joined_names(rows: Sequence[Row]) -> list[str]:
    """Return the names of columns from lines of names, the name of a group before its columns'.

    A group of columns has its name above the first; the name of a column that belongs to none has
    nothing below it.

    Examples
    --------
    >>> joined_names([["id", "men", "", "women", ""], ["", "number", "pay", "number", "pay"]])
    ['id', 'men_number', 'men_pay', 'women_number', 'women_pay']
    """
    *above, last = rows
    names = [visible_text(cell) for cell in last]
    for row in reversed(above):
        group, lines = "", zip_longest(map(visible_text, row), names, fillvalue="")
        joined = []
        for cell, name in lines:
            group = cell if cell and name else ("" if cell else group)
            own = cell or (group if name else "")
            joined.append("_".join(dict.fromkeys(part for part in (own, name) if part)))
        names = joined
    return names


def names_on(rows: Sequence[Row], count: int) -> list[str]:
    """Return the names on the first lines; without any, a blank one for each column."""
    return joined_names(rows[:count]) if count else [""] * len(rows[0])


def header_rows(
    rows: Sequence[Row], skipped: int, above: Row, given: int | None
) -> tuple[int, int]:
    """Return the number of lines above the names, and how many rows of names there are.

    Two are found where the first record has words where the others have numbers, and where the
    names repeat or lack and the line above has some, too.

    Parameters
    ----------
    rows
        The line that was taken for the names, and those below it.
    skipped, above
        How many lines are above it, and the last of these.
    given
        How many rows of names there are, if that was said.
    """
    names, *records = rows or [[]]
    also_above = _has_names_above(names, above)
    if given is not None:
        return (skipped - 1 if also_above and given > 1 else skipped), given
    whole = [cells for cells in records if len(cells) == len(names)]
    if len(_second_names(whole, gapped=list(names).count("") > 1)) > 1:
        return skipped, 2
    if also_above and (not all(names) or len(set(names)) < len(names)):
        return skipped - 1, 2
    return skipped, 1


def _second_names(records: Sequence[Row], *, gapped: bool = False) -> set[str]:
    """Return the words of the first record if it has some where those below it have numbers.

    Below a line that lacks names, they may recur: a box that was ticked has the name of its column.
    """
    if len(records) < _LEAST or any(map(is_number, records[0])):
        return set()
    first, *below = [row for number, row in enumerate(records) if not (number and is_total(row))]
    named = [n for n, cell in enumerate(first) if cell and _numbers([row[n] for row in below])]
    repeated = any(cell and any(row[n] == cell for row in below) for n, cell in enumerate(first))
    if (repeated and not gapped) or any(first[n] in _NO_NAMES for n in named) or len(named) < 2:
        return set()  # a record whose numbers are not known
    return {cell for cell in first if cell}


def _numbers(cells: Sequence[str]) -> bool:
    """Return whether cells are numbers, but for blanks and a few words for no answer."""
    filled = [cell for cell in cells if cell]
    return sum(map(is_number, filled)) >= max(_LEAST - 1, _MOSTLY * len(filled))


def _has_names_above(names: Row, above: Row) -> bool:
    """Return whether the line above the names has names, too: of columns or of groups of them."""
    return len(above) == len(names) and sum(map(bool, above)) > 1 and not is_note(above[0])


def names_noted(names: Row, above: Row, line: int, rows: int) -> tuple[str, ...]:
    """Return sentences on a header that lacks names, or that is on several lines.

    Parameters
    ----------
    names
        The names, joined from so many ``rows`` that begin with that ``line`` of the file.
    above
        The line above them.
    """
    sentences = []
    lacking = sum(not name for name in names)
    if lacking:
        sentences.append(
            say(
                "line {line}, taken for the column names, has none for {count} "
                "{count:column, which is called by its number|columns, which are called by their "
                "numbers}; state how many lines precede it (skip_rows) if it is another line, or "
                "header_rows = 2 (--header-rows 2) if the names go on in the next line.",
                line=line,
                count=lacking,
            )
        )
    if rows > 1:
        sentences.append(
            say(
                "the column names are joined from {rows} lines, from line {line} on; state "
                "skip_rows and header_rows = 1 (--header-rows 1) if one of them has the names.",
                rows=rows,
                line=line,
            )
        )
    elif _has_names_above(names, above):
        sentences.append(
            say(
                "line {line} also has names of columns, or of groups of them, which are not used; "
                "state header_rows = 2 (--header-rows 2) to join both lines.",
                line=line - 1,
            )
        )
    return tuple(sentences)


def record_noted(names: Row, records: Sequence[Row], line: int, rows: int) -> tuple[str, ...]:
    """Return a sentence on a line of names that may be a record: most are values of their columns.

    A box that was ticked has the name of its column, and nothing else. Names that are all numbers
    may be a record, too, unless they count on as years do.
    """
    if len(records) < _LEAST or rows != 1:
        return ()
    columns = [set(cells) - {""} for cells in zip(*records, strict=True)]
    values = sum(
        name in cells and len(cells) > 1 for name, cells in zip(names, columns, strict=True)
    )
    if values * 2 <= len(names) and not _are_readings(names, columns):
        return ()
    return (
        say(
            "line {line}, taken for the column names, looks like a record; if it is one, state "
            "header_rows = 0 (--header-rows 0), and the columns are called by their numbers.",
            line=line,
        ),
    )


def marks_noted(names: Row, records: Sequence[Row]) -> tuple[str, ...]:
    """Return sentences on columns whose commas or points could be the other mark: 1,250 or 1.250.

    Nearly all decimal numbers have other counts of digits, too; thousands have whole ones below.
    """
    sentences = []
    for name, *cells in zip(names, *records, strict=True):
        filled = [cell for cell in cells if cell]
        if filled and all(map(_COMMA.fullmatch, filled)):
            told = say(
                "column '{column}': commas before three digits are read as separators of thousands "
                "(1,250 is 1250); if they are decimal marks, write points in the file.",
                column=name,
            )
            sentences.append(told)
        elif "." in "".join(filled) and all(map(_POINT.fullmatch, filled)):
            told = say(
                "column '{column}': points before three digits are read as decimal marks (1.250 is "
                "1.25); if they separate thousands, take them out of the file.",
                column=name,
            )
            sentences.append(told)
    return tuple(sentences)


def _are_readings(names: Row, columns: Sequence[set[str]]) -> bool:
    """Return whether names are numbers above numbers, and do not count on by a fixed step."""
    if not all(map(is_number, names)) or not all(_numbers(list(cells)) for cells in columns):
        return False
    numbers = [float(name.replace(",", "")) for name in names]
    steps = {second - first for first, second in pairwise(numbers)}
    return len(steps) > 1


def second_line_noted(records: Sequence[Row]) -> tuple[str, ...]:
    """Return a sentence on a first record that may be a second line of names."""
    if not _second_names(records):
        return ()
    return (
        say(
            "record 1 has words where the others have numbers; state header_rows = 2 "
            "(--header-rows 2) if it is a second line of column names."
        ),
    )
