"""Public numbers: what a step publishes of the data, with no more digits than an analyst needs.

A parameter with sixteen digits is a fingerprint of the table: whoever knows all records but one
finds the last from it, and whoever guesses a seed sees that it is right. So parameters are rounded
before they are used, and what is published is exactly what was done.

Nor is a masked number published to its last bit: which of the last bits can be drawn depends on the
true number, and excludes true numbers (Mironov 2012). So it is rounded to a grid that only what is
public decides.
"""

import math

import numpy as np

from sudare.core.types import Floats

_DIGITS = 2
MANY_RECORDS = 200  # from which two digits hide a record
_STEPS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)  # from one power of ten to the next
_UNITS = 5  # units that a range is wide, at least
_ROUNDING = 1e-9  # what a product of doubles is off by, and more
_NOISE_BITS = 24  # of the size of noise: finer than any use, coarser than its draws up to 6 sd
_WHOLE = 2.0**53  # up to which doubles have every whole number


def significant(number: float, digits: int = _DIGITS) -> float:
    """Return a number rounded to two significant digits, or to as many as are asked for.

    Examples
    --------
    >>> significant(0.123456), significant(98765.4), significant(0.0), significant(0.27, digits=1)
    (0.12, 99000.0, 0.0, 0.3)
    """
    return float(f"{number:.{digits}g}")


def significant_above(number: float, records: float = math.inf) -> float:
    """Return the least number of two significant digits that is not below one that is positive.

    Of what protects, such as the size of noise, rounding must not take away. Among fewer than 200
    records one of them moves such a number by more than its second digit: there are then ten
    numbers from 1 to 10, a tenth to a third apart, and nothing between.

    Examples
    --------
    >>> significant_above(0.121), significant_above(0.1 * 23), significant_above(99.1)
    (0.13, 2.3, 100.0)
    >>> significant_above(0.121, records=60), significant_above(410.0, records=60)
    (0.15, 500.0)
    """
    if number == 0:
        return 0.0
    exponent = math.floor(math.log10(number))
    if records < MANY_RECORDS:
        steps = [float(f"{step}e{exponent + more}") for more in (-1, 0, 1) for step in _STEPS]
        return min(step for step in steps if step >= number * (1 - _ROUNDING))
    least = significant(number)
    if least >= number * (1 - _ROUNDING):
        return least
    return float(f"{least + 10.0 ** (exponent - _DIGITS + 1):.{_DIGITS}g}")


def unit_above(number: float) -> float:
    """Return the least of 1, 2 and 5 times a power of ten that is above a positive number.

    Examples
    --------
    >>> unit_above(1 / 60), unit_above(0.01), unit_above(0.0049)
    (0.02, 0.02, 0.005)
    """
    exponent = math.floor(math.log10(number))
    units = (float(f"{digit}e{exponent + more}") for more in (-1, 0, 1, 2) for digit in (1, 2, 5))
    return next(unit for unit in units if unit > number * (1 + _ROUNDING))


def with_noise(share: float, unit: float, epsilon: float, drawn: float) -> float:
    """Return a share as published: in steps of a unit, with discrete Laplace noise.

    The step is moved by j with a probability proportional to exp(-ε |j|). Shares that differ by
    less than a unit are at most a step apart, so that no outcome is more than e^ε times as likely
    by one of them as by the other (Ghosh, Roughgarden and Sundararajan 2009).

    Parameters
    ----------
    share
        From 0 to 1; what is beyond counts as that.
    unit
        More than a record can move it.
    epsilon
        Positive; smaller is noisier.
    drawn
        Secret; a draw from [0, 1).

    Examples
    --------
    >>> with_noise(0.234, 0.01, 1.0, 0.5), with_noise(0.234, 0.01, 1.0, 0.99)
    (0.23, 0.27)
    """
    moved = float(_discrete_laplace(epsilon, np.array(drawn)))
    steps = math.floor(min(max(share, 0.0), 1.0) / unit + 0.5) + moved
    return float(f"{min(max(steps, 0.0), math.floor(1 / unit + _ROUNDING)) * unit:.12g}")


def counts_with_noise(counts: Floats, epsilon: float, drawn: Floats) -> Floats:
    """Return whole counts with discrete Laplace noise, as :func:`with_noise`, and at least 1 each.

    Parameters
    ----------
    counts
        Shape (categories,).
    epsilon
        Positive, for each record by which a count may be off.
    drawn
        Secret; a draw from [0, 1) for each, shape (categories,).

    Examples
    --------
    >>> counts_with_noise(np.array([40.0, 7.0, 0.0]), 0.5, np.array([0.5, 0.95, 0.1])).tolist()
    [40.0, 12.0, 1.0]
    """
    return np.maximum(np.rint(counts) + _discrete_laplace(epsilon, drawn), 1.0)


def _discrete_laplace(epsilon: float, drawn: Floats) -> Floats:
    """Return whole numbers j from draws in [0, 1), each with probability ~ exp(-ε |j|)."""
    away = 2 * drawn - 1
    tail = np.maximum(1 - np.abs(away), 2.0**-53) * (1 + math.exp(-epsilon)) / 2
    return np.copysign(np.floor(-np.log(tail) / epsilon), away)


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


def noise_grid(size: float) -> float:
    """Return the distance of numbers with noise of a size: a power of 2, about 2⁻²⁴ of the size.

    Draws are dense on this grid wherever noise is likely to go, so that every number on it can come
    from every true number near it. No noise, no grid: 0.

    Examples
    --------
    >>> noise_grid(1000.0) == 2.0**-15, noise_grid(0.0)
    (True, 0.0)
    """
    if size == 0:
        return 0.0
    return math.ldexp(1.0, max(math.frexp(size)[1] - 1 - _NOISE_BITS, -1022))


def on_public_grid(values: Floats, unit: float) -> Floats:
    """Return numbers rounded to multiples of a power of 2; of 0, the numbers as they are.

    Numbers so large that doubles are further apart than the unit stay, and so do missing ones.

    Examples
    --------
    >>> on_public_grid(np.array([0.3, -1.9, np.nan]), 0.25).tolist()
    [0.25, -2.0, nan]
    """
    if unit == 0:
        return values
    rounded = values.copy()
    finer = np.abs(values) < unit * _WHOLE
    rounded[finer] = np.rint(values[finer] / unit) * unit
    return rounded


def significant_bits(values: Floats, bits: int) -> Floats:
    """Return numbers rounded to some binary digits, from the first that is not 0 on.

    Examples
    --------
    >>> significant_bits(np.array([0.3, -19.0, 0.0, np.nan]), 3).tolist()
    [0.3125, -20.0, 0.0, nan]
    """
    mantissas, exponents = np.frexp(values)
    return np.ldexp(np.rint(np.ldexp(mantissas, bits)), exponents - bits)


def factor_bits(size: float) -> int:
    """Return how many binary digits numbers have that were multiplied by factors around 1.

    The size is the standard deviation of the factors, above 0.

    Examples
    --------
    >>> factor_bits(0.125), factor_bits(1e-12)
    (28, 53)
    """
    return min(max(_NOISE_BITS + 2 - math.frexp(size)[1], _NOISE_BITS), 53)
