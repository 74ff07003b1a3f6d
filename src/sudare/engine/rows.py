"""Small tables of text without types: the files of trees, graphs and hierarchies."""

import csv
import os
from pathlib import Path

from sudare.core.errors import InputError
from sudare.engine.encoding import find_encoding

_SEPARATORS = ";,\t|"


def read_rows(
    path: str | os.PathLike[str], *, encoding: str | None = None, separator: str | None = None
) -> list[list[str]]:
    """Return the rows of a delimited file as text, all of the same width of two or more.

    Encoding and separator are found where they are not given; blank lines do not count, and spaces
    around a field do not belong to it.
    """
    source = Path(path)
    try:
        if not source.is_file():
            raise InputError("there is no file '{path}'.", path=str(source))
        text = source.read_text(encoding=find_encoding(source, encoding)).removeprefix("\ufeff")
    except OSError as error:
        raise InputError(
            "'{path}' could not be read: {reason}.",
            path=str(source),
            reason=error.strerror or type(error).__name__,
        ) from error
    attempts = [_split(text, mark) for mark in ([separator] if separator else _SEPARATORS)]
    rows = max(attempts, key=lambda rows: (_width(rows) > 1, sum(map(len, rows))))
    if not rows:
        raise InputError("'{path}' is empty.", path=str(source))
    ragged = next((n for n, row in enumerate(rows, 1) if len(row) != len(rows[0])), None)
    if ragged or len(rows[0]) < 2:
        raise InputError(
            "row {row} of '{path}' does not have the two or more fields that every row needs; "
            "mend it, or give the separator.",
            row=ragged or 1,
            path=str(source),
        )
    return rows


def _split(text: str, separator: str) -> list[list[str]]:
    lines = csv.reader(text.splitlines(), delimiter=separator, skipinitialspace=True)
    rows = ([field.strip() for field in row] for row in lines)
    return [row for row in rows if any(row)]


def _width(rows: list[list[str]]) -> int:
    """Return the number of fields that all rows have, or 0."""
    widths = {len(row) for row in rows}
    return widths.pop() if len(widths) == 1 else 0
