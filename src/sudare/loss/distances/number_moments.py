"""Moments of numbers before and after masking, block by block, for their capacities."""

import numpy as np

from sudare.core import Array, Flags, Floats, Moments
from sudare.loss.distances.sums_of_squares import LEAST, squares

# The groups: numbers before masking, and what became of them as far as they were not suppressed;
# the records whose number was suppressed; numbers before masking without sampling weights.
_BEFORE, _AFTER, _SUPPRESSED, _PLAIN = range(4)


def number_moments(
    before: Floats, after: Floats, copies: Array | None, weights: Array | None
) -> Moments:
    """Return what a block of records says about one column of numbers before and after masking.

    Records without a number before do not count.

    Parameters
    ----------
    before, after
        Shape (n,), NaN where there is no number.
    copies
        How many records each entry represents, if not one.
    weights
        What each entry counts: its sampling weight times its copies; by default its copies.
    """
    known, left = ~np.isnan(before), ~np.isnan(before + after)
    counted = copies if weights is None else weights
    old = squares(before[known, None], _at(counted, known))
    new = squares(after[left, None], _at(counted, left))
    gone = known & ~left
    lost = float(gone.sum() if counted is None else counted[gone].sum())
    plain = old if weights is None else squares(before[known, None], _at(copies, known))
    suppressed = Moments(np.array([lost]), np.zeros((1, 1)), np.zeros((1, 1, 1)))
    return Moments.grouped([old, new, suppressed, plain])


def are_reliable(moments: Moments) -> bool:
    """Return whether no square overflowed or vanished."""
    return bool(LEAST < moments[_BEFORE].squares < np.inf > moments[_AFTER].squares >= 0)


def original_sd(moments: Moments) -> float:
    """Return the standard deviation of the numbers before masking; 0 without any."""
    return float(np.sqrt(moments[_BEFORE].squares / (moments[_BEFORE].weight or 1)))


def pair_squares(moments: Moments) -> tuple[float, float]:
    """Return the sums of squared differences of all ordered pairs before and after masking.

    A number that was suppressed is guessed by the mean of the original ones.
    """
    guessed = Moments(moments[_SUPPRESSED].weight, moments[_PLAIN].mean, np.zeros((1, 1)))
    after = moments[_AFTER].merged(guessed)
    before = moments[_BEFORE]
    return 2 * float(before.weight) * before.squares, 2 * float(after.weight) * after.squares


def _at(values: Array | None, where: Flags) -> Array | None:
    return None if values is None else values[where]
