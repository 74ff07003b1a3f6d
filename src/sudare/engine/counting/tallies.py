"""Tally: equal records counted together, block by block, whatever their number."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sudare.core import (
    MISSING,
    NOT_APPLICABLE,
    Array,
    Categorical,
    Column,
    Floats,
    Integers,
    Microdata,
    Numeric,
    TooLargeError,
)
from sudare.engine.counting.counts import groups

MOST_ENTRIES = 1 << 25  # distinct combinations that are counted: about two gigabytes

# Keys, shape (m, words), their numbers of records (m,) and summed weights (m, parts).
Entries = tuple[Integers, Integers, Floats]

_FIRST_ADDRESSES = 1 << 12
_LARGEST_KEY = 2**62
_ABSENT = 2  # codes for missing and not applicable, below 0
_NO_NUMBER = np.array([np.nan]).view(np.int64)[0]
_NOT_APPLICABLE = _NO_NUMBER + 1  # another NaN


def collapsed(columns: Sequence[Column], copies: Integers) -> Microdata:
    """Return columns with equal entries once, in the order of their codes.

    Parameters
    ----------
    columns
        The columns, side by side.
    copies
        How many records each entry represents; entries of none are left out.

    Examples
    --------
    >>> sex = Categorical("sex", np.array([1, 0, 1]), ("female", "male"))
    >>> entries = collapsed([sex], np.array([2, 3, 4]))["sex"]
    >>> entries.codes.tolist(), entries.copies.tolist()
    ([0, 1], [3, 6])
    """
    used = copies > 0
    kept = [replace(column.take(used), copies=None) for column in columns]
    kinds = groups(kept)
    example = np.empty(len(kinds.sizes), np.int64)
    example[kinds.index] = np.arange(len(kinds.index))
    sums = np.bincount(kinds.index, weights=copies[used], minlength=len(kinds.sizes))
    counted = sums.astype(np.int64)
    return Microdata(tuple(replace(column.take(example), copies=counted) for column in kept))


@dataclass(frozen=True, eq=False)
class Digit:
    """How one column is part of a key.

    Attributes
    ----------
    head
        The column without any record.
    low, radix
        Whole numbers count from ``low``; there are ``radix`` digits, two of them for absent
        values. Any other numbers take a word of their own, by their bits, and have radix 0.
    """

    head: Column
    low: float = 0.0
    radix: int = 0

    def of(self, column: Column) -> Array:
        """Return the digit of each record, absent ones below 0."""
        if isinstance(column, Categorical):
            return column.codes
        column = column.numeric
        if self.radix == 0:
            bits = (column.values + 0.0).view(np.int64)  # -0.0 becomes 0.0
            bits = np.where(column.known, bits, _NO_NUMBER)
            return np.where(column.not_applicable, _NOT_APPLICABLE, bits)
        digits = np.nan_to_num(column.values - self.low, nan=MISSING).astype(np.int64)
        if column.absent is not None:
            digits[column.absent] = NOT_APPLICABLE
        return digits

    def column(self, digits: Integers, copies: Integers) -> Column:
        """Return the column that has these digits."""
        if isinstance(self.head, Categorical):
            return replace(self.head, codes=digits, copies=copies)
        if not isinstance(self.head, Numeric):  # pragma: no cover
            raise TypeError(type(self.head).__name__)
        if self.radix == 0:
            values, absent = digits.view(np.float64), digits == _NOT_APPLICABLE
        else:
            values = np.where(digits < 0, np.nan, digits + self.low)
            absent = digits == NOT_APPLICABLE
        has_absent = self.head.absent is not None or bool(absent.any())
        return replace(
            self.head, values=values, absent=absent if has_absent else None, copies=copies
        )


@dataclass(frozen=True, eq=False)
class Packing:
    """Digits of several columns as words of 62 bits."""

    digits: tuple[Digit, ...]

    @property
    def words(self) -> list[list[int]]:
        """The columns whose digits make up each word."""
        made: list[list[int]] = []
        cells = _LARGEST_KEY
        for column, digit in enumerate(self.digits):
            if digit.radix == 0:
                made.insert(0, [column])  # so that the last word has room
            elif cells * digit.radix > _LARGEST_KEY:
                made.append([column])
                cells = digit.radix
            else:
                made[-1].append(column)
                cells *= digit.radix
        return made

    def keys(self, columns: Sequence[Column]) -> Integers:
        """Return the key of each record, shape (n, words)."""
        words = self.words
        keys = np.empty((columns[0].rows, len(words)), np.int64)
        for number, members in enumerate(words):
            word = self.digits[members[0]].of(columns[members[0]]).astype(np.int64)
            shift = _ABSENT if self.digits[members[0]].radix else 0
            for member in members[1:]:
                word *= self.digits[member].radix
                word += self.digits[member].of(columns[member])
                shift = shift * self.digits[member].radix + _ABSENT
            word += shift
            keys[:, number] = word
        return keys

    def unpacked(self, keys: Integers, copies: Integers) -> list[Column]:
        """Return the columns that have these keys, in the order of their codes."""
        digits: dict[int, Integers] = {}
        for number, members in enumerate(self.words):
            word = keys[:, number].copy()
            for member in reversed(members):
                radix = self.digits[member].radix
                if radix == 0:
                    digits[member] = word
                else:
                    word, digit = np.divmod(word, radix)
                    digits[member] = digit - _ABSENT
        return [d.column(digits[number], copies) for number, d in enumerate(self.digits)]


@dataclass(eq=False)
class Tally:
    """Keys counted so far, with the sums of some weights.

    Attributes
    ----------
    words
        Of a key.
    parts
        Number of weights that are summed.
    most
        Number of keys that are counted; more are refused.
    """

    words: int
    parts: int = 0
    most: int = MOST_ENTRIES
    table: Integers = field(init=False)
    sums: Floats = field(init=False)
    used: int = 0

    def __post_init__(self) -> None:
        self._clear(_FIRST_ADDRESSES)

    def _clear(self, addresses: int) -> None:
        self.table = np.zeros((addresses, self.words + 1), np.int64)
        self.sums = np.zeros((addresses, self.parts))
        self.used = 0

    def add(
        self, keys: Integers, weights: Floats | None = None, counts: Integers | None = None
    ) -> None:
        """Count keys, shape (n, words), with weights, (n, parts); each for one, or for counts."""
        from sudare.engine.counting._kernels_tally import tally, tally_words

        simple = self.words == 1 and counts is None and weights is None
        weights = np.zeros((len(keys), 0)) if weights is None else weights
        counts = np.ones(1, np.int64) if counts is None else counts
        row = 0
        while row < len(keys):
            if simple:
                self.used, row = tally_words(keys, row, self.table, self.used)
            else:
                state = self.table, self.sums, self.used
                self.used, row = tally(keys, counts, weights, row, *state)
            if row < len(keys):
                self._grow()

    def _grow(self) -> None:
        if self.used > self.most:
            raise too_many(self.most)
        counted = self.entries()
        self._clear(2 * len(self.table))
        self.merge(counted)

    def entries(self) -> Entries:
        """Return keys, how many records have each, and their summed weights, in no order."""
        here = self.table[:, -1] > 0
        rows = self.table[here]
        return np.ascontiguousarray(rows[:, :-1]), rows[:, -1].copy(), self.sums[here]

    def merge(self, entries: Entries) -> None:
        """Count what another part of the table has."""
        keys, counts, sums = entries
        self.add(keys, sums, counts)


def too_many(limit: int = MOST_ENTRIES) -> TooLargeError:
    """Return the error for more combinations than can be counted."""
    return TooLargeError(
        "these columns have more than {limit} different combinations, too many to count in the "
        "memory allowed; use fewer columns, recode some, allow more memory, or work on a sample.",
        limit=limit,
    )
