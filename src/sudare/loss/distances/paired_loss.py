"""What published values leave unexplained of the true ones, as a share of their capacity.

Capacity alone does not see noise, swapping and PRAM: values that were exchanged are spread as
before. Compared record by record they cost: numbers SSE/SST, labels the capacity that is left among
the records that were published alike. For group means both are ILD itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from sudare.core import (
    Array,
    Categorical,
    Column,
    Floats,
    Microdata,
    Moments,
    Numeric,
    TablePair,
    multiplied,
    naming_column,
)
from sudare.describe import Distance, PNorm
from sudare.loss.distances.capacity import labels_capacity
from sudare.loss.distances.sums_of_squares import squares

_ORIGINAL, _MOVED, _SUPPRESSED = range(3)


def moved_moments(before: Floats, after: Floats, counted: Array | None) -> Moments:
    """Return what a block of records says about numbers, how far they moved, and lost ones.

    Records without a number before do not count.
    """
    known, left = ~np.isnan(before), ~np.isnan(before + after)
    gone = known & ~left
    return Moments.grouped(
        squares(numbers[rows, None], None if counted is None else counted[rows])
        for numbers, rows in ((before, known), (after - before, left), (before, gone))
    )


def numbers_lost(moments: Moments) -> float:
    """Return SSE/SST of numbers; one that was suppressed is guessed by the mean.

    Examples
    --------
    >>> before, after = np.array([1.0, 2, 3, 4]), np.array([1.5, 1.5, 3.5, 3.5])
    >>> numbers_lost(moved_moments(before, after, None))
    0.2
    """
    original, moved, gone = (moments[part] for part in (_ORIGINAL, _MOVED, _SUPPRESSED))
    total = original.squares
    if total <= 0:
        return 0.0
    error = moved.squares + float(moved.weight * moved.mean[0] ** 2)
    error += gone.squares + float(gone.weight * (gone.mean[0] - original.mean[0]) ** 2)
    return error / total


def classes_lost(before: Numeric, after: Categorical, weights: Array | None) -> float:
    """Return SSE/SST of numbers that became classes, each guessed by the mean of its class.

    Suppressed numbers are guessed by the mean of all.

    Examples
    --------
    >>> before = Numeric("x", np.array([1.0, 2, 3, 4]))
    >>> after = Categorical("x", np.array([0, 0, 1, 1]), ("low", "high"))
    >>> classes_lost(before, after, None)
    0.2
    """
    known = before.known
    counted = np.ones(before.rows) if weights is None else np.asarray(weights, np.float64)
    values, mass, codes = before.values[known], counted[known], after.codes[known]
    if not len(values) or mass.sum() <= 0:
        return 0.0
    mean = np.average(values, weights=mass)
    size = len(after.labels)
    total = np.bincount(codes + 2, mass, size + 2)
    sums = np.bincount(codes + 2, mass * (values - mean), size + 2)
    guess = np.divide(sums, total, out=np.zeros(size + 2), where=total > 0)
    guess[:2] = 0.0
    spread = float((mass * (values - mean) ** 2).sum())
    return float((mass * (values - mean - guess[codes + 2]) ** 2).sum()) / spread if spread else 0.0


def labels_lost(
    before: Categorical,
    after: Categorical,
    distance: Distance,
    power: float,
    weights: Array | None,
) -> float:
    """Return what published labels leave unexplained: Σ I(A | label)/n of them over I(A)/n.

    Missing and not applicable are labels like others, as far as the distance places them.

    Examples
    --------
    >>> from sudare.describe.distances import as_distance
    >>> before = Categorical("x", np.array([0, 1, 2, 2]), ("a", "b", "c"))
    >>> after = Categorical("x", np.array([0, 0, 1, 1]), ("a or b", "c"))
    >>> labels_lost(before, after, as_distance("discrete"), 2, None)
    0.4
    """
    known = before.known if distance.nothing is None else np.ones(before.rows, np.bool_)
    counted = np.ones(before.rows) if weights is None else np.asarray(weights, np.float64)
    own = before.codes[known].astype(np.int64) + 2
    shown, mass = after.codes[known].astype(np.int64) + 2, counted[known]
    width = len(before.labels) + 2
    pairs, index = np.unique(shown * width + own, return_inverse=True)
    counts = np.bincount(index, mass, len(pairs)).astype(np.float64)
    labels = (distance.nothing, distance.nothing, *before.labels)

    def capacity(codes: Array, numbers: Floats) -> float:
        names = [labels[code] for code in codes.tolist()]
        with naming_column(before.name):
            return labels_capacity(names, numbers, distance, power) / (numbers.sum() or 1.0)

    everything = np.bincount(own, mass, width).astype(np.float64)
    seen = np.flatnonzero(everything)
    whole = capacity(seen, everything[seen]) if len(seen) else 0.0
    if not whole > 0:
        return 0.0
    ends = np.flatnonzero(np.diff(pairs // width)) + 1
    parts = zip(np.split(pairs % width, ends), np.split(counts, ends), strict=True)
    left = [capacity(codes, numbers) for codes, numbers in parts if len(codes) > 1]
    return float(sum(left) / whole)


@dataclass(frozen=True)
class PairedLoss:
    """What published values leave unexplained, column by column."""

    distance_of: Callable[[Column], Distance]
    weights_of: Callable[[Microdata], Floats | None]
    power: float

    def of(self, pair: TablePair, columns: Sequence[str]) -> dict[str, float]:
        """Return the loss of each column."""
        numbers = [name for name in columns if self._by_number(pair.before[name])]
        still = [name for name in numbers if isinstance(pair.after[name], Numeric)]
        blocks = pair.in_blocks(still, partial(self._moments, still)) if still else []
        lost = {
            name: numbers_lost(Moments.joined(block[number] for block in blocks))
            for number, name in enumerate(still)
        }
        for name in columns:
            if name not in lost:
                lost[name] = self._lost(pair.on([name]), name)
        return lost

    def _by_number(self, column: Column) -> bool:
        return isinstance(column, Numeric) and isinstance(self.distance_of(column), PNorm)

    def _moments(self, columns: Sequence[str], pair: TablePair) -> list[Moments]:
        counted = multiplied(pair.before.copies, self.weights_of(pair.before))
        return [
            moved_moments(
                pair.before[name].numeric.values, pair.after[name].numeric.values, counted
            )
            for name in columns
        ]

    def _lost(self, pair: TablePair, name: str) -> float:
        before, after = pair.before[name], pair.after[name]
        weights = multiplied(pair.before.copies, self.weights_of(pair.before))
        if self._by_number(before):
            return classes_lost(before.numeric, after.coded, weights)
        return labels_lost(before.coded, after.coded, self.distance_of(before), self.power, weights)
