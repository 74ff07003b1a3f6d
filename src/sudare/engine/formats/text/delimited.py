"""CSV and TSV: encoding, separator and header found or given; ragged rows refused by line."""

import csv
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Unpack

import pyarrow as pa
import pyarrow.csv as pa_csv

from sudare.core import InputError, check_names
from sudare.engine.formats.text.decimal_columns import decimal_columns, look_at_bytes, nothing_lost
from sudare.engine.formats.text.file_layout import (
    LONGEST_ROW,
    MOST_NOTES,
    Layout,
    bounded,
    check_separator,
    find_layout,
    long_fields,
)
from sudare.engine.formats.text.skipped_rows import SkippedRows, is_note
from sudare.engine.frames import DECIMALS, FileOptions

_SMALL = 1 << 16  # bytes of a file whose texts are kept
_BLOCK = 1 << 20  # bytes that are read at once
_MOST_ROWS, _MOST_TEXT = 1 << 17, 1 << 24  # records and bytes that are used at once, or a few more


def read_delimited(
    path: Path, *, as_numbers: Callable[[str], bool] = lambda _: False, **file: Unpack[FileOptions]
) -> tuple[pa.Table, Layout]:
    """Return a delimited file as text, and how it is laid out.

    An empty line is not a record, except in a file of one column, where it is a missing value.
    Columns of decimals, if they are wanted ``as_numbers``, are numbers where nothing is lost.
    """
    _check_file(path, file.get("separator"))
    with long_fields():
        layout = find_layout(path, **file)
        skipped = SkippedRows(file.get("totals"))
        table = _read_decimals(path, layout, skipped, as_numbers)
        if table is None:
            skipped = SkippedRows(file.get("totals"))
            try:
                table = _read(path, layout, skipped)
            except pa.ArrowInvalid:
                raise _reason(path, layout) from None
            if _ends_in_quotes(path, table):
                raise _reason(path, layout)
    table = skipped.first(skipped.last(table))
    return table, skipped.added_to(layout, table.num_rows)


def scan_delimited(
    path: Path, use: Callable[[Iterator[pa.Table]], None], **file: Unpack[FileOptions]
) -> Layout:
    """Let a delimited file be used block by block, as text, and return how it is laid out."""
    _check_file(path, file.get("separator"))
    with long_fields():
        layout = find_layout(path, **file)
        check_names(layout.names)
        for size in (_BLOCK, LONGEST_ROW):  # the second for a row that is longer than a block
            skipped, records = SkippedRows(file.get("totals")), list[int]()
            with suppress(pa.ArrowInvalid):
                use(_records(path, layout, skipped, size, records))
                if records:
                    return skipped.added_to(layout, sum(records))
        raise _reason(path, layout)


def _records(
    path: Path, layout: Layout, skipped: SkippedRows, size: int, records: list[int]
) -> Iterator[pa.Table]:
    """Yield blocks of records, without what is above and below them, and note their numbers."""
    for block, is_last in _blocks(path, layout, skipped, size):
        if is_last and _ends_in_quotes(path, block):
            raise pa.ArrowInvalid
        table = skipped.last(block) if is_last else block
        table = table if records else skipped.first(table)
        records.append(table.num_rows)
        yield table


def _blocks(
    path: Path, layout: Layout, skipped: SkippedRows, size: int
) -> Iterator[tuple[pa.Table, bool]]:
    """Yield blocks of a file and whether it is the last, which has all that is below the table."""
    waiting, rows, text = list[pa.Table](), 0, 0
    with pa_csv.open_csv(path, **_options(layout, skipped, size=size)) as reader:
        for batch in reader:
            waiting.append(pa.Table.from_batches([batch]).rename_columns(list(layout.names)))
            rows, text = rows + batch.num_rows, text + batch.nbytes
            if rows > MOST_NOTES and (rows >= _MOST_ROWS or text >= _MOST_TEXT):
                table = pa.concat_tables(waiting)
                yield table.slice(0, rows - MOST_NOTES), False
                waiting = [table.slice(rows - MOST_NOTES)]
                rows, text = MOST_NOTES, waiting[0].nbytes
    if waiting and (table := pa.concat_tables(waiting)).num_rows:
        yield table, True


def _check_file(path: Path, separator: str | None) -> None:
    check_separator(separator)
    if path.stat().st_size == 0:
        raise InputError("'{path}' is empty.", path=str(path))


def _read_decimals(
    path: Path, layout: Layout, skipped: SkippedRows, as_numbers: Callable[[str], bool]
) -> pa.Table | None:
    """Return the file with columns of decimals as numbers; None where that would lose something."""
    if layout.encoding not in {"utf-8", "utf-8-sig"} or path.stat().st_size <= _SMALL:
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
    skipped: SkippedRows,
    decimals: Collection[int] = (),
    *,
    quoted: bool = True,
) -> pa.Table:
    options = _options(
        layout, skipped, decimals, quoted=quoted, size=LONGEST_ROW if quoted else _BLOCK
    )
    return pa_csv.read_csv(path, **options).rename_columns(list(layout.names))


def _options(
    layout: Layout,
    skipped: SkippedRows,
    decimals: Collection[int] = (),
    *,
    quoted: bool = True,
    size: int,
) -> dict[str, Any]:
    encoding = "utf-8" if layout.encoding == "utf-8-sig" else layout.encoding
    # Arrow numbers the columns: two of the same name would share one conversion.
    numbered = [str(number) for number in range(len(layout.names))]
    return {
        "read_options": pa_csv.ReadOptions(
            encoding=encoding,
            skip_rows=layout.skip_rows,
            column_names=numbered,
            skip_rows_after_names=layout.header_rows + layout.blank_rows,
            block_size=size,
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
        rows = csv.reader(bounded(file), delimiter=layout.separator)
        try:
            for number, row in enumerate(rows):
                start, end = end + 1, layout.skip_rows + rows.line_num
                if number < layout.header_rows + layout.blank_rows:
                    continue
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
            if start <= layout.skip_rows + layout.header_rows + layout.blank_rows:
                return InputError("the table has column names but no rows.")
    return InputError(
        "the row that starts at line {line} of '{path}' does not end, or is longer than {limit} "
        "characters; perhaps a quote was never closed.",
        line=start,
        path=str(path),
        limit=LONGEST_ROW,
    )
