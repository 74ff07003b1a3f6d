"""Suppression: records in classes that are too small lose all their keys."""

from typing import ClassVar

import numpy as np

from sudare.core.microdata import Microdata
from sudare.describe.hierarchies import extended, leaf_of_record
from sudare.describe.hierarchy import Hierarchy
from sudare.mask.anonymity import Anonymity
from sudare.mask.full_domain import GeneralizationPlan, kept_classes
from sudare.mask.lattice import lattice_of
from sudare.mask.lattice_loss import loss_of
from sudare.mask.lattice_search import Search


class Suppression(Anonymity):
    """Make all keys missing of records that share them with fewer than k records.

    Nothing else changes: what is published is exact. Suppressed records are a class like any
    other: where they are fewer than k, the smallest class goes with them. Missing and
    not-applicable keys are values of their own. To lose single cells in place of whole
    records see :class:`sudare.mask.LocalSuppression`, to generalize before see
    :class:`sudare.mask.FullDomain`.

    References
    ----------
    Samarati and Sweeney (1998). Protecting privacy when disclosing information: k-anonymity and
    its enforcement through generalization and suppression. SRI International.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> plan = Suppression(k=3, columns=("sex", "region", "education")).fit(data)
    >>> plan.suppressed
    30
    """

    suppresses: ClassVar[bool] = True

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> GeneralizationPlan:
        rules, values = self.rules(data, columns)
        absent = {name: not data[name].known.all() for name in columns}
        flat = {name: Hierarchy.of((lb,) for lb in data[name].coded.labels) for name in columns}
        groups = [extended(flat[name], absent=absent[name]) for name in columns]
        leaves = [leaf_of_record(data[name], flat[name]) for name in columns]
        lattice = lattice_of(leaves, groups, values)
        search = Search(lattice, rules, loss_of("height", lattice, self.k), data.rows, None)
        node = search.at(np.zeros(len(columns), np.int64))
        suppressed = int(node.table.sizes[node.lost].sum())
        return GeneralizationPlan(
            self.step(columns, {name: {} for name in columns}),
            dict.fromkeys(columns, 0),
            flat,
            absent,
            kept_classes(lattice, node),
            suppressed,
            suppressed / data.rows,
            suppressed / data.rows,
        )
