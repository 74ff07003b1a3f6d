"""The best generalization: branch and bound over the lattice, exact or until time is up.

Keys are settled one after another. With some settled, two things hold for every generalization
that agrees: it costs at least what the lowest levels of the others cost, and what is too rare on
the settled keys alone is suppressed. Both together bound its loss from below. The branch with the
lowest bound is taken first, so that the search ends when that bound reaches the best loss; when
time is up, it is what the best possible loss cannot go below.
"""

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import NamedTuple, cast

import numpy as np

from sudare.core import Flags, Integers
from sudare.mask.anonymity.class_conditions import ClassConditions, histogram, hopeless, rejected
from sudare.mask.anonymity.lattice.level_tables import Lattice, LevelTable, begun, by_class
from sudare.mask.anonymity.lattice.local_search import LatticeNode, LocalSearch
from sudare.mask.anonymity.lattice.losses import LatticeLoss

_LARGE = 100_000  # generalizations
_MOST_ROWS = 2**23  # and sensitive values of them, in tables of open branches: about 300 MB


@dataclass(frozen=True, eq=False)
class Optimum:
    """The best generalization, and a loss that none can go below."""

    node: LatticeNode
    bound: float


def joined(table: LevelTable, lost: Flags, conditions: ClassConditions) -> Flags:
    """Return which classes are suppressed, so that these together may be published as one class.

    Where they may not, being fewer than k records for instance, the smallest of the others go
    with them, one after another.
    """
    sizes, values = table.sizes, by_class(table)
    total, cells = int(sizes[lost].sum()), np.repeat(lost, np.diff(values.starts))
    together = np.bincount(values.codes[cells], values.counts[cells], values.kinds).astype(np.int64)
    if not total or _may_be_published(together, total, conditions):
        return lost
    lost = lost.copy()
    for smallest in np.argsort(sizes + lost * sizes.sum(), kind="stable"):
        lost[smallest] = True
        total, own = total + int(sizes[smallest]), slice(*values.starts[smallest : smallest + 2])
        together[values.codes[own]] += values.counts[own]
        if lost.all() or _may_be_published(together, total, conditions):
            break
    return lost


def _may_be_published(counts: Integers, size: int, conditions: ClassConditions) -> bool:
    return not rejected(histogram(counts), np.array([size]), conditions)[0]


