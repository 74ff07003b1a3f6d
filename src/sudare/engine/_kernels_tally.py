"""Kernel of the tally: equal keys counted in a table with open addresses."""

import numpy as np
from numba import njit

from sudare.core.types import Array

_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2⁶⁴ over the golden ratio, odd
_HALF = np.uint64(32)


@njit(nogil=True, cache=True)
def tally(keys: Array, amounts: Array, start: int, table: Array, sums: Array, used: int) -> tuple:  # type: ignore[type-arg]
    """Add the amounts of equal keys, until the table is half full.

    Parameters
    ----------
    keys
        Shape (n, words).
    amounts
        What each key adds, shape (n, k) or (1, k) if all add the same; the first is at least 1.
    start
        The key to begin with.
    table
        Keys by address, shape (places, words), places being a power of two.
    sums
        Summed amounts by address, shape (places, k); the first is 0 where there is no key.
    used
        Number of keys in the table.

    Returns
    -------
    used, stopped
        Number of keys in the table, and the key that had no room, or n.
    """
    places, words = table.shape
    last = np.uint64(places - 1)
    same = len(amounts) == 1
    for row in range(start, len(keys)):
        key = keys[row]
        code = np.uint64(0)
        for word in range(words):
            code = (code ^ np.uint64(key[word])) * _FACTOR
            code ^= code >> _HALF
        at = np.int64(code & last)
        while sums[at, 0] > 0:
            match = True
            for word in range(words):
                if table[at, word] != key[word]:
                    match = False
                    break
            if match:
                break
            at = (at + 1) & (places - 1)
        if sums[at, 0] == 0:
            if 2 * used >= places:
                return used, row
            used += 1
            for word in range(words):
                table[at, word] = key[word]
        own = amounts[0] if same else amounts[row]
        for part in range(sums.shape[1]):
            sums[at, part] += own[part]
    return used, len(keys)
