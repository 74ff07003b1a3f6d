"""Numbers of any size: powers of two that keep their squares from overflowing or vanishing."""

import math
from collections.abc import Iterable

import numpy as np

from sudare.core import ColumnError, Floats, Numeric

_WIDEST = 2.0**1000  # leaves room for sums of many numbers


def magnitude(values: Floats) -> int:
    """Return the power of two just above the largest absolute number; 0 where there is none.

    Examples
    --------
    >>> magnitude(np.array([3.0, -5.0, np.nan]))
    3
    """
    return int(np.frexp(np.fmax.reduce(np.abs(values), axis=None, initial=0.0))[1])


def in_units(values: Floats, power: int) -> Floats:
    """Return numbers in units of a power of two, which rounds none of them.

    Examples
    --------
    >>> in_units(np.array([3.0, -5.0]), 3).tolist()
    [0.375, -0.625]
    """
    return np.asarray(np.ldexp(values, -power))


def summed(numbers: Iterable[float]) -> float:
    """Return a sum rounded once, of numbers that are not negative; infinite if it is too large.

    Examples
    --------
    >>> summed([1e308, 1e308])
    inf
    """
    try:
        return math.fsum(numbers)
    except OverflowError:
        return math.inf


def refuse_wide(column: Numeric) -> None:
    """Refuse a column whose range overflows: no mean or width can be computed in it."""
    known = column.values[column.known]
    if len(known) and known.max() / 2 - known.min() / 2 > _WIDEST / 2:
        raise ColumnError(
            "column '{column}': its numbers are too far apart to be subtracted from one another; "
            "top-code it first, or use another unit.",
            column=column.name,
        )
