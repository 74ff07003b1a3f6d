"""Kernels of counting: codes by a table, equal keys in a table with open addresses."""

import numpy as np

from sudare.core import Codes, Floats, Integers, kernel

_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ over the golden ratio, odd
_HALF = np.uint64(32)


@kernel
def tally(
    keys: Integers,
    counts: Integers,
    weights: Floats,
    start: int,
    table: Integers,
    sums: Floats,
    used: int,
) -> tuple[int, int]:
    """Count equal keys, until the table is half full.

    Parameters
    ----------
    keys
        Shape (n, words).
    counts
        How many records each key represents, at least 1, shape (n,), or (1,) if all the same.
    weights
        What each key adds to its sums, shape (n, k); k may be 0.
    start
        The key to begin with.
    table
        By address a key and its count, shape (addresses, words + 1); their number is a power of
        two. A count of 0 says that there is no key.
    sums
        Summed weights by address, shape (addresses, k).
    used
        Number of keys in the table.

    Returns
    -------
    used, stopped
        Number of keys in the table, and the key that had no room, or n.
    """
    addresses, words = len(table), keys.shape[1]
    last = np.uint64(addresses - 1)
    same = len(counts) == 1
    for row in range(start, len(keys)):
        code = np.uint64(0)
        for word in range(words):
            code = (code ^ np.uint64(keys[row, word])) * _FACTOR
            code ^= code >> _HALF
        at = np.int64(code & last)
        while table[at, words] > 0:
            match = True
            for word in range(words):
                if table[at, word] != keys[row, word]:
                    match = False
                    break
            if match:
                break
            at = (at + 1) & (addresses - 1)
        if table[at, words] == 0:
            if 2 * used >= addresses:
                return used, row
            used += 1
            for word in range(words):
                table[at, word] = keys[row, word]
        table[at, words] += counts[0] if same else counts[row]
        for part in range(sums.shape[1]):
            sums[at, part] += weights[row, part]
    return used, len(keys)


@kernel
def tally_words(keys: Integers, start: int, table: Integers, used: int) -> tuple[int, int]:
    """Do the same with keys of one word, each for one record and without weights."""
    addresses = len(table)
    last = np.uint64(addresses - 1)
    for row in range(start, len(keys)):
        key = keys[row, 0]
        code = np.uint64(key) * _FACTOR
        code ^= code >> _HALF
        at = np.int64(code & last)
        while table[at, 1] > 0 and table[at, 0] != key:
            at = (at + 1) & (addresses - 1)
        if table[at, 1] == 0:
            if 2 * used >= addresses:
                return used, row
            used += 1
            table[at, 0] = key
        table[at, 1] += 1
    return used, len(keys)


@kernel
def code_counts(codes: Codes, size: int) -> Integers:
    """Return how often each of the codes 0 … size - 1 occurs."""
    # Four tables: equal codes in a row would else wait for one another.
    counts = np.zeros((4, size), np.int64)
    even = len(codes) // 4 * 4
    for row in range(0, even, 4):
        counts[0, codes[row]] += 1
        counts[1, codes[row + 1]] += 1
        counts[2, codes[row + 2]] += 1
        counts[3, codes[row + 3]] += 1
    for row in range(even, len(codes)):
        counts[0, codes[row]] += 1
    total: Integers = counts[0] + counts[1] + counts[2] + counts[3]
    return total
