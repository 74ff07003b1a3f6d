"""Kernel of the tally: equal keys counted in a table with open addresses."""

import numpy as np
from numba import njit

from sudare.core.types import Floats, Integers

_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ over the golden ratio, odd
_HALF = np.uint64(32)


@njit(nogil=True, cache=True)
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
        How many records each key stands for, at least 1, shape (n,), or (1,) if all the same.
    weights
        What each key adds to its sums, shape (n, k); k may be 0.
    start
        The key to begin with.
    table
        By address a key and its count, shape (places, words + 1), places being a power of two. A
        count of 0 says that there is no key.
    sums
        Summed weights by address, shape (places, k).
    used
        Number of keys in the table.

    Returns
    -------
    used, stopped
        Number of keys in the table, and the key that had no room, or n.
    """
    places, words = len(table), keys.shape[1]
    last = np.uint64(places - 1)
    same = len(counts) == 1
    for row in range(start, len(keys)):
        key = keys[row]
        code = np.uint64(0)
        for word in range(words):
            code = (code ^ np.uint64(key[word])) * _FACTOR
            code ^= code >> _HALF
        at = np.int64(code & last)
        while table[at, words] > 0:
            match = True
            for word in range(words):
                if table[at, word] != key[word]:
                    match = False
                    break
            if match:
                break
            at = (at + 1) & (places - 1)
        if table[at, words] == 0:
            if 2 * used >= places:
                return used, row
            used += 1
            for word in range(words):
                table[at, word] = key[word]
        table[at, words] += counts[0] if same else counts[row]
        for part in range(sums.shape[1]):
            sums[at, part] += weights[row, part]
    return used, len(keys)
