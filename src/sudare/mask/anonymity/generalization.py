"""Generalized keys: what full-domain generalization and suppression publish, and their plan."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sudare.core import (
    MISSING,
    Codes,
    Column,
    Draws,
    Flags,
    Integers,
    Microdata,
    Plan,
    Step,
    blanked,
)
from sudare.describe import Hierarchy
from sudare.describe.hierarchies import extended, leaf_of_record
from sudare.engine.counting import joint_keys, renumbered
from sudare.mask.anonymity.lattice import Lattice, LatticeNode, lattice_of


@dataclass(frozen=True, repr=False)
class GeneralizationPlan(Plan):
    """The level of each key, and the classes that are published. Secret: it says what was rare.

    Attributes
    ----------
    levels
        Level of each column; 0 is the value itself.
    hierarchies
        Hierarchy of each column.
    absent
        Whether a column had absent values, by column.
    kept
        Groups of each class that is published, shape (classes, columns).
    suppressed
        Number of records that lose their keys.
    loss
        Loss of the table at these levels; of five kinds, as the setting says.
    bound
        No generalization has a smaller loss: the loss itself if the search was complete.
    """

    levels: Mapping[str, int]
    hierarchies: Mapping[str, Hierarchy]
    absent: Mapping[str, bool]
    kept: Codes
    suppressed: int
    loss: float
    bound: float

    @property
    def optimal(self) -> bool:
        """Whether no other levels have a smaller loss."""
        return self.bound >= self.loss

    @property
    def gap(self) -> float:
        """How much smaller the loss of the best levels may be; 0 if these are the best."""
        return self.loss - self.bound

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        named = self.step.columns
        groups = [self._groups(data[name]) for name in named]
        lost = ~self._published([codes for codes, _ in groups], [number for _, number in groups])
        return data.replacing(blanked(self._generalized(data[name]), lost) for name in named)

    def _groups(self, column: Column) -> tuple[Codes, int]:
        """Return the group of each record, and how many groups there are."""
        hierarchy = self.hierarchies[column.name]
        table = extended(hierarchy, absent=self.absent[column.name])[self.levels[column.name]]
        return table[leaf_of_record(column, hierarchy)], int(table.max()) + 1

    def _published(self, codes: list[Codes], numbers: list[int]) -> Flags:
        """Return which records are in a class that is published."""
        # Number the classes of the plan and those of the data together, to look them up.
        pairs = [
            (np.concatenate((self.kept[:, column], own)), number)
            for column, (own, number) in enumerate(zip(codes, numbers, strict=True))
        ]
        index, number = renumbered(*joint_keys(pairs))
        known = np.zeros(number, np.bool_)
        known[index[: len(self.kept)]] = True
        return np.asarray(known[index[len(self.kept) :]])

    def _generalized(self, column: Column) -> Column:
        level, hierarchy = self.levels[column.name], self.hierarchies[column.name]
        if level == 0:
            return column
        if self.absent[column.name] and level == max(len(hierarchy.labels) - 1, 1):
            coded = column.coded  # gaps among "*" would still tell who has no value
            return replace(coded, codes=np.full(column.rows, MISSING, np.int32))
        return hierarchy.generalized(column, level)


@dataclass(frozen=True, eq=False)
class Keys:
    """Key columns with the hierarchy of each."""

    columns: Sequence[Column]
    hierarchies: Sequence[Hierarchy]

    def lattice(self, values: Codes, copies: Integers | None = None) -> Lattice:
        """Return the lattice of the keys; ``values`` (n, q) are sensitive values, shifted."""
        pairs = list(zip(self.columns, self.hierarchies, strict=True))
        return lattice_of(
            [leaf_of_record(column, hierarchy) for column, hierarchy in pairs],
            [extended(hierarchy, absent=_has_gaps(column)) for column, hierarchy in pairs],
            values,
            copies,
        )

    def levels(self, lattice: Lattice, node: LatticeNode) -> dict[str, int]:
        """Return the level of each column."""
        by_position = dict(zip(lattice.keys, node.levels.tolist(), strict=True))
        return {column.name: by_position[position] for position, column in enumerate(self.columns)}

    def values(self, records: Flags) -> Codes:
        """Return the combinations of values that some records have, as a plan keeps them."""
        pairs = zip(self.columns, self.hierarchies, strict=True)
        leaves = [
            extended(hierarchy, absent=_has_gaps(column))[0][leaf_of_record(column, hierarchy)]
            for column, hierarchy in pairs
        ]
        return np.unique(np.stack(leaves, axis=1)[records], axis=0)

    def plan(
        self, step: Step, lattice: Lattice, node: LatticeNode, bound: float
    ) -> GeneralizationPlan:
        """Return the plan that publishes a generalization."""
        return GeneralizationPlan(
            step,
            self.levels(lattice, node),
            {c.name: h for c, h in zip(self.columns, self.hierarchies, strict=True)},
            {column.name: _has_gaps(column) for column in self.columns},
            _kept(lattice, node),
            node.suppressed,
            node.loss,
            bound,
        )


def _has_gaps(column: Column) -> bool:
    return not column.known.all()


def _kept(lattice: Lattice, node: LatticeNode) -> Codes:
    """Return the groups of each class that is published, in the order of the columns given."""
    example = node.table.example[~node.lost]
    kept = np.empty((len(example), len(lattice.keys)), np.int32)
    for key, column in enumerate(lattice.keys):
        kept[:, column] = lattice.groups[key][node.levels[key]][lattice.codes[key, example]]
    return kept
