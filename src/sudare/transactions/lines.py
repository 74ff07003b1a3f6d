"""The lines of a file, in blocks, without ever holding a line that is too long."""

import os
from collections.abc import Iterator
from pathlib import Path

from sudare.core.errors import InputError
from sudare.transactions.problems import Problems, RefusedError

_BLOCK = 1 << 20


def lines_of(
    path: str | os.PathLike[str], *, longest: int, problems: Problems
) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file with their numbers, without line ends.

    A line that is too long, or is not ASCII text, is noted as a problem and left out; at the end of
    a file a line end may be missing. A line without end stops the reading.
    """
    source = Path(path)
    if not source.is_file():
        raise InputError("there is no file '{path}'.", path=str(source))
    number, rest = 0, b""
    with source.open("rb") as file:
        while block := file.read(_BLOCK):
            *whole, rest = (rest + block).split(b"\n")
            for line in whole:
                number += 1
                text = _text(line, number, longest, problems)
                if text is not None:
                    yield number, text
            if len(rest) > longest + 1:  # one more for a carriage return
                problems.add(number + 1, "", _too_long(longest))
                return
    if rest:
        text = _text(rest, number + 1, longest, problems)
        if text is not None:
            yield number + 1, text


def _text(line: bytes, number: int, longest: int, problems: Problems) -> str | None:
    line = line.removesuffix(b"\r")
    if len(line) > longest:
        problems.add(number, "", _too_long(longest))
    elif not line.isascii() or b"\0" in line:
        reason = RefusedError("not plain text; only ASCII characters are allowed.")
        problems.add(number, "", reason)
    else:
        return line.decode("ascii")
    return None


def _too_long(limit: int) -> RefusedError:
    return RefusedError("longer than {limit} characters.", limit=limit)
