"""Record linkage: the attacker looks for each synthetic record the nearest originals."""

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np

from sudare.core import (
    AtLeast,
    Flags,
    Floats,
    Result,
    SettingError,
    TablePair,
    say,
)
from sudare.describe import Confidence, wilson_interval
from sudare.describe.pairing import TableMeasure, refuse_extreme
from sudare.risk.linkage.linkage_search import Rivals, rivals

AttackScale = Literal["none", "sd", "robust", "rank"]


def linked(counted: Rivals, k: int) -> Floats:
    """Return each record's chance that its original is among the k nearest, shape (n,).

    Among ties, an attacker chooses at random as many as there is room for.

    Examples
    --------
    >>> counted = Rivals(closer=np.array([0, 0, 2]), ties=np.array([0, 3, 0]))
    >>> linked(counted, 1).tolist(), linked(counted, 3).tolist()
    ([1.0, 0.25, 0.0], [1.0, 0.75, 1.0])
    """
    return np.clip((k - counted.closer) / (counted.ties + 1), 0, 1)


def attack_space(
    before: Floats, after: Floats, scale: AttackScale
) -> tuple[Floats, Floats, Floats]:
    """Return originals and synthetic records as the attacker compares them, and column weights.

    Parameters
    ----------
    before, after
        Shape (n, p), without NaN.
    scale
        "none" (as they are), "sd" (over the standard deviation), "robust" (over the median absolute
        deviation from the median, or the standard deviation where more than half the values are
        equal) or "rank" (place among the originals, from 0 to 1). All are those of the originals.

    Examples
    --------
    >>> before, after = np.array([[1.0], [2.0], [9.0]]), np.array([[0.0], [2.0], [5.0]])
    >>> attack_space(before, after, "rank")[1].ravel().round(3).tolist()
    [0.0, 0.5, 0.667]
    """
    if scale == "rank":
        return _ranks(before, before), _ranks(before, after), np.ones(before.shape[1])
    if scale == "none":
        return before, after, np.ones(before.shape[1])
    spread = before.std(axis=0)
    if scale == "robust":
        deviation = np.median(np.abs(before - np.median(before, axis=0)), axis=0)
        spread = np.where(deviation > 0, deviation, spread)
    # A constant original column is as far from every original: it cannot help the attacker.
    return before, after, np.where(spread > 0, 1 / np.where(spread > 0, spread, 1.0) ** 2, 0.0)


def part_name(k: int) -> str:
    """Return the name of the part that holds the risk for one k."""
    return say("k = {k}", k=k)


class RecordLinkage(TableMeasure):
    """The share of records whose original is among the k nearest to what it became.

    The attacker holds the originals and looks for each released record, by Euclidean distance over
    all its numbers, the k nearest of them. Ties count as the expectation of an attacker who chooses
    at random among equals. Counting is exact.

    Several k are measured at once: the value is that of the first, the parts are those of all, each
    next to what is left above a guess. Pairing the records at random finds k of n on average, so
    the guess is k / n and what is left (risk − k/n) / (1 − k/n). The interval is Wilson's, with the
    records as a sample. The record detail is the rank of the own original (half of the ties before
    it), infinite where it is beyond the largest k; with ``ranks="all"`` it is never infinite, and
    the attack takes longer.

    Numbers only: categories are not compared. A suppressed number tells nothing: it is as near to
    any original. A value that is missing in the original is taken to be the mean of its column, and
    so is what masking put in place of one. Sampling weights are not used.

    References
    ----------
    Sano, slides on synthetic data by orthogonal transformation: Risk(k).

    Giomi, Boenisch, Wehmeyer and Tasnádi (2023). A unified framework for quantifying privacy risk
    in synthetic data. Proceedings on Privacy Enhancing Technologies 2023(2): risk above a baseline.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.expenditure_like(500, seed=1)
    >>> masked = sudare.apply(data, sudare.mask.OrthogonalTransform(loss=0.01))
    >>> RecordLinkage(k=1)(data, masked.data).value > 0.9
    True
    """

    kind = "risk"
    formula = "number of records whose own original is among the k nearest / number of records"
    counted = "All records; only columns of numbers are compared."
    improved_by = "Stronger noise, larger groups, or wider swapping."
    needs = "records"
    pairs = True
    takes = "numbers"

    k: Annotated[
        int | tuple[int, ...],
        AtLeast(1),
        "how many of the nearest originals the attacker considers",
    ] = 1
    scale: Annotated[AttackScale, "what numbers are divided by before they are compared"] = "none"
    ranks: Annotated[
        Literal["nearest", "all"], "count up to the largest k, or to the last rival"
    ] = "nearest"
    confidence: Confidence = 0.95

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k == ():
            raise SettingError("RecordLinkage: k must be at least one number.")

    def _measure(self, pair: TablePair) -> Result:
        pairs = [self._filled(pair, name) for name in pair.columns]
        originals, synthetic = (np.stack(side).T for side in zip(*pairs, strict=True))
        originals, synthetic, weight = attack_space(originals, synthetic, self.scale)
        suppressed = _suppressed(pair)
        if suppressed.any():
            synthetic = np.where(suppressed, np.nan, synthetic)
        counts = (self.k,) if isinstance(self.k, int) else self.k
        n, largest = pair.before.rows, min(max(counts), pair.before.rows)
        counted = rivals(synthetic, originals, weight, cap=n if self.ranks == "all" else largest)
        risks = [float(linked(counted, k).mean()) for k in counts]
        beyond = counted.closer >= (n if self.ranks == "all" else largest)
        return self.result(
            risks[0],
            parts=_parts(counts, risks, n),
            interval=wilson_interval(risks[0], n, self.confidence),
            by_record=np.where(beyond, np.inf, counted.closer + 1 + counted.ties / 2),
        )

    def _filled(self, pair: TablePair, name: str) -> tuple[Floats, Floats]:
        before, after = self.numeric(pair.before, name), self.numeric(pair.after, name)
        if self.scale != "rank":
            refuse_extreme(type(self).__name__, (before, after))
        if before.known.all() and after.known.all():
            return before.values, after.values
        known = before.values[before.known]
        mean = known.mean() if len(known) else 0.0
        first, second = (np.where(c.known, c.values, mean) for c in (before, after))
        return first, second


def _suppressed(pair: TablePair) -> Flags:
    """Return which cells masking emptied, shape (n, p): they tell the attacker nothing."""
    sides = ((pair.before[name], pair.after[name]) for name in pair.columns)
    return np.column_stack([before.known & after.missing for before, after in sides])


def _parts(counts: Sequence[int], risks: Sequence[float], n: int) -> dict[str, float]:
    parts = {}
    for k, risk in zip(counts, risks, strict=True):
        guess = min(k / n, 1.0)
        parts[part_name(k)] = risk
        parts[say("k = {k}, beyond a guess", k=k)] = (risk - guess) / (1 - guess) if k < n else 0.0
    return parts


def _ranks(originals: Floats, values: Floats) -> Floats:
    """Return the place of numbers among the originals of their column, equals in the middle."""
    ranked = np.empty_like(values)
    for number, column in enumerate(originals.T):
        ordered = np.sort(column)
        below = np.searchsorted(ordered, values[:, number], side="left")
        ranked[:, number] = (below + np.searchsorted(ordered, values[:, number], side="right")) / 2
    return ranked / len(originals)
