"""Mondrian: the space of the keys is cut in two again and again, as long as k records are left."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np

from sudare.core import (
    Categorical,
    Codes,
    Column,
    Draws,
    Flags,
    Floats,
    Integers,
    Label,
    LargeTable,
    Microdata,
    MismatchError,
    Numeric,
    Plan,
    Step,
    blanked,
    label_codes,
)
from sudare.describe import Hierarchy
from sudare.engine.counting import joint_keys, renumbered
from sudare.engine.frames import written_labels
from sudare.mask.anonymity.class_conditions import ClassConditions, class_space
from sudare.mask.anonymity.combinations import by_combination
from sudare.mask.anonymity.conditions import Anonymity
from sudare.mask.microaggregation import represented

Published = Literal["range", "mean", "median", "mode"]


@dataclass(frozen=True, eq=False)
class KeyAxis:
    """One key as Mondrian sees it: codes in an order, where they lie, and where cuts may be.

    Not applicable and missing come behind the last value, far away, so that they are cut off
    first wherever both sides are large enough.

    Attributes
    ----------
    codes
        Position of each record in the order, shape (n,).
    positions
        Where each code lies, 0 … 1; absent values lie beyond, shape (codes,).
    joints
        Level at which a code and the next first have a common group, shape (codes,); 1 where
        there is no hierarchy.
    """

    codes: Codes
    positions: Floats
    joints: Codes


def axis(column: Column, hierarchy: Hierarchy | None) -> KeyAxis:
    """Return a key as Mondrian sees it; with a hierarchy, in the order of its groups."""
    coded = column.coded
    size = len(coded.labels)
    order, joints = np.arange(size), np.ones(size, np.int32)
    if hierarchy is not None:
        groups = hierarchy.groups[:, hierarchy.leaf_codes(column)]
        order = np.lexsort(groups)
        same = groups[:, order[:-1]] == groups[:, order[1:]]
        joints[:-1] = same.argmax(axis=0)
    rank = np.empty(size + 2, np.int32)
    rank[order] = np.arange(size)
    rank[size:] = size, size + 1
    scaled = np.linspace(0, 1, max(size, 1))[:size]
    if isinstance(column, Numeric):
        numbers = np.array(coded.labels, np.float64)
        scaled = (numbers - numbers[0]) / max(numbers[-1] - numbers[0], 1e-300)
    highest = int(joints.max()) + 1
    joints[-1] = highest
    return KeyAxis(
        rank[coded.codes],
        np.concatenate((scaled, [2.0, 3.0])),
        np.concatenate((joints, [highest, highest])).astype(np.int32),
    )


def _alike(
    axes: Sequence[KeyAxis], values: Codes, copies: Integers | None
) -> tuple[Integers, Integers, Integers]:
    """Return which records are alike, one of each kind, and how many there are of it."""
    sensitive = [(column, int(column.max(initial=0)) + 1) for column in values.T]
    keys = [(own.codes, len(own.positions)) for own in axes]
    index, number = renumbered(*joint_keys([*keys, *sensitive]))
    example = np.empty(number, np.int64)
    example[index] = np.arange(len(index))
    return index, example, np.bincount(index, weights=copies, minlength=number).astype(np.int64)


def _side_by_side(arrays: Sequence[Any], kind: type[Any]) -> Any:
    """Return arrays of different lengths as the rows of one, filled with zeros."""
    table = np.zeros((len(arrays), max(map(len, arrays))), kind)
    for row, array in zip(table, arrays, strict=True):
        row[: len(array)] = array
    return table


def _cut(
    axes: Sequence[KeyAxis],
    example: Integers,
    values: Codes,
    copies: Integers,
    flat: Flags,
    strict: bool,  # noqa: FBT001
    conditions: ClassConditions,
) -> Integers:
    """Return the class of each kind of record, from 0."""
    from sudare.mask.anonymity._kernels_mondrian import Box, BoxSpace, boxes, room

    rows, keys = len(example), len(axes)
    codes = np.stack([key.codes[example] for key in axes], axis=1)
    box = Box(
        np.ascontiguousarray(codes),
        np.ascontiguousarray(values[example], np.int32),
        copies,
        np.arange(rows),
        _side_by_side([key.positions for key in axes], np.float64),
        _side_by_side([key.joints for key in axes], np.int32),
        flat,
        strict,
    )
    space = BoxSpace(
        np.empty(keys, np.int32),
        np.empty(keys, np.int32),
        np.empty(keys),
        np.empty(keys, np.int64),
        np.empty(keys, np.int64),
        np.empty(room(rows), np.int32),
        np.empty(room(rows), np.int64),
        np.empty((rows + 1, 2), np.int64),
    )
    index = np.empty(rows, np.int64)
    boxes(box, conditions, class_space(len(conditions.shares), conditions), space, index)
    return index


@dataclass(frozen=True, repr=False)
class MondrianPlan(Plan):
    """The class of each record. Secret: it says who is with whom.

    Attributes
    ----------
    groups
        Class of each record, shape (n,).
    hierarchies
        By column, where one was given.
    """

    groups: Integers
    hierarchies: Mapping[str, Hierarchy]
    published: Published

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        if data.rows != len(self.groups):
            raise MismatchError(
                "{method}: the plan groups {rows} records, these data have {other}; fit it again "
                "on these data.",
                method=self.step.method,
                rows=len(self.groups),
                other=data.rows,
            )
        return data.replacing(self._column(data[name]) for name in self.step.columns)

    def _column(self, column: Column) -> Column:
        mixed = _mixed(column, self.groups)
        if self.published != "range":
            return blanked(represented(column, self.groups, self.published, None), mixed)
        return blanked(ranged(column, self.groups, self.hierarchies.get(column.name)), mixed)


def _mixed(column: Column, groups: Integers) -> Flags:
    """Return which records are in a class where some have a value and others have none."""
    kind = column.missing + 2 * column.not_applicable
    lowest, highest = _ends(kind, groups)
    return np.asarray((lowest != highest)[groups])


def _ends(codes: Any, groups: Integers) -> tuple[Integers, Integers]:
    """Return the lowest and the highest code of each class."""
    number = int(groups.max()) + 1
    lowest = np.full(number, np.iinfo(np.int64).max)
    highest = np.full(number, np.iinfo(np.int64).min)
    np.minimum.at(lowest, groups, codes)
    np.maximum.at(highest, groups, codes)
    return lowest, highest


def ranged(column: Column, groups: Integers, hierarchy: Hierarchy | None) -> Categorical:
    """Return a column with the values of each class replaced by a label for all of them.

    Numbers and ordered categories get "lowest–highest"; with a hierarchy, the smallest group that
    holds all; other categories the set of those that occur, "a | b". Absent values stay absent.
    """
    coded, known = column.coded, column.known
    index = renumbered(groups[known], int(groups.max()) + 1)[0]
    codes = coded.codes[known]
    if not len(codes):
        return coded
    if hierarchy is not None:
        keys, name = _common_groups(column, index, hierarchy)
    elif column.scale == "nominal":
        keys, name = _sets(codes, index, written_labels(column))
    else:
        keys, name = _spans(codes, index, written_labels(column))
    _, first, kind = np.unique(keys, return_index=True, return_inverse=True)
    labels = [name(group) for group in first.tolist()]
    distinct = tuple(dict.fromkeys(labels))
    of_kind = label_codes(labels, distinct)[:-2]
    made = coded.codes.copy()
    made[known] = of_kind[kind][index]
    return replace(coded, codes=made, labels=distinct)


# A number per class that tells what it publishes, and the label of a class.
Named = tuple[Integers, Callable[[int], Label]]


def _spans(codes: Codes, index: Integers, labels: tuple[Label, ...]) -> Named:
    lowest, highest = _ends(codes, index)

    def name(group: int) -> Label:
        low, high = labels[lowest[group]], labels[highest[group]]
        return low if low == high else f"{low}–{high}"

    return lowest * len(labels) + highest, name


def _sets(codes: Codes, index: Integers, labels: tuple[Label, ...]) -> Named:
    pairs = np.unique(index * np.int64(len(labels)) + codes)
    group, code = pairs // len(labels), pairs % len(labels)
    starts = np.searchsorted(group, np.arange(int(index.max()) + 2))
    sets = [tuple(part.tolist()) for part in np.split(code, starts[1:-1])]
    rank = {chosen: number for number, chosen in enumerate(sorted(set(sets)))}

    def name(number: int) -> Label:
        chosen = [labels[c] for c in sets[number]]
        return chosen[0] if len(chosen) == 1 else " | ".join(map(str, chosen))

    return np.array([rank[chosen] for chosen in sets]), name


def _common_groups(column: Column, index: Integers, hierarchy: Hierarchy) -> Named:
    leaves = hierarchy.leaf_codes(column)[column.coded.codes[column.known]]
    number = int(index.max()) + 1
    level, group = np.zeros(number, np.int64), np.zeros(number, np.int64)
    open_ = np.ones(number, np.bool_)
    for height, groups in enumerate(hierarchy.groups):
        lowest, highest = _ends(groups[leaves], index)
        now = open_ & (lowest == highest)
        level[now], group[now] = height, lowest[now]
        open_ &= ~now
    width = len(hierarchy.leaves)
    return level * width + group, lambda own: hierarchy.labels[level[own]][group[own]]


class Mondrian(Anonymity):
    """Split the space of the keys in two repeatedly, as long as every class keeps k records.

    The records are cut at the middle of the key on which they spread most, then each part by
    itself, until no part can be cut without a class that is too small. Each class publishes one
    value for each key, so that values stay fine where there are many records.

    - "range" publishes lowest–highest of numbers and ordered categories, the smallest common group
      where the key has a hierarchy, and else the set of the categories that occur.
    - "mean", "median" and "mode" publish that of numbers; of ordered categories the median, of
      others the mode.

    Strict cuts keep records with equal values of the key together; relaxed ones may divide them by
    the other keys, which gives more equal classes that overlap. Records alike in all keys always
    stay together, so that the result depends on no seed and no order. Keys with a hierarchy are cut
    between its groups only, unless cuts are relaxed.

    Missing and not-applicable keys lie beyond all values and are cut off first. Where that cannot
    be, the class publishes the key as missing. Blanks are a value of their own under
    ``missing="suppressed"`` and "category" alike; "wildcard" is refused, as classes do not overlap.

    References
    ----------
    LeFevre, DeWitt and Ramakrishnan (2006). Mondrian multidimensional k-anonymity. ICDE 2006.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, Mondrian(k=5)).data
    >>> sudare.risk.KAnonymity()(data, masked).value
    5.0
    >>> masked["age"].coded.labels[:3]
    ('3–11', '5–77', '14–99')
    """

    strict: Annotated[bool, "whether records with equal values of a key stay together"] = True
    representative: Annotated[Published, "what a class publishes for its values"] = "range"

    def step(self, columns: Sequence[str], public: Mapping[str, Mapping[str, Any]]) -> Step:
        """Return the public account: a range covers the values of a class, a mean is near them."""
        made = super().step(columns, public)
        return made if self.representative == "range" else replace(made, relation="near")

    def learn(self, table: LargeTable) -> Plan:
        """Learn from a table that is not in memory: what each combination of keys becomes."""
        counted = table.counted(self.looks_at(table.head))
        return by_combination(self.fit(counted), counted)

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> MondrianPlan:
        conditions, values = self.class_conditions(data, columns)
        given = [name for name in columns if name in (self.hierarchies or {})]
        hierarchies = {name: self.hierarchy(data[name]) for name in given}
        axes = [axis(data[name], hierarchies.get(name)) for name in columns]
        index, example, copies = _alike(axes, values, data.copies)
        flat = np.array([name not in hierarchies for name in columns])
        cut = _cut(axes, example, values, copies, flat, self.strict, conditions)
        groups = cut[index]
        public: dict[str, dict[str, float]] = {name: {} for name in columns}
        return MondrianPlan(self.step(columns, public), groups, hierarchies, self.representative)
