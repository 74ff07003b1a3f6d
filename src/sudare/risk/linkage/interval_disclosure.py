"""Interval disclosure: masked numbers from which the original can be guessed closely enough."""

from typing import Annotated, Literal

import numpy as np

from sudare.core import AtLeast, Flags, Floats, Result, TablePair
from sudare.describe.pairing import TableMeasure, refuse_extreme
from sudare.risk.linkage.robust import mahalanobis

Interval = Literal["sd", "rank", "robust"]


def within_sd(before: Floats, after: Floats, width: float) -> Flags:
    """Return which originals are within a number of standard deviations of what they became.

    Parameters
    ----------
    before, after
        One column, shape (n,); NaN is never within.
    width
        In standard deviations of the masked numbers, as the attacker does not know others.

    Examples
    --------
    >>> within_sd(np.array([1.0, 2.0, 9.0]), np.array([1.0, 3.0, 5.0]), 0.7).tolist()
    [True, True, False]
    """
    known = after[~np.isnan(after)]
    spread = float(known.std(ddof=1)) if len(known) > 1 else 0.0
    return np.abs(before - after) <= width * spread


def within_rank(before: Floats, after: Floats, width: float) -> Flags:
    """Return which originals rank, among all originals, close to what they became.

    Parameters
    ----------
    before, after
        One column, shape (n,); NaN is never within.
    width
        Largest difference of ranks, as a share of the records.

    Examples
    --------
    >>> within_rank(np.array([1.0, 2.0, 9.0]), np.array([1.0, 8.0, 5.0]), 0.34).tolist()
    [True, True, True]
    """
    ordered = np.sort(before[~np.isnan(before)])
    ranks = [
        (np.searchsorted(ordered, side) + np.searchsorted(ordered, side, "right")) / 2
        for side in (before, after)
    ]
    known = ~(np.isnan(before) | np.isnan(after))
    return known & (np.abs(ranks[0] - ranks[1]) <= width * len(ordered))


def within_robust(before: Floats, after: Floats, width: float) -> Flags:
    """Return which originals are close to what they became, for how far out their record is.

    The interval of a record is ``width`` standard deviations of the masked column for a record of
    ordinary distance from the center of the originals, and grows with that distance: outliers are
    recognized even when they have moved further than others.

    Parameters
    ----------
    before, after
        Shape (n, p); NaN is never within.
    width
        In standard deviations, where the robust Mahalanobis distance over √p is 1.
    """
    far = mahalanobis(before) / np.sqrt(before.shape[1])
    known = np.isnan(after).sum(axis=0) < len(after) - 1
    spread = np.zeros(after.shape[1])
    spread[known] = np.nanstd(after[:, known], axis=0, ddof=1)
    return np.abs(before - after) <= width * far[:, None] * spread


class IntervalDisclosure(TableMeasure):
    """The share of masked numbers whose original lies in a small interval around them.

    Someone who sees a masked number guesses that the original is near; the guess is right if it is
    within

    - "sd": ``width`` standard deviations of the masked column;
    - "rank": ``width`` of all records in rank, among the originals of the column;
    - "robust": ``width`` standard deviations times how far out the record is, by its robust
      Mahalanobis distance, so that outliers have to move further to be safe.

    The value is the share over all columns together, the parts are by column, the record detail is
    the share of each record's numbers. Values that are missing before or after are not counted; a
    record, or a table, without any has no risk.

    Notes
    -----
    sdcMicro's dRisk counts records with at most one number outside the interval, and its dRiskRMD
    (k = 0.01, intervals of k · 0.05 · distance) records with any number inside; here numbers
    are counted. The robust covariance is the orthogonalized Gnanadesikan–Kettenring estimate, not
    the minimum covariance determinant: deterministic, and quick.

    References
    ----------
    Mateo-Sanz, Sebé and Domingo-Ferrer (2004). Outlier protection in continuous microdata masking.
    Privacy in Statistical Databases: interval disclosure by standard deviation and rank.

    Templ and Meindl (2008). Robust statistics meets SDC: new disclosure risk measures for
    continuous microdata masking. Privacy in Statistical Databases.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, sudare.mask.Noise(sd_ratio=0.1), seed=1).data
    >>> near = [IntervalDisclosure(width=w)(data, masked).value for w in (0.01, 0.1, 0.5)]
    >>> [round(share, 1) for share in near]
    [0.1, 0.7, 1.0]
    """

    kind = "risk"
    formula = "masked numbers whose original lies inside the interval / all masked numbers"
    counted = "Numbers that are there both before and after masking."
    improved_by = "Stronger noise, larger groups, or wider swapping."
    needs = "records"
    pairs = True
    takes = "numbers"

    interval: Annotated[Interval, "what the width of the interval is measured in"] = "sd"
    width: Annotated[float, AtLeast(0), "half the width of the interval"] = 0.05

    def _measure(self, pair: TablePair) -> Result:
        columns = pair.columns
        sides = [[self.numeric(d, name) for name in columns] for d in (pair.before, pair.after)]
        if self.interval != "rank":
            refuse_extreme(type(self).__name__, (column for side in sides for column in side))
        original, masked = (np.column_stack([c.values for c in side]) for side in sides)
        within = self._within(original, masked)
        known = ~(np.isnan(original) | np.isnan(masked))
        numbers = known.sum(axis=0)
        return self.result(
            within.sum() / max(int(numbers.sum()), 1),
            parts=dict(
                zip(columns, (within.sum(axis=0) / np.maximum(numbers, 1)).tolist(), strict=True)
            ),
            by_record=within.sum(axis=1) / np.maximum(known.sum(axis=1), 1),
        )

    def _within(self, before: Floats, after: Floats) -> Flags:
        if self.interval == "robust":
            return within_robust(before, after, self.width)
        rule = within_sd if self.interval == "sd" else within_rank
        pairs = zip(before.T, after.T, strict=True)
        return np.column_stack([rule(original, masked, self.width) for original, masked in pairs])
