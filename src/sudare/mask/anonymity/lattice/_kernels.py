"""Kernels of the lattice search: rolling a table up by one key, and what is lost in it."""

from typing import NamedTuple

import numpy as np

from sudare.core import (
    CodeMatrix,
    CodeVector,
    FlagVector,
    FloatCube,
    FloatVector,
    IntegerMatrix,
    IntegerVector,
    inlined,
    kernel,
)
from sudare.mask.anonymity.class_conditions import Histograms

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # spreads the bits of a key over the table of slots
_SHIFT = np.uint64(34)


class RollingSpace(NamedTuple):
    """Working space: a table of slots, -1 each, a power of two of them, and the keys, (rows,)."""

    slots: CodeVector
    keys: IntegerVector


def rolling_space(rows: int) -> RollingSpace:
    """Return the space that a table of ``rows`` rows needs."""
    size = max(16, 1 << max(2 * rows - 1, 1).bit_length())
    return RollingSpace(np.full(size, -1, np.int32), np.empty(rows, np.int64))


@inlined
def _number(space: RollingSpace, key: int, free: int) -> int:
    """Return the number of a key; the number ``free`` is given to a new one."""
    mask = len(space.slots) - 1
    slot = np.int64((np.uint64(key) * _GOLDEN) >> _SHIFT) & mask
    while space.slots[slot] >= 0:
        if space.keys[space.slots[slot]] == key:
            return int(space.slots[slot])
        slot = (slot + 1) & mask
    space.slots[slot] = free
    space.keys[free] = key
    return free


@kernel
def gather(
    values: Histograms,
    targets: CodeVector,
    ends: IntegerVector,
    order: IntegerVector,
    whole: CodeVector,
    gathered: Histograms,
) -> int:
    """Put the histograms of rows together, each at its target; return the number of their cells.

    Parameters
    ----------
    targets
        Of each row, shape (rows,).
    ends, order, whole
        Working space: zeros, shape (number + 1,); shape (rows,); zeros, one for each value.
    gathered
        Gets the histograms; its codes and counts are as long as those of ``values``.
    """
    for target in targets:
        ends[target + 1] += 1
    for number in range(1, len(ends)):
        ends[number] += ends[number - 1]
    for row in range(len(targets) - 1, -1, -1):
        ends[targets[row] + 1] -= 1
        order[ends[targets[row] + 1]] = row
    free, made = 0, 0
    gathered.starts[0] = 0
    for at in range(len(order)):
        row = order[at]
        for cell in range(values.starts[row], values.starts[row + 1]):
            code = values.codes[cell]
            if whole[code] == 0:
                gathered.codes[free] = code
                free += 1
            whole[code] += values.counts[cell]
        if at + 1 == len(order) or targets[order[at + 1]] != made:  # the last row of this target
            for cell in range(gathered.starts[made], free):
                gathered.counts[cell] = whole[gathered.codes[cell]]
                whole[gathered.codes[cell]] = 0
            made += 1
            gathered.starts[made] = free
    return free


@kernel
def roll(
    origin: CodeVector,
    example: CodeVector,
    counts: IntegerVector,
    codes: CodeVector,
    group: CodeVector,
    suffix: CodeVector,
    slots: CodeVector,
    keys: IntegerVector,
    rolled: CodeMatrix,
    rolled_counts: IntegerMatrix,
) -> tuple[int, int]:
    """Settle one more key, at the level that ``group`` says; return the rows and the classes now.

    Parameters
    ----------
    origin, example, counts
        Of the table without the key, or of the one with the key at a lower level: its ``origin``
        is the class by the keys before in both cases.
    codes
        Leaves of the key, shape (m,).
    suffix
        The combination of the keys after it, shape (m,).
    slots, keys
        Working space, see :class:`RollingSpace`.
    rolled
        Gets origin, prefix and example of the rolled table, the row into which each row goes, and
        something of no use, shape (5, rows).
    rolled_counts
        Zeros; gets counts and sizes of the rolled table, shape (2, rows).
    """
    space = RollingSpace(slots, keys)
    classes, made = 0, 0
    for row in range(len(origin)):
        key = origin[row] << 32 | group[codes[example[row]]]
        number = _number(space, key, classes)
        classes += number == classes
        rolled[4, row] = number
        rolled_counts[1, number] += counts[row]
    slots[:] = -1
    for row in range(len(origin)):
        key = rolled[4, row] << 32 | suffix[example[row]]
        number = _number(space, key, made)
        if number == made:
            rolled[0, made], rolled[1, made] = origin[row], rolled[4, row]
            rolled[2, made] = example[row]
            made += 1
        rolled_counts[0, number] += counts[row]
        rolled[3, row] = number
    return made, classes


@kernel
def add_cost_of_losing(
    prefix: CodeVector,
    example: CodeVector,
    counts: IntegerVector,
    lost: FlagVector,
    codes: CodeMatrix,
    extra: FloatCube,
    levels: IntegerVector,
    cost: FloatVector,
) -> None:
    """Add, by key, what it costs beyond generalization that some classes are suppressed.

    The first three are those of a table. ``codes`` (keys, m) are leaves, ``extra`` (keys, levels,
    leaves) the cost of suppressing one value that is at a level.
    """
    for row in range(len(prefix)):
        if lost[prefix[row]]:
            for key in range(len(codes)):
                leaf = codes[key, example[row]]
                cost[key] += counts[row] * extra[key, levels[key], leaf]
