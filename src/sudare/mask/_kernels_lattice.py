"""Kernels of the lattice search: rolling a table up by one key, and what is lost in it."""

import numpy as np

from sudare.core.types import Array, Codes, Flags, Floats, Integers
from sudare.mask._kernels_index import kernel
from sudare.mask.lattice import Table

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # spreads the bits of a key over the table of slots


@kernel
def _slots(rows: int) -> Codes:
    size = 16
    while size < 2 * rows:
        size *= 2
    return np.full(size, -1, np.int32)


@kernel
def _place(slots: Codes, keys: Integers, key: np.int64, free: int) -> int:
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
        place = _place(slots, keys, key, classes)
        classes += place == classes
        prefix[row] = place
        sizes[place] += before.counts[row]
    slots[:] = -1
    counts, place_of, made = np.zeros(rows, np.int64), np.empty(rows, np.int32), 0
    origins, prefixes = np.empty(rows, np.int32), np.empty(rows, np.int32)
    examples = np.empty(rows, np.int32)
    for row in range(rows):
        key = np.int64(prefix[row]) << 32 | np.int64(suffix[before.example[row]])
        place = _place(slots, keys, key, made)
        if place == made:
            origins[made], prefixes[made] = before.origin[row], prefix[row]
            examples[made] = before.example[row]
            made += 1
        counts[place] += before.counts[row]
        place_of[row] = place
    values = np.zeros((made, before.values.shape[1]), np.int32)
    if values.shape[1]:
        for row in range(rows):
            values[place_of[row]] += before.values[row]
    return Table(
        origins[:made], prefixes[:made], examples[:made], counts[:made], values, sizes[:classes]
    )


@kernel
def by_prefix(table: Table) -> Codes:
    """Return the records of each class by sensitive value, shape (prefixes, s)."""
    values = np.zeros((len(table.sizes), table.values.shape[1]), np.int32)
    for row in range(len(table.prefix)):
        values[table.prefix[row]] += table.values[row]
    return values


@kernel
def cost_of_losing(
    table: Table, lost: Flags, codes: Array, extra: Floats, levels: Integers
) -> Floats:
    """Return, by key, what it costs beyond generalization that some classes are suppressed.

    ``codes`` (keys, m) are leaves, ``extra`` (keys, levels, leaves) the cost of suppressing one
    value that stands at a level.
    """
    cost = np.zeros(len(codes))
    for row in range(len(table.prefix)):
        if lost[table.prefix[row]]:
            for key in range(len(codes)):
                leaf = codes[key, table.example[row]]
                cost[key] += table.counts[row] * extra[key, levels[key], leaf]
    return cost
