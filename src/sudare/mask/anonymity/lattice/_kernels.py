"""Kernels of the lattice search: rolling a table up by one key, and what is lost in it."""

import numpy as np

from sudare.core import Array, Codes, Flags, Floats, Integers, kernel
from sudare.mask.anonymity.class_conditions import Histograms
from sudare.mask.anonymity.lattice.level_tables import Table

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # spreads the bits of a key over the table of slots


@kernel
def _slots(rows: int) -> Codes:
    size = 16
    while size < 2 * rows:
        size *= 2
    return np.full(size, -1, np.int32)


@kernel
def _number(slots: Codes, keys: Integers, key: np.int64, free: int) -> int:
    """Return the number of a key; the number ``free`` is given to a new one."""
    mask = len(slots) - 1
    slot = np.int64((np.uint64(key) * _GOLDEN) >> np.uint64(34)) & mask
    while slots[slot] >= 0:
        if keys[slots[slot]] == key:
            return int(slots[slot])
        slot = (slot + 1) & mask
    slots[slot] = free
    keys[free] = key
    return free


@kernel
def gathered(values: Histograms, targets: Codes, number: int) -> Histograms:
    """Return the histograms of rows put together, each at its target of ``number``."""
    starts = np.zeros(number + 1, np.int64)
    if not values.kinds:
        return Histograms(starts, values.codes, values.counts, values.kinds)
    ends = np.zeros(number + 1, np.int64)
    for target in targets:
        ends[target + 1] += 1
    ends = np.cumsum(ends)
    order = np.empty(len(targets), np.int64)
    for row in range(len(targets) - 1, -1, -1):
        ends[targets[row] + 1] -= 1
        order[ends[targets[row] + 1]] = row
    codes, counts = np.empty_like(values.codes), np.empty_like(values.counts)
    whole, free, target = np.zeros(values.kinds, np.int32), 0, 0
    for at in range(len(order)):
        row = order[at]
        for cell in range(values.starts[row], values.starts[row + 1]):
            code = values.codes[cell]
            if whole[code] == 0:
                codes[free] = code
                free += 1
            whole[code] += values.counts[cell]
        if at + 1 == len(order) or targets[order[at + 1]] != target:  # the last row of this target
            for cell in range(starts[target], free):
                counts[cell] = whole[codes[cell]]
                whole[codes[cell]] = 0
            target += 1
            starts[target] = free
    return Histograms(starts, codes[:free].copy(), counts[:free].copy(), values.kinds)


@kernel
def rolled(before: Table, codes: Codes, group: Codes, suffix: Codes) -> Table:
    """Return the table with one more key settled, at the level that ``group`` says.

    ``before`` is the table without the key, or the one with the key at a lower level: its
    ``origin`` is the class by the keys before in both cases. ``codes`` (m,) are the leaves of the
    key, ``suffix`` (m,) the combination of the keys after it.
    """
    rows = len(before.origin)
    slots, keys = _slots(rows), np.empty(rows, np.int64)
    prefix, sizes, classes = np.empty(rows, np.int32), np.zeros(rows, np.int64), 0
    for row in range(rows):
        key = np.int64(before.origin[row]) << 32 | np.int64(group[codes[before.example[row]]])
        number = _number(slots, keys, key, classes)
        classes += number == classes
        prefix[row] = number
        sizes[number] += before.counts[row]
    slots[:] = -1
    counts, row_of, made = np.zeros(rows, np.int64), np.empty(rows, np.int32), 0
    origins, prefixes = np.empty(rows, np.int32), np.empty(rows, np.int32)
    examples = np.empty(rows, np.int32)
    for row in range(rows):
        key = np.int64(prefix[row]) << 32 | np.int64(suffix[before.example[row]])
        number = _number(slots, keys, key, made)
        if number == made:
            origins[made], prefixes[made] = before.origin[row], prefix[row]
            examples[made] = before.example[row]
            made += 1
        counts[number] += before.counts[row]
        row_of[row] = number
    return Table(  # copies, since tables are kept and should not keep what they do not use
        origins[:made].copy(),
        prefixes[:made].copy(),
        examples[:made].copy(),
        counts[:made].copy(),
        gathered(before.values, row_of, made),
        sizes[:classes].copy(),
    )


@kernel
def cost_of_losing(
    table: Table, lost: Flags, codes: Array, extra: Floats, levels: Integers
) -> Floats:
    """Return, by key, what it costs beyond generalization that some classes are suppressed.

    ``codes`` (keys, m) are leaves, ``extra`` (keys, levels, leaves) the cost of suppressing one
    value that is at a level.
    """
    cost = np.zeros(len(codes))
    for row in range(len(table.prefix)):
        if lost[table.prefix[row]]:
            for key in range(len(codes)):
                leaf = codes[key, table.example[row]]
                cost[key] += table.counts[row] * extra[key, levels[key], leaf]
    return cost
