"""Mean absolute error of numbers, in the unit of each column or of its standard deviation."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

import numpy as np

from sudare.core import Floats, Microdata, Moments, Result, TablePair
from sudare.describe.pairing import TableMeasure
from sudare.engine.counting import merge, moments
from sudare.engine.frames import days_unit


def absolute_errors(before: Floats, after: Floats, guess: float) -> Floats:
    """Return the absolute difference of each record, shape (n,).

    A record without a number before is NaN: it does not count. A number that was suppressed is
    guessed, for example by the mean of the column.

    Examples
    --------
    >>> before, after = np.array([1.0, 2.0, np.nan]), np.array([1.5, np.nan, np.nan])
    >>> absolute_errors(before, after, guess=1.5).tolist()
    [0.5, 0.5, nan]
    """
    return np.abs(before - np.where(np.isnan(after), guess, after))


class MeanAbsoluteError(TableMeasure):
    """The mean absolute difference between each number and what it became.

    The value is the mean over the columns, whose means are the parts. Records without a number
    before masking do not count; a number that was suppressed is guessed by the column's mean.
    Dates and times are in days.

    References
    ----------
    Sano, slides on synthetic data by orthogonal transformation: MAE.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> MeanAbsoluteError()(data, data).value
    0.0
    """

    kind = "loss"
    formula = "mean over columns and records of |after − before|"
    counted = "Records that have a number before masking."
    needs = "moments"
    pairs = True
    takes = "numbers"

    unit: Annotated[
        Literal["own", "sd"], "each column in its own unit, or in its standard deviation"
    ] = "own"

    def _measure(self, pair: TablePair) -> Result:
        for name in pair.columns:
            self.numeric(pair.after, name)
        units = self._sds(pair) if self.unit == "sd" else self._units(pair)
        blocks = pair.in_blocks(pair.columns, partial(self._errors, self._means(pair), units))
        totals, counts = (sum(side) for side in list(zip(*blocks, strict=True))[:2])
        means = totals / np.maximum(counts, 1)
        return self.result(
            means.mean(),
            best=0,
            worst=np.inf,
            parts=dict(zip(pair.columns, means.tolist(), strict=True)),
            by_record=blocks[0][2],
        )

    def _units(self, pair: TablePair) -> list[float]:
        return [float(days_unit(pair.before[name])) for name in pair.columns]

    def _means(self, pair: TablePair) -> list[float]:
        """Return the mean of each column before masking; sampling weights do not count."""
        sums = sum(pair.original_in_blocks(pair.columns, partial(self._sums, pair.columns)))
        totals, counts = np.asarray(sums).T
        return (totals / np.maximum(counts, 1)).tolist()

    def _sums(self, columns: Sequence[str], data: Microdata) -> Floats:
        """Return the sum and the number of the numbers of each column, shape (p, 2)."""
        sums = []
        for column in (self.numeric(data, name) for name in columns):
            known = column if column.known.all() else column.take(column.known)
            copies = known.copies
            total = known.values.sum() if copies is None else known.values @ copies
            sums.append([total, known.records])
        return np.array(sums, np.float64)

    def _sds(self, pair: TablePair) -> list[float]:
        """Return the standard deviation of each column before masking, or 1 where it is 0."""
        blocks = pair.original_in_blocks(pair.columns, partial(self._moments, pair.columns))
        whole = [merge(column, 1) for column in zip(*blocks, strict=True)]
        return [(float(column.sd[0]) if column.weight else 0.0) or 1.0 for column in whole]

    def _moments(self, columns: Sequence[str], data: Microdata) -> list[Moments]:
        return [moments([self.numeric(data, name)]) for name in columns]

    def _errors(
        self, guesses: Sequence[float], units: Sequence[float], pair: TablePair
    ) -> tuple[Floats, Floats, Floats | None]:
        """Return the sum of errors and their number by column, and the mean error by record."""
        each = []
        for name, guess, unit in zip(pair.columns, guesses, units, strict=True):
            old, new = (self.numeric(d, name) for d in (pair.before, pair.after))
            errors = absolute_errors(old.values, new.values, guess)
            each.append(errors if unit == 1 else errors / unit)
        errors = np.stack(each)
        counted = ~np.isnan(errors)
        known = np.where(counted, errors, 0)
        copies = pair.before.copies
        if copies is not None:
            return known @ copies, counted @ copies, None
        by_record = known.sum(axis=0) / np.maximum(counted.sum(axis=0), 1) if pair.detail else None
        return known.sum(axis=1), counted.sum(axis=1), by_record
