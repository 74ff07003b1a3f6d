"""Propensity score: how well a model tells masked records from original ones."""

import numpy as np

from sudare.core import Flags, Floats, Integers, Microdata, Result, TablePair
from sudare.describe.pairing import TableMeasure
from sudare.describe.regression import Design, fitted, logistic_fit


def propensity_error(probability: Floats, share: float, copies: Integers | None = None) -> float:
    """Return the mean squared distance of the propensities from the share of masked records.

    This is pMSE. It is 0 where nothing tells the tables apart and share·(1 − share) where
    everything does.

    Examples
    --------
    >>> propensity_error(np.array([0.25, 0.75]), 0.5)
    0.0625
    """
    return float(np.average((probability - share) ** 2, weights=copies))


class Propensity(TableMeasure):
    """How well a logistic regression tells masked records from original ones (pMSE).

    Both tables are stacked and the model predicts which one a record is from, by z-scores of
    numbers and indicators of labels (the thirty most frequent) and of absence. The value is pMSE
    over its largest value, so that 0 is indistinguishable and 1 is distinguished without error. The
    parts are the same value with one column at a time.

    References
    ----------
    Woo, Reiter, Oganian and Karr (2009). Global measures of data utility for microdata masked for
    disclosure limitation. Journal of Privacy and Confidentiality 1(1).
    Snoke, Raab, Nowok, Dibben and Slavkovic (2018). General and specific utility measures for
    synthetic data. Journal of the Royal Statistical Society A 181(3).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> round(Propensity()(data, data).value, 12)
    0.0
    """

    kind = "loss"
    formula = (
        "mean (p − c)² / its largest value, p being the predicted chance that a record is "
        "masked and c the share of masked records"
    )
    needs = "counts"

    def _measure(self, pair: TablePair) -> Result:
        before, after = pair.original(pair.columns), pair.released(pair.columns)
        design = Design.of(before, after, pair.columns)
        (old, owners), (new, _) = design.matrix(before), design.matrix(after)
        inputs = np.vstack([old, new])
        masked = np.arange(len(inputs)) >= len(old)
        copies = _stacked(before, after)
        parts = {
            name: _score(inputs[:, [owner == name for owner in owners]], masked, copies)
            for name in pair.columns
        }
        return self.result(_score(inputs, masked, copies), parts=parts)


def _stacked(before: Microdata, after: Microdata) -> Integers | None:
    """Return how many records each entry of both tables represents, if not one."""
    if before.copies is None and after.copies is None:
        return None
    ones = (np.ones(data.rows, np.int64) for data in (before, after))
    each = zip((before.copies, after.copies), ones, strict=True)
    return np.concatenate([single if copies is None else copies for copies, single in each])


def _score(inputs: Floats, masked: Flags, copies: Integers | None) -> float:
    share = float(np.average(masked, weights=copies))
    same = copies is None or np.array_equal(copies[masked], copies[~masked])
    if same and np.array_equal(inputs[masked], inputs[~masked]):
        return 0.0
    propensity = fitted(inputs, logistic_fit(inputs, masked, copies)[0])
    return propensity_error(propensity, share, copies) / (share * (1 - share))
