"""Numbers as people write them: ``1,234``, ``１２．５``, ``△3``, ``(1,200)``, ``¥500``, ``12 人``.

A cell is read in one of two notations, by its decimal mark; a column has one for all its cells, and
one unit. Units that only stated types are read with (人, kg) may also be parts of labels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import Array, Flags, Floats, say

Mark = Literal[".", ","]

_WIDE = "０１２３４５６７８９＋－．，％（）￥"
_NARROW = "0123456789+-.,%()¥"
_DASHES = "−–‐"
_BLANKS = "\u3000\u00a0\u2007\u2009\u202f\ufeff\t"
_FOLD = str.maketrans(_WIDE + _DASHES + "▲" + _BLANKS, _NARROW + "---△" + " " * len(_BLANKS))
_EXACT = 2**53
_NAMES = ("open", "sign", "currency", "inner", "digits", "power", "unit", "close")
_CURRENCIES = {"¥": "円", "\\": "円", "$": "$", "€": "€", "£": "£", "₩": "₩", "元": "元"}
_SURE_UNITS = ("", "%", "円")  # read without being asked; others may be parts of labels
_COUNTER = (
    "人|名|世帯|戸|件|個|回|歳|才|点|台|本|枚|冊|匹|頭|羽|棟|室|部屋|社|校|店|票|席|泊|杯|食|袋|箱|組|"
    "種|区|位|年|ヶ月|か月|カ月|ヵ月|週|週間|日|日間|時間|分|秒|㎡|平米|坪|畳|ha|km|m|cm|mm|kg|g|mg|t|"
    "トン|キロ|L|ml|℃|度|kcal|kWh|倍|割|千|万|百万|億|兆|千円|万円|百万円|億円|千人|万人|千世帯|元|"
    "ドル|ユーロ|USD|EUR|GBP|JPY|CHF|yen|dollars|euros|persons|people|households|years|yrs|months|"
    "days|hours|hrs|h|min|sec|points|pts|pcs|times"
)
_COUNTERS = _COUNTER.split("|")
_SCALING = [unit for unit in _COUNTERS if unit[0] in "千万百億兆割倍"]
_FORM = (
    r"^ *'?(?P<open>\(?) *(?P<sign>[-+△]?) *(?P<currency>[¥\\$€£₩]?) *(?P<inner>[-+△]?)"
    r"(?P<digits>%s)(?P<power>(?:[eE][-+]?[0-9]+)?) *(?P<unit>円|%%|[$€£₩]|"
    + _COUNTER
    + r"|) *(?P<close>\)?) *$"
)
_THOUSANDS = (
    r"(?:[0-9]+|[1-9][0-9]{0,2}(?:%s[0-9]{3})+|[0-9]{1,3}(?: [0-9]{3})+"
    r"|[0-9]{1,3}(?:['’][0-9]{3})+|[0-9]{1,3}(?:_[0-9]{3})+)"
)
_BEGINNING = r"^[^A-Za-z0-9０-９]*[0-9０-９]"  # no letter is before the digits of a number
_TELLING = r"(^|[^0-9.,])0[.,]|[.,].*[.,]|[.,][0-9]{0,2}([^0-9]|$)|[.,][0-9]{4}"
_LAKHS = r"[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}"  # 12,34,567
_FORMS: dict[Mark, str] = {
    ".": _FORM % (f"(?:{_THOUSANDS % ','}|{_LAKHS})" + r"(?:\.[0-9]*)?|\.[0-9]+"),
    ",": _FORM % (_THOUSANDS % r"\." + r"(?:,[0-9]+)?"),
}


@dataclass(frozen=True, eq=False, repr=False)
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
    enclosed
        Which numbers are in brackets.
    units
        The unit of each text, "" where it has none: a percent or currency sign, or a word.
    sure
        Which numbers are read without being asked for: 12人 and 1_000 may be labels.
    rules
        What had to be done, in words.
    """

    numbers: Floats
    readable: Flags
    blank: Flags
    whole: Flags
    lossy: Flags
    enclosed: Flags
    units: Array
    sure: Flags
    rules: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether every text is a number or blank, and at least one a number."""
        return bool(self.readable.any()) and bool((self.readable | self.blank).all())

    @property
    def certain(self) -> bool:
        """Whether a complete column can only be read as numbers of one unit."""
        known = self.units[self.readable]
        some_percent = "%" in known and not (known == "%").all()
        return bool(self.sure[self.readable].all()) and not some_percent and not self.mixed.any()

    @property
    def mixed(self) -> Flags:
        """Which numbers have another unit than the first that has one."""
        named = self.readable & (self.units != "")
        first = self.units[named.argmax()] if len(named) else ""
        return named & (self.units != first)

    @property
    def unclear(self) -> Flags:
        """Which numbers have no unit beside ones of a unit that scales: 30000 beside 3万.

        Beside percentages only what could be a share is unclear: 0.5 beside 50%.
        """
        plain = self.readable & (self.units == "") & (self.numbers != 0)
        shares = plain & (np.abs(self.numbers) <= 1) & bool((self.units == "%").any())
        return shares | (plain & bool(np.isin(self.units, _SCALING).any()))


@dataclass(frozen=True)
class Units:
    """The units in a part of a column; "" for numbers without one."""

    names: frozenset[str] = frozenset()

    @property
    def differ(self) -> bool:
        """Whether numbers of all these units cannot be in one column."""
        named = self.names - {""}
        return len(named) > 1 or ("" in self.names and not named.isdisjoint(("%", *_SCALING)))

    def __or__(self, other: "Units") -> "Units":
        """Return the units of both parts."""
        return Units(self.names | other.names)


def units_of(texts: pa.Array) -> Units:
    """Return the units of texts that are numbers.

    Examples
    --------
    >>> (units_of(pa.array(["12人"])) | units_of(pa.array(["3世帯"]))).differ
    True
    """
    numbers = read_numbers(texts)
    return Units(frozenset(numbers.units[numbers.readable].tolist()))


@dataclass(frozen=True)
class DecimalMarks:
    """Which marks the numbers in a part of a column have.

    Attributes
    ----------
    points, commas
        Whether there are any.
    told
        Whether a number tells which of them is the decimal mark, as 1,234.5 and 0.12 do.
    """

    points: bool = False
    commas: bool = False
    told: bool = False

    @property
    def unclear(self) -> bool:
        """Whether 1,234 and 1.234 both occur and nothing shows which mark is the decimal one."""
        return self.points and self.commas and not self.told

    def __or__(self, other: "DecimalMarks") -> "DecimalMarks":
        """Return the marks of both parts."""
        return DecimalMarks(
            self.points or other.points, self.commas or other.commas, self.told or other.told
        )


def marks_of(texts: pa.Array) -> DecimalMarks:
    """Return the marks of texts that are numbers.

    Examples
    --------
    >>> (marks_of(pa.array(["1,234"])) | marks_of(pa.array(["1.234"]))).unclear
    True
    >>> (marks_of(pa.array(["1,234"])) | marks_of(pa.array(["1.2345"]))).unclear
    False
    """
    plain = folded(texts)
    points, commas, told = (
        bool(pc.any(pc.match_substring_regex(plain, form)).as_py())
        for form in (r"\.", ",", _TELLING)
    )
    return DecimalMarks(points, commas, told)


def folded(texts: pa.Array) -> pa.Array:
    """Return texts with full-width characters as plain ones and every blank as a space."""
    if pc.all(pc.string_is_ascii(texts)).as_py():
        return pc.replace_substring(texts, "\t", " ")
    return pa.array([text.translate(_FOLD) for text in texts.to_pylist()], pa.string())


def are_numbers(texts: pa.Array | Sequence[str], share: float, mark: Mark = ".") -> bool:
    """Return whether at least a share of some texts are numbers.

    Examples
    --------
    >>> are_numbers(["1,234", "n/a"], 0.5), are_numbers(["A12", "n/a"], 0.5), are_numbers([], 0.5)
    (True, False, False)
    """
    if not isinstance(texts, pa.Array):
        texts = pa.array(texts, pa.string())
    if not len(texts) or _matches(texts, _BEGINNING).mean() < share:  # much faster than to read
        return False
    return bool(read_numbers(texts, mark).readable.mean() >= share)


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
    units, one_unit = _units(parts)
    readable &= one_unit
    used = _used(texts, plain, parts, mark)
    return ReadNumbers(
        numbers=np.where(minus, -numbers, numbers),
        readable=readable,
        blank=_matches(plain, "^ *$"),
        whole=whole & readable,
        lossy=_matches(parts["digits"], "^0[0-9]|^[0-9]{16}") & readable & (units != "%"),
        enclosed=enclosed & readable,
        units=np.where(readable, units, ""),
        sure=readable & np.isin(units, _SURE_UNITS) & ~_matches(parts["digits"], "_|,[0-9]{2},"),
        rules=tuple(rule for rule, flags in used.items() if (flags & readable).any()),
    )


def numbers_of_texts(texts: Sequence[str], mark: Mark = ".") -> ReadNumbers:
    """Return texts as numbers with a decimal point or comma, as a file is read.

    Examples
    --------
    >>> numbers_of_texts(["1,234", "n/a"]).readable.tolist()
    [True, False]
    """
    return read_numbers(pa.array(texts, pa.string()), mark)


def _values(parts: Mapping[str, pa.Array], readable: Flags, mark: Mark) -> Floats:
    bare = pc.replace_substring_regex(parts["digits"], "[ '’_,]" if mark == "." else "[ '’_.]", "")
    bare = pc.replace_substring(bare, ",", ".")
    texts = pc.binary_join_element_wise(bare, parts["power"], "")
    numbers: Floats = (
        pc.if_else(pa.array(readable), texts, None)
        .cast(pa.float64())
        .to_numpy(zero_copy_only=False)
    )
    return numbers


def _units(parts: Mapping[str, pa.Array]) -> tuple[Array, Flags]:
    """Return the unit of each text, and whether a currency before it and a unit behind it agree."""
    before, behind = (parts[name].to_numpy(zero_copy_only=False) for name in ("currency", "unit"))
    for sign, unit in _CURRENCIES.items():
        before, behind = (
            np.where(before == sign, unit, before),
            np.where(behind == sign, unit, behind),
        )
    return np.where(before == "", behind, before), (before == "") | (behind == "") | (
        before == behind
    )


def _used(
    texts: pa.Array, plain: pa.Array, parts: Mapping[str, pa.Array], mark: Mark
) -> dict[str, Flags]:
    """Return by rule which texts need it."""
    digits, triangle = parts["digits"], _is(parts["sign"], "△") | _is(parts["inner"], "△")
    wide = _flags(pc.match_substring_regex(texts, f"[{_WIDE}]"))
    used = {
        say("blanks removed"): _matches(plain, r"^ | $|[^0-9] | [^0-9]"),
        say("full-width characters read as plain ones"): wide,
        say("separators of thousands removed"): _matches(
            digits, "[ '’_,]" if mark == "." else "[ '’_.]"
        ),
        say("apostrophes in front removed"): _matches(plain, "^ *'"),
        say("plus signs removed"): _is(parts["sign"], "+") | _is(parts["inner"], "+"),
        say("brackets and triangles read as minus"): _is(parts["open"], "(") | triangle,
        say("dashes read as minus"): _flags(pc.match_substring_regex(texts, f"[{_DASHES}]")),
        say("currency signs removed"): ~_is(parts["currency"], "")
        | _is(parts["unit"], *_CURRENCIES.values()),
        say("percent signs removed, numbers in percent"): _is(parts["unit"], "%"),
    }
    counted = _is(parts["unit"], *_COUNTERS)
    if counted.any():
        unit = parts["unit"][int(counted.argmax())].as_py()
        used[say("unit removed, numbers in {unit}", unit=unit)] = counted
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
    return values.to_numpy(zero_copy_only=False)
