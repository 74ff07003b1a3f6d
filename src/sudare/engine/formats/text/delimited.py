"""CSV and TSV: encoding, separator and header found or given; ragged rows refused by line."""

import csv
import io
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pa_csv

from sudare.core import (
    InputError,
    SettingError,
    check_names,
    say,
)
from sudare.engine.formats.text.decimal_columns import decimal_columns, look_at_bytes, nothing_lost
from sudare.engine.formats.text.encoding import find_encoding
from sudare.engine.formats.text.note_lines import (
    continues_note,
    is_note,
    names_noted,
    notes_skipped,
    rows_above_gapped_header,
    rows_above_header,
    rows_below,
    second_header_noted,
    totals_noted,
    usual_width,
)
from sudare.engine.formats.text.separators import find_separator, split_rows
from sudare.engine.frames import DECIMALS

_HEAD = 1 << 16  # characters looked at to find the layout
_MOST_NOTES = 500  # lines
_BLOCK = 1 << 20  # bytes that are read at once
_LONGEST_ROW = 1 << 24  # bytes; a longer one is a quote that was never closed


@dataclass(frozen=True)
class Layout:
    """How a delimited file is laid out."""

    encoding: str
    separator: str
    skip_rows: int
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    first: tuple[tuple[str, ...], ...] = field(default=(), repr=False)  # records, as text

    def with_notes_below(self, count: int, totals: Sequence[str] = ()) -> "Layout":
        """Return the layout of a table that had lines of notes below its records or among them.

        ``totals`` are sentences on records that may be totals.
        """
        return replace(self, notes=(*self.notes, *notes_skipped(0, count), *totals))


def read_delimited(
    path: Path,
    *,
    encoding: str | None,
    separator: str | None,
    skip_rows: int | None,
    as_numbers: Callable[[str], bool] = lambda _: False,
) -> tuple[pa.Table, Layout]:
    """Return a delimited file as text, and how it is laid out.

    An empty line is not a record, except in a file of one column, where it is a missing value.
    Columns of decimals, if they are wanted ``as_numbers``, are numbers where nothing is lost.
    """
    _check_file(path, separator)
    with _long_fields():
        layout = find_layout(path, encoding, separator, skip_rows)
        skipped = SkippedNotes()
        table = _read_decimals(path, layout, skipped, as_numbers)
        if table is None:
            skipped = SkippedNotes()
            try:
                table = _read(path, layout, skipped)
            except pa.ArrowInvalid:
                raise _reason(path, layout) from None
            if _ends_in_quotes(path, table):
                raise _reason(path, layout)
    below = rows_below(table)
    table = table.slice(0, table.num_rows - below)
    return table, layout.with_notes_below(skipped.count + below, totals_noted(table))


def scan_delimited(
    path: Path,
    use: Callable[[Iterator[pa.Table]], None],
    *,
    encoding: str | None,
    separator: str | None,
    skip_rows: int | None,
) -> Layout:
    """Let a delimited file be used block by block, as text, and return how it is laid out."""
    _check_file(path, separator)
    last: list[pa.Table] = []
    rows: list[int] = []
    skipped = SkippedNotes()

    def blocks(layout: Layout) -> Iterator[pa.Table]:
        with pa_csv.open_csv(path, **_options(layout, skipped)) as reader:
            for batch in reader:
                if batch.num_rows:
                    yield from last
                    table = pa.Table.from_batches([batch]).rename_columns(list(layout.names))
                    last[:] = [table]
                    rows.append(table.num_rows)
        for table in last:
            below = rows_below(table)
            skipped.count += below
            last[:] = [table.slice(0, table.num_rows - below)]
            yield from last

    with _long_fields():
        layout = find_layout(path, encoding, separator, skip_rows)
        check_names(layout.names)
        try:
            use(blocks(layout))
        except pa.ArrowInvalid:
            raise _reason(path, layout) from None
        if not last or _ends_in_quotes(path, last[0]):
            raise _reason(path, layout)
    return layout.with_notes_below(skipped.count, totals_noted(last[0], sum(rows[:-1])))


