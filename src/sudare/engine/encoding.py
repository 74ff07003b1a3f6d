"""The encoding of a text file: told by its first bytes, by trying, or by a guess."""

import codecs
from itertools import pairwise
from pathlib import Path

from sudare.core.errors import InputError

_CHUNK = 1 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_JAPANESE = {"cp932", "shift_jis", "shift_jis_2004", "shift_jisx0213"}


def find_encoding(path: Path, given: str | None) -> str:
    """Return the encoding that the whole file can be read in.

    UTF-8 is tried first, because other encodings hardly ever pass for it; then CP932 (what files
    called Shift_JIS really are), if what it gives looks like Japanese; then a guess.
    """
    if given is not None:
        return _checked(path, _known(given))
    with path.open("rb") as file:
        head = file.read(_CHUNK)
    for mark, name in _MARKS:
        if head.startswith(mark):
            return _checked(path, name)
    if first_bad_line(path, "utf-8") is None:
        return "utf-8"
    guess = _guess(path)
    if guess is None or first_bad_line(path, guess) is not None:
        raise InputError(
            "'{path}' is not UTF-8, and its encoding could not be told; give it, for example "
            "encoding='cp932'.",
            path=str(path),
        )
    return guess


def first_bad_line(path: Path, encoding: str) -> int | None:
    """Return the line at which a file stops being valid in an encoding, or ``None``."""
    decoder = codecs.getincrementaldecoder(encoding)()
    lines = 1
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            try:
                lines += decoder.decode(chunk).count("\n")
            except UnicodeDecodeError as error:
                return lines + error.object[: error.start].count(b"\n")
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return lines
    return None


def _known(name: str) -> str:
    try:
        found = codecs.lookup(name).name
    except LookupError:
        raise InputError("there is no encoding '{encoding}'.", encoding=name) from None
    return "cp932" if found in _JAPANESE else found


def _checked(path: Path, encoding: str) -> str:
    line = first_bad_line(path, encoding)
    if line is not None:
        raise InputError(
            "line {line} of '{path}' is not valid {encoding}; give another encoding, for example "
            "encoding='cp932'.",
            line=line,
            path=str(path),
            encoding=encoding,
        )
    return encoding


def _guess(path: Path) -> str | None:
    sample = _foreign_lines(path)
    try:
        text = sample.decode("cp932")
    except UnicodeDecodeError:
        text = ""
    if _looks_japanese(text):
        return "cp932"
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    return None if best is None else best.encoding


def _foreign_lines(path: Path) -> bytes:
    """Return up to a megabyte of the lines that are not plain ASCII."""
    found, size = [], 0
    with path.open("rb") as file:
        while size < _CHUNK and (lines := file.readlines(_CHUNK)):
            foreign = [line for line in lines if not line.isascii()]
            found += foreign
            size += sum(map(len, foreign))
    return b"".join(found)


def _looks_japanese(text: str) -> bool:
    """Return whether Japanese characters come in runs; misread Latin letters stand alone."""
    foreign = [not character.isascii() for character in text]
    in_runs = sum(a and b for a, b in pairwise(foreign))
    return in_runs * 2 >= sum(foreign) > 0
