"""CSV and TSV: encoding, separator and header found or given; ragged rows refused by line."""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pa_csv

from sudare.core.errors import InputError, OutputError
from sudare.core.messages import say
from sudare.core.microdata import Microdata
from sudare.engine.encoding import find_encoding
from sudare.engine.outgoing import to_arrow

_SEPARATORS = ",;\t|"
_HEAD = 1 << 16
_LONGEST_ROW = 1 << 24  # bytes; a longer one is a quote that was never closed
_LABELS = pa.dictionary(pa.int32(), pa.string())


@dataclass(frozen=True)
class Layout:
    """How a delimited file is laid out."""

    encoding: str
    separator: str
    skip_rows: int
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()


def read_delimited(
    path: Path, *, encoding: str | None, separator: str | None, skip_rows: int | None
) -> tuple[pa.Table, Layout]:
    """Return a delimited file as text labels, and how it is laid out."""
    if path.stat().st_size == 0:
        raise InputError("'{path}' is empty.", path=str(path))
    layout = find_layout(path, encoding, separator, skip_rows)
    try:
        return _read(path, layout), layout
    except (pa.ArrowInvalid, csv.Error):
        raise _reason(path, layout) from None


def write_delimited(data: Microdata, draft: Path, *, encoding: str, separator: str) -> None:
    """Write microdata as delimited text."""
    import polars as pl

    frame = pl.DataFrame(to_arrow(data, words=True))
    if encoding in {"utf-8", "utf-8-sig"}:
        with draft.open("wb") as file:
            frame.write_csv(file, separator=separator, include_bom=encoding == "utf-8-sig")
        return
    with draft.open("w", encoding=encoding, newline="") as file:
        step = 1 << 16
        for start in range(0, max(frame.height, 1), step):
            part = frame.slice(start, step)
            try:
                file.write(part.write_csv(separator=separator, include_header=start == 0))
            except UnicodeEncodeError:
                raise OutputError(
                    "the data hold characters that {encoding} has not; write utf-8.",
                    encoding=encoding,
                ) from None


def find_layout(
    path: Path, encoding: str | None, separator: str | None, skip_rows: int | None
) -> Layout:
    """Find what was not given: encoding, separator, and the line of the header."""
    found = find_encoding(path, encoding)
    with path.open(encoding=found, newline="") as file:
        head = file.read(_HEAD)
    lines = head.splitlines(keepends=True)
    lines = lines if len(head) < _HEAD else lines[:-1] or lines
    chosen = separator or _find_separator(lines[skip_rows or 0 :])
    skipped = _find_header(lines, chosen) if skip_rows is None else skip_rows
    names = _header(lines[skipped:], chosen, path)
    notes = []
    if encoding is None and found not in {"utf-8", "utf-8-sig"}:
        notes.append(say("encoding taken to be {encoding}", encoding=found))
    if skip_rows is None and skipped:
        notes.append(say("{count} note lines above the header skipped", count=skipped))
    return Layout(found, chosen, skipped, names, tuple(notes))


def _find_separator(lines: Sequence[str]) -> str:
    """Return the separator that splits most lines into the same number of fields, over one."""

    def agreement(separator: str) -> tuple[int, int]:
        fields, lines_agreeing = _usual_width(lines, separator)
        return (lines_agreeing if fields > 1 else 0, fields)

    return max(_SEPARATORS, key=agreement)


def _usual_width(lines: Sequence[str], separator: str) -> tuple[int, int]:
    widths = Counter(map(len, _rows(lines, separator)))
    return widths.most_common(1)[0] if widths else (0, 0)


def _find_header(lines: Sequence[str], separator: str) -> int:
    """Return the number of lines above the first one that is as wide as most lines are.

    Note lines have one field, or end in empty ones; a header has a name in every field.
    """
    usual, _ = _usual_width(lines, separator)
    for number, line in enumerate(lines):
        row = next(iter(_rows([line], separator)), [])
        if usual == 1 or (len(row) == usual and sum(map(bool, row)) * 2 > usual):
            return number
    return 0


def _header(lines: Sequence[str], separator: str, path: Path) -> tuple[str, ...]:
    row = next(iter(_rows(lines, separator)), [])
    names = tuple(
        name.strip() or say("column {number}", number=number) for number, name in enumerate(row, 1)
    )
    if not names:
        raise InputError("'{path}' has no header line.", path=str(path))
    return names


def _rows(lines: Sequence[str], separator: str) -> list[list[str]]:
    try:
        return [row for row in csv.reader(lines, delimiter=separator) if row]
    except csv.Error:
        return []


def _read(path: Path, layout: Layout) -> pa.Table:
    encoding = "utf-8" if layout.encoding == "utf-8-sig" else layout.encoding
    # Arrow numbers the columns: two of the same name would share one conversion.
    places = [str(place) for place in range(len(layout.names))]
    table = pa_csv.read_csv(
        path,
        read_options=pa_csv.ReadOptions(
            encoding=encoding,
            skip_rows=layout.skip_rows,
            column_names=places,
            skip_rows_after_names=1,
            block_size=_LONGEST_ROW,
        ),
        parse_options=pa_csv.ParseOptions(
            delimiter=layout.separator, newlines_in_values=True, ignore_empty_lines=len(places) > 1
        ),
        convert_options=pa_csv.ConvertOptions(
            column_types=dict.fromkeys(places, _LABELS),
            strings_can_be_null=True,
            null_values=[""],
        ),
    )
    return table.rename_columns(list(layout.names))


def _reason(path: Path, layout: Layout) -> InputError:
    """Find the line that could not be read, for the message."""
    with path.open(encoding=layout.encoding, newline="") as file:
        for _ in range(layout.skip_rows):
            file.readline()
        rows = csv.reader(_bounded(file), delimiter=layout.separator)
        line = 1
        try:
            for row in rows:
                if row and len(row) != len(layout.names):
                    return InputError(
                        "line {line} of '{path}' has {found} fields where the header has {names}.",
                        line=layout.skip_rows + line,
                        path=str(path),
                        found=len(row),
                        names=len(layout.names),
                    )
                line = rows.line_num + 1
        except csv.Error:
            pass
    return InputError(
        "the row that starts at line {line} of '{path}' is longer than {limit} characters; "
        "perhaps a quote was never closed.",
        line=layout.skip_rows + line,
        path=str(path),
        limit=csv.field_size_limit(),
    )


def _bounded(file: io.TextIOBase) -> "csv.reader":  # type: ignore[valid-type]
    """Yield lines, cut where a line is longer than any field may be."""
    limit = csv.field_size_limit() + 2
    while line := file.readline(limit):
        yield line
