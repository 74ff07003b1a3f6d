"""What a generalization costs: five losses, each with a bound for everything above a table.

Every loss has two methods. ``at_least`` needs no counting: a bound for all generalizations at these
levels or higher. ``of`` looks at a table: it is exact where all keys are settled, and otherwise a
bound for all that agrees with the table on the keys settled, whatever the levels of the rest.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sudare.core import Codes, Flags, Floats, Integers
from sudare.mask.anonymity.lattice.level_tables import Lattice, LevelTable

LossName = Literal["loss", "entropy", "height", "discernibility", "class_size"]
_DIGITS = 1e10  # the reference system keeps ten digits of each key's share, rounded down


class LatticeLoss(ABC):
    """A loss over the lattice; smaller is better."""

    @abstractmethod
    def at_least(self, levels: Integers) -> Floats:
        """Return a bound for all generalizations from each of some levels, shape (…, keys), up."""

    @abstractmethod
    def of(self, table: LevelTable, levels: Integers, lost: Flags) -> float:
        """Return the loss, given which classes of the table are suppressed, shape (prefixes,)."""


@dataclass(frozen=True, eq=False)
class CellLoss(LatticeLoss):
    """A loss that adds up over cells: each value costs by its level, a suppressed one most.

    Attributes
    ----------
    codes
        Leaves of the distinct combinations, shape (keys, m).
    base
        Cost of all records by key and level, shape (keys, levels).
    extra
        Cost of suppressing a value beyond that of its level, shape (keys, levels, leaves).
    combined
        The loss from the cost of each key, shape (…, keys) → (…,).
    """

    codes: Codes
    base: Floats
    extra: Floats
    combined: Callable[[Floats], Floats]

    def at_least(self, levels: Integers) -> Floats:
        """Return the loss without any suppression."""
        return self.combined(self.base[np.arange(len(self.base)), levels])

    def of(self, table: LevelTable, levels: Integers, lost: Flags) -> float:
        """Return the loss at these levels, suppressed records costing most."""
        from sudare.mask.anonymity.lattice._kernels import add_cost_of_losing

        added = np.zeros(len(self.codes))
        rows = table.prefix, table.example, table.counts
        add_cost_of_losing(*rows, lost, self.codes, self.extra, levels, added)
        return float(self.combined(self.base[np.arange(len(self.base)), levels] + added))


@dataclass(frozen=True, eq=False)
class Discernibility(LatticeLoss):
    """The sum over records of the size of their class; a suppressed record costs all records."""

    records: int
    k: int

    def at_least(self, levels: Integers) -> Floats:
        """Return the least possible: every class has k records."""
        return np.full(levels.shape[:-1], float(self.records * self.k))

    def of(self, table: LevelTable, levels: Integers, lost: Flags) -> float:
        """Return the sum; classes above a row of the table are as large as it, and as k."""
        kept = ~lost[table.prefix]
        sizes = table.counts[kept]
        suppressed = self.records - int(sizes.sum())
        return float((sizes * np.maximum(sizes, self.k)).sum() + suppressed * self.records)


@dataclass(frozen=True, eq=False)
class ClassSize(LatticeLoss):
    """The average number of records of a class; the suppressed records are one class."""

    records: int
    k: int

    def at_least(self, levels: Integers) -> Floats:
        """Return the least possible: every class has k records."""
        return np.full(levels.shape[:-1], float(min(self.k, self.records)))

    def of(self, table: LevelTable, levels: Integers, lost: Flags) -> float:
        """Return the average; above a table there are no more classes than rows, or k-ths."""
        rows = int((~lost[table.prefix]).sum())
        parts = int((table.sizes[~lost] // self.k).sum())
        classes = min(rows, parts) + 1 if lost.any() else min(rows, parts + 1)
        return self.records / classes


def loss_of(name: LossName, lattice: Lattice, k: int) -> LatticeLoss:
    """Return a loss by its name."""
    if name == "discernibility":
        return Discernibility(lattice.records, k)
    if name == "class_size":
        return ClassSize(lattice.records, k)
    costs, combined = {"loss": _shares, "entropy": _entropies, "height": _heights}[name](lattice)
    levels, leaves = lattice.heights.max(), max(groups.shape[1] for groups in lattice.groups)
    base = np.full((len(costs), levels), np.inf)
    extra = np.zeros((len(costs), levels, leaves))
    for key, cost in enumerate(costs):
        base[key, : len(cost)] = cost[:, lattice.codes[key]] @ lattice.counts
        extra[key, : len(cost), : cost.shape[1]] = cost[-1] - cost
    return CellLoss(lattice.codes, base, extra, combined)


Costs = tuple[list[Floats], Callable[[Floats], Floats]]


def _shares(lattice: Lattice) -> Costs:
    """Cost of a value: the share of the leaves that it may mean (Iyengar's Loss)."""
    costs, leaves = [], np.array([groups.shape[1] - 2 for groups in lattice.groups])
    for groups, number in zip(lattice.groups, leaves, strict=True):
        sizes = np.stack([np.bincount(row[:number])[row[:number]] for row in groups])
        absent = np.ones((len(groups), 2))
        absent[-1] = number if len(groups) > 1 else 1
        costs.append(np.concatenate((sizes, absent), axis=1) / number)
    least = lattice.records / leaves
    width = np.where(leaves > 1, lattice.records - least, 1.0)

    def combined(sums: Floats) -> Floats:
        kept = np.floor((sums - least) / width * _DIGITS) / _DIGITS
        return np.asarray(np.expm1(np.log1p(np.maximum(kept, 0)).mean(axis=-1)))

    return costs, combined


def _entropies(lattice: Lattice) -> Costs:
    """Cost of a value: the bits by which the leaf is less certain, by the shares in the data."""
    costs = []
    for key, groups in enumerate(lattice.groups):
        counts = np.bincount(lattice.codes[key], lattice.counts, groups.shape[1])
        in_group = np.stack([np.bincount(row, counts)[row] for row in groups])
        bits = np.log2(np.maximum(in_group, 1)) - np.log2(np.maximum(counts, 1))
        if len(groups) == 1:
            bits = np.zeros_like(bits)
        costs.append(bits)
    totals = [
        cost[-1, codes] @ lattice.counts for cost, codes in zip(costs, lattice.codes, strict=True)
    ]
    most = np.maximum(totals, 1e-9)
    return costs, lambda sums: np.asarray((sums / most).mean(axis=-1))


def _heights(lattice: Lattice) -> Costs:
    """Cost of a value: its level."""
    costs = [
        np.repeat(np.arange(len(groups), dtype=float)[:, None], groups.shape[1], axis=1)
        for groups in lattice.groups
    ]
    most = max(int((lattice.heights - 1).sum()), 1) * lattice.records
    return costs, lambda sums: np.asarray(sums.sum(axis=-1) / most)
