"""Public numbers: what a step publishes of the data, with no more digits than an analyst needs.

A parameter with sixteen digits is a fingerprint of the table: whoever knows all records but one
finds the last from it, and whoever guesses a seed sees that it is right. So parameters are rounded
before they are used, and what is published is exactly what was done.
"""

import math

import numpy as np

from sudare.core.types import Floats

_DIGITS = 2
_FEWEST = 5  # counts below a hundred are multiples of it
_UNITS = 5  # a range is at least so many of its units wide
_ROUNDING = 1e-9  # what a product of doubles is off by, and more


def significant(number: float, digits: int = _DIGITS) -> float:
    """Return a number rounded to two significant digits, or to as many as are asked for.

    Examples
    --------
    >>> significant(0.123456), significant(98765.4), significant(0.0), significant(0.27, digits=1)
    (0.12, 99000.0, 0.0, 0.3)
    """
    return float(f"{number:.{digits}g}")


def significant_above(number: float) -> float:
    """Return the least number of two significant digits that is not below one that is positive.

    Of what protects, such as the size of noise, rounding must not take away.

    Examples
    --------
    >>> significant_above(0.121), significant_above(0.1 * 23), significant_above(99.1)
    (0.13, 2.3, 100.0)
    """
    if number == 0:
        return 0.0
    least = significant(number)
    if least >= number * (1 - _ROUNDING):
        return least
    exponent = math.floor(math.log10(number)) - _DIGITS + 1
    return float(f"{least + 10.0**exponent:.{_DIGITS}g}")


def round_unit(width: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is not above a positive width.

    Examples
    --------
    >>> round_unit(8.2), round_unit(1999.0), round_unit(0.2)
    (5.0, 1000.0, 0.2)
    """
    exponent = math.floor(math.log10(width))
    powers = (exponent - 1, exponent, exponent + 1)  # the logarithm may be off by its last digit
    units = [float(f"{digit}e{power}") for power in powers for digit in (1, 2, 5)]
    return max(unit for unit in units if unit <= width * (1 + _ROUNDING))


def multiple_below(number: float, unit: float) -> float:
    """Return the largest multiple of a round unit that is not above a number.

    Examples
    --------
    >>> multiple_below(17.3, 5.0), multiple_below(0.3, 0.1), multiple_below(-1.0, 5.0)
    (15.0, 0.3, -5.0)
    """
    steps = math.floor(number / unit + _ROUNDING)
    return min(float(f"{steps * unit:.15g}"), number)


def round_range(low: float, high: float) -> tuple[float, float]:
    """Return a range widened to multiples of a round unit, a fifth to a tenth of its width.

    One number is a range of no width, and stays.

    Examples
    --------
    >>> round_range(17.0, 99.0), round_range(0.0, 9_876_543.0), round_range(3.0, 3.0)
    ((10.0, 100.0), (0.0, 10000000.0), (3.0, 3.0))
    """
    if not 0 < high - low < math.inf:
        return low, high
    unit = round_unit((high - low) / _UNITS)
    return multiple_below(low, unit), -multiple_below(-high, unit)


def rounded_shares(counts: Floats) -> Floats:
    """Return the shares of counts that were rounded first; what occurs keeps a share.

    Counts are rounded to two digits, and to a multiple of five where they are below a hundred, so
    that most changes of a single record change nothing.

    Parameters
    ----------
    counts
        Number of records of each category, at least one of them positive, shape (categories,).

    Examples
    --------
    >>> rounded_shares(np.array([12_345.0, 51.0, 1.0, 0.0])).round(5).tolist()
    [0.99544, 0.00415, 0.00041, 0.0]
    """
    digits = np.floor(np.log10(np.maximum(counts, 1)))
    unit = np.maximum(_FEWEST, 10 ** (digits - _DIGITS + 1))
    rounded = np.where(counts > 0, np.maximum(np.rint(counts / unit) * unit, _FEWEST), 0.0)
    shares: Floats = rounded / rounded.sum()
    return shares
