"""All generalizations of a lattice, or those nearest to the best, to choose from."""

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from sudare.mask.anonymity.lattice.branch_and_bound import Search
from sudare.mask.anonymity.lattice.level_tables import LevelTable, begun
from sudare.mask.anonymity.lattice.local_search import LatticeNode

Levels = tuple[int, ...]


class Solution(NamedTuple):
    """A generalization that may be chosen.

    Attributes
    ----------
    levels
        Level of each column; 0 is the value itself.
    loss
        What it costs, its suppressed records included.
    suppressed
        Number of records that would lose their keys.
    is_kept
        Whether no more records are suppressed than may be.
    """

    levels: Mapping[str, int]
    loss: float
    suppressed: int
    is_kept: bool


def nearest_levels(best: Levels, heights: Levels, most: int) -> list[Levels]:
    """Return all levels of a lattice; of a large one, the best and those fewest steps from it.

    Examples
    --------
    >>> nearest_levels((1, 0), (3, 2), 4)
    [(0, 0), (1, 0), (1, 1), (2, 0)]
    """
    if prod(heights) <= most:
        return list(product(*map(range, heights)))
    reached, edge = {best: None}, [best]
    while edge and len(reached) < most:
        edge = [
            levels
            for start in edge
            for levels in _neighbours(start, heights)
            if levels not in reached and len(reached) < most and reached.setdefault(levels) is None
        ]
    return sorted(reached)


def _neighbours(levels: Levels, heights: Levels) -> Iterator[Levels]:
    for key, (level, height) in enumerate(zip(levels, heights, strict=True)):
        for moved in (level - 1, level + 1):
            if 0 <= moved < height:
                yield (*levels[:key], moved, *levels[key + 1 :])


def nodes_at(
    search: Search, wanted: Collection[Levels], on_progress: Callable[[int, int], None]
) -> list[LatticeNode]:
    """Return the generalizations at some levels; those that begin alike are counted together."""
    prefixes = [{levels[:key] for levels in wanted} for key in range(search.keys + 1)]
    nodes = list[LatticeNode]()

    def settle(table: LevelTable, levels: Levels) -> None:
        key = len(levels)
        if key == search.keys:
            on_progress(len(nodes), len(wanted))
            nodes.append(search.node(np.array(levels), table))
            return
        rolled = begun(table)
        for level in range(len(search.lattice.groups[key])):
            if (*levels, level) in prefixes[key + 1]:
                rolled = search.lattice.settled(rolled, key, level)
                settle(rolled, (*levels, level))

    settle(search.lattice.table(), ())
    return nodes
