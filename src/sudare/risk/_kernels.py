"""Kernels of the attacks: loops that NumPy cannot say. Each has a NumPy twin in the tests."""

from typing import Any

import numpy as np
from numba import njit

from sudare.core.types import Array

_CHUNK = 64  # candidates looked at together; most chunks hold none
TIE = 1e-12  # relative difference of squared distances that counts as none


# Sums may be taken in any order: it is the same order for every pair of records.
@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"})  # type: ignore[untyped-decorator]
def squared_distance(one: Array, other: Array, weight: Array) -> Any:
    """Return the weighted squared distance of two records."""
    total = 0.0
    for place in range(one.shape[0]):
        gap = one[place] - other[place]
        total += weight[place] * gap * gap
    return total


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def own_distances(synthetic: Array, original: Array, own: Array, weight: Array) -> Any:
    """Return the squared distance of each synthetic record to its own original, shape (n,)."""
    found = np.empty(synthetic.shape[0])
    for record in range(synthetic.shape[0]):
        found[record] = squared_distance(synthetic[record], original[own[record]], weight)
    return found


@njit(nogil=True, cache=True)  # type: ignore[untyped-decorator]
def count_rivals(
    nearness: Array,
    lowest: Array,
    certain: Array,
    records: Array,
    first: int,
    synthetic: Array,
    original: Array,
    weight: Array,
    own: Array,
    distance: Array,
    copies: Array,
    closer: Array,
    ties: Array,
    cap: int,
) -> None:
    """Count, for some records, the originals of a block that are nearer than their own.

    Parameters
    ----------
    nearness
        An upper bound of how near each original is, shape (records, block), float32.
    lowest, certain
        Below the first a pair is certainly not nearer; above the second it certainly is.
    records
        Numbers of the records, shape (records,).
    first
        Number of the block's first original.
    synthetic, original, weight, own, distance, copies
        The attack: coordinates, weights of the columns, each record's own original and its squared
        distance, and how many originals are equal to this one.
    closer, ties
        Added to in place.
    cap
        A record with this many closer originals needs no more counting.
    """
    size = nearness.shape[1]
    for place in range(nearness.shape[0]):
        record = records[place]
        row = nearness[place]
        low, high = lowest[place], certain[place]
        mine = distance[record]
        near, far = mine * (1 - TIE), mine * (1 + TIE)
        start = 0
        while start < size and closer[record] < cap:
            chunk = row[start : start + _CHUNK]
            hits = 0
            for at in range(chunk.shape[0]):
                hits += chunk[at] >= low
            if hits:
                for at in range(chunk.shape[0]):
                    if chunk[at] < low:
                        continue
                    rival = first + start + at
                    if rival == own[record]:
                        continue
                    if chunk[at] > high:
                        closer[record] += copies[rival]
                        continue
                    gap = squared_distance(synthetic[record], original[rival], weight)
                    if gap < near:
                        closer[record] += copies[rival]
                    elif gap <= far:
                        ties[record] += copies[rival]
            start += _CHUNK
