"""Optimal microaggregation of one column at a time (Hansen and Mukherjee)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from sudare.core import (
    Draws,
    Floats,
    Integers,
    LargeTable,
    Microdata,
    Numeric,
    Plan,
    SettingError,
    significant,
)
from sudare.engine.counting import groups, in_units, magnitude
from sudare.mask.microaggregation.aggregation import (
    Aggregation,
    AggregationPlan,
    cells,
    record_order,
    strata_keys,
)
from sudare.mask.microaggregation.units import far_power, moments_in_units


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
    from sudare.mask.microaggregation.grouping import optimal_breaks

    if not 2 <= k <= len(values):
        raise SettingError(
            "k must be from 2 to the number of records, {rows}; got {k}.", rows=len(values), k=k
        )
    order = np.argsort(values, kind="stable")
    starts = np.zeros(len(values), np.int64)
    ordered = in_units(values, magnitude(values))[order]
    ordered = ordered - ordered[len(order) // 2]  # a common shift costs digits
    starts[optimal_breaks(ordered, k)] = 1
    groups = np.empty(len(values), np.int64)
    groups[order] = np.cumsum(starts) - 1
    return groups


@dataclass(frozen=True)
class Ends:
    """Keeps the first and the last of equal numbers of a stratum, in the order of records.

    A group that holds different numbers has fewer than 2k records, and so no more than the first or
    last 2k of any number; those between are among their equals, and keep their value.
    """

    column: str
    strata: tuple[str, ...]
    each: int

    def __call__(self, data: Microdata) -> Integers:
        """Return the records that remain."""
        ordered, position, sizes = self._runs(data)
        return ordered[(position < self.each) | (position >= sizes - self.each)]

    def shortened(self, data: Microdata, copies: Integers, k: int) -> Integers:
        """Return the records of runs that are as long as ``copies``, or shorter by groups of k."""
        ordered, position, sizes = self._runs(data)
        excess = np.maximum(np.repeat(copies, sizes[position == 0]) - 2 * self.each, 0)
        dropped = np.where(excess > 0, k - excess % k, 0)
        return ordered[(position < self.each) | (position >= self.each + dropped)]

    def _runs(self, data: Microdata) -> tuple[Integers, Integers, Integers]:
        """Return the records by stratum and number, their positions in the run, and its length."""
        index = groups([*(data[name] for name in self.strata), data[self.column]]).index
        order = record_order(data, (self.column,))
        ordered = order[np.argsort(index[order], kind="stable")]
        starts = np.flatnonzero(np.diff(index[ordered], prepend=-1))
        sizes = np.diff(starts, append=len(ordered))
        position = np.arange(len(ordered)) - np.repeat(starts, sizes)
        return ordered, position, np.repeat(sizes, sizes)


def _ends(
    table: LargeTable, name: str, strata: tuple[str, ...], k: int
) -> tuple[Integers, Microdata]:
    """Return records whose groups are those that they have in the whole table."""
    ends = Ends(name, strata, 4 * k)
    rows, data = table.filtered(ends)
    copies = table.counted([*strata, name]).copies
    kept = np.sort(ends.shortened(data, np.asarray(copies), k))
    return rows[kept], data.take(kept)


@dataclass(frozen=True, repr=False)
class ChangesPlan(Plan):
    """The records that change, by column: their numbers, ascending, and masked values. Secret."""

    changes: Mapping[str, tuple[Integers, Floats]]

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        first = draws.first_row
        masked = []
        for name in self.step.columns:
            (rows, values), column = self.changes[name], data[name]
            column = column.numeric
            low, high = np.searchsorted(rows, [first, first + data.rows])
            own = column.values.copy()
            own[rows[low:high] - first] = values[low:high]
            masked.append(replace(column, values=own))
        return data.replacing(masked)


class UnivariateMicroaggregation(Aggregation):
    """Replace each number by one that represents at least k near ones, column by column.

    Each column is grouped by itself, with the least loss that is possible. Combinations of columns
    are not protected: use :class:`Microaggregation` for that. Weights count as there. Missing and
    not-applicable values stay what they are and are not counted.

    References
    ----------
    Hansen and Mukherjee (2003). A polynomial algorithm for optimal univariate microaggregation.
    IEEE Transactions on Knowledge and Data Engineering 15(4).

    Examples
    --------
    >>> import sudare
    >>> from sudare.mask import UnivariateMicroaggregation
    >>> data = sudare.datasets.toy()
    >>> plan = UnivariateMicroaggregation(k=3, columns=("income",)).fit(data)
    >>> round(plan.step.public["income"]["sse_share"], 3)
    0.005
    """

    takes = "numbers"
    roles = ("key", "sensitive")

    def learn(self, table: LargeTable) -> Plan:
        """Group the numbers of a table that is not in memory, from the ends of equal ones."""
        columns = self.chosen(table.head)
        changes, public = {}, {}
        for name in columns:
            rows, ends = _ends(table, name, self.strata, self.k)
            masked = replace(self, columns=(name,)).fit(ends).transform(ends)
            before, after = ends[name], masked[name]
            if not isinstance(before, Numeric) or not isinstance(after, Numeric):
                raise TypeError(type(before).__name__)
            changed = before.known & (before.values != after.values)
            changes[name] = rows[changed], after.values[changed]
            power = far_power(before.values)
            old, new = (in_units(column.values[changed], power) for column in (before, after))
            lost = float(((old - new) ** 2).sum())
            total = float(moments_in_units(table, name, power).products[0, 0])
            public[name] = {"sse_share": significant(lost / total, digits=1) if total > 0 else 0.0}
        return ChangesPlan(self.step(columns, public), changes)

    def _group(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        strata = strata_keys(data, self.strata)
        groups = {name: self._groups(data, name, strata) for name in columns}
        step = self.step(columns, self.public(data, groups))
        return AggregationPlan(step, groups, self.representative, self.weighted)

    def _groups(self, data: Microdata, name: str, strata: Integers) -> Integers:
        column, groups = data[name], np.full(data.rows, -1)  # -1 while they have none
        column = column.numeric
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
        return np.asarray(
            np.maximum(groups, 0)
        )  # a record without a value has none to lose in any group
