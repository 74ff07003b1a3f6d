"""The best generalization: branch and bound over the lattice, exact or until time is up.

Keys are settled one after another. With some settled, two things hold for every generalization
that agrees: it costs at least what the lowest levels of the others cost, and what is too rare on
the settled keys alone is suppressed. Both together bound its loss from below, and a branch
that cannot beat the best so far is left.
"""

import time
from dataclasses import dataclass
from typing import cast

import numpy as np

from sudare.core.types import Codes, Flags, Integers
from sudare.mask.lattice import Lattice, Table, begun, by_class
from sudare.mask.lattice_loss import LatticeLoss
from sudare.mask.rules import Rules, hopeless, rejected


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

    node: Node
    bound: float


def joined(table: Table, lost: Flags, rules: Rules) -> Flags:
    """Return which classes are suppressed, so that these together may be published as one class.

    Where they may not, being fewer than k records for instance, the smallest of the others go
    with them, one after another.
    """
    sizes, values = table.sizes, by_class(table)
    total, together = int(sizes[lost].sum()), values[lost].sum(axis=0, dtype=np.int32)
    if not total or _stands(together, total, rules):
        return lost
    lost = lost.copy()
    for place in np.argsort(sizes + lost * sizes.sum(), kind="stable"):
        lost[place] = True
        total, together = total + int(sizes[place]), together + values[place]
        if lost.all() or _stands(together, total, rules):
            break
    return lost


def _stands(values: Codes, size: int, rules: Rules) -> bool:
    return not rejected(values[None], np.array([size]), rules)[0]


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
        highest = self.lattice.heights - 1
        self._try(highest, self._chain(highest)[-1])  # one class of all may always be published
        if self.most > 0:
            self._descend(highest)
        self._visit(0, np.zeros(self.keys, np.int64), self.lattice.table())
        return Found(cast("Node", self.best), min(self.least, self.left))

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
        # Classes that may be published stay so when they are merged; the reverse holds of few.
        rare = hopeless if self.most else rejected
        lost = rare(by_class(table), table.sizes, self.rules)
        suppressed = int(table.sizes[lost].sum())
        if suppressed and max(suppressed, self.rules.k) > self.most:
            return np.inf
        return self.loss.of(table, levels, lost)

    def _lost(self, table: Table) -> Flags:
        """Return which classes of a table with all keys settled are suppressed."""
        return joined(table, rejected(table.values, table.sizes, self.rules), self.rules)

    def _try(self, levels: Integers, table: Table) -> None:
        """Keep a generalization if it is the best so far."""
        lost = self._lost(table)
        if table.sizes[lost].sum() <= self.most:
            loss = self.loss.of(table, levels, lost)
            if loss < self.least:
                self.best, self.least = Node(levels, loss, table, lost), loss

    def _descend(self, levels: Integers) -> None:
        """Go from some levels, one key by one level at a time, as long as that pays."""
        before = np.inf
        while self.least < before and not self._late():
            before = self.least
            tables = self._chain(levels)
            for key in range(self.keys):
                for step in (-1, 1):
                    moved = levels.copy()
                    moved[key] += step
                    inside = 0 <= moved[key] < self.lattice.heights[key]
                    if inside and self.loss.at_least(moved) < self.least and not self._late():
                        self._try(moved, self._chain(moved, key, tables[key])[-1])
            levels = cast("Node", self.best).levels

    def _chain(self, levels: Integers, key: int = 0, table: Table | None = None) -> list[Table]:
        """Return the tables with more and more keys settled, from one with those before a key."""
        tables = [self.lattice.table() if table is None else table]
        for place in range(key, self.keys):
            settled = self.lattice.settled(begun(tables[-1]), place, int(levels[place]))
            tables.append(settled)
        return tables
