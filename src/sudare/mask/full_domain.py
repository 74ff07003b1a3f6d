"""Full-domain generalization: each key at one level of its hierarchy, with least loss."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from sudare.core.columns import MISSING, Column
from sudare.core.draws import Draws
from sudare.core.errors import SettingError
from sudare.core.masker import Plan
from sudare.core.microdata import Microdata
from sudare.core.settings import AtLeast, Between
from sudare.core.types import Codes, Flags, Integers
from sudare.describe.hierarchies import extended, leaf_of_record
from sudare.describe.hierarchy import Hierarchy
from sudare.engine.counts import joint_keys, renumbered
from sudare.mask.anonymity import Anonymity
from sudare.mask.lattice import Lattice, lattice_of
from sudare.mask.lattice_loss import LossName, loss_of
from sudare.mask.lattice_search import Node, Search
from sudare.mask.local_suppression import blanked


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
            (np.concatenate((self.kept[:, place], own)), number)
            for place, (own, number) in enumerate(zip(codes, numbers, strict=True))
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


class FullDomain(Anonymity):
    """Generalize whole columns until every class has k records, with the least loss.

    Each key is put on one level of its hierarchy, the same for all records, and records of classes
    that are still too small lose all their keys, up to a share of ``suppression_limit``. Among all
    combinations of levels the one with the smallest loss is found, and proved to be the best; if
    ``seconds`` run out before, the plan tells how much better another could be (``gap``).

    The losses:

    - "loss": by key, the mean share x of the hierarchy's leaves that a published value may stand
      for, scaled so that a leaf costs 0 and ``*`` costs 1; over the keys, the geometric mean of
      1 + x, less 1.
    - "entropy": by key, the share of the entropy that is lost, by the shares of the values in the
      data; over the keys, the mean.
    - "height": the mean level of a value, as a share of the number of levels.
    - "discernibility": the sum over records of the size of their class.
    - "class_size": the average number of records of a class.

    A suppressed record costs as much as one with all keys at the last level, or in a class of
    all records. Suppressed records are a class like any other: where they are fewer than k, the
    smallest class goes with them.

    Keys without a hierarchy get an automatic one (:func:`sudare.describe.automatic`). Missing and
    not-applicable keys are values of their own; a column that has some and reaches the last level
    becomes missing altogether, so that its gaps are not told apart.

    References
    ----------
    Samarati (2001). Protecting respondents' identities in microdata release. IEEE Transactions on
    Knowledge and Data Engineering 13(6).
    Iyengar (2002). Transforming data to satisfy privacy constraints. KDD 2002 (the loss).
    Machanavajjhala et al. (2007). l-diversity: privacy beyond k-anonymity. ACM TKDD 1(1).
    Li, Li and Venkatasubramanian (2007). t-closeness. ICDE 2007.

    Notes
    -----
    As in the reference system ARX, x is kept to ten digits, rounded down.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> keys = ("sex", "age", "region")
    >>> ages = {"widths": [10, 20, 40]}
    >>> plan = FullDomain(k=3, columns=keys, hierarchies={"age": ages}).fit(data)
    >>> plan.levels, plan.suppressed, round(plan.loss, 3)
    ({'sex': 0, 'age': 2, 'region': 1}, 9, 0.115)
    """

    suppresses: ClassVar[bool] = True

    suppression_limit: Annotated[
        float, Between(0, 1), "share of the records that may lose all their keys"
    ] = 0.05
    loss: Annotated[LossName, "what is made small"] = "loss"
    seconds: Annotated[
        float | None, AtLeast(0), "time for the search; the best found by then is taken"
    ] = 60.0

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> "GeneralizationPlan":
        rules, values = self.rules(data, columns)
        hierarchies = {name: self.hierarchy(data[name]) for name in columns}
        absent = {name: not data[name].known.all() for name in columns}
        groups = [extended(hierarchies[name], absent=absent[name]) for name in columns]
        leaves = [leaf_of_record(data[name], hierarchies[name]) for name in columns]
        lattice = lattice_of(leaves, groups, values)
        loss = loss_of(self.loss, lattice, self.k)
        most = int(self.suppression_limit * data.rows + 1e-9)
        found = Search(lattice, rules, loss, most, self.seconds).run()
        node = found.node or self._nothing_found()
        levels = dict(sorted(zip(lattice.keys, node.levels.tolist(), strict=True)))
        by_name = {name: levels[place] for place, name in enumerate(columns)}
        public = {
            name: {"level": by_name[name], "levels": len(groups[place])}
            for place, name in enumerate(columns)
        }
        return GeneralizationPlan(
            self.step(columns, public),
            by_name,
            hierarchies,
            absent,
            kept_classes(lattice, node),
            int(node.table.sizes[node.lost].sum()),
            node.loss,
            found.bound,
        )

    def _nothing_found(self) -> Node:
        raise SettingError(
            "{method}: no levels were found in {seconds} seconds; allow more time.",
            method=type(self).__name__,
            seconds=self.seconds,
        )


def kept_classes(lattice: Lattice, node: Node) -> Codes:
    """Return the groups of each class that is published, in the order of the columns given."""
    example: Integers = node.table.example[~node.lost].astype(np.int64)
    kept = np.empty((len(example), len(lattice.keys)), np.int32)
    for key, place in enumerate(lattice.keys):
        kept[:, place] = lattice.groups[key][node.levels[key]][lattice.codes[key, example]]
    return kept
