"""Moments: how far means and standard deviations of numbers moved."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from sudare.core import Floats, Microdata, Moments, Result, TablePair
from sudare.describe.pairing import TableMeasure, refuse_extreme
from sudare.engine.counting import merge, moments


def moment_shift(before: Floats, after: Floats) -> float:
    """Return the mean of two errors in units of the original's sd: of the mean, and of the sd.

    Each argument is (mean, sd). Where the original does not vary, any move counts as 1.

    Examples
    --------
    >>> moment_shift(np.array([10.0, 2.0]), np.array([11.0, 2.0]))
    0.25
    """
    away = np.abs(after - before)
    if before[1] == 0:
        return float((away > 0).mean())
    return float(away.mean() / before[1])


class MomentLoss(TableMeasure):
    """How far the mean and the standard deviation of each number moved, in standard deviations.

    The part of a column is the mean of |mean′ − mean| and |sd′ − sd|, both divided by the sd of
    the original; the value is the mean over the columns. Values that are absent do not count, and
    sampling weights do.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> MomentLoss()(data, data).value
    0.0
    """

    kind = "loss"
    formula = "½ (|mean′ − mean| + |sd′ − sd|) / sd, mean over the columns"
    counted = "Records that have a number, by their weights where there are any."
    needs = "moments"
    takes = "numbers"

    def _measure(self, pair: TablePair) -> Result:
        work = partial(self._moments, pair.columns)
        before, after = (
            [_mean_and_sd(merge(column, 1)) for column in zip(*blocks, strict=True)]
            for blocks in (
                pair.original_in_blocks(pair.columns, work),
                pair.released_in_blocks(pair.columns, work),
            )
        )
        parts = dict(zip(pair.columns, map(moment_shift, before, after), strict=True))
        return self.result(np.mean(list(parts.values())), best=0, worst=np.inf, parts=parts)

    def _moments(self, columns: Sequence[str], data: Microdata) -> list[Moments]:
        numeric = [self.numeric(data, name) for name in columns]
        refuse_extreme(type(self).__name__, numeric)
        return [moments([column], data.weights) for column in numeric]


def _mean_and_sd(summary: Moments) -> Floats:
    return np.array([summary.mean[0], summary.sd[0]]) if summary.weight else np.zeros(2)