class Branch(NamedTuple):
    """All generalizations that agree on the keys settled, ``-depth`` of them, to go on from.

    In the order in which branches are taken: by bound, then by depth, then by number.
    """

    bound: float
    depth: int
    number: int
    levels: Integers
    table: LevelTable | None


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
        self,
        lattice: Lattice,
        conditions: ClassConditions,
        loss: LatticeLoss,
        most: int,
        seconds: float | None,
    ) -> None:
        self.lattice, self.conditions, self.loss, self.most = lattice, conditions, loss, most
        self.keys = len(lattice.groups)
        self.best: LatticeNode | None = None
        self.least = np.inf  # the loss of the best
        self.open: list[Branch] = []
        self.number = 0  # of branches kept so far
        self.rows = 0  # the weight of the tables of the open branches
        self.deadline = np.inf if seconds is None else time.monotonic() + seconds

    def run(self) -> Optimum:
        """Return the best generalization; its loss is the bound if the search was complete."""
        highest = self.lattice.heights - 1
        self._try(highest, self._chain(highest)[-1])  # one class of all may always be published
        large = prod(self.lattice.heights.tolist()) > _LARGE  # this search may not get far
        if large:
            self._search_near(LocalSearch.lowered)
        elif self.most > 0:
            self._descend(highest)
        whole = self.lattice.table()
        start = Branch(0.0, 0, 0, np.zeros(self.keys, np.int64), whole)
        self.open, self.rows, deadline = [start], whole.weight, self.deadline
        if large:
            now = time.monotonic()
            self.deadline = now + (deadline - now) / 4  # what is not done by then hardly ever is
            self._branch()
            self.deadline = deadline
            if self._unfinished():
                self._search_near(LocalSearch.run)
        self._branch()
        left = min((branch.bound for branch in self.open), default=np.inf)
        return Optimum(cast("LatticeNode", self.best), min(self.least, left))

    def _branch(self) -> None:
        """Grow the branch of the lowest bound, until none is below the best loss or time is up."""
        while self._unfinished() and not self._late():
            self._grow(heapq.heappop(self.open))

    def _unfinished(self) -> bool:
        return bool(self.open) and self.open[0].bound < self.least

    def at(self, levels: Integers) -> LatticeNode:
        """Return the generalization at some levels, whatever it suppresses."""
        return self.node(levels, self._chain(levels)[-1])

    def node(self, levels: Integers, table: LevelTable) -> LatticeNode:
        """Return the generalization at some levels, given its table."""
        lost = self._lost(table)
        return LatticeNode(levels, self.loss.of(table, levels, lost), table, lost)

    def _late(self) -> bool:
        return time.monotonic() > self.deadline

    def _grow(self, branch: Branch) -> None:
        """Settle the next key of a branch at each of its levels, and keep what may pay."""
        key = -branch.depth
        trials = np.repeat(branch.levels[None], len(self.lattice.groups[key]), axis=0)
        trials[:, key] = np.arange(len(trials))
        table = begun(branch.table or self._chain(branch.levels, last=key)[-1])
        self.rows -= branch.table.weight if branch.table else 0
        for levels, floor in zip(trials, self.loss.at_least(trials), strict=True):
            if floor >= self.least:
                break
            if self._late():
                heapq.heappush(self.open, branch._replace(table=None))  # it is not done
                break
            table = self.lattice.settled(table, key, int(levels[key]))
            if key == self.keys - 1:
                self._try(levels, table)
            elif (bound := self._bound(levels, table)) < self.least:
                self._keep(max(bound, branch.bound), key + 1, levels, table)

    def _keep(self, bound: float, settled: int, levels: Integers, table: LevelTable) -> None:
        """Keep a branch for later; its table only while there is room, or else it is made again."""
        self.number += 1
        room = self.rows + table.weight <= _MOST_ROWS
        self.rows += table.weight if room else 0
        branch = Branch(bound, -settled, self.number, levels, table if room else None)
        heapq.heappush(self.open, branch)

    def _bound(self, levels: Integers, table: LevelTable) -> float:
        """Return a loss below which no generalization with these settled keys can go."""
        # Classes that may be published stay so when they are merged; the reverse holds of few.
        rare = hopeless if self.most else rejected
        lost = rare(by_class(table), table.sizes, self.conditions)
        suppressed = int(table.sizes[lost].sum())
        if suppressed and max(suppressed, self.conditions.k) > self.most:
            return np.inf
        return self.loss.of(table, levels, lost)

    def _lost(self, table: LevelTable) -> Flags:
        """Return which classes of a table with all keys settled are suppressed."""
        return joined(table, rejected(table.values, table.sizes, self.conditions), self.conditions)

    def _try(self, levels: Integers, table: LevelTable) -> None:
        """Keep a generalization if it is the best so far."""
        lost = self._lost(table)
        if table.sizes[lost].sum() <= self.most:
            loss = self.loss.of(table, levels, lost)
            if loss < self.least:
                self.best, self.least = LatticeNode(levels, loss, table, lost), loss

    def _search_near(self, way: Callable[[LocalSearch, LatticeNode], LatticeNode]) -> None:
        """Look for better levels near the best so far."""
        search = LocalSearch(self.lattice, self.loss, self._publishable, self._late)
        better = way(search, cast("LatticeNode", self.best))
        self._try(better.levels, self._chain(better.levels)[-1])  # until here counted by hashes

    def _publishable(self, levels: Integers) -> LatticeNode | None:
        """Return the generalization at some levels; None where too much would be suppressed."""
        table = self.lattice.table_at(levels)
        lost = self._lost(table)
        if table.sizes[lost].sum() > self.most:
            return None
        return LatticeNode(levels, self.loss.of(table, levels, lost), table, lost)

    def _descend(self, levels: Integers) -> None:
        """Go from some levels to better ones near them, as long as there are any."""
        unit = np.eye(self.keys, dtype=np.int64)
        before = np.inf
        while self.least < before and not self._late():
            before, tables = self.least, self._chain(levels)
            for move in [*-unit, *unit]:
                self._move(levels + move, int(np.flatnonzero(move)[0]), tables)
            levels = cast("LatticeNode", self.best).levels

    def _move(self, levels: Integers, key: int, tables: list[LevelTable]) -> None:
        """Try levels that differ from those of some tables from a key on."""
        inside = (levels >= 0).all() and (levels < self.lattice.heights).all()
        if inside and self.loss.at_least(levels) < self.least and not self._late():
            self._try(levels, self._chain(levels, key, tables[key])[-1])

    def _chain(
        self,
        levels: Integers,
        key: int = 0,
        table: LevelTable | None = None,
        *,
        last: int | None = None,
    ) -> list[LevelTable]:
        """Return the tables with more and more keys settled, from one with those before a key."""
        tables = [self.lattice.table() if table is None else table]
        for next_key in range(key, self.keys if last is None else last):
            settled = self.lattice.settled(begun(tables[-1]), next_key, int(levels[next_key]))
            tables.append(settled)
        return tables