def layout_of(
    path: Path, *, encoding: str | None, separator: str | None, skip_rows: int | None
) -> Layout:
    """Return how a delimited file is laid out, as found or given, without reading it all."""
    _check(separator)
    with _long_fields():
        return find_layout(path, encoding, separator, skip_rows)


def find_layout(
    path: Path, encoding: str | None, separator: str | None, skip_rows: int | None
) -> Layout:
    """Find what was not given: encoding, separator, and the line of the header."""
    actual = find_encoding(path, encoding)
    lines = _head(path, actual, skip_rows or 0)
    chosen = separator or find_separator(lines[skip_rows or 0 :])
    skipped = _find_header(lines, chosen, skip_rows)
    row = [name.strip("\ufeff").strip() for name in _first_row(lines[skipped:], chosen)]
    names = tuple(name or say("column {number}", number=n) for n, name in enumerate(row, 1))
    if not any(row):
        raise InputError(
            "'{path}' has no line of column names, or one longer than {limit} characters.",
            path=str(path),
            limit=_LONGEST_ROW,
        )
    notes = []
    if encoding is None and actual not in {"utf-8", "utf-8-sig"}:
        notes.append(say("encoding assumed to be {encoding}", encoding=actual))
    rows = split_rows(lines[skipped:], chosen)[1:-1]  # the last one may go on beyond the head
    whole = tuple(tuple(cells) for cells in rows if len(cells) == len(names))
    if skip_rows is None:
        notes.extend(notes_skipped(skipped))
        above = _first_row(lines[skipped - 1 :], chosen) if skipped else []
        notes.extend(names_noted(row, above, skipped + 1))
        notes.extend(second_header_noted(whole))
    return Layout(actual, chosen, skipped, names, tuple(notes), whole)


def _check(separator: str | None) -> None:
    if separator is not None and (
        len(separator) != 1 or separator in '"\r\n' or not separator.isascii()
    ):
        raise SettingError("separator must be one plain character, not a quote or a line end.")


