"""Columns of decimals that the CSV reader may turn into numbers at once, with nothing lost by it.

Texts that are all different would otherwise be compared with each other before they become numbers,
which takes most of the time and memory of a file of measurements. The reader takes more for a
number than we do: ``0123``, and blanks around it. Both are looked for in the bytes of the file.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import Array, Flags
from sudare.engine.frames import fixed_decimals, kind_of

_CHUNK = 1 << 18  # bytes that stay in a cache
_EXACT = 1e15  # whole numbers from here on may have lost digits
_REACH = 3  # bytes that are looked at around a zero
_OTHER_FORMS = r"\.[0-9]+0$|^-?[0-9]+\.?$|^-?\."  # 1.50, 2, 2., .5 come back as 1.5, 2.0, 0.5
_PADDED = r"^[-+]?0[0-9]"


def decimal_columns(
    rows: Iterable[Sequence[str]], names: Sequence[str], wanted: Callable[[str], bool]
) -> dict[int, int | None]:
    """Return the columns whose first texts are all decimals, and that are wanted as numbers.

    With each goes the number of digits behind the point, where that has to be kept (1.50). Columns
    of which some texts would come back in another form (1.50 beside 2.5) are not among them.
    """
    texts = [list(column) for column in zip(*rows, strict=True)]
    decimals: dict[int, int | None] = {}
    for position, (name, column) in enumerate(zip(names, texts, strict=False)):
        numbers = pa.array([text for text in column if text])
        if not wanted(name) or kind_of(numbers) != pa.float64():
            continue
        if not bool(pc.any(pc.match_substring_regex(numbers, _OTHER_FORMS)).as_py()):
            decimals[position] = None
        elif (digits := fixed_decimals(numbers)) is not None:
            decimals[position] = digits
    return decimals


@dataclass(frozen=True)
class Bytes:
    """What the bytes of a file tell about its fields.

    Attributes
    ----------
    padded
        How many fields begin with a zero and a digit (0123).
    has_blank_ends, has_quotes
        Whether any field begins or ends with a blank, and whether there are quotes.
    """

    padded: int
    has_blank_ends: bool
    has_quotes: bool


def look_at_bytes(path: Path, separator: str) -> Bytes:
    """Return what the bytes of a file tell about its fields."""
    ends = np.zeros(256, np.bool_)
    ends[[ord(separator), *b'"\r\n']] = True
    padded, has_blank_ends, has_quotes, carry = 0, False, False, b"\n" * _REACH
    with path.open("rb") as file:
        while block := file.read(_CHUNK):
            data = np.frombuffer(carry + block, np.uint8)
            has_quotes = has_quotes or b'"' in block
            if b" " in block or b"\t" in block:
                has_blank_ends = has_blank_ends or _has_blank_ends(data, ends, separator)
            padded += _padded(data, ends)
            carry = data[-_REACH:].tobytes()
    return Bytes(padded, has_blank_ends, has_quotes)


def nothing_lost(table: pa.Table, decimals: Collection[int], seen: Bytes) -> bool:
    """Return whether numbers of a file that was read are what we would have taken for numbers."""
    for position in decimals:
        ends = pc.min_max(table.column(position)).as_py().values()
        if any(abs(end or 0) >= _EXACT for end in ends):
            return False
    return not seen.padded or seen.padded == sum(
        pc.sum(pc.match_substring_regex(table.column(position), _PADDED)).as_py() or 0
        for position in range(table.num_columns)
        if position not in decimals
    )


def _padded(data: Array, ends: Flags) -> int:
    """Return how many fields of a chunk begin with a zero and a digit, perhaps after a sign.

    The last bytes of a chunk come again as the first of the next, where they are looked at.
    """
    digit = (data - ord("0")) < 10
    zero = data[2:-1] == ord("0")
    zero &= digit[3:]
    zero &= ~digit[1:-2]
    zero &= data[1:-2] != ord(".")
    zeros = np.flatnonzero(zero)  # few: most zeros stand among digits
    before, earlier = data[zeros + 1], data[zeros]
    signed = (before == ord("-")) | (before == ord("+"))
    return int((ends[before] | (signed & ends[earlier])).sum())


def _has_blank_ends(data: Array, ends: Flags, separator: str) -> bool:
    blank = data == ord(" ")
    if separator != "\t":
        blank |= data == ord("\t")
    blanks = np.flatnonzero(blank[1:-1])
    return bool((ends[data[blanks]] | ends[data[blanks + 2]]).any())
