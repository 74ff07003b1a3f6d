"""How a delimited file is laid out: encoding, separator and lines of names, found or given."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Unpack

from sudare.core import InputError, SettingError, say
from sudare.engine.formats.text.encoding import assumption_noted, find_encoding
from sudare.engine.formats.text.header_lines import (
    header_rows,
    marks_noted,
    names_noted,
    names_on,
    record_noted,
    second_line_noted,
)
from sudare.engine.formats.text.skipped_rows import (
    notes_skipped,
    rows_above_gapped_header,
    rows_above_header,
    usual_width,
)
from sudare.engine.frames import FileOptions, Totals

LONGEST_ROW = 1 << 24  # bytes; a longer one is a quote that was never closed
MOST_NOTES = 500  # lines
_HEAD = 1 << 16  # characters looked at to find the layout
_SEPARATORS = ",;\t|"


@dataclass(frozen=True)
class Layout:
    """How a delimited file is laid out."""

    encoding: str
    separator: str
    skip_rows: int
    names: tuple[str, ...]
    header_rows: int = 1
    blank_rows: int = 0  # among the lines of names
    totals: Totals | None = None  # what becomes of them, if it was said
    notes: tuple[str, ...] = ()
    first: tuple[tuple[str, ...], ...] = field(default=(), repr=False)  # records, as text

    def as_read(self) -> FileOptions:
        """Return how the file is read, as :func:`sudare.read` takes it; what is usual left out."""
        options = FileOptions(
            encoding=self.encoding, separator=self.separator, skip_rows=self.skip_rows
        )
        if self.header_rows != 1:
            options["header_rows"] = self.header_rows
        if self.totals is not None:
            options["totals"] = self.totals
        return options


def layout_of(path: Path, **file: Unpack[FileOptions]) -> Layout:
    """Return how a delimited file is laid out, as found or given, without reading it all."""
    check_separator(file.get("separator"))
    with long_fields():
        return find_layout(path, **file)


def find_layout(path: Path, **file: Unpack[FileOptions]) -> Layout:
    """Find what was not given: encoding, separator, and the lines of the header."""
    encoding, skip_rows = file.get("encoding"), file.get("skip_rows")
    actual = find_encoding(path, encoding)
    lines = _head(path, actual, skip_rows or 0)
    separator = file.get("separator") or find_separator(lines[skip_rows or 0 :])
    skipped = _find_header(lines, separator, skip_rows)
    above = _first_row(lines[skipped - 1 :], separator) if skipped and skip_rows is None else []
    below = split_rows(lines[skipped:], separator)[:-1]  # the last may go on beyond the head
    skipped, count = header_rows(below, skipped, above, file.get("header_rows"))
    rows, blank = _rows_and_blank(lines[skipped:], separator, count)
    row = names_on(rows, count) if rows else []
    names = tuple(name or say("column {number}", number=n) for n, name in enumerate(row, 1))
    if not any(row) and (count or not row):
        raise InputError(
            "'{path}' has no line of column names, or one longer than {limit} characters.",
            path=str(path),
            limit=LONGEST_ROW,
        )
    assumed = encoding is None and actual not in {"utf-8", "utf-8-sig"}
    notes = assumption_noted(path, actual) if assumed else []
    whole = tuple(tuple(cells) for cells in rows[count:-1] if len(cells) == len(names))
    if skip_rows is None:
        notes.extend(notes_skipped(skipped))
    if count and (skip_rows is None or count > 1):
        told = count if file.get("header_rows") is None else 1
        notes.extend(names_noted(row, above if count == 1 else [], skipped + 1, told))
    if file.get("header_rows") is None:
        notes.extend(second_line_noted(whole) or record_noted(row, whole, skipped + 1, count))
    notes.extend(marks_noted(names, whole) if separator == ";" else ())
    return Layout(
        actual, separator, skipped, names, count, blank, file.get("totals"), tuple(notes), whole
    )


def _rows_and_blank(
    lines: Sequence[str], separator: str, count: int
) -> tuple[list[list[str]], int]:
    """Return the filled rows, and how many blank ones there are among the first ``count``."""
    filled: list[list[str]] = []
    blank = 0
    with suppress(csv.Error):
        for row in csv.reader(lines, delimiter=separator):
            if row:
                filled.append(row)
            elif len(filled) < count:
                blank += 1
    return filled, blank


def check_separator(separator: str | None) -> None:
    """Refuse a separator that no file can have."""
    if separator is not None and (
        len(separator) != 1 or separator in '"\r\n' or not separator.isascii()
    ):
        raise SettingError("separator must be one plain character, not a quote or a line end.")


@contextmanager
def long_fields() -> Iterator[None]:
    """Let the csv module take fields as long as Arrow does."""
    usual = csv.field_size_limit(LONGEST_ROW)
    try:
        yield
    finally:
        csv.field_size_limit(usual)


def _head(path: Path, encoding: str, skip_rows: int) -> list[str]:
    """Return the lines to be skipped and the first ones after them."""
    lines: list[str] = []
    size = 0
    with path.open(encoding=encoding, newline="") as file:
        for line in bounded(file):
            if size > _HEAD or len(line) > LONGEST_ROW:
                break
            lines.append(line)
            size += len(line) if len(lines) > skip_rows else 0
    return lines


def _find_header(lines: Sequence[str], separator: str, skip_rows: int | None) -> int:
    """Return the number of lines above the header.

    Blank lines are above it, and so are note lines, unless it was said how many to skip.
    """
    usual = usual_width(map(len, split_rows(lines, separator))) if skip_rows is None else 0
    start = skip_rows or 0
    filled = (
        sum(map(bool, _first_row(lines[number:], separator)))
        for number in range(start, min(len(lines), start + MOST_NOTES))
    )
    above = rows_above_header(filled, usual)
    if not above:
        return start
    first = [_first_row(lines[number:], separator) for number in range(start, start + above)]
    return start + rows_above_gapped_header(first, split_rows(lines[start + above :], separator))


def _first_row(lines: Sequence[str], separator: str) -> list[str]:
    with suppress(csv.Error):
        return next(csv.reader(lines, delimiter=separator), [])
    return []


def bounded(file: io.TextIOBase) -> Iterator[str]:
    """Yield lines, cut where a line is longer than any row may be."""
    while line := file.readline(2 * LONGEST_ROW):
        yield line


def find_separator(lines: Sequence[str]) -> str:
    r"""Return the separator that splits most lines into the same number of fields, over one.

    Of several that do, a mark that is part of labels and numbers wherever it stands, as in
    "[0, 10)" and "1,5", comes last. Then a tab comes before a comma, and a comma before the mark
    that gives most fields.

    Examples
    --------
    >>> find_separator(["age;class\n", "7;[0, 10)\n", "12;[10, 20)\n"])
    ';'
    """
    text = "".join(lines)

    def fitness(mark: str) -> tuple[int, bool, bool, bool, int]:
        widths = Counter(len(row) for row in split_rows(lines, mark) if len(row) > 1)
        count, width = max(((n, width) for width, n in widths.items()), default=(0, 0))
        return count, not _is_inside(mark, text), mark == "\t", mark == ",", width

    return max(_SEPARATORS, key=fitness)


def split_rows(lines: Sequence[str], separator: str) -> list[list[str]]:
    """Return the fields of the lines, as far as they can be split; blank lines do not count."""
    rows: list[list[str]] = []
    with suppress(csv.Error):  # a quote that was never closed; reading will say where
        rows.extend(row for row in csv.reader(lines, delimiter=separator) if row)
    return rows


def _is_inside(mark: str, text: str) -> bool:
    """Return whether a mark is always followed by a space or stands between digits."""
    m = re.escape(mark)
    return re.search(rf"{m}(?! )(?!(?<=\d{m})\d)", text, re.ASCII) is None
