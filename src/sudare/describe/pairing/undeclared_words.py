"""Words for no answer that a masked file has as blanks and its original as labels."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from sudare.core import MISSING, Categorical, Column, Flags, Microdata, Numeric
from sudare.describe.proposing import plain_text
from sudare.describe.proposing.values import words


def with_undeclared_words(
    before: Microdata, after: Microdata, names: Iterable[str]
) -> tuple[Microdata, tuple[str, ...]]:
    """Return the original with what may be words for no answer missing, and which columns have any.

    A word that was declared when a file was masked is blank in that file. Where it is not declared
    again, the blank must not be taken for a value that masking suppressed. A label that is gone
    from a column with new blanks may be such a word if all its records are blank, if there are as
    many new blanks as it had records (values changed places), or if it is a known word for no
    answer.

    Parameters
    ----------
    before, after
        Both tables, with the same records in the same order.
    names
        The columns that count.
    """
    shared = [name for name in dict.fromkeys(names) if name in before and name in after]
    pairs = [(before[name], _undeclared(before[name], after[name])) for name in shared]
    changed = [_blanked(column, flags) for column, flags in pairs if flags.any()]
    return before.replacing(changed), tuple(column.name for column in changed)


def _undeclared(before: Column, after: Column) -> Flags:
    """Return which records had a value that may be a word for no answer, shape (rows,)."""
    lost = after.missing & before.known
    if not lost.any():
        return lost
    coded = before.coded
    occurring = np.unique(after.coded.codes[after.known])
    kept = {str(after.coded.labels[code]) for code in occurring.tolist()}
    size = len(coded.labels)
    counts = np.bincount(coded.codes[before.known], minlength=size)
    blank = np.bincount(coded.codes[lost], minlength=size)
    gone = np.array([str(label) not in kept for label in coded.labels])
    known = np.array([plain_text(label) in words("missing") for label in coded.labels])
    words_there = gone & (counts > 0) & ((blank == counts) | (counts == lost.sum()) | known)
    flags: Flags = np.append(words_there, [False, False])[coded.codes]
    return flags


def _blanked(column: Column, flags: Flags) -> Column:
    if isinstance(column, Numeric):
        return replace(column, values=np.where(flags, np.nan, column.values))
    coded: Categorical = column.coded
    return replace(coded, codes=np.where(flags, MISSING, coded.codes))
