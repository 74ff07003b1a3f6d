"""Suppression: records in classes that are too small lose all their keys."""

from dataclasses import replace

import numpy as np

from sudare.core import Microdata, SettingError
from sudare.describe import Hierarchy
from sudare.engine.counting import wildcard_sizes
from sudare.mask.anonymity.conditions import Anonymity
from sudare.mask.anonymity.generalization import GeneralizationPlan, Keys
from sudare.mask.anonymity.lattice import Search, loss_of


class Suppression(Anonymity):
    """Suppress all keys of records that share them with fewer than k records.

    Nothing else changes: what is published is exact. Suppressed records are a class like any
    other: where they are fewer than k, the smallest class goes with them. To lose single cells in
    place of whole records see :class:`sudare.mask.LocalSuppression`, to generalize before see
    :class:`sudare.mask.FullDomain`.

    Missing and not-applicable keys are values of their own. The table is k-anonymous, l-diverse and
    t-close also where suppressed keys match every value, so "suppressed" and "category" are the
    same here. With ``missing="wildcard"`` blanks of the data match every value as well (the rule of
    sdcMicro), and records are suppressed that fewer than k match; this is not offered together with
    ``l`` or ``t``. Measure it by ``sudare.risk.KAnonymity(missing="wildcard")``.

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

    relation = "hides"

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> GeneralizationPlan:
        conditions, values = self.class_conditions(data, columns)
        labels = [data[name].coded.labels for name in columns]
        flat = [Hierarchy.of((label,) for label in some) for some in labels]
        keys = Keys([data[name] for name in columns], flat)
        lattice = keys.lattice(values, data.copies)
        search = Search(lattice, conditions, loss_of("height", lattice, self.k), data.records, None)
        node = search.at(np.zeros(len(columns), np.int64))
        plan = keys.plan(self.step(columns, {}), lattice, node, node.loss)
        if self.missing != "wildcard":
            return plan
        matched = wildcard_sizes(keys.columns) >= self.k
        lost = data.total(~matched)
        share = lost / data.records
        return replace(
            plan, kept=keys.values(matched), suppressed=int(lost), loss=share, bound=share
        )

    def _check_rule(self) -> None:
        if self.missing == "wildcard" and (self.l is not None or self.t is not None):
            raise SettingError(
                "{method}: with l or t a missing key cannot match every value "
                "(missing = 'wildcard'); use 'suppressed' or 'category', which are stricter.",
                method=type(self).__name__,
            )
