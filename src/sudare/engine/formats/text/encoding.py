"""The encoding of a text file: from its first bytes, by trying, or by a guess."""

import codecs
import re
from itertools import pairwise
from pathlib import Path

from sudare.core import InputError, say
from sudare.engine.formats.text.common_characters import common_share, likeliest

_CHUNK = 1 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # begins as UTF-16 does
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_JAPANESE = {"cp932", "shift_jis", "shift_jis_2004", "shift_jisx0213"}
_FOREIGN = ["cp1252", "cp1250", "cp1251", "gb18030", "big5", "cp949"]
_ESCAPES = (b"\x1b$B", b"\x1b$@", b"\x1b(J", b"\x1b(I")  # to kanji and kana
_UNUSUAL = re.compile(r"[\x00-\x08\x0e-\x1f\ufffe\uffff]")  # in no table
_TWO_JAPANESE = re.compile(r"[\u3041-\u30ff\u4e00-\u9fff]{2}")
_MOSTLY = 0.5  # share of common characters
_SECOND_LEVEL = 0xD0  # first byte of the rarer half of the kanji in EUC-JP


def find_encoding(path: Path, given: str | None) -> str:
    """Return the encoding that the whole file can be read in.

    Plain ASCII is UTF-8, unless it has the escapes of ISO-2022-JP. Zero bytes in every second place
    are UTF-16, with or without a mark. Else UTF-8 is tried first,
    because other encodings hardly ever pass for it; then EUC-JP and CP932 (what files called
    Shift_JIS really are), if what they give looks like Japanese; then a guess.
    """
    if given is not None:
        return _checked(path, _known(given))
    with path.open("rb") as file:
        head = file.read(_CHUNK)
    for mark, name in _MARKS:
        if head.startswith(mark):
            return _checked(path, name)
    pairs = _of_pairs(head)
    if pairs is not None:
        return _checked(path, pairs)
    escaped = _escaped(path)
    if escaped is not None:
        return "utf-8" if not escaped else _checked(path, "iso2022_jp_ext")
    fault = _fault(path, "utf-8")
    if fault is None:
        return "utf-8"
    sample = _foreign_lines(path)
    guess = _guess(sample) if sample else None
    if guess is None:
        raise fault
    return _checked(path, guess)


def assumption_noted(path: Path, encoding: str) -> list[str]:
    """Return that an encoding was guessed, and whether some lines seem to be in UTF-8 instead.

    Of UTF-8 that is read as CP932 hardly a byte is wrong, only every word.
    """
    notes = [say("encoding assumed to be {encoding}", encoding=encoding)]
    if encoding == "cp932":
        lines = _foreign_lines(path).split(b"\n")
        count = sum(_is_japanese_utf8(line) for line in lines)
        if count:
            told = say(
                "{count} {count:line is|lines are} UTF-8 and would be misread as {encoding}: two "
                "files may have been joined; convert them to one encoding first.",
                count=count,
                encoding=encoding,
            )
            notes.append(told)
    return notes


def _is_japanese_utf8(line: bytes) -> bool:
    """Return whether a line is UTF-8 with Japanese characters beside each other."""
    try:
        return _TWO_JAPANESE.search(line.decode("utf-8")) is not None
    except UnicodeDecodeError:
        return False


