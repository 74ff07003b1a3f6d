"""Classes of numbers between edges that are as exact as they are written."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor

import numpy as np

from sudare.core import Codes, Floats, Label

# The class of each number, and the label of each class that occurs, in ascending order.
Classes = tuple[Codes, tuple[Label, ...]]
# How an edge is written.
Written = Callable[[Fraction], str]


def written(number: Fraction) -> str:
    """Return a number with all its digits, whole ones without a point.

    Examples
    --------
    >>> written(exact(1234567.0)), written(exact(1e-7))
    ('1234567', '0.0000001')
    """
    decimal = Decimal(number.numerator) / Decimal(number.denominator)
    return f"{decimal:f}"


def by_width(
    values: Floats, width: float, start: float, *, whole: bool, written: Written = written
) -> Classes:
    """Return classes of one width, counted from a start; closed below and open above.

    Examples
    --------
    >>> by_width(np.array([0.1, 0.3, 0.35]), 0.1, 0, whole=False)[1]
    ('[0.1, 0.2)', '[0.3, 0.4)')
    """
    steps = _steps(values, width, start)
    occurring, codes = np.unique(steps, return_inverse=True)
    first, size = exact(start), exact(width)
    lows = [first + int(step) * size for step in occurring.tolist()]
    labels = [_interval(low, low + size, written, whole=whole) for low in lows]
    return codes.astype(np.int32), tuple(labels)


def by_cuts(
    values: Floats, cuts: Sequence[float], *, whole: bool, written: Written = written
) -> Classes:
    """Return the classes between cuts, in ascending order; a cut belongs to the class above it.

    Examples
    --------
    >>> by_cuts(np.array([17.0, 18, 70]), [18, 65], whole=True)[1]
    ('<18', '18–64', '≥65')
    """
    occurring, codes = np.unique(np.searchsorted(cuts, values, side="right"), return_inverse=True)
    edges = [exact(cut) for cut in cuts]
    labels = [_between(edges, int(position), written, whole=whole) for position in occurring]
    return codes.astype(np.int32), tuple(labels)


def exact(number: float) -> Fraction:
    """Return a number as it is written: 0.1 is a tenth, which no float is."""
    return Fraction(str(number))


def _steps(values: Floats, width: float, start: float) -> Floats:
    """Return how many whole widths lie below each number; exact where a float would be unsure."""
    scaled = (values - start) / width
    unsure = 8 * np.finfo(np.float64).eps * (np.abs(values) + abs(start)) / width
    steps: Floats = np.floor(scaled)
    near = np.abs(scaled - np.rint(scaled)) <= unsure
    first, size = exact(start), exact(width)
    steps[near] = [floor((exact(value) - first) / size) for value in values[near].tolist()]
    return steps


def _between(edges: Sequence[Fraction], position: int, written: Written, *, whole: bool) -> str:
    if position == 0:
        return f"<{written(edges[0])}"
    if position == len(edges):
        return f"≥{written(edges[-1])}"
    return _interval(edges[position - 1], edges[position], written, whole=whole)


def _interval(low: Fraction, high: Fraction, written: Written, *, whole: bool) -> str:
    if whole:
        return f"{written(low)}–{written(high - 1)}"
    return f"[{written(low)}, {written(high)})"
