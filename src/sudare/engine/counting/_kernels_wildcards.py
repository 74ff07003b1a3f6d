"""Kernel of the wildcard counts: the loop over pairs in which a value is missing."""

from sudare.core import FlagVector, FloatMatrix, IntegerMatrix, inlined, kernel


@inlined
def _match(terms: IntegerMatrix, row: int, other: int) -> bool:
    """Return whether two rows have equal values wherever none of both is missing."""
    for column in range(terms.shape[1]):
        own, others = terms[row, column], terms[other, column]
        if own != others and own > 0 and others > 0:
            return False
    return True


@kernel
def add_matches(
    terms: IntegerMatrix, blank: FlagVector, amounts: FloatMatrix, totals: FloatMatrix
) -> None:
    """Add to each row the amounts of the rows that match it, one of both having missing values.

    Rows come in the order of their first column, those first in which it is missing: a row is
    compared with these and with those of its own value, or with all where its own is missing.

    Parameters
    ----------
    terms
        Of the cells, 0 where a value is missing, shape (d, m); the first column ascends.
    blank
        Which rows have missing values, shape (d,).
    amounts
        What each row adds, shape (d, k).
    totals
        Added to in place, shape (d, k).
    """
    d, anywhere = len(terms), 0
    while anywhere < d and terms[anywhere, 0] < 1:  # up to here the first column is missing
        anywhere += 1
    first, last = anywhere, anywhere
    for row in range(d):
        if row >= last:
            first = last
            while last < d and terms[last, 0] == terms[row, 0]:
                last += 1
        if not blank[row]:
            continue
        for number in range(d if row < anywhere else anywhere + last - first):
            other = number if row < anywhere or number < anywhere else first + number - anywhere
            if other != row and _match(terms, row, other):
                for part in range(amounts.shape[1]):
                    totals[row, part] += amounts[other, part]
                    if not blank[other]:
                        totals[other, part] += amounts[row, part]