def _of_pairs(head: bytes) -> str | None:
    """Return UTF-16 of either byte order, if the zero bytes of a file tell it; None otherwise.

    Every table has plain signs (separators, ends of lines), which have a zero in one half; in the
    wrong order they are other characters.
    """
    zeros = head.count(0)
    if not zeros or (head.isascii() and zeros * 8 < len(head)):  # a stray one in plain text
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        text = head[: len(head) // 2 * 2].decode(encoding, errors="ignore")
        exchanged = sum(ord(character) % 256 == 0 for character in text)
        plain = sum(map(str.isascii, text))
        if plain > exchanged and ("\n" in text or "\r" in text) and not _UNUSUAL.search(text):
            return encoding
    return None


def _escaped(path: Path) -> bool | None:
    """Return whether a file of plain ASCII has escapes to kanji; None if it is not ASCII."""
    escaped, end = False, b""
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            if not chunk.isascii() or b"\0" in chunk:
                return None
            if b"\x1b" in chunk or b"\x1b" in end:
                escaped = escaped or any(escape in end + chunk for escape in _ESCAPES)
            end = chunk[-2:]
    return escaped


def _fault(path: Path, encoding: str) -> InputError | None:
    """Return what is wrong at the first line that is not text in an encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    done, chunk = 0, b" "
    with path.open("rb") as file:
        while chunk:
            chunk = file.read(_CHUNK)
            try:
                text = decoder.decode(chunk, final=not chunk)
            except UnicodeError as error:
                good = error.object[: error.start] if isinstance(error, UnicodeDecodeError) else b""
                return InputError(
                    "line {line} of '{path}' is not valid {encoding}; give another encoding, for "
                    "example encoding='{other}' (--encoding {other}).",
                    line=_lines(path, encoding, done) + good.count(b"\n"),
                    path=str(path),
                    encoding=encoding,
                    other="cp932" if encoding.startswith("utf") else "utf-8",
                )
            if "\0" in text:
                return InputError(
                    "line {line} of '{path}' contains a NUL byte, so it is not {encoding} text; "
                    "remove it, or give another encoding, for example encoding='utf-16-le'.",
                    line=_lines(path, encoding, done) + text[: text.index("\0")].count("\n"),
                    path=str(path),
                    encoding=encoding,
                )
            done += 1
    return None


def _lines(path: Path, encoding: str, chunks: int) -> int:
    """Return the number of the line at which some chunks of a file end."""
    decoder = codecs.getincrementaldecoder(encoding)()
    with path.open("rb") as file:
        return 1 + sum(decoder.decode(file.read(_CHUNK)).count("\n") for _ in range(chunks))


def _known(name: str) -> str:
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        raise InputError("there is no encoding '{encoding}'.", encoding=name) from None
    return "cp932" if codec in _JAPANESE else codec


def _checked(path: Path, encoding: str) -> str:
    fault = _fault(path, encoding)
    if fault is not None:
        raise fault
    return encoding


def _guess(sample: bytes) -> str | None:
    for name, fits in _FAMILIAR.items():
        try:
            text = sample.decode(name)
        except UnicodeDecodeError:
            continue
        if fits(text):
            return likeliest(sample) if name == "euc_jp" else name
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=_FOREIGN).best()
    if best is None:
        return None
    return "cp1252" if "cp1252" in best.could_be_from_charset else best.encoding


def _foreign_lines(path: Path) -> bytes:
    """Return up to a megabyte of the lines that are not plain ASCII."""
    lines, size = [], 0
    with path.open("rb") as file:
        while size < _CHUNK and (line := file.readline(_CHUNK)):
            if not line.isascii():
                lines.append(line)
                size += len(line)
    return b"".join(lines)


def _stands_apart(text: str) -> bool:
    """Return whether most foreign characters touch no plain letter, as in Japanese.

    Accented Latin letters occur in the middle of plain ones, whatever they are misread as.
    """
    plain = [character.isascii() and character.isalpha() for character in f" {text} "]
    foreign = [not character.isascii() for character in text]
    touching = sum(f and (plain[i] or plain[i + 2]) for i, f in enumerate(foreign))
    return touching * 2 <= sum(foreign)


def _comes_in_runs(text: str) -> bool:
    """Return whether foreign characters mostly have another next to them."""
    foreign = [not character.isascii() for character in text]
    return sum(a and b for a, b in pairwise(foreign)) * 2 >= sum(foreign)


def _is_common_in_euc(text: str) -> bool:
    """Return whether rare kanji are few; half-width kana of CP932 misread as EUC-JP give many.

    Kanji that stand alone, as in a column of 男 and 女, are common ones.
    """
    first = [character.encode("euc_jp")[0] for character in text if not character.isascii()]
    if sum(byte >= _SECOND_LEVEL for byte in first) * 8 >= len(first):
        return False
    return _comes_in_runs(text) or common_share(text.encode("euc_jp"), "euc_jp") >= _MOSTLY


def _looks_western(text: str) -> bool:
    """Return whether single letters stand among plain ones; misread text has signs and runs."""
    are_letters = all(character.isascii() or character.isalpha() for character in text)
    return are_letters and not _stands_apart(text)


_FAMILIAR = {"euc_jp": _is_common_in_euc, "cp932": _stands_apart, "cp1252": _looks_western}
