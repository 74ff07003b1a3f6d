"""Loops that NumPy cannot say: plain arrays in and out."""

import numpy as np
from numba import njit

from sudare.core.types import Floats, Integers

_RUN = 4096  # rows summed on their own, so that rounding does not grow with n


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def within_groups(
    values: Floats, groups: Integers, origin: Floats, counts: Floats, means: Floats
) -> float:
    """Return the sum of squares within groups in one pass, and fill counts and means (Welford).

    Parameters
    ----------
    values
        Shape (n, p).
    groups
        Number of each record's group, shape (n,).
    origin
        A point from which the means are counted, so that a large common shift costs no digits.
    counts, means
        Zeros, shapes (groups,) and (groups, p).
    """
    rows, columns = values.shape
    within = 0.0
    for start in range(0, rows, _RUN):
        run = 0.0
        for i in range(start, min(start + _RUN, rows)):
            group = groups[i]
            counts[group] += 1
            share = 1 / counts[group]
            value, mean = values[i], means[group]
            squares = 0.0
            for j in range(columns):
                apart = value[j] - origin[j] - mean[j]
                mean[j] += apart * share
                squares += apart * apart
            run += squares * (1 - share)
        within += run
    return within


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def between_groups(counts: Floats, means: Floats) -> float:
    """Return the sum of squares of the group means about their common mean, each counted n times.

    Parameters
    ----------
    counts, means
        Shapes (groups,) and (groups, p).
    """
    size, columns = means.shape
    center = np.zeros(columns)
    for group in range(size):
        for j in range(columns):
            center[j] += means[group, j] * counts[group]
    center /= counts.sum()
    between = 0.0
    for start in range(0, size, _RUN):
        run = 0.0
        for group in range(start, min(start + _RUN, size)):
            squares = 0.0
            for j in range(columns):
                apart = means[group, j] - center[j]
                squares += apart * apart
            run += counts[group] * squares
        between += run
    return between
