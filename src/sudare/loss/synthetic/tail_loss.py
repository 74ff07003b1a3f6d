"""Tails: how far the smallest and the largest numbers of each column moved."""

import numpy as np

from sudare.core import Floats, Numeric, Result, TablePair
from sudare.describe.pairing import TableMeasure
from sudare.engine.counting import in_units, magnitude

_LOW = (0.005, 0.01, 0.025, 0.05)
_SUBTRACTED = 1000  # differences of numbers beyond this power of two may overflow
TAILS = np.array([*_LOW, *(1 - share for share in reversed(_LOW))])


def tail_distance(before: Floats, after: Floats, middle: float) -> float:
    """Return how far quantiles moved, as a share of how far they were from the middle, 0 to 1.

    The mean of d / (d + m) over the quantiles, with d how far each moved and m how far the original
    one is from the median.

    Examples
    --------
    >>> tail_distance(np.array([0.0, 10.0]), np.array([0.0, 15.0]), 5.0)
    0.25
    """
    power = 3 if magnitude(np.append(before, after)) > _SUBTRACTED else 0
    old, new, center = (in_units(np.asarray(each), power) for each in (before, after, middle))
    moved, apart = np.abs(new - old), np.abs(old - center)
    shares = np.divide(moved, moved + apart, out=np.zeros(len(moved)), where=moved > 0)
    return float(shares.mean())


class TailLoss(TableMeasure):
    """How far the tails of numbers moved: the outer 5 % on both sides.

    Of each column the quantiles at 0.5, 1, 2.5 and 5 % and their mirror images are compared: how
    far each moved, d, over d plus how far the original was from the median. So 0 is unmoved, a half
    is moved by its distance from the median, and 1 is out of all proportion. The value is the mean
    over the columns, which are the parts. Means and correlations barely see the few records out
    there, and smoothing and regression lose them first.

    Missing values are left out; sampling weights count. A column without numbers left is lost (1).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, sudare.mask.TopBottomCode(), seed=1).data
    >>> TailLoss()(data, masked).value > TailLoss()(data, data).value == 0
    True
    """

    kind = "loss"
    formula = (
        "mean over columns and outer quantiles of d / (d + distance of the original from the "
        "median), d being how far it moved"
    )
    counted = "Records that have a number."
    needs = "records"
    takes = "numbers"

    def _measure(self, pair: TablePair) -> Result:
        parts = {}
        for name in pair.columns:
            before, after = self.numeric(pair.before, name), self.numeric(pair.after, name)
            if not before.known.any() or not after.known.any():
                parts[name] = float(before.known.any())
                continue
            old = _quantiles(before, pair.before.weights, np.append(TAILS, 0.5))
            new = _quantiles(after, pair.after.weights, TAILS)
            parts[name] = tail_distance(old[:-1], new, float(old[-1]))
        return self.result(np.mean(list(parts.values())), parts=parts)


def _quantiles(column: Numeric, weights: Floats | None, shares: Floats) -> Floats:
    known = column.known
    values = column.values[known]
    if weights is None or not weights[known].any():
        return np.asarray(np.quantile(values, shares, method="inverted_cdf"))
    return np.asarray(np.quantile(values, shares, weights=weights[known], method="inverted_cdf"))
