"""The lines of a file, in blocks, without ever holding a line that is too long."""

import codecs
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from sudare.engine.formats import check_there
from sudare.transactions.files.problems import Problems, RefusedError

_BLOCK = 1 << 20
_MARK = RefusedError("the file begins with a byte order mark; save it as UTF-8 without one.")


Encoding = Literal["ascii", "utf-8"]
_NOT_TEXT = {
    "ascii": RefusedError("not plain text; only ASCII characters are allowed."),
    "utf-8": RefusedError("not plain text in UTF-8."),
}


def lines_of(
    path: str | os.PathLike[str],
    *,
    longest: int,
    problems: Problems,
    encoding: Encoding = "ascii",
) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers, without line ends.

    A line that is too long (in bytes), or is not text of the encoding, is noted as a problem and
    left out; at the end of a file a line end may be missing. A line without end stops the reading.
    """
    source = Path(path)
    check_there(source)
    number, rest = 0, b""
    with source.open("rb") as file:
        while block := file.read(_BLOCK):
            *whole, rest = (rest + block).split(b"\n")
            for line in whole:
                number += 1
                text = _text(line, number, longest, problems, encoding)
                if text is not None:
                    yield number, text
            if len(rest) > longest + 1:  # one more for a carriage return
                problems.add(number + 1, "", _too_long(longest))
                return
    if rest:
        text = _text(rest, number + 1, longest, problems, encoding)
        if text is not None:
            yield number + 1, text


def is_line_of_names(line: str) -> bool:
    """Return whether a line names columns, several: records have digits or stars.

    Examples
    --------
    >>> is_line_of_names("id,guess"), is_line_of_names("1,C"), is_line_of_names("*,*,*,*,*")
    (True, False, False)
    """
    has_names = "," in line and any(map(str.isalpha, line))
    return has_names and not any(mark.isdigit() or mark == "*" for mark in line)


def _text(
    line: bytes, number: int, longest: int, problems: Problems, encoding: Encoding
) -> str | None:
    line = line.removesuffix(b"\r")
    if number == 1 and line.startswith(codecs.BOM_UTF8):
        problems.add(number, "", _MARK)
        return None
    if len(line) > longest:
        problems.add(number, "", _too_long(longest))
        return None
    try:
        if b"\0" not in line:
            return line.decode(encoding)
    except UnicodeDecodeError:
        pass
    problems.add(number, "", _NOT_TEXT[encoding])
    return None


def _too_long(limit: int) -> RefusedError:
    return RefusedError("longer than {limit} characters.", limit=limit)
