"""What masked numbers were rounded to, as an attacker sees it who rounds what is known alike."""

import numpy as np

from sudare.core import Floats

_LEAST = 10  # different numbers of which it is told that they were rounded
_SAMPLE = 1000  # numbers that are looked at first
_DIGITS = 9  # of the range


def rounding_base(values: Floats) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten of which all numbers are multiples.

    0 where there is none of so many digits, or where too few numbers differ to tell.

    Examples
    --------
    >>> [rounding_base(np.arange(20) * base) for base in (50.0, 0.25)], rounding_base(np.ones(9))
    ([50.0, 0.05], 0.0)
    """
    some = np.unique(values[:: max(len(values) // _SAMPLE, 1)])
    largest = float(np.abs(some).max(initial=0.0))
    if len(some) < _LEAST or not 1e-200 < largest < 1e200:
        return 0.0
    power = int(np.ceil(np.log10(some[-1] - some[0])))
    for base in (digit * 10.0 ** (power - at) for at in range(_DIGITS) for digit in (5, 2, 1)):
        spread = base * (_LEAST - 1) <= some[-1] - some[0]  # so many multiples need room
        if spread and _are_multiples(some, base) and _are_multiples(values, base):
            return base
    return 0.0


def _are_multiples(values: Floats, base: float) -> bool:
    units = values / base
    told = np.abs(units).max(initial=0.0) < 1e9  # beyond, every number is a multiple
    return bool(told and (np.abs(units - np.rint(units)) <= 1e-6).all())


def rounded_alike(values: Floats, masked: Floats) -> Floats:
    """Return numbers rounded as masked ones were, if these are rounded more; NaN stays.

    Examples
    --------
    >>> rounded_alike(np.array([1234.0, 999.0, 7.0]), np.arange(10) * 500.0).tolist()
    [1000.0, 1000.0, 0.0]
    """
    base = rounding_base(masked[~np.isnan(masked)])
    if base <= rounding_base(values[~np.isnan(values)]):
        return values
    return np.asarray(np.rint(values / base) * base)
