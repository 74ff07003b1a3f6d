"""Words for no answer that a masked file has as blanks and its original as labels."""

import numpy as np

from sudare.core import Column, Flags
from sudare.describe.proposing import plain_text
from sudare.describe.proposing.values import words


def undeclared_words(before: Column, after: Column) -> Flags:
    """Return which values of a column that are gone may be words for no answer, shape (rows,).

    A word that was declared when a file was masked is blank in that file. Where it is not declared
    again, the blank must not be taken for a value that masking suppressed. A label that is gone
    from a column with new blanks may be such a word if all its records are blank, if there are as
    many new blanks as it had records (values changed places), or if it is a known word for no
    answer. Both columns have the same records in the same order.
    """
    lost = after.missing & before.known
    if not lost.any():
        return lost
    coded = before.coded
    occurring = np.unique(after.coded.codes[after.known])
    kept = {str(after.coded.labels[code]) for code in occurring.tolist()}
    size = len(coded.labels)
    copies = np.ones(before.rows) if before.copies is None else before.copies
    counts = np.bincount(coded.codes[before.known], copies[before.known], size)
    blank = np.bincount(coded.codes[lost], copies[lost], size)
    gone = np.array([str(label) not in kept for label in coded.labels])
    known = np.array([plain_text(label) in words("missing") for label in coded.labels])
    words_there = gone & (counts > 0) & ((blank == counts) | (counts == blank.sum()) | known)
    return np.append(words_there, [False, False])[coded.codes]
