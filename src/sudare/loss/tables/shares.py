"""Distributions of a column before and after masking, on the same classes."""

from abc import ABC, abstractmethod
from typing import Annotated, ClassVar

import numpy as np

from sudare.core import (
    AtLeast,
    Floats,
    Integers,
    Kind,
    Microdata,
    Needs,
    Result,
    TablePair,
    Takes,
)
from sudare.describe.pairing import TableMeasure, class_codes
from sudare.engine.counting import multiplied


class DistributionLoss(TableMeasure, ABC):
    """A distance between each column's distribution before and after, from 0 to 1."""

    kind: ClassVar[Kind] = "loss"
    needs: ClassVar[Needs] = "counts"
    takes: ClassVar[Takes] = "any"

    classes: Annotated[int, AtLeast(2), "number of classes into which numbers are cut"] = 20

    def _measure(self, pair: TablePair) -> Result:
        parts = {
            n: self.distance(*shares(pair.original([n]), pair.released([n]), n, self.classes))
            for n in pair.columns
        }
        return self.result(np.mean(list(parts.values())), best=0, worst=1, parts=parts)

    @staticmethod
    @abstractmethod
    def distance(p: Floats, q: Floats) -> float:
        """Return how far apart two distributions are."""


def shares(before: Microdata, after: Microdata, name: str, classes: int) -> tuple[Floats, Floats]:
    """Return how a column is distributed before and after, missing and not applicable too.

    Categories are compared label by label, numbers in classes of equal count of the original;
    sampling weights count where there are any.
    """
    old, new = class_codes(before[name], after[name], classes)
    size = int(max(old.max(), new.max())) + 3
    return _shares(old, size, before), _shares(new, size, after)


def _shares(codes: Integers, size: int, data: Microdata) -> Floats:
    counted = multiplied(data.copies, data.weights)
    counts = np.bincount(codes + 2, weights=counted, minlength=size)
    shares: Floats = counts / counts.sum()
    return shares
