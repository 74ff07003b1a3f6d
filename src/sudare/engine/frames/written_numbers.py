"""Numbers as people write them: ``1,234``, ``１２．５``, ``△3``, ``(1,200)``, ``¥500``, ``12 %``.

A cell is read in one of two notations, by its decimal mark; a column has one for all its cells.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import Flags, Floats, say

Mark = Literal[".", ","]

_WIDE = "０１２３４５６７８９＋－．，％（）￥"
_NARROW = "0123456789+-.,%()¥"
_BLANKS = "\u3000\u00a0\u2007\u2009\u202f\ufeff\t"
_FOLD = str.maketrans(_WIDE + "−▲" + _BLANKS, _NARROW + "-△" + " " * len(_BLANKS))
_EXACT = 2**53
_NAMES = ("open", "sign", "yen", "inner", "digits", "power", "unit", "close")
_FORM = (
    r"^ *(?P<open>\(?) *(?P<sign>[-+△]?) *(?P<yen>[¥\\]?) *(?P<inner>[-+△]?)"
    r"(?P<digits>%s)(?P<power>(?:[eE][-+]?[0-9]+)?) *(?P<unit>円|%%|) *(?P<close>\)?) *$"
)
_THOUSANDS = r"(?:[0-9]+|[0-9]{1,3}(?:%s[0-9]{3})+|[0-9]{1,3}(?: [0-9]{3})+)"
_FORMS: dict[Mark, str] = {
    ".": _FORM % (_THOUSANDS % "," + r"(?:\.[0-9]*)?|\.[0-9]+"),
    ",": _FORM % (_THOUSANDS % r"\." + r"(?:,[0-9]+)?"),
}


@dataclass(frozen=True, eq=False)
class ReadNumbers:
    """Texts read as numbers in one notation.

    Attributes
    ----------
    numbers
        NaN where a text is not a number, shape (n,).
    readable, blank
        Which texts are numbers, and which are nothing but blanks.
    whole
        Which numbers are whole, written without a decimal mark, and exact.
    lossy
        Which texts would lose something as a number: a first zero (0123), or the last digits.
    enclosed, percent
        Which numbers are in brackets, and which have a percent sign.
    rules
        What had to be done, in words.
    """

    numbers: Floats
    readable: Flags
    blank: Flags
    whole: Flags
    lossy: Flags
    enclosed: Flags
    percent: Flags
    rules: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether every text is a number or blank, at least one a number, and all of one unit."""
        count = int(self.readable.sum())
        one_unit = self.percent.sum() in {0, count}
        return bool(count) and one_unit and bool((self.readable | self.blank).all())


def folded(texts: pa.Array) -> pa.Array:
    """Return texts with full-width characters as plain ones and every blank as a space."""
    if pc.all(pc.string_is_ascii(texts)).as_py():
        return pc.replace_substring(texts, "\t", " ")
    return pa.array([text.translate(_FOLD) for text in texts.to_pylist()], pa.string())


def read_numbers(texts: pa.Array, mark: Mark = ".") -> ReadNumbers:
    """Return texts, none of them null, as numbers with a point or a comma as decimal mark.

    Examples
    --------
    >>> read_numbers(pa.array(["1,234", " △５ ", "(7)", "¥9", "n/a"])).numbers.tolist()
    [1234.0, -5.0, -7.0, 9.0, nan]
    >>> read_numbers(pa.array(["1.234,5"]), ",").numbers.tolist()
    [1234.5]
    """
    plain = folded(texts)
    matched = pc.extract_regex(plain, _FORMS[mark])
    parts = {name: pc.fill_null(pc.struct_field(matched, name), "") for name in _NAMES}
    enclosed, signed = _is(parts["open"], "("), ~_is(parts["sign"], "")
    signed_twice = ~_is(parts["inner"], "") & (signed | enclosed)
    closed = enclosed == _is(parts["close"], ")")
    readable = ~_is(parts["digits"], "") & closed & ~signed_twice & ~(signed & enclosed)
    numbers = _values(parts, readable, mark)
    minus = enclosed | _is(parts["sign"], "-", "△") | _is(parts["inner"], "-", "△")
    whole = ~_holds(parts["digits"], mark) & _is(parts["power"], "") & (np.abs(numbers) <= _EXACT)
    used = _used(texts, plain, parts, mark)
    return ReadNumbers(
        numbers=np.where(minus, -numbers, numbers),
        readable=readable,
        blank=_matches(plain, "^ *$"),
        whole=whole & readable,
        lossy=_matches(parts["digits"], "^0[0-9]|^[0-9]{16}") & readable,
        enclosed=enclosed & readable,
        percent=_is(parts["unit"], "%") & readable,
        rules=tuple(rule for rule, flags in used.items() if (flags & readable).any()),
    )


def numbers_of_texts(texts: Sequence[str]) -> ReadNumbers:
    """Return texts as numbers with a decimal point, as a file is read.

    Examples
    --------
    >>> numbers_of_texts(["1,234", "n/a"]).readable.tolist()
    [True, False]
    """
    return read_numbers(pa.array(texts, pa.string()))


def _values(parts: Mapping[str, pa.Array], readable: Flags, mark: Mark) -> Floats:
    bare = pc.replace_substring_regex(parts["digits"], "[ ,]" if mark == "." else "[ .]", "")
    bare = pc.replace_substring(bare, ",", ".")
    texts = pc.binary_join_element_wise(bare, parts["power"], "")
    numbers: Floats = (
        pc.if_else(pa.array(readable), texts, None)
        .cast(pa.float64())
        .to_numpy(zero_copy_only=False)
    )
    return numbers


def _used(
    texts: pa.Array, plain: pa.Array, parts: Mapping[str, pa.Array], mark: Mark
) -> dict[str, Flags]:
    """Return by rule which texts need it."""
    digits, triangle = parts["digits"], _is(parts["sign"], "△") | _is(parts["inner"], "△")
    wide = _flags(pc.match_substring_regex(texts, f"[{_WIDE}]"))
    used = {
        say("blanks removed"): _matches(plain, r"^ | $|[^0-9] | [^0-9]"),
        say("full-width characters read as plain ones"): wide,
        say("separators of thousands removed"): _holds(digits, "," if mark == "." else ".")
        | _holds(digits, " "),
        say("plus signs removed"): _is(parts["sign"], "+") | _is(parts["inner"], "+"),
        say("brackets and triangles read as minus"): _is(parts["open"], "(") | triangle,
        say("currency signs removed"): ~_is(parts["yen"], "") | _is(parts["unit"], "円"),
        say("percent signs removed, numbers in percent"): _is(parts["unit"], "%"),
    }
    if mark == ",":
        used[say("commas read as decimal points")] = _holds(digits, ",")
    return used


def _is(values: pa.Array, *words: str) -> Flags:
    return _flags(pc.is_in(values, pa.array(words, values.type)))


def _holds(values: pa.Array, text: str) -> Flags:
    return _flags(pc.match_substring(values, text))


def _matches(values: pa.Array, pattern: str) -> Flags:
    return _flags(pc.match_substring_regex(values, pattern))


def _flags(values: pa.Array) -> Flags:
    flags: Flags = values.to_numpy(zero_copy_only=False)
    return flags
