"""Record swapping: households that are alike exchange the places where they live."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sudare.core import (
    Between,
    Categorical,
    Codes,
    ColumnError,
    Draws,
    Flags,
    Floats,
    Integers,
    Masker,
    Microdata,
    Plan,
)
from sudare.engine.counting import groups, renumbered


def household_kinds(household: Integers, member: Integers) -> Integers:
    """Return a number per household, equal for households of equal size with equal members.

    Parameters
    ----------
    household
        Household of each record, 0 … h - 1, shape (n,).
    member
        What kind of person each record is, 0 or more, shape (n,).

    Examples
    --------
    >>> household_kinds(np.array([0, 0, 1, 2, 2]), np.array([4, 7, 4, 7, 4])).tolist()
    [1, 0, 1]
    """
    order = np.lexsort((member, household))
    kinds = member[order]
    sizes = np.bincount(household)
    starts = np.cumsum(sizes) - sizes
    joined = np.zeros(len(sizes), np.int64)
    for position in range(int(sizes.max())):  # one member of every household at a time
        has = sizes > position
        next_kind = np.zeros(len(sizes), np.int64)
        next_kind[has] = kinds[starts[has] + position] + 1
        radix = int(next_kind.max()) + 1
        joined, _ = renumbered(joined * radix + next_kind, (int(joined.max()) + 1) * radix)
    return joined


def swap_pairs(
    kind: Integers, area: Integers, turn: Integers, pairs: int, draws: Sequence[Floats]
) -> tuple[Integers, Integers]:
    """Pair units of one kind and different areas; each unit is in one pair at most.

    Parameters
    ----------
    kind
        Only units of equal kind are paired, shape (u,).
    area
        Where each unit lives, 0 or more, or -1 if it must stay, shape (u,).
    turn
        The units in the order in which they get a partner, shape (u,).
    pairs
        Largest number of pairs.
    draws
        Two draws in [0, 1) per unit: the order in which units become partners, and which of the
        other areas a unit goes to.
    """
    waiting: dict[int, dict[int, list[int]]] = {}
    for unit in np.argsort(draws[0], kind="stable").tolist():
        if area[unit] >= 0:
            waiting.setdefault(int(kind[unit]), {}).setdefault(int(area[unit]), []).append(unit)
    paired = np.zeros(len(kind), np.bool_)
    first, second = list[int](), list[int]()
    for unit in turn.tolist():
        if len(first) == pairs:
            break
        if area[unit] >= 0 and not paired[unit]:
            others = waiting[int(kind[unit])]
            partner = _partner(others, int(area[unit]), float(draws[1][unit]), paired)
            if partner is not None:
                paired[[unit, partner]] = True
                first.append(unit)
                second.append(partner)
    return np.array(first, np.int64), np.array(second, np.int64)


def _partner(waiting: dict[int, list[int]], own: int, draw: float, paired: Flags) -> int | None:
    """Return a unit of another area, areas being drawn by how many units wait there."""
    for units in waiting.values():
        while units and paired[units[-1]]:
            units.pop()
    others = [units for area, units in waiting.items() if area != own and units]
    if not others:
        return None
    ladder = np.cumsum([len(units) for units in others])
    chosen = int(np.searchsorted(ladder, draw * ladder[-1], side="right"))
    return others[min(chosen, len(others) - 1)].pop()


@dataclass(frozen=True, repr=False)
class RecordSwappingPlan(Plan):
    """On which columns risk is judged and likeness is required, and the share that is swapped."""

    keys: tuple[str, ...]
    similar: tuple[str, ...]
    share: float

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        geography = [data[name] for name in self.step.columns]
        unit = groups([_households(data), *geography]).index
        rows = np.arange(data.rows)
        example = np.empty(int(unit.max()) + 1, np.int64)
        example[unit[::-1]] = rows[::-1]  # the first record of each unit
        member = np.zeros(data.rows, np.int64)
        if self.similar:
            member = groups([data[name] for name in self.similar]).index
        kind = household_kinds(unit, member)
        known = np.logical_and.reduce([column.known for column in geography])
        area = np.where(known, groups(geography).index, -1)[example]
        size = groups([data[name] for name in self.keys]).size_of_record
        rarest = np.full(len(example), data.rows)
        np.minimum.at(rarest, unit, size)
        chance = [draws.uniform(geography[0].name, len(example), lane=lane) for lane in range(3)]
        pairs = round(self.share * len(example) / 2)
        first, second = swap_pairs(kind, area, np.lexsort((chance[0], rarest)), pairs, chance[1:])
        partner = np.arange(len(example))
        partner[first], partner[second] = second, first
        source = np.where(partner[unit] == unit, rows, example[partner[unit]])
        return data.replacing(column.take(source) for column in geography)


def _households(data: Microdata) -> Categorical:
    """Return the household of each record; one without a household is one of its own."""
    every: Codes = np.arange(data.rows, dtype=np.int32)
    named = data.with_role("household")
    if not named:
        return Categorical("record", every, tuple(range(data.rows)))
    column = data[named[0]].coded
    count = len(column.labels)
    codes = np.where(column.known, column.codes, count + every)
    return Categorical("household", codes, tuple(range(count + data.rows)))


class RecordSwapping(Masker):
    """Exchange the geography of households that are alike, rare ones first.

    Whole households change places: every member gets the geography of a partner household of the
    same size elsewhere, whose members are equal in the ``similar`` columns. So the number of
    records of each area stays exactly what it was, and so do all tables of geography by similar
    columns. Where the data have no household column, each record is a household.

    A ``share`` of the households is swapped, partners included. First come those with the record
    that is rarest on the keys (``columns``): uniques, then pairs, and so on, at random among
    equals. A household without a partner stays. Records without geography stay; members of one
    household in different areas are taken as separate households. To keep weighted tables of
    geography exactly, name the weight column among the similar ones.

    References
    ----------
    Dalenius and Reiss (1982). Data-swapping: a technique for disclosure control. Journal of
    Statistical Planning and Inference 6(1).
    Shlomo, Tudor and Groom (2010). Data swapping for protecting census tables. Privacy in
    Statistical Databases, Lecture Notes in Computer Science 6344.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masker = RecordSwapping(share=0.1, geography="region", similar=("sex",))
    >>> masked = sudare.apply(data, masker, seed=1)
    >>> masked.steps[0].columns
    ('region',)
    >>> before, after = data["region"].codes, masked.data["region"].codes
    >>> int((before != after).sum()), bool((np.bincount(before) == np.bincount(after)).all())
    (30, True)
    """

    works_on = "table"
    random = True

    share: Annotated[float, Between(0, 1), "share of the households that are swapped"] = 0.05
    geography: Annotated[
        str | tuple[str, ...] | None,
        "column that is exchanged, or several that go together; by default the key with most "
        "categories",
    ] = None
    similar: Annotated[
        tuple[str, ...], "columns in which partners are equal, member by member"
    ] = ()

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        geography = self._geography(data, columns)
        self.refuse_empty(data, (*geography, *self.similar))
        return RecordSwappingPlan(self.step(geography, {}), columns, self.similar, self.share)

    def _geography(self, data: Microdata, columns: tuple[str, ...]) -> tuple[str, ...]:
        if self.geography is not None:
            return (self.geography,) if isinstance(self.geography, str) else self.geography
        nominal = [
            column
            for name in columns
            if isinstance(column := data[name], Categorical) and column.scale == "nominal"
        ]
        if not nominal:
            raise ColumnError(
                "RecordSwapping: no key holds unordered categories; name the geography."
            )
        return (max(nominal, key=lambda column: len(column.labels)).name,)
