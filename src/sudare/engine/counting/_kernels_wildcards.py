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

CHUNK = 64  # rows that are compared together
_EARLY = 4  # columns after which a chunk that differs in too many is left


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


@inlined
def _differing(
    columns: IntegerMatrix, row: int, start: int, size: int, most: int, differing: IntegerVector
) -> bool:
    """Count the columns in which a chunk of rows differs; False where all differ in too many."""
    for at in range(size):
        differing[at] = 0
    for column in range(columns.shape[0]):
        own, others = columns[column, row], columns[column][start : start + size]
        if own > 0:
            for at in range(size):
                differing[at] += int(own != others[at]) & int(others[at] > 0)
        if column % _EARLY == _EARLY - 1 or column == columns.shape[0] - 1:
            within = 0
            for at in range(size):
                within += int(differing[at] <= most)
            if within == 0:
                return False
    return True


@kernel
def count_differences(
    columns: IntegerMatrix,
    sizes: IntegerVector,
    rows: IntegerVector,
    most: int,
    numbers: CodeVector,
    counts: IntegerMatrix,
    differing: IntegerVector,
) -> None:
    """Count, for some rows, the records of others by the set of columns in which they differ.

    Parameters
    ----------
    columns, sizes
        Of the cells, 0 where a value is missing, shape (m, d); records of each row, shape (d,).
    rows
        The rows whose differences are counted, shape (r,).
    most
        Sets of more columns are not counted.
    numbers
        Number of each set: its columns from 1, ascending, are the digits to the base m + 1,
        shape ((m + 1)**most,).
    counts
        Added to in place, shape (r, sets).
    differing
        Room for a chunk of rows, shape (CHUNK,).
    """
    base, d = columns.shape[0] + 1, columns.shape[1]
    for at in range(len(rows)):
        row = rows[at]
        for start in range(0, d, CHUNK):
            size = min(CHUNK, d - start)
            if not _differing(columns, row, start, size, most, differing):
                continue
            for near in range(size):
                if differing[near] > most:
                    continue
                other, digits = start + near, 0
                for column in range(columns.shape[0]):
                    own, others = columns[column, row], columns[column, other]
                    if own != others and own > 0 and others > 0:
                        digits = digits * base + column + 1
                counts[at, numbers[digits]] += sizes[other]