def _check_file(path: Path, separator: str | None) -> None:
    _check(separator)
    if path.stat().st_size == 0:
        raise InputError("'{path}' is empty.", path=str(path))


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let the csv module take fields as long as Arrow does."""
    usual = csv.field_size_limit(_LONGEST_ROW)
    try:
        yield
    finally:
        csv.field_size_limit(usual)


def _head(path: Path, encoding: str, skip_rows: int) -> list[str]:
    """Return the lines to be skipped and the first ones after them."""
    lines: list[str] = []
    size = 0
    with path.open(encoding=encoding, newline="") as file:
        for line in _bounded(file):
            if size > _HEAD or len(line) > _LONGEST_ROW:
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
        for number in range(start, min(len(lines), start + _MOST_NOTES))
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


class SkippedNotes:
    """Skips short rows that are notes while a file is read, and counts them."""

    count = 0

    def __call__(self, row: pa_csv.InvalidRow) -> str:
        """Return what becomes of a row with another number of fields than the header."""
        if row.actual_columns > row.expected_columns or not (
            is_note(row.text)
            or (self.count and row.actual_columns == 1 and continues_note(row.text))
        ):
            return "error"
        self.count += 1
        return "skip"


def _read_decimals(
    path: Path, layout: Layout, skipped: SkippedNotes, as_numbers: Callable[[str], bool]
) -> pa.Table | None:
    """Return the file with columns of decimals as numbers; None where that would lose something."""
    if layout.encoding not in {"utf-8", "utf-8-sig"} or path.stat().st_size <= _HEAD:
        return None  # its bytes may mean other characters; of few, the texts are kept
    if not any("." in cell for cells in layout.first for cell in cells):
        return None
    decimals = decimal_columns(layout.first, layout.names, as_numbers)
    seen = look_at_bytes(path, layout.separator) if decimals else None
    if seen is None or seen.has_blank_ends:
        return None
    try:
        table = _read(path, layout, skipped, decimals, quoted=seen.has_quotes)
    except pa.ArrowInvalid:  # not all of them are numbers, or a row is too long
        return None
    whole = not _ends_in_quotes(path, table)
    return _told(table, decimals) if whole and nothing_lost(table, decimals, seen) else None


def _told(table: pa.Table, decimals: Mapping[int, int | None]) -> pa.Table:
    """Return the table with the number of decimals beside columns that have a fixed one."""
    fields = [
        field if decimals.get(position) is None
        else field.with_metadata({DECIMALS: str(decimals[position]).encode()})
        for position, field in enumerate(table.schema)
    ]  # fmt: skip
    return table.cast(pa.schema(fields))


def _read(
    path: Path,
    layout: Layout,
    skipped: SkippedNotes,
    decimals: Collection[int] = (),
    *,
    quoted: bool = True,
) -> pa.Table:
    options = _options(layout, skipped, decimals, quoted=quoted)
    return pa_csv.read_csv(path, **options).rename_columns(list(layout.names))


def _options(
    layout: Layout, skipped: SkippedNotes, decimals: Collection[int] = (), *, quoted: bool = True
) -> dict[str, Any]:
    encoding = "utf-8" if layout.encoding == "utf-8-sig" else layout.encoding
    # Arrow numbers the columns: two of the same name would share one conversion.
    numbered = [str(number) for number in range(len(layout.names))]
    return {
        "read_options": pa_csv.ReadOptions(
            encoding=encoding,
            skip_rows=layout.skip_rows,
            column_names=numbered,
            skip_rows_after_names=1,
            block_size=_LONGEST_ROW if quoted else _BLOCK,
        ),
        "parse_options": pa_csv.ParseOptions(
            delimiter=layout.separator,
            newlines_in_values=quoted,
            ignore_empty_lines=len(numbered) > 1,
            invalid_row_handler=skipped,
        ),
        "convert_options": pa_csv.ConvertOptions(
            column_types={
                number: pa.float64() if int(number) in decimals else pa.string()
                for number in numbered
            },
            strings_can_be_null=True,
            null_values=[""],
        ),
    }


def _ends_in_quotes(path: Path, table: pa.Table) -> bool:
    """Return whether the last field holds the rest of the file: its closing quote is missing."""
    last = table.column(table.num_columns - 1)[-1].as_py() if table.num_rows else None
    if not isinstance(last, str) or not ("\n" in last or "\r" in last):
        return False
    with path.open("rb") as file:
        file.seek(-min(16, path.stat().st_size), os.SEEK_END)
        return not file.read().rstrip(b"\r\n\0").endswith(b'"')


def _reason(path: Path, layout: Layout) -> InputError:
    """Find the line that could not be read, for the message."""
    start, end = 0, layout.skip_rows
    with path.open(encoding=layout.encoding, newline="") as file:
        for _ in range(layout.skip_rows):
            file.readline()
        rows = csv.reader(_bounded(file), delimiter=layout.separator)
        try:
            for row in rows:
                start, end = end + 1, layout.skip_rows + rows.line_num
                if row and len(row) != len(layout.names) and not is_note(row[0]):
                    return InputError(
                        "line {line} of '{path}' has {fields} {fields:field|fields} where the "
                        "header has {names}; correct it (remove it if it is a note), or state how "
                        "many lines precede the header (skip_rows).",
                        line=start,
                        path=str(path),
                        fields=len(row),
                        names=len(layout.names),
                    )
        except csv.Error:  # a field beyond the limit
            start = end + 1
        else:
            if start == layout.skip_rows + 1:
                return InputError("the table has column names but no rows.")
    return InputError(
        "the row that starts at line {line} of '{path}' does not end, or is longer than {limit} "
        "characters; perhaps a quote was never closed.",
        line=start,
        path=str(path),
        limit=_LONGEST_ROW,
    )


def _bounded(file: io.TextIOBase) -> Iterator[str]:
    """Yield lines, cut where a line is longer than any row may be."""
    while line := file.readline(2 * _LONGEST_ROW):
        yield line
