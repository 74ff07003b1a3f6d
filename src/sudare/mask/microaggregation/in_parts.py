"""Microaggregation in parts: neighbors are divided first, then grouped part by part.

It is the rule of :func:`~sudare.mask.microaggregation.grouping.blockwise_mdav` for tables that
are not in memory: records are divided at the middle of the column that varies most, and so on.
Where to divide is learned from a sample; scales are those of the whole table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sudare.core import (
    Array,
    Floats,
    Integers,
    LargeTable,
    Microdata,
    Moments,
    Numeric,
    Parting,
    significant,
)
from sudare.engine.counting import (
    block_moments,
    in_units,
    label_counts,
    magnitude,
    merge,
    moments,
    refuse_wide,
)
from sudare.mask.microaggregation.metric import Scaling
from sudare.mask.microaggregation.units import InUnits, far_powers, moments_in_units

if TYPE_CHECKING:
    from sudare.mask.microaggregation.mdav import Microaggregation

_SAMPLE = 500_000  # records from which cuts are learned
_FEWEST = 50  # of them in a part, so that parts are about equal
_NO_POWER = -1100  # of two: below that of every number but 0


@dataclass(frozen=True)
class Cut:
    """A division of records at a value of one coordinate; parts are numbers or cuts again."""

    coordinate: int
    value: float
    below: "Cut | int"
    above: "Cut | int"


def cuts(points: Floats, parts: int, first: int = 0) -> "Cut | int":
    """Return where to divide points into so many parts of about equal size, numbered from first.

    A part is divided in the middle of the coordinate that varies most and has a value to divide at.

    Examples
    --------
    >>> cuts(np.arange(200.0)[:, None], 2)
    Cut(coordinate=0, value=99.0, below=0, above=1)
    """
    if parts < 2 or len(points) < 2 * _FEWEST:
        return first
    share = (parts // 2) / parts
    spread = in_units(points, magnitude(points)).var(axis=0)
    for coordinate in np.argsort(-spread, kind="stable"):
        value = _middle(np.sort(points[:, coordinate]), share)
        if value is not None:
            low = points[:, coordinate] <= value
            below = cuts(points[low], parts // 2, first)
            following = first + number_of_parts(below)
            above = cuts(points[~low], parts - parts // 2, following)
            return Cut(int(coordinate), value, below, above)
    return first


def _middle(ordered: Floats, share: float) -> float | None:
    """Return the value nearest to a share of the points after which a part can begin."""
    ends = np.flatnonzero(np.diff(ordered) > 0)
    ends = ends[(ends + 1 >= _FEWEST) & (len(ordered) - ends - 1 >= _FEWEST)]
    if not len(ends):
        return None
    return float(ordered[ends[np.argmin(np.abs(ends + 1 - share * len(ordered)))]])


def number_of_parts(tree: "Cut | int") -> int:
    """Return how many parts a tree of cuts has."""
    if isinstance(tree, int):
        return 1
    return number_of_parts(tree.below) + number_of_parts(tree.above)


def part_of(points: Floats, tree: "Cut | int") -> Integers:
    """Return the part of each point."""
    if isinstance(tree, int):
        return np.full(len(points), tree, np.int64)
    low = points[:, tree.coordinate] <= tree.value
    parts = np.empty(len(points), np.int64)
    parts[low] = part_of(points[low], tree.below)
    parts[~low] = part_of(points[~low], tree.above)
    return parts


def scales_of(
    table: LargeTable, names: Sequence[str], scale: Scaling, powers: Mapping[str, int]
) -> dict[str, float]:
    """Return what squared distances of each column are divided by, over the whole table.

    Columns that have a power are meant in units of it.
    """
    return {name: _unit(table, name, scale, powers.get(name, 0)) for name in names}


def _unit(table: LargeTable, name: str, scale: Scaling, power: int) -> float:
    column = table.outlined(name)
    if isinstance(column, Numeric):
        refuse_wide(column)
    if scale == "none":
        return 1.0
    if isinstance(column, Numeric):
        known = in_units(column.values[column.known], power)
        sd = float(moments_in_units(table, name, power).sd[0]) if scale == "sd" else 0.0
        unit = sd if scale == "sd" else float(np.ptp(known))
    elif column.scale == "ordinal":
        codes = np.where(column.known, column.coded.codes, np.nan)
        ranks = Numeric(column.name, codes, copies=column.copies)
        known = codes[column.known]
        unit = float(moments([ranks]).sd[0]) if scale == "sd" else float(np.ptp(known))
    else:
        shares = label_counts(column) / max(label_counts(column).sum(), 1)
        unit = float(np.sqrt((1 - (shares**2).sum()) / 2)) if scale == "sd" else 1.0
    return unit**2 if unit > 0 else 1.0


@dataclass(frozen=True, eq=False)
class Loss:
    """What a column of numbers lost in some records: moments, and squared changes.

    Attributes
    ----------
    power
        Numbers are in units of this power of two.
    """

    before: Moments
    changed: float
    power: int = 0

    def merged(self, other: "Loss") -> "Loss":
        """Return the loss of both together."""
        power = max(self.power, other.power)
        own, others = self._shifted(self.power - power), other._shifted(other.power - power)
        return Loss(merge([own.before, others.before], 1), own.changed + others.changed, power)

    def _shifted(self, shift: int) -> "Loss":
        if not shift:
            return self
        mean, products = (
            np.ldexp(self.before.mean, shift),
            np.ldexp(self.before.products, 2 * shift),
        )
        before = Moments(self.before.weight, mean, products)
        return Loss(before, float(np.ldexp(self.changed, 2 * shift)), self.power - shift)

    def share(self) -> dict[str, float]:
        """Return what the public may know of it."""
        total = float(self.before.products[0, 0])
        return {"sse_share": significant(self.changed / total, digits=1) if total > 0 else 0.0}


def loss_of(before: Numeric, after: Numeric) -> Loss:
    """Return what some records lose in a column; those that lose the value do not count."""
    both = before.known & after.known
    power = magnitude(before.values[both]) if before.values[both].any() else _NO_POWER
    old, new = (in_units(column.values[both], power) for column in (before, after))
    return Loss(block_moments(old[None]), float(((old - new) ** 2).sum()), power)


@dataclass(frozen=True, eq=False)
class NeighborParting(Parting):
    """Parts of neighbors, and how each of them is microaggregated.

    Attributes
    ----------
    masker
        With the scales of the whole table.
    columns
        The columns it masks.
    trees
        Where records are divided, by cell: those of one stratum that lack the same values.
    homes
        By stratum, the part of its records in cells that are not there, being rare: that of its
        largest cell, so that they are never alone. Strata that are not there are in the first part.
    units
        In which distances are measured.
    """

    masker: "Microaggregation"
    columns: tuple[str, ...]
    trees: Mapping[int, Cut | int]
    homes: Mapping[int, int]
    units: InUnits

    def part_of(self, block: Microdata) -> Integers:
        """Return the part of each record."""
        parts = np.zeros(block.rows, np.int64)
        if self.trees:
            points = _points(self.masker, self.units.transform(block), self.columns)
            for key, rows, stratum in _cells(self.masker, block, self.columns):
                tree = self.trees.get(key, self.homes.get(stratum, 0))
                parts[rows] = part_of(points[rows], tree)
        return parts

    def mask(self, part: Microdata) -> tuple[Microdata, dict[str, Loss]]:
        """Return the records of a part masked, and what they lose by column of numbers."""
        masked = self.masker._fit(self.units.transform(part), self.columns).transform(part)
        numbers = [name for name in self.columns if isinstance(part[name], Numeric)]
        return masked, {n: loss_of(part[n].numeric, masked[n].numeric) for n in numbers}


def neighbor_parting(masker: "Microaggregation", table: LargeTable) -> NeighborParting:
    """Return how the records of a table are divided; one part if it is small enough."""
    columns = masker.chosen(table.head)
    if table.records <= masker.exact_up_to:
        return NeighborParting(replace(masker, columns=columns), columns, {}, {}, InUnits.of({}))
    powers = {} if masker.scale == "none" else far_powers(table, columns)
    squares = scales_of(table, columns, masker.scale, powers)
    weights = masker.importance or {}
    scaled = {name: weights.get(name, 1.0) / square for name, square in squares.items()}
    own = replace(masker, columns=columns, scale="none", importance=scaled)
    units = InUnits.of(powers)
    looked_at = {*columns, *masker.strata}
    sample = table.without(set(table.names) - looked_at).sample(min(_SAMPLE, table.records), seed=0)
    trees, homes = _trees(own, units.transform(sample), columns, table.records)
    return NeighborParting(own, columns, trees, homes, units)


def _trees(
    masker: "Microaggregation", sample: Microdata, columns: Sequence[str], records: int
) -> tuple[dict[int, Cut | int], dict[int, int]]:
    """Return where cells that are surely not rare are divided, and the home of each stratum."""
    points, cells = _points(masker, sample, columns), _cells(masker, sample, columns)
    largest: dict[int, int] = {}
    for _, rows, stratum in cells:
        largest[stratum] = max(len(rows), largest.get(stratum, 0))
    most = masker.exact_up_to * sample.rows / records  # records of the sample in a part
    surely = max(_FEWEST, 2 * masker.k * sample.rows / records)
    trees: dict[int, Cut | int] = {}
    homes: dict[int, int] = {}
    following, filled = 1, 0.0
    for key, rows, stratum in cells:
        if len(rows) < min(surely, largest[stratum]):
            continue
        if len(rows) + filled <= most:  # small cells share a part
            trees[key], first, filled = following - 1, following - 1, filled + len(rows)
        else:
            trees[key] = cuts(points[rows], int(-(-len(rows) // most)), following)
            first, filled = following, most
            following += number_of_parts(trees[key])
        if len(rows) == largest[stratum]:
            homes.setdefault(stratum, first)
    return trees, homes


def _points(masker: "Microaggregation", data: Microdata, columns: Sequence[str]) -> Floats:
    """Return what records are divided by, shape (n, p); nominal categories by their code."""
    parts = []
    for name in columns:
        column = data[name]
        values = column.values if isinstance(column, Numeric) else column.coded.codes
        weight = (masker.importance or {}).get(name, 1.0)
        parts.append(np.where(column.known, values, 0.0) * np.sqrt(weight))
    return np.stack(parts, axis=1)


def _cells(
    masker: "Microaggregation", data: Microdata, columns: Sequence[str]
) -> list[tuple[int, Integers, int]]:
    """Return the key, records and stratum of those of one stratum that lack the same values."""
    strata = np.zeros(data.rows, np.uint64)
    for name in masker.strata:
        column = data[name]
        values = column.values + 0.0 if isinstance(column, Numeric) else column.coded.codes
        strata = _mixed(strata, values.astype(np.float64).view(np.int64))
        strata = _mixed(strata, column.missing + 2 * column.not_applicable.astype(np.int64))
    keys = strata
    for name in columns:
        column = data[name]
        keys = _mixed(keys, column.missing + 2 * column.not_applicable.astype(np.int64))
    cell_keys, first, index = np.unique(keys, return_index=True, return_inverse=True)
    return [
        (int(key), np.flatnonzero(index == i), int(strata[first[i]]))
        for i, key in enumerate(cell_keys)
    ]


def _mixed(keys: Array, digits: Array) -> Array:
    mixed = (keys ^ digits.astype(np.int64).view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    return np.asarray(mixed ^ (mixed >> np.uint64(29)))
