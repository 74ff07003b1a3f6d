"""The best generalization: branch and bound over the lattice, exact or until time is up.

Keys are settled one after another. With some settled, two things hold for every generalization
that agrees: it costs at least what the lowest levels of the others cost, and what is too rare on
the settled keys alone is suppressed. Both together bound its loss from below, and a branch
that cannot beat the best so far is left.
"""

import time
from dataclasses import dataclass

import numpy as np

from sudare.core.types import Flags, Integers
from sudare.mask._kernels_lattice import Table, by_prefix
from sudare.mask._kernels_rules import Rules, classes_admitted, classes_hopeless
from sudare.mask.lattice import Lattice, begun
from sudare.mask.lattice_loss import LatticeLoss


@dataclass(frozen=True, eq=False)
class Node:
    """A generalization: the level of each key, its classes, and which of these are suppressed."""

    levels: Integers
    loss: float
    table: Table
    lost: Flags


@dataclass(frozen=True, eq=False)
class Found:
    """The best generalization, and a loss that none can go below."""

    node: Node | None
    bound: float


def joined(values: Table, lost: Flags, rules: Rules) -> Flags:
    """Return which classes are suppressed, so that these together may be published as one class.

    Where they may not, being fewer than k records for instance, the smallest of the others go
    with them, one after another.
    """
    if not lost.any():
        return lost
    lost, sizes, by_value = lost.copy(), values.sizes, by_prefix(values)
    total, together = int(sizes[lost].sum()), by_value[lost].sum(axis=0, dtype=np.int32)
    for place in np.argsort(sizes + lost * sizes.sum(), kind="stable"):
        if lost.all() or classes_admitted(together[None], np.array([total]), rules)[0]:
            break
        lost[place] = True
        total += int(sizes[place])
        together = together + by_value[place]
    return lost


class Search:
    """The search for the best generalization of a lattice.

    Parameters
    ----------
    most
        Number of records that may be suppressed.
    seconds
        Time after which the best so far is returned; None for no limit.
    """

    def __init__(
        self, lattice: Lattice, rules: Rules, loss: LatticeLoss, most: int, seconds: float | None
    ) -> None:
        self.lattice, self.rules, self.loss, self.most = lattice, rules, loss, most
        self.keys = len(lattice.groups)
        self.best: Node | None = None
        self.least = np.inf  # the loss of the best
        self.left = np.inf  # the lowest bound of what was left out for want of time
        self.deadline = np.inf if seconds is None else time.monotonic() + seconds

    def run(self) -> Found:
        """Return the best generalization; its loss is the bound if the search was complete."""
        lowest = np.zeros(self.keys, np.int64)
        if self.most > 0:
            self._descend()
        self._visit(0, lowest, self.lattice.table())
        return Found(self.best, min(self.least, self.left))

    def at(self, levels: Integers) -> Node:
        """Return the generalization at some levels, whatever it suppresses."""
        table = self._chain(levels)[-1]
        lost = self._lost(table)
        return Node(levels, self.loss.of(table, levels, lost), table, lost)

    def _late(self) -> bool:
        return time.monotonic() > self.deadline

    def _visit(self, key: int, levels: Integers, table: Table) -> None:
        """Settle one key at each of its levels, and go on where that may pay, best first."""
        heights = len(self.lattice.groups[key])
        trials = np.tile(levels, (heights, 1))
        trials[:, key] = np.arange(heights)
        floors, open_ = self.loss.at_least(trials), list[tuple[float, int, Table]]()
        for level in range(heights):
            if floors[level] >= self.least:
                break
            if self._late():
                self.left = min(self.left, float(floors[level]))
                break
            table = self.lattice.settled(table, key, level)
            if key == self.keys - 1:
                self._try(trials[level], table)
            elif (bound := self._bound(trials[level], table)) < self.least:
                open_.append((bound, level, table))
        for bound, level, settled in sorted(open_, key=lambda child: child[:2]):
            if self._late():
                self.left = min(self.left, bound)
            elif bound < self.least:
                self._visit(key + 1, trials[level], begun(settled))

    def _bound(self, levels: Integers, table: Table) -> float:
        """Return a loss below which no generalization with these settled keys can go."""
        if not self.values:
            lost = table.sizes < self.rules.k
        elif self.most == 0:  # classes that may be published stay so when they are merged
            lost = ~classes_admitted(by_prefix(table), table.sizes, self.rules)
        else:
            lost = classes_hopeless(by_prefix(table), table.sizes, self.rules)
        suppressed = int(table.sizes[lost].sum())
        if suppressed and max(suppressed, self.rules.k) > self.most:
            return np.inf
        return self.loss.of(table, levels, lost)

    @property
    def values(self) -> int:
        """The number of sensitive values that the rules look at."""
        return int(self.lattice.values.shape[1])

    def _lost(self, table: Table) -> Flags:
        """Return which classes of a table with all keys settled are suppressed."""
        if not self.values:
            lost = table.sizes < self.rules.k
            enough = table.sizes[lost].sum() >= self.rules.k
            return lost if enough else joined(table, lost, self.rules)
        return joined(
            table, ~classes_admitted(table.values, table.sizes, self.rules), self.rules
        )

    def _try(self, levels: Integers, table: Table) -> None:
        """Keep a generalization if it is the best so far."""
        lost = self._lost(table)
        if table.sizes[lost].sum() <= self.most:
            loss = self.loss.of(table, levels, lost)
            if loss < self.least:
                self.best, self.least = Node(levels, loss, table, lost), loss

    def _descend(self) -> None:
        """Go down from the highest levels, one key by one level at a time, while that pays."""
        levels, before = self.lattice.heights - 1, np.inf
        while self.least < before or before == np.inf:
            before = self.least
            tables = self._chain(levels)
            self._try(levels, tables[-1])
            for key in range(self.keys):
                for step in (-1, 1):
                    moved = levels.copy()
                    moved[key] += step
                    inside = 0 <= moved[key] < self.lattice.heights[key]
                    if inside and self.loss.at_least(moved) < self.least and not self._late():
                        self._try(moved, self._chain(moved, key, tables[key])[-1])
            if self.best is None or self._late():
                return
            levels = self.best.levels

    def _chain(self, levels: Integers, key: int = 0, table: Table | None = None) -> list[Table]:
        """Return the tables with more and more keys settled, from one with those before a key."""
        tables = [self.lattice.table() if table is None else table]
        for place in range(key, self.keys):
            settled = self.lattice.settled(begun(tables[-1]), place, int(levels[place]))
            tables.append(settled)
        return tables
