"""The contents of a table as two numbers, which are others where any value is another."""

import hashlib
from itertools import pairwise

import numpy as np

from sudare.core.draws import Draws
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column, Label
from sudare.core.table.microdata import Microdata
from sudare.core.types import Array

_LANES = 2
_GAPS = [2**64 - 2, 2**64 - 1]  # not applicable and missing, which no number is written as
_START = 0x9E3779B97F4A7C15
_MIXING = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))  # of SplitMix64


def content_sums(data: Microdata, draws: Draws) -> Array:
    """Return two sums of 64 bits over the values of a table, or of a block of it, shape (2,).

    Every value counts times a draw of its own. The sums of blocks add up to those of the table, and
    two tables that differ in a value or in the order of the records have the same ones by chance
    only. Identifiers, which no release has, do not count.

    References
    ----------
    Carter and Wegman (1979). Universal classes of hash functions. Journal of Computer and System
    Sciences 18(2).

    Examples
    --------
    >>> import sudare
    >>> data, draws = sudare.datasets.toy(), Draws(7)
    >>> tail = content_sums(data.take(np.arange(9, 400)), draws.starting_at(9))
    >>> whole = content_sums(data.take(np.arange(9)), draws) + tail
    >>> bool((whole == content_sums(data, draws)).all())
    True
    """
    sums = np.zeros(_LANES, np.uint64)
    for column in data.columns:
        if column.role != "identifier":
            values = _mixed(_words(column))
            for lane in range(_LANES):
                drawn = draws.words(column.name, column.rows, lane=lane)
                sums[lane : lane + 1] += (values * drawn).sum(dtype=np.uint64, keepdims=True)
    return sums


def _words(column: Column) -> Array:
    """Return the values of a column as words of 64 bits, whichever codes stand for its labels."""
    if isinstance(column, Categorical):
        labels = column.labels
        is_stated = column.scale == "ordinal" and any(a > b for a, b in pairwise(labels))  # type: ignore[operator]
        texts = [f"{code * is_stated}|{_text(label)}" for code, label in enumerate(labels)]
        hashed = [hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts]
        known = np.frombuffer(b"".join(hashed), "<u8").astype(np.uint64)
        words: Array = np.append(known, np.array(_GAPS, np.uint64))[column.codes]
        return words
    numbers = column.numeric
    words = (numbers.values + 0.0).view(np.uint64)  # a zero has no sign
    words[numbers.missing] = _GAPS[1]
    words[numbers.not_applicable] = _GAPS[0]
    return words


def _text(label: Label) -> str:
    """Return a label as text files have it, so that it does not matter how it came in."""
    if isinstance(label, bool):
        return str(label).lower()
    is_whole = isinstance(label, float) and label.is_integer()
    return str(int(label) if is_whole else label)  # type: ignore[call-overload]


def _mixed(words: Array) -> Array:
    words = words + np.uint64(_START)  # or a zero would count for nothing
    for shift, factor in _MIXING:
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    mixed: Array = words ^ (words >> np.uint64(31))
    return mixed
