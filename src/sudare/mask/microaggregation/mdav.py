"""Microaggregation: near records form groups of at least k, and one value represents each group."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from typing import Annotated, Literal

import numpy as np

from sudare.core import AtLeast, Floats, Integers, LargeTable, Microdata, Plan, SettingError
from sudare.engine.counting import in_units, magnitude
from sudare.mask.microaggregation.aggregation import (
    Aggregation,
    AggregationPlan,
    absence_keys,
    cells,
    large_cells,
    record_order,
    strata_keys,
)
from sudare.mask.microaggregation.grouping import blockwise_mdav, lost_share, refined
from sudare.mask.microaggregation.in_parts import Loss, neighbor_parting
from sudare.mask.microaggregation.metric import Scaling, coordinates


@dataclass(frozen=True, repr=False)
class MicroaggregationPlan(AggregationPlan):
    """The group of each record, and what grouping lost.

    Attributes
    ----------
    loss
        Summed squares lost over summed squares in all (SSE / SST), in scaled coordinates.
    loss_unrefined
        The same before refinement.
    """

    loss: float
    loss_unrefined: float


class Microaggregation(Aggregation):
    """Replace the values of at least k near records by one that represents them.

    Groups are made by MDAV on all chosen columns together, so that every combination of masked
    values occurs at least k times. Distances are Euclidean on scaled numbers; ordinal categories
    count by their rank, nominal ones as equal or different. Refinement then exchanges records
    between neighboring groups while that lowers the loss; groups keep k … 2k - 1 records.

    Numbers become the mean (or median, or mode) of their group, nominal categories the mode,
    ordinal ones the lower median. Sampling weights count in means, but within a group none for less
    than half of the largest: the mean of a group in which one record has nearly all the weight
    would publish that record, and weighted totals are kept nearly, not exactly, where weights
    differ by more. Missing and not-applicable values stay what they are: records are
    grouped only with records that lack the same values, because a group in which one record alone
    has a value would publish it. A pattern of absence that fewer than k records share is refused,
    or all their values become missing, as ``rare_absence`` says; if that would be fewer than k
    records (of a stratum), others lose their values with them, so that they do not stand out.

    References
    ----------
    Domingo-Ferrer and Mateo-Sanz (2002). Practical data-oriented microaggregation for statistical
    disclosure control. IEEE Transactions on Knowledge and Data Engineering 14(1).
    Domingo-Ferrer and Torra (2005). Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation. Data Mining and Knowledge Discovery 11(2).

    Examples
    --------
    >>> import sudare
    >>> from sudare.mask.microaggregation.mdav import Microaggregation
    >>> data = sudare.datasets.toy()
    >>> plan = Microaggregation(k=5, columns=("age", "education")).fit(data)
    >>> masked = plan.transform(data)
    >>> sudare.risk.KAnonymity(columns=("age", "education"))(data, masked).value >= 5
    True
    >>> plan.loss < plan.loss_unrefined
    True
    """

    scale: Annotated[
        Scaling, "what makes columns comparable: their standard deviation, their range, or nothing"
    ] = "sd"
    importance: Annotated[
        Mapping[str, float] | None,
        AtLeast(0),
        "by column, the factor of its squared distances; 1 by default",
    ] = None
    refine: Annotated[bool, "whether records change groups afterwards to lower the loss"] = True
    rare_absence: Annotated[
        Literal["refuse", "suppress"],
        "what to do when fewer than k records lack the same values: refuse, or make their values "
        "missing",
    ] = "refuse"
    exact_up_to: Annotated[
        int,
        AtLeast(1000),
        "number of records above which they are divided into blocks of neighbors first",
    ] = 100_000

    def learn(self, table: LargeTable) -> Plan:
        """Group the records of a table that is not in memory, part by part."""
        parting = neighbor_parting(self, table)
        names = {*parting.columns, *self.strata, *table.with_role("weight")}
        if not parting.trees:  # as in memory: what else is known decides between equal records
            names = set(table.names)
        plan, summaries = table.in_parts(parting, [name for name in table.names if name in names])
        losses = {
            name: [part[name] for part in summaries if name in part] for name in parting.columns
        }
        public = {
            name: reduce(Loss.merged, parts).share() if parts else {}
            for name, parts in losses.items()
        }
        return replace(plan, step=self.step(parting.columns, public))

    def _group(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        points = self._points(data, columns)
        parts = self._cells(data, columns, points)
        coarse, fine = np.full(data.rows, -1), np.full(data.rows, -1)
        for rows in parts:
            groups = self._partition(points[rows])
            better = refined(points[rows], groups, self.k) if self.refine else groups
            coarse[rows] = groups + coarse.max() + 1
            fine[rows] = better + fine.max() + 1
        grouped = np.concatenate(parts) if parts else np.zeros(0, np.int64)
        by_column = dict.fromkeys(columns, fine)
        return MicroaggregationPlan(
            self.step(columns, self.public(data, by_column)),
            by_column,
            self.representative,
            self.weighted,
            lost_share(points[grouped], fine[grouped]),
            lost_share(points[grouped], coarse[grouped]),
        )

    def _partition(self, points: Floats) -> Integers:
        return blockwise_mdav(points, self.k, self.exact_up_to)

    def _points(self, data: Microdata, columns: tuple[str, ...]) -> Floats:
        importance = self.importance or {}
        for name, worth in importance.items():
            if not math.isfinite(worth):
                raise SettingError(
                    "{method}: the weight of column '{column}' must be a finite number.",
                    method=type(self).__name__,
                    column=name,
                )
            if name not in columns:
                raise SettingError(
                    "{method}: importance names column '{column}', which is not masked.",
                    method=type(self).__name__,
                    column=name,
                )
        weights = [importance.get(name, 1.0) for name in columns]
        points = coordinates([data[name] for name in columns], self.scale, weights)
        return in_units(points, magnitude(points))

    def _cells(self, data: Microdata, columns: tuple[str, ...], points: Floats) -> list[Integers]:
        """Return the records that may be grouped with one another, sorted."""
        absence = absence_keys([data[name] for name in columns])
        strata = strata_keys(data, self.strata)
        parts = cells(record_order(data, columns), strata * (int(absence.max()) + 1) + absence)
        rare = [part for part in parts if len(part) < self.k]
        if rare and self.rare_absence == "refuse":
            raise SettingError(
                "{method}: {count} records lack values that fewer than k = {k} records lack "
                "together; leave out a column with missing values, lower k, or set rare_absence "
                "to 'suppress'.",
                method=type(self).__name__,
                count=sum(len(part) for part in rare),
                k=self.k,
            )
        if not rare:
            return parts
        values = len(columns) - np.sum([data[name].missing for name in columns], axis=0)
        by_stratum = groupby(parts, lambda part: int(strata[part[0]]))
        return [
            part for _, own in by_stratum for part in large_cells(list(own), self.k, points, values)
        ]
