"""Small tables of text without types: the files of trees, graphs and hierarchies."""

import csv
import io
import os
from pathlib import Path

from sudare.core import InputError
from sudare.engine.formats.atomic import check_there
from sudare.engine.formats.text.encoding import find_encoding
from sudare.engine.formats.text.file_layout import find_separator


def read_rows(
    path: str | os.PathLike[str], *, encoding: str | None = None, separator: str | None = None
) -> list[list[str]]:
    """Return the rows of a delimited file as text, all of the same width of two or more.

    Encoding and separator are found where they are not given; blank lines do not count, and spaces
    around a field do not belong to it.
    """
    source = Path(path)
    try:
        check_there(source)
        with source.open(encoding=find_encoding(source, encoding), newline="") as file:
            text = file.read().removeprefix("\ufeff")
        rows = _split(text, separator or find_separator([*io.StringIO(text, "")]))
    except (OSError, csv.Error) as error:
        raise InputError(
            "'{path}' could not be read: {reason}.",
            path=str(source),
            reason=getattr(error, "strerror", None) or str(error) or type(error).__name__,
        ) from error
    if not rows:
        raise InputError("'{path}' is empty.", path=str(source))
    ragged = next((n for n, row in enumerate(rows, 1) if len(row) != len(rows[0])), None)
    if ragged or len(rows[0]) < 2:
        raise InputError(
            "row {row} of '{path}' has fewer than the two fields that every row needs; correct "
            "it, or give the separator.",
            row=ragged or 1,
            path=str(source),
        )
    return rows


def _split(text: str, separator: str) -> list[list[str]]:
    lines = csv.reader(io.StringIO(text, ""), delimiter=separator, skipinitialspace=True)
    rows = ([field.strip() for field in row] for row in lines)
    return [row for row in rows if any(row)]
