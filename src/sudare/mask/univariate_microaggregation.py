"""Optimal microaggregation of one column at a time (Hansen and Mukherjee)."""

from typing import ClassVar

import numpy as np

from sudare.core.columns import Numeric
from sudare.core.errors import SettingError
from sudare.core.masker import Plan
from sudare.core.method import Takes
from sudare.core.microdata import Microdata
from sudare.core.types import Floats, Integers, Role
from sudare.mask.aggregation import Aggregation, AggregationPlan, cells, record_order, strata_keys


def optimal_groups(values: Floats, k: int) -> Integers:
    """Return the groups of at least k numbers with the least summed squares, shape (n,).

    Groups are runs of the sorted numbers, so the best ones are a shortest path; they have
    k … 2k - 1 records. Among equal numbers, those that come first are in the lower group.

    References
    ----------
    Hansen and Mukherjee (2003). A polynomial algorithm for optimal univariate microaggregation.
    IEEE Transactions on Knowledge and Data Engineering 15(4).

    Examples
    --------
    >>> optimal_groups(np.array([1.0, 2.0, 8.0, 9.0, 10.0]), 2).tolist()
    [0, 0, 1, 1, 1]
    """
    from sudare.mask._kernels import optimal_breaks

    if not 2 <= k <= len(values):
        raise SettingError(
            "k must be from 2 to the number of records, {rows}; got {k}.", rows=len(values), k=k
        )
    order = np.argsort(values, kind="stable")
    starts = np.zeros(len(values), np.int64)
    ordered = values[order] - values[order[len(order) // 2]]  # a common shift costs digits
    starts[optimal_breaks(ordered, k)] = 1
    groups = np.empty(len(values), np.int64)
    groups[order] = np.cumsum(starts) - 1
    return groups


class UnivariateMicroaggregation(Aggregation):
    """Replace each number by one that stands for at least k near ones, column by column.

    Each column is grouped by itself, with the least loss that is possible. Combinations of columns
    are not protected: use :class:`Microaggregation` for that. Missing and not-applicable values
    stay what they are and are not counted.

    References
    ----------
    Hansen and Mukherjee (2003). A polynomial algorithm for optimal univariate microaggregation.
    IEEE Transactions on Knowledge and Data Engineering 15(4).

    Examples
    --------
    >>> import sudare
    >>> from sudare.mask.univariate_microaggregation import UnivariateMicroaggregation
    >>> data = sudare.datasets.toy()
    >>> plan = UnivariateMicroaggregation(k=3, columns=("income",)).fit(data)
    >>> round(plan.step.public["income"]["sse_share"], 3)
    0.005
    """

    takes: ClassVar[Takes] = "numbers"
    roles: ClassVar[tuple[Role, ...]] = ("key", "sensitive")

    def _group(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        strata = strata_keys(data, self.strata)
        groups = {name: self._groups(data, name, strata) for name in columns}
        step = self.step(columns, self.public(data, groups))
        return AggregationPlan(step, groups, self.representative, self.weighted)

    def _groups(self, data: Microdata, name: str, strata: Integers) -> Integers:
        column, groups = data[name], np.full(data.rows, -1)
        if not isinstance(column, Numeric):
            raise TypeError(type(column).__name__)
        order = record_order(data, (name,))
        for rows in cells(order[column.known[order]], strata):
            if len(rows) < self.k:
                raise SettingError(
                    "{method}: column '{column}' has {rows} values in a stratum, fewer than "
                    "k = {k}; lower k, or leave the column out.",
                    method=type(self).__name__,
                    column=name,
                    rows=len(rows),
                    k=self.k,
                )
            groups[rows] = optimal_groups(column.values[rows], self.k) + groups.max() + 1
        return groups
