"""CSV and TSV written: a line of names, then the records, in the encoding that was asked for."""

import codecs
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import MappingProxyType

import pyarrow as pa

from sudare.core import Categorical, Column, Microdata, OutputError, SettingError
from sudare.engine.formats.spreadsheet_text import escaped
from sudare.engine.frames import Marks, part, to_plain

_IN_RANGES = "sudare-ranges"
_OTHER_SIGNS = {"–": ("～", "〜", "-"), "≥": ("≧", ">="), "≤": ("≦", "<=")}  # as in 18–64 and ≥65


def write_delimited(
    data: Microdata,
    draft: Path,
    *,
    encoding: str,
    separator: str,
    escape: bool = False,
    marked: Marks = MappingProxyType({}),
) -> None:
    """Write microdata as delimited text; where asked for, no text looks like a formula."""
    table = to_plain(data, marked)
    table = escaped(table) if escape else table
    try:
        write_rows(
            table.schema, table.combine_chunks().to_batches(1 << 20), draft, encoding, separator
        )
    except UnicodeEncodeError:
        raise unencodable(
            encoding, [c.name for c in data.columns if not _is_encodable(c, encoding)]
        ) from None


def write_rows(
    schema: pa.Schema, batches: Iterable[pa.RecordBatch], draft: Path, encoding: str, separator: str
) -> None:
    """Write batches of records as delimited text below a line of names."""
    pl = part("polars")
    frames = (pl.DataFrame(pa.Table.from_batches([batch])) for batch in batches)
    header = pl.DataFrame(schema.empty_table())
    if encoding in {"utf-8", "utf-8-sig"}:
        with draft.open("wb") as file:
            header.write_csv(file, separator=separator, include_bom=encoding == "utf-8-sig")
            for frame in frames:
                frame.write_csv(file, separator=separator, include_header=False)
        return
    try:
        with draft.open("w", encoding=encoding, errors=_IN_RANGES, newline="") as text:
            text.write(header.write_csv(separator=separator))
            for frame in frames:
                text.write(frame.write_csv(separator=separator, include_header=False))
    except LookupError:
        raise SettingError("there is no encoding '{encoding}'.", encoding=encoding) from None


def unencodable(encoding: str, columns: Sequence[str]) -> OutputError:
    """Return the error for characters that an encoding does not have."""
    return OutputError(
        "{encoding} lacks characters that occur in: {columns}; write utf-8, or replace them.",
        encoding=encoding,
        columns=", ".join(columns),
    )


def _is_encodable(column: Column, encoding: str) -> bool:
    """Return whether an encoding has the characters of a column."""
    labels = column.labels if isinstance(column, Categorical) else ()
    try:
        "".join(map(str, (column.name, *labels))).encode(encoding, errors=_IN_RANGES)
    except UnicodeEncodeError:
        return False
    return True


def _written_otherwise(error: UnicodeError) -> tuple[str, int]:
    """Return the signs of our labels of ranges as an encoding has them; others stay an error."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = [_sign(sign, error.encoding) for sign in error.object[error.start : error.end]]
    if not all(signs):
        raise error
    return "".join(signs), error.end


def _sign(sign: str, encoding: str) -> str:
    """Return how an encoding writes a sign; empty where it has nothing for it."""
    return next((other for other in _OTHER_SIGNS.get(sign, ()) if _has(other, encoding)), "")


def _has(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


codecs.register_error(_IN_RANGES, _written_otherwise)
