"""Kernels of the wildcard counts: loops over pairs of rows."""

from sudare.core import (
    CodeVector,
    FlagVector,
    FloatMatrix,
    IntegerMatrix,
    IntegerVector,
    inlined,
    kernel,
)


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


@kernel
def count_differences(
    terms: IntegerMatrix,
    sizes: IntegerVector,
    rows: IntegerVector,
    most: int,
    numbers: CodeVector,
    counts: IntegerMatrix,
) -> None:
    """Count, for some rows, the records of others by the set of columns in which they differ.

    Parameters
    ----------
    terms, sizes
        Of the cells, 0 where a value is missing, shape (d, m); records of each row, shape (d,).
    rows
        The rows whose differences are counted, shape (r,).
    most
        Sets of more columns are not counted.
    numbers
        Number of each set: its columns from 1, ascending, are the digits to the base m + 1,
        shape ((m + 1)**most,).
    counts
        Added to in place, shape (r, sets).
    """
    base = terms.shape[1] + 1
    for at in range(len(rows)):
        own = terms[rows[at]]
        for other in range(len(terms)):
            others, differing, digits = terms[other], 0, 0
            for column in range(terms.shape[1]):
                if own[column] != others[column] and own[column] > 0 and others[column] > 0:
                    differing += 1
                    if differing > most:
                        break
                    digits = digits * base + column + 1
            if differing <= most:
                counts[at, numbers[digits]] += sizes[other]
