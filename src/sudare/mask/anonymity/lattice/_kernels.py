"""Kernels of the lattice search: rolling a table up by one key, and what is lost in it."""

from typing import NamedTuple

import numpy as np

from sudare.core import (
    CodeMatrix,
    CodeVector,
    FlagVector,
    FloatCube,
    FloatVector,
    IntegerVector,
    inlined,
    kernel,
)
from sudare.mask.anonymity.class_conditions import Histograms
from sudare.mask.anonymity.lattice.level_tables import Table

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # spreads the bits of a key over the table of slots
_SHIFT = np.uint64(34)


class RollingSpace(NamedTuple):
    """Working space: a table of slots, -1 each, a power of two of them, and the keys, (rows,)."""

    slots: CodeVector
    keys: IntegerVector


def rolling_space(rows: int) -> RollingSpace:
    """Return the space that a table of so many rows needs."""
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
    before: Table,
    codes: CodeVector,
    group: CodeVector,
    suffix: CodeVector,
    space: RollingSpace,
    row_of: CodeVector,
    prefix: CodeVector,
    rolled: Table,
) -> tuple[int, int]:
    """Settle one more key, at the level that ``group`` says; return the rows and the classes now.

    Parameters
    ----------
    before
        The table without the key, or the one with the key at a lower level: its ``origin`` is the
        class by the keys before in both cases.
    codes
        Leaves of the key, shape (m,).
    suffix
        The combination of the keys after it, shape (m,).
    row_of
        Gets the row into which each row goes, shape (rows,).
    prefix
        Working space, shape (rows,).
    rolled
        Gets the table, without its values; counts and sizes are zeros.
    """
    classes, made = 0, 0
    for row in range(len(before.origin)):
        key = before.origin[row] << 32 | group[codes[before.example[row]]]
        number = _number(space, key, classes)
        classes += number == classes
        prefix[row] = number
        rolled.sizes[number] += before.counts[row]
    space.slots[:] = -1
    for row in range(len(before.origin)):
        key = prefix[row] << 32 | suffix[before.example[row]]
        number = _number(space, key, made)
        if number == made:
            rolled.origin[made], rolled.prefix[made] = before.origin[row], prefix[row]
            rolled.example[made] = before.example[row]
            made += 1
        rolled.counts[number] += before.counts[row]
        row_of[row] = number
    return made, classes


@kernel
def add_cost_of_losing(
    table: Table,
    lost: FlagVector,
    codes: CodeMatrix,
    extra: FloatCube,
    levels: IntegerVector,
    cost: FloatVector,
) -> None:
    """Add, by key, what it costs beyond generalization that some classes are suppressed.

    ``codes`` (keys, m) are leaves, ``extra`` (keys, levels, leaves) the cost of suppressing one
    value that is at a level.
    """
    for row in range(len(table.prefix)):
        if lost[table.prefix[row]]:
            for key in range(len(codes)):
                leaf = codes[key, table.example[row]]
                cost[key] += table.counts[row] * extra[key, levels[key], leaf]
