"""Loops that NumPy cannot say: plain arrays in and out."""

import numpy as np
from numba import njit

from sudare.core.types import Floats, Integers

_RUN = 4096  # rows summed on their own, so that rounding does not grow with n


@njit(cache=True, nogil=True)  # type: ignore[untyped-decorator]
def within_groups(values: Floats, groups: Integers, size: int) -> tuple[Floats, Floats, Floats]:
    """Return counts, means and the sum of squares within groups in one pass (Welford 1962).

    Parameters
    ----------
    values
        Shape (n, p).
    groups
        Numbers from 0 to ``size`` - 1, shape (n,).

    Returns
    -------
    counts, means, within
        Shapes (size,), (size, p) and (p,).
    """
    rows, columns = values.shape
    counts = np.zeros(size)
    means = np.zeros((size, columns))
    within = np.zeros(columns)
    for start in range(0, rows, _RUN):
        run = np.zeros(columns)
        for i in range(start, min(start + _RUN, rows)):
            group = groups[i]
            counts[group] += 1
            share = 1 / counts[group]
            mean, value = means[group], values[i]
            for j in range(columns):
                apart = value[j] - mean[j]
                mean[j] += apart * share
                run[j] += apart * apart * (1 - share)
        within += run
    return counts, means, within
