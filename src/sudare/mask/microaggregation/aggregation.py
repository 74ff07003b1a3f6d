"""What all microaggregation shares: which records may be grouped, the plan, the settings."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sudare.core import (
    Array,
    AtLeast,
    Column,
    Draws,
    Floats,
    Integers,
    Masker,
    Microdata,
    MismatchError,
    Numeric,
    Plan,
    SettingError,
)
from sudare.engine.counting import joint_keys, record_keys, refuse_wide, renumbered, side_by_side
from sudare.mask.microaggregation.grouping import on_grid
from sudare.mask.microaggregation.representative import Representative, lost, represented


def record_order(data: Microdata, columns: Sequence[str]) -> Integers:
    """Return the records sorted by these columns and then by all others.

    Which of two records with equal values goes into which group is then decided by what else is
    known of them, and not by their position in the file.
    """
    others = [name for name in data.names if name not in columns]
    return np.lexsort([_sortable(data[name]) for name in (*columns, *others)][::-1])


def _sortable(column: Column) -> Array:
    return column.values if isinstance(column, Numeric) else column.coded.codes


def cells(order: Integers, keys: Integers) -> list[Integers]:
    """Return the records of each key, in the order given."""
    sorted_keys = keys[order]
    by_key = np.argsort(sorted_keys, kind="stable")
    breaks = np.flatnonzero(np.diff(sorted_keys[by_key])) + 1
    return np.split(order[by_key], breaks)


def large_cells(cells: list[Integers], k: int, points: Floats, values: Integers) -> list[Integers]:
    """Return those cells of a stratum that have k records; the others lose all their values.

    Fewer than k records without any value would stand out among the rest. So others lose theirs
    with them, where the fewest values are lost: from a cell that can spare them those nearest to
    its mean, which changes it least, or a cell as a whole.

    Parameters
    ----------
    cells
        The records of a stratum, at least k, by what they lack.
    points
        All records, shape (n, p).
    values
        How many values each record has to lose, shape (n,).
    """
    large = [cell for cell in cells if len(cell) >= k]
    lost = sum(len(cell) for cell in cells if len(cell) < k)
    if not 0 < lost < k:
        return large
    taken = [k - lost if len(cell) >= 2 * k - lost else len(cell) for cell in large]
    cheapest = int(np.argmin(np.array(taken) * values[[cell[0] for cell in large]]))
    cell = large.pop(cheapest)
    if taken[cheapest] < len(cell):
        own = on_grid(points[cell])
        apart = ((own - own.mean(axis=0)) ** 2).sum(axis=1)
        nearest = np.argsort(apart, kind="stable")[: taken[cheapest]]
        large.insert(cheapest, np.delete(cell, nearest))
    return large


def strata_keys(data: Microdata, strata: Sequence[str]) -> Integers:
    """Return the stratum of each record, 0 …; absent values are a stratum of their own."""
    if not strata:
        return np.zeros(data.rows, np.int64)
    return renumbered(*record_keys([data[name] for name in strata]))[0]


def absence_keys(columns: Sequence[Column]) -> Integers:
    """Return which values of a record are known, missing and not applicable, as one number."""
    kinds = [(column.missing + 2 * column.not_applicable.astype(np.int64), 3) for column in columns]
    return renumbered(*joint_keys(kinds))[0]


@dataclass(frozen=True, repr=False)
class AggregationPlan(Plan):
    """The group of each record, by column. Secret: it says who is with whom.

    Attributes
    ----------
    groups
        By column, shape (n,); negative where a record loses its value.
    """

    groups: Mapping[str, Integers]
    representative: Representative
    weighted: bool

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        rows = len(next(iter(self.groups.values())))
        if data.rows != rows:
            raise MismatchError(
                "{method}: the plan groups {rows} records, these data have {other}; fit it again "
                "on these data.",
                method=self.step.method,
                rows=rows,
                other=data.rows,
            )
        weights = data.weights if self.weighted else None

        def mask(name: str) -> Column:
            return represented(data[name], self.groups[name], self.representative, weights)

        return data.replacing(side_by_side(mask, self.step.columns))


class Aggregation(Masker):
    """The settings that every microaggregation has."""

    works_on = "groups"

    k: Annotated[int, AtLeast(2), "least number of records in a group"] = 3
    representative: Annotated[
        Representative,
        "what represents the numbers of a group; categories take the mode, and ranked-mean keeps "
        "the tails of numbers",
    ] = "mean"
    weighted: Annotated[
        bool, "whether means count sampling weights, where there are any, none above twice another"
    ] = True
    strata: Annotated[tuple[str, ...], "columns within whose categories records are grouped"] = ()

    def chosen(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns named, or those whose role fits, without the strata."""
        for name in self.strata:
            if self.columns is not None and name in self.columns:
                raise SettingError(
                    "{method}: column '{column}' cannot be both masked and used as a stratum.",
                    method=type(self).__name__,
                    column=name,
                )
        return tuple(name for name in super().chosen(data) if name not in self.strata)

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        sizes = np.bincount(strata_keys(data, self.strata))
        if data.rows < self.k:
            raise SettingError(
                "{method}: {rows} records are fewer than k = {k}; lower k.",
                method=type(self).__name__,
                rows=data.rows,
                k=self.k,
            )
        if sizes.min() < self.k:
            raise SettingError(
                "{method}: the smallest of {count} strata has {rows} records, fewer than k = {k}; "
                "lower k, or merge strata.",
                method=type(self).__name__,
                count=len(sizes),
                rows=sizes.min(),
                k=self.k,
            )
        for name in columns:
            column = data[name]
            if isinstance(column, Numeric):
                refuse_wide(column)
        return self._group(data, columns)

    @abstractmethod
    def _group(self, data: Microdata, columns: tuple[str, ...]) -> Plan: ...

    def public(
        self, data: Microdata, groups: Mapping[str, Integers]
    ) -> dict[str, dict[str, float]]:
        """Return, by column, the share that is lost."""
        weights: Floats | None = data.weights if self.weighted else None

        def share(name: str) -> dict[str, float]:
            column = data[name]
            return lost(column, represented(column, groups[name], self.representative, weights))

        return dict(zip(groups, side_by_side(share, groups), strict=True))
