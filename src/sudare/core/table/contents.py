"""The contents of a table as a number, which is another one where any value is another."""

import hashlib
import json
from collections.abc import Sequence

import numpy as np

from sudare.core.draws import Draws
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column, Label
from sudare.core.table.microdata import Microdata
from sudare.core.types import Array

_GAPS = [2**64 - 2, 2**64 - 1]  # not applicable and missing, which no number is written as
_HALF = np.uint64(32)
_LOWEST = 31  # bits of a sum that do not count


LabelWords = dict[str, tuple[tuple[Label, ...], Array]]  # by column: its labels and their words


def content_sum(data: Microdata, draws: Draws, known: LabelWords | None = None) -> Array:
    """Return a sum of 64 bits over the values of a table, or of a block of it, shape (1,).

    Either half of every value counts times a draw of its own. The sums of blocks add up to that of
    the table; see :func:`contents`. Identifiers, which no release has, do not count.

    Parameters
    ----------
    data
        The table or block.
    draws
        Draws of the table, starting at the first record of the block.
    known
        Keeps the words of labels from block to block: blocks are often smaller than their lists.

    Examples
    --------
    >>> import sudare
    >>> data, draws = sudare.datasets.toy(), Draws(7)
    >>> tail = content_sum(data.take(np.arange(9, 400)), draws.starting_at(9))
    >>> whole = content_sum(data.take(np.arange(9)), draws) + tail
    >>> bool((whole == content_sum(data, draws)).all())
    True
    """
    total, known = np.zeros(1, np.uint64), {} if known is None else known
    for column in data.columns:
        if column.role != "identifier":
            words = _words(column, draws.secret(column.name, lane=2), known)
            low, high = (draws.words(column.name, column.rows, lane=lane) for lane in range(2))
            high *= words >> _HALF
            low *= words & np.uint64(2**32 - 1)
            total += (low + high).sum(dtype=np.uint64, keepdims=True)
    return total


def contents(columns: Sequence[Column], total: Array) -> str:
    """Return what a table holds in a line: its columns and their labels in order, and its sum.

    Names and labels decide what becomes of a draw; those that do not occur too, as they may be
    drawn. Of the sum the upper bits count. Two tables of one size that differ in a value or in the
    order of the records have the same ones with a chance of 2⁻³³, whoever has chosen the values
    and whatever he knows but the draws.

    References
    ----------
    Lemire and Kaser (2014). Strongly universal string hashing is fast. The Computer Journal 57(11).
    """
    outline = [
        [column.name, *map(_text, column.labels if isinstance(column, Categorical) else ())]
        for column in columns
        if column.role != "identifier"
    ]
    return json.dumps([outline, int(total[0]) >> _LOWEST])


def _words(column: Column, key: bytes, known: LabelWords) -> Array:
    """Return the values of a column as words of 64 bits, independent of the codes of its labels."""
    if isinstance(column, Categorical):
        labels, words = known.get(column.name, ((), None))
        if words is None or labels is not column.labels:
            texts = [_text(label).encode() for label in column.labels]
            hashed = [hashlib.blake2b(text, digest_size=8, key=key).digest() for text in texts]
            words = np.frombuffer(b"".join(hashed), "<u8").astype(np.uint64)
            words = np.append(words, np.array(_GAPS, np.uint64))  # as codes index from the end
            known[column.name] = column.labels, words
        return words[column.codes]
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
