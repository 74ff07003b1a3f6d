"""Excel sheets. A cell holds a number, a date or text; whole numbers and days are found again."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Unpack

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import InputError, Microdata, OutputError, say
from sudare.engine.formats.spreadsheet_text import escaped, is_formula
from sudare.engine.formats.text import (
    header_rows,
    names_noted,
    names_on,
    notes_skipped,
    record_noted,
    rows_above_gapped_header,
    rows_above_header,
    rows_below,
    second_line_noted,
    totals_around,
    totals_skipped,
    usual_width,
)
from sudare.engine.frames import (
    FileOptions,
    Marks,
    exact_or_text,
    is_text,
    part,
    to_plain,
    words_written,
)

_ROWS, _COLUMNS, _CHARACTERS = 1_048_576, 16_384, 32_767  # what a sheet, what a cell holds
_NO_DATE = datetime(1980, 1, 1, tzinfo=UTC)
_SHOWN = 5  # records named in a message
_EXACT = 10**15 - 1  # Excel keeps fifteen digits
_DESCRIBES = re.compile(
    r"説明|注意|注記|目次|凡例|表紙|はじめに|概要|要領|使い方|符号表|コード表|項目定義|"
    r"(?i:\b(?:read ?me|notes?|about|cover|index|contents|legend|codebook|dictionary|"
    r"description|instructions?|metadata)\b)"
)
_FIRST_ROWS = {"header_row": None, "n_rows": 100, "dtypes": "string"}
_ALL_ROWS = {"header_row": None, "schema_sample_rows": None}
_AS_IT_IS = {
    "in_memory": True,
    "strings_to_numbers": False,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "default_date_format": "yyyy-mm-dd hh:mm:ss.000",
}


def read_excel(
    path: Path, **file: Unpack[FileOptions]
) -> tuple[pa.Table, tuple[str, ...], FileOptions]:
    """Return a sheet, the first table unless another is named, with notes, and how it was read.

    Titles above the header, notes below the table and totals are no records.
    """
    fastexcel = part("fastexcel", "excel")
    book = _book(path)
    sheet, skip_rows = file.get("sheet"), file.get("skip_rows")
    chosen, skipped = _first_table(book) if sheet is None else sheet, skip_rows or 0
    try:
        top = book.load_sheet(chosen, skip_rows=skipped, **_FIRST_ROWS).to_arrow().to_pylist()
        above, names, notes, reading = _header(top, file)
        start = skipped + above + reading.get("header_rows", 1)
        body, around, faults = _records(partial(book.load_sheet, chosen), start, file)
    except fastexcel.SheetNotFoundError:
        raise InputError(
            "'{path}' has no sheet '{sheet}'; available: {known}.",
            path=str(path),
            sheet=chosen,
            known=", ".join(book.sheet_names),
        ) from None
    except fastexcel.FastExcelError:
        raise _headless(path, book) from None
    if above == len(top):
        raise _headless(path, book)
    lacking = [pa.nulls(body.num_rows)] * (len(names) - len(body.columns))
    columns = [*map(_narrowed, body.columns), *lacking]
    below, *totals = around
    told = _sheet_note(book, chosen) if sheet is None else ()
    skips = notes_skipped(0 if skip_rows is not None else above, below)
    return (
        pa.table(columns, names=names),
        (
            *told,
            *skips,
            *notes,
            *totals_skipped(totals[0], totals[1], body.num_rows),
            *_faults_noted(faults, names),
        ),
        reading,
    )


def _header(
    top: Sequence[Mapping[str, str | None]], file: FileOptions
) -> tuple[int, list[str], tuple[str, ...], FileOptions]:
    """Return how many rows are above the names, the names, notes, and how they were read."""
    rows = [[cell or "" for cell in row.values()] for row in top]
    skip_rows, given = file.get("skip_rows"), file.get("header_rows")
    above = _rows_above(top, skip_rows)
    line_above = rows[above - 1] if above and skip_rows is None else []
    above, count = header_rows(rows[above:], above, line_above, given)
    names = names_on(rows[above:], count) if above < len(rows) else []
    told = count if given is None else 1
    line = (skip_rows or 0) + above + 1
    notes = names_noted(names, line_above if count == 1 else [], line, told)
    reading = FileOptions(header_rows=count) if count != 1 else FileOptions()
    if count == 0 or (skip_rows is not None and count == 1):
        notes = ()
    if given is None:
        below = rows[above + count :]
        notes += second_line_noted(below) or record_noted(names, below, line, count)
    named = [name or say("column {number}", number=n) for n, name in enumerate(names, 1)]
    return above, named, notes, reading


def _records(
    load: Callable[..., Any], start: int, file: FileOptions
) -> tuple[pa.RecordBatch, tuple[int, int, int], Sequence[tuple[int, int]]]:
    """Return the records of a sheet, how many notes and totals are around them, and its faults.

    These are cells whose formula failed, by record and column.
    """
    body, faults = load(skip_rows=start, **_ALL_ROWS).to_arrow_with_errors()
    below = rows_below(pa.table(body))
    rows = body.num_rows - below
    totals = (
        (0, 0) if file.get("totals") == "keep" else totals_around(pa.table(body).slice(0, rows))
    )
    if below or any(totals):  # without them, a column may be numbers
        rows -= sum(totals)
        loaded = load(skip_rows=start + totals[0], n_rows=rows, **_ALL_ROWS)
        body, faults = loaded.to_arrow_with_errors()
    cells = [fault.offset_position for fault in faults.errors] if faults else []
    return body, (below, *totals), cells


def _faults_noted(faults: Sequence[tuple[int, int]], names: Sequence[str]) -> tuple[str, ...]:
    """Return sentences on cells whose formula failed: #DIV/0!, #N/A, #REF! and the like."""
    rows: dict[str, list[str]] = {}
    for row, column in faults:
        rows.setdefault(names[column], []).append(str(row + 1))
    return tuple(
        say(
            "column '{column}': {count} {count:cell holds|cells hold} an error of a formula "
            "(records {records}) and {count:was|were} read as missing.",
            column=name,
            count=len(numbers),
            records=", ".join(numbers[:_SHOWN]) + (", …" if len(numbers) > _SHOWN else ""),
        )
        for name, numbers in rows.items()
    )


