"""Full-domain generalization: each key at one level of its hierarchy, with least loss."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Self

import numpy as np

from sudare.core import AtLeast, Between, LargeTable, Microdata, OnProgress, SettingError, Step
from sudare.mask.anonymity.conditions import Anonymity
from sudare.mask.anonymity.generalization import GeneralizationPlan, Keys
from sudare.mask.anonymity.lattice import (
    LatticeNode,
    LossName,
    Search,
    Solution,
    loss_of,
    nearest_levels,
    nodes_at,
)


class FullDomain(Anonymity):
    """Generalize whole columns until every class has k records, with the least loss.

    Each key is put on one level of its hierarchy, the same for all records, and records of classes
    that are still too small lose all their keys, up to a share of ``suppression_limit``. Among all
    combinations of levels the one with the smallest loss is found, and proved to be the best; if
    ``seconds`` run out before, the plan tells how much better another could be (``gap``).

    The losses:

    - "loss": by key, the mean share x of the hierarchy's leaves that a published value may
      mean, scaled so that a leaf costs 0 and ``*`` costs 1; over the keys, the geometric mean of
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
    becomes missing altogether, so that its gaps are not distinguished. This holds under
    ``missing="suppressed"`` and "category" alike; "wildcard" is refused, as classes do not overlap.

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

    suppression_limit: Annotated[
        float, Between(0, 1), "share of the records that may lose all their keys"
    ] = 0.05
    loss: Annotated[LossName, "what is minimized"] = "loss"
    seconds: Annotated[
        float | None, AtLeast(0), "seconds after which the search stops with the best so far"
    ] = 60.0

    levels: Annotated[
        Mapping[str, int] | None,
        "level of every key, chosen beforehand; by default the levels with the least loss",
    ] = None

    def settled(self, step: Step) -> Self:
        """Return the method with the levels that were chosen: how many were tried is up to time."""
        if self.levels is not None or self.seconds is None:
            return self
        return replace(self, levels={name: told["level"] for name, told in step.public.items()})

    def solutions(
        self, data: Microdata | LargeTable, most: int = 500, on_progress: OnProgress | None = None
    ) -> tuple[Solution, ...]:
        """Return the generalizations among which one may choose, by loss; state it as ``levels``.

        Parameters
        ----------
        data
            The table.
        most
            How many to return: all of a lattice that has no more; of a larger one, the best and
            those that are fewest steps from it.
        on_progress
            Called with (done, in all, name of the method).

        Examples
        --------
        >>> import sudare
        >>> data = sudare.datasets.toy()
        >>> masker = FullDomain(k=3, columns=("sex", "region"))
        >>> for solution in masker.solutions(data)[:2]:
        ...     print(solution.levels, solution.suppressed, round(solution.loss, 3))
        {'sex': 0, 'region': 0} 0 0.0
        {'sex': 0, 'region': 1} 0 0.039
        """
        if isinstance(data, LargeTable):
            data = data.counted(self.looks_at(data.head))
        columns = self.chosen(data)
        self.refuse_empty(data, columns)
        keys, search = self._search(data, columns)
        best = search.run().node if self.levels is None else self._chosen_node(keys, search)
        nearest = nearest_levels(
            tuple(best.levels.tolist()), tuple(search.lattice.heights.tolist()), most
        )
        name = type(self).__name__
        nodes = nodes_at(
            search, nearest, lambda done, of: on_progress(done, of, name) if on_progress else None
        )
        solutions = [
            Solution(
                keys.levels(search.lattice, node),
                node.loss,
                node.suppressed,
                node.suppressed <= search.most,
            )
            for node in nodes
        ]
        return tuple(sorted(solutions, key=lambda solution: (not solution.is_kept, solution.loss)))

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> GeneralizationPlan:
        keys, search = self._search(data, columns)
        lattice = search.lattice
        if self.levels is None:
            optimum = search.run()
            node, bound = optimum.node, optimum.bound
        else:
            node = self._chosen_node(keys, search)
            bound = float(search.loss.at_least(np.zeros(search.keys, np.int64)))
        heights = dict(zip(lattice.keys, lattice.heights.tolist(), strict=True))
        public = {
            name: {"level": level, "levels": heights[position]}
            for position, (name, level) in enumerate(keys.levels(lattice, node).items())
        }
        return keys.plan(self.step(columns, public), lattice, node, bound)

    def _search(self, data: Microdata, columns: tuple[str, ...]) -> tuple[Keys, Search]:
        conditions, values = self.class_conditions(data, columns)
        keys = Keys(
            [data[name] for name in columns], [self.hierarchy(data[name]) for name in columns]
        )
        lattice = keys.lattice(values, data.copies)
        loss = loss_of(self.loss, lattice, self.k)
        most = int(self.suppression_limit * data.records + 1e-9)
        return keys, Search(lattice, conditions, loss, most, self.seconds)

    def _chosen_node(self, keys: Keys, search: Search) -> LatticeNode:
        """Return the generalization at the levels stated; refuse what suppresses too much."""
        stated = dict(self.levels or {})
        names = [keys.columns[position].name for position in search.lattice.keys]
        if set(stated) != set(names):
            raise SettingError(
                "{method}: levels must name every key that is masked, and no other column: "
                "{columns}.",
                method=type(self).__name__,
                columns=", ".join(column.name for column in keys.columns),
            )
        for name, height in zip(names, search.lattice.heights.tolist(), strict=True):
            if not 0 <= stated[name] < height:
                raise SettingError(
                    "{method}: the level of column '{column}' must be between 0 and {high}.",
                    method=type(self).__name__,
                    column=name,
                    high=height - 1,
                )
        node = search.at(np.array([stated[name] for name in names], np.int64))
        if node.suppressed > search.most:
            raise SettingError(
                "{method}: at these levels {records} {records:record|records} would lose all keys, "
                "and suppression_limit allows {most}; choose higher levels, or raise the limit.",
                method=type(self).__name__,
                records=node.suppressed,
                most=search.most,
            )
        return node
