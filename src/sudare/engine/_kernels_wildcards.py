"""Kernel of the wildcard counts: the loop over pairs in which a value is missing."""

import numpy as np
from numba import njit

from sudare.core.types import Array


@njit(nogil=True, cache=True)
def add_matches(terms: Array, blank: Array, amounts: Array, totals: Array) -> None:
    """Add to each row the amounts of the rows that match it, one of both having missing values.

    Parameters
    ----------
    terms
        Of the cells, 0 where a value is missing, shape (d, m).
    blank
        The rows with missing values, shape (b,).
    amounts
        What each row adds, shape (d, k).
    totals
        Added to in place, shape (d, k).
    """
    whole = np.ones(len(terms), np.bool_)
    whole[blank] = False
    for row in blank:
        mine = terms[row]
        for other in range(len(terms)):
            theirs = terms[other]
            match = other != row
            for place in range(len(mine)):
                one, two = mine[place], theirs[place]
                if one != two and min(one, two) > 0:
                    match = False
                    break
            if match:
                totals[row] += amounts[other]
                if whole[other]:
                    totals[other] += amounts[row]
