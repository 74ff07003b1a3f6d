"""Packing: records as keys of a few whole numbers, and back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from sudare.core import (
    MISSING,
    NOT_APPLICABLE,
    Array,
    Categorical,
    Column,
    Integers,
    Microdata,
    Numeric,
)
from sudare.engine.counting.counts import groups

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
    def is_ordered(self) -> bool:
        """Whether keys are in the order of the codes."""
        return all(digit.radix for digit in self.digits)

    @property
    def combinations(self) -> int:
        """How many keys there can be."""
        return prod(digit.radix or _LARGEST_KEY for digit in self.digits)

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
        """Return the key of each record, shape (words, n)."""
        words = self.words
        keys = np.empty((len(words), columns[0].rows), np.int64)
        for number, members in enumerate(words):
            word = self.digits[members[0]].of(columns[members[0]]).astype(np.int64)
            shift = _ABSENT if self.digits[members[0]].radix else 0
            for member in members[1:]:
                word *= self.digits[member].radix
                word += self.digits[member].of(columns[member])
                shift = shift * self.digits[member].radix + _ABSENT
            word += shift
            keys[number] = word
        return keys

    def unpacked(self, keys: Sequence[Integers], copies: Integers) -> list[Column]:
        """Return the columns that have these keys, given word by word."""
        digits: dict[int, Integers] = {}
        for number, members in enumerate(self.words):
            word = keys[number]
            for member in reversed(members):
                radix = self.digits[member].radix
                if radix == 0:
                    digits[member] = word
                else:
                    word, digit = np.divmod(word, radix)
                    digits[member] = (digit - _ABSENT).astype(np.int32)
        return [d.column(digits[number], copies) for number, d in enumerate(self.digits)]
