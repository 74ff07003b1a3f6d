"""Suppression: records in classes that are too small lose all their keys."""

import numpy as np

from sudare.core import Microdata
from sudare.describe import Hierarchy
from sudare.mask.anonymity.conditions import Anonymity
from sudare.mask.anonymity.generalization import GeneralizationPlan, Keys
from sudare.mask.anonymity.lattice import Search, loss_of


class Suppression(Anonymity):
    """Suppress all keys of records that share them with fewer than k records.

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

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> GeneralizationPlan:
        conditions, values = self.class_conditions(data, columns)
        labels = [data[name].coded.labels for name in columns]
        flat = [Hierarchy.of((label,) for label in some) for some in labels]
        keys = Keys([data[name] for name in columns], flat)
        lattice = keys.lattice(values, data.copies)
        search = Search(lattice, conditions, loss_of("height", lattice, self.k), data.records, None)
        node = search.at(np.zeros(len(columns), np.int64))
        return keys.plan(self.step(columns, {}), lattice, node, node.loss)
