"""A good generalization of a wide lattice, where a search of all of them would not end.

From the top, the key whose next level down costs least is lowered, as long as that may be published
and is better. From there on, some keys are raised again, all others lowered as far as they go, and
what is better than before is kept.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sudare.core import Flags, Integers
from sudare.mask.anonymity.lattice.level_tables import Lattice, LevelTable
from sudare.mask.anonymity.lattice.losses import LatticeLoss

_PATIENCE = 200  # trials in turn that bring nothing better
_MOST_RAISED = 4  # keys at a time


@dataclass(frozen=True, eq=False)
class LatticeNode:
    """A generalization: the level of each key, its classes, and which of these are suppressed."""

    levels: Integers
    loss: float
    table: LevelTable
    lost: Flags

    @property
    def suppressed(self) -> int:
        """Number of records that lose their keys."""
        return int(self.table.sizes[self.lost].sum())


@dataclass(frozen=True, eq=False)
class LocalSearch:
    """The search around the best generalization so far.

    Attributes
    ----------
    lattice, loss
        The generalizations, and what is minimized.
    publishable
        Returns the generalization at some levels; None where too much would be suppressed.
    late
        Whether time is up.
    """

    lattice: Lattice
    loss: LatticeLoss
    publishable: Callable[[Integers], LatticeNode | None]
    late: Callable[[], bool]

    def run(self, top: LatticeNode) -> LatticeNode:
        """Return the best generalization that is found from one that may be published."""
        best, idle = self.lowered(top), 0
        choices = np.random.default_rng(0)  # of keys, the same in every run; nothing of the data
        while idle < _PATIENCE and not self.late():
            node = self._around(best, choices)
            idle = 0 if node.loss < best.loss else idle + 1
            best = node if node.loss < best.loss else best
        return best

    def _around(self, node: LatticeNode, choices: np.random.Generator) -> LatticeNode:
        """Raise some keys, lower all others as far as they go, and then all of them."""
        higher = np.flatnonzero(node.levels < self.lattice.heights - 1)
        if not len(higher):
            return node
        number = min(int(choices.integers(1, _MOST_RAISED + 1)), len(higher))
        raised = choices.choice(higher, number, replace=False)
        levels = node.levels.copy()
        levels[raised] = choices.integers(levels[raised] + 1, self.lattice.heights[raised])
        start = self.publishable(levels)
        if start is None:
            return node
        return self.lowered(self.lowered(start, frozenset(raised.tolist())))

    def lowered(self, node: LatticeNode, kept: frozenset[int] = frozenset()) -> LatticeNode:
        """Lower one key after another, the one that is best then, except those kept."""
        blocked = set(kept)  # what may not be published at some levels may not be at lower ones
        while not self.late():
            keys = [key for key in np.flatnonzero(node.levels).tolist() if key not in blocked]
            trials = np.repeat(node.levels[None], len(keys), axis=0)
            trials[np.arange(len(keys)), keys] -= 1
            floors = self.loss.at_least(trials)
            best = node
            for number in np.argsort(floors, kind="stable"):
                if floors[number] >= best.loss or self.late():
                    break
                lower = self.publishable(trials[number])
                if lower is None:
                    blocked.add(keys[number])
                elif lower.loss < best.loss:
                    best = lower
            if best is node:
                break
            node = best
        return node
