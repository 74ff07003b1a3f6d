"""Columns of a masked table counted together once: later questions about them need no pass."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from sudare.core import Integers, Sizes
from sudare.engine.counting import Packing
from sudare.engine.large.group_counts import CountTask, Entries
from sudare.engine.large.memory_budget import MemoryBudget


@dataclass(frozen=True, eq=False)
class TalliedColumns:
    """How many records have each combination of the values of some columns.

    Attributes
    ----------
    names
        Of the columns.
    counts
        By the digits of all columns, of dimension (columns,).
    """

    names: tuple[str, ...]
    counts: Integers

    @classmethod
    def of(cls, packing: Packing, counts: Integers) -> Self:
        """Return the columns whose possible keys have these counts."""
        names = tuple(digit.head.name for digit in packing.digits)
        return cls(names, counts.reshape([digit.radix for digit in packing.digits]))

    def counted(self, task: CountTask, budget: MemoryBudget) -> Entries:
        """Return the keys of all records, each once, with their counts."""
        counts = self._counts(task)
        used = np.flatnonzero(counts)
        most = budget.entries(len(task.packing.digits))
        task.check(int(counts.sum()), most, lambda: float(len(used)))
        return [used], counts[used], None

    def sizes(self, task: CountTask, budget: MemoryBudget) -> Sizes:
        """Return the sizes of the groups of equal records, and how many groups have each."""
        counts = self._counts(task)
        return np.unique_counts(counts[counts > 0])

    def _counts(self, task: CountTask) -> Integers:
        """Return the count of each possible key of some of the columns."""
        asked = [self.names.index(digit.head.name) for digit in task.packing.digits]
        others = tuple(axis for axis in range(len(self.names)) if axis not in asked)
        sums: Integers = self.counts.sum(axis=others)
        return sums.transpose(np.argsort(np.argsort(asked))).ravel()