def _first_table(book: Any) -> int:
    """Return the number of the first sheet that looks like a table; 0 where none does.

    Sheets called "notes" or 説明 and sheets without two rows of several cells describe others.
    """
    if len(book.sheet_names) == 1:
        return 0
    for number, name in enumerate(book.sheet_names):
        if _DESCRIBES.search(name):
            continue
        try:
            top = book.load_sheet(number, **_FIRST_ROWS).to_arrow().to_pylist()
        except part("fastexcel", "excel").FastExcelError:  # a sheet without cells
            continue
        filled = [sum(map(bool, row.values())) for row in top]
        usual = usual_width(filter(None, filled))
        if usual > 1 and sum(cells * 2 > usual for cells in filled) > 1:
            return number
    return 0


def _sheet_note(book: Any, chosen: str | int) -> tuple[str, ...]:
    name = chosen if isinstance(chosen, str) else book.sheet_names[chosen]
    if len(book.sheet_names) == 1:
        return ()
    note = say(
        "sheet '{sheet}' read, not: {others}; choose one with --sheet (sheet=)",
        sheet=name,
        others=", ".join(other for other in book.sheet_names if other != name),
    )
    return (note,)


def _rows_above(top: Sequence[Mapping[str, str | None]], skip_rows: int | None) -> int:
    """Return the number of rows above the header: titles and blank rows; all, if there is none."""
    filled = [sum(map(bool, row.values())) for row in top]
    usual = usual_width(filter(None, filled)) if skip_rows is None else 0
    above = rows_above_header(filled, usual)
    if above is None:
        return len(top)
    cells = [[cell or "" for cell in row.values()] for row in top]
    return rows_above_gapped_header(cells[:above], cells[above:])


def write_excel(
    data: Microdata,
    draft: Path,
    *,
    escape: bool = False,
    marked: Marks = MappingProxyType({}),
) -> None:
    """Write microdata as one sheet; where asked for, with texts escaped that look like formulas."""
    xlsxwriter = part("xlsxwriter", "excel")
    if data.rows >= _ROWS or len(data.columns) > _COLUMNS:
        raise OutputError(
            "an Excel sheet holds {rows} records and {columns} columns; write Parquet or CSV.",
            rows=_ROWS - 1,
            columns=_COLUMNS,
        )
    table = to_plain(data, marked, as_text=False)
    table = escaped(table) if escape else table
    file = io.BytesIO()  # in memory, because a full disk leaves the zip library in pieces
    with xlsxwriter.Workbook(file, _AS_IT_IS) as book:
        book.set_properties({"created": _NO_DATE})  # else that of writing
        sheet = book.add_worksheet()
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        sheet.write_row(0, 0, table.column_names)
        for number, name in enumerate(data.names):
            values = _cells(name, table.column(number).combine_chunks())
            form = day if pa.types.is_date(values.type) else None
            cells = values.to_pylist()
            for row, word in words_written(data[name]).items():
                cells[row] = f"'{word}" if escape and is_formula(word) else word
            sheet.write_column(1, number, cells, form)
    draft.write_bytes(file.getvalue())


def _book(path: Path) -> Any:
    fastexcel = part("fastexcel", "excel")
    try:
        return fastexcel.read_excel(path)
    except fastexcel.FastExcelError:
        raise InputError(
            "'{path}' is not an Excel file, or is damaged; open it in Excel and save it again.",
            path=str(path),
        ) from None


def _headless(path: Path, book: Any) -> InputError:
    return InputError(
        "that sheet of '{path}' has no row of column names; choose one of its sheets with --sheet "
        "(sheet=): {known}; or state how many rows precede the header (skip_rows).",
        path=str(path),
        known=", ".join(book.sheet_names),
    )


def _narrowed(column: pa.Array) -> pa.Array:
    """Return whole numbers as such, and times at midnight as days."""
    if pa.types.is_floating(column.type):
        numbers = column.drop_null().to_numpy()
        is_whole = (numbers == np.rint(numbers)).all() and (np.abs(numbers) <= _EXACT).all()
        return column.cast(pa.int64()) if is_whole else column
    if pa.types.is_timestamp(column.type):
        days = column.cast(pa.date32(), safe=False)
        return days if days.cast(column.type).equals(column) else column
    return column


def _cells(name: str, array: pa.Array) -> pa.Array:
    """Return a column in types that a sheet has; what it would cut or round becomes text."""
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    array = exact_or_text(array, _EXACT)
    if is_text(array.type):
        _check_length(name, array)
    elif pa.types.is_timestamp(array.type):
        thousandths = array.cast(pa.timestamp("ms", array.type.tz), safe=False)
        if array.type.tz is not None or not thousandths.cast(array.type).equals(array):
            return array.cast(pa.string())
    elif pa.types.is_time(array.type):
        return array.cast(pa.string())
    return array


def _check_length(name: str, texts: Any) -> None:
    if (pc.max(pc.utf8_length(texts)).as_py() or 0) > _CHARACTERS:
        raise OutputError(
            "column '{column}' has texts longer than the {limit} characters of an Excel cell; "
            "write Parquet or CSV.",
            column=name,
            limit=_CHARACTERS,
        )
