"""Total variation and Hellinger distance: how far the distribution of each column moved."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import combinations
from typing import Annotated

import numpy as np

from sudare.core import AtLeast, Between, Floats, Integers, Microdata, Result, TablePair
from sudare.describe.pairing import TableMeasure, class_codes
from sudare.engine.counting import joint_keys, renumbered


def total_variation(p: Floats, q: Floats) -> float:
    """Half the summed absolute difference of two distributions.

    Examples
    --------
    >>> total_variation(np.array([0.5, 0.5]), np.array([0.75, 0.25]))
    0.25
    """
    return float(np.abs(p - q).sum() / 2)


def hellinger_distance(p: Floats, q: Floats) -> float:
    """Return the Hellinger distance of two distributions: √(Σ(√p − √q)²/2), from 0 to 1.

    Examples
    --------
    >>> round(hellinger_distance(np.array([0.5, 0.5]), np.array([1.0, 0.0])), 4)
    0.5412
    """
    return float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2))


def shares(
    before: Microdata, after: Microdata, names: Sequence[str], classes: int
) -> tuple[Floats, Floats]:
    """Return how columns are distributed before and after, missing and not applicable too.

    Categories are compared label by label, numbers in classes of equal count of the original;
    sampling weights count where there are any.
    """
    columns = []
    for name in names:
        old, new = class_codes(before[name], after[name], classes)
        columns.append((np.concatenate((old, new)) + 2, int(max(old.max(), new.max())) + 3))
    codes, size = joint_keys(columns)
    if len(names) > 1:
        codes, size = renumbered(codes, size)
    rows = before.rows
    return _shares(codes[:rows], size, before), _shares(codes[rows:], size, after)


def _shares(codes: Integers, size: int, data: Microdata) -> Floats:
    counts = np.bincount(codes, weights=data.counted, minlength=size)
    return counts / counts.sum()


class DistributionLoss(TableMeasure, ABC):
    """A distance between each column's distribution before and after, from 0 to 1."""

    kind = "loss"
    needs = "counts"

    classes: Annotated[int, AtLeast(2), "number of classes into which numbers are cut"] = 20
    dimensions: Annotated[
        int, Between(1, 2), "whether columns are compared one by one (1) or in all pairs (2)"
    ] = 1

    def _measure(self, pair: TablePair) -> Result:
        size = min(self.dimensions, len(pair.columns))
        parts = {
            " × ".join(names): self.distance(
                *shares(pair.original(names), pair.released(names), names, self.classes)
            )
            for names in combinations(pair.columns, size)
        }
        return self.result(np.mean(list(parts.values())), parts=parts)

    @staticmethod
    @abstractmethod
    def distance(p: Floats, q: Floats) -> float:
        """Return how far apart two distributions are."""


class TotalVariation(DistributionLoss):
    """The total variation distance between each column's distribution before and after.

    Categories are compared label by label, numbers in classes of equal count of the original.
    Missing and not-applicable are categories of their own; sampling weights count where there are
    any. The value is the mean over the columns, whose distances are the parts; with
    ``dimensions=2`` over all pairs of columns.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> TotalVariation()(data, data).value
    0.0
    """

    formula = "½ Σ |share before − share after|, mean over the columns or pairs of columns"
    counted = "All records, by their weights where there are any."

    distance = staticmethod(total_variation)


class Hellinger(DistributionLoss):
    """The Hellinger distance between each column's distribution before and after.

    Categories are compared label by label, numbers in classes of equal count of the original.
    Missing and not-applicable are categories of their own; sampling weights count where there are
    any. The value is the mean over the columns, whose distances are the parts; with
    ``dimensions=2`` over all pairs of columns.

    References
    ----------
    Gomatam, Karr and Sanil (2005). Data swapping as a decision problem. Journal of Official
    Statistics 21(4).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> Hellinger()(data, data).value
    0.0
    """

    formula = "√(½ Σ (√share before − √share after)²), mean over the columns or pairs of columns"
    counted = "All records, by their weights where there are any."

    distance = staticmethod(hellinger_distance)
