"""Rare values that one released record shares with a person: what distances over all columns miss.

Where only some columns are copied, a release is near nobody; yet two exact amounts that come back
together tell whose they are.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sudare.core import Floats, Integers

_PAIRS = 4_000_000  # that may share a value, looked at together
_CHANCE = 0.05  # that a person shares with a release by chance what is taken for a copy
_FEW, _MOST, _SHARE = 20, 100, 0.001  # released records that may have a rare value: this share


def shared_rarity(records: Floats, released: Floats) -> Floats:
    """Return how rare the values are that one released record shares with each record, shape (n,).

    The largest sum, over the released records, of the logarithm of k / c over the columns in which
    the two are equal, c of the k released records having that value; 0 where they share none that
    few have.

    Parameters
    ----------
    records, released
        Points of one space, shapes (n, p) and (k, p).

    Examples
    --------
    >>> released = np.append(np.tile([[1.0, 1.0]], (98, 1)), [[2.0, 2.0], [3.0, 2.0]], axis=0)
    >>> shared_rarity(np.array([[1.0, 1.0], [2.0, 2.0]]), released).round(3).tolist()
    [0.0, 8.517]
    """
    rarity = np.zeros(len(records))
    for shared in _shared(records, released):
        np.maximum.at(rarity, shared.record, shared.rarity)
    return rarity


def likely_copies(records: Floats, released: Floats) -> tuple[Integers, Integers]:
    """Return pairs of a record and a released one that share more rare values than by chance.

    Of each record those that share the rarest values, if at most one person in twenty would share
    as rare ones with any released record by chance. A value that c of k records have adds log k / c
    to the rarity with a chance of c / k: the mean of the exponential is 2. So with m such columns
    and k records, the rarity is above t with a chance of at most k 2ᵐ e⁻ᵗ (Markov), if columns have
    nothing to do with each other.

    Parameters
    ----------
    records, released
        Points of one space, shapes (n, p) and (k, p).

    Examples
    --------
    >>> released = np.append(np.tile([[1.0, 1.0]], (998, 1)), [[2.0, 2.0], [3.0, 3.0]], axis=0)
    >>> [side.tolist() for side in likely_copies(np.array([[1.0, 1.0], [3.0, 3.0]]), released)]
    [[1], [999]]
    """
    people, copies = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for shared in _shared(records, released):
        largest = np.zeros(len(records))
        np.maximum.at(largest, shared.record, shared.rarity)
        least = np.log(max(len(released), 1) / _CHANCE) + np.log(2) * shared.columns
        likely = (shared.rarity == largest[shared.record]) & (shared.rarity > least)
        people.append(shared.record[likely])
        copies.append(shared.other[likely])
    return np.concatenate(people), np.concatenate(copies)


class _Shared(NamedTuple):
    """Pairs of records and released ones that share rare values.

    Attributes
    ----------
    record, other, rarity
        Of each pair, shape (pairs,).
    columns
        In how many columns the record has a value that few released records have.
    """

    record: Integers
    other: Integers
    rarity: Floats
    columns: Integers


def _shared(records: Floats, released: Floats) -> Iterator[_Shared]:
    """Yield the pairs of some records after the other."""
    total, order = len(released), np.argsort(released, axis=0, kind="stable")
    most = np.clip(total * _SHARE, _FEW, _MOST)
    ordered = np.take_along_axis(released, order, axis=0)
    together = max(int(_PAIRS / (most * max(released.shape[1], 1))), 1)
    for start in range(0, len(records), together):
        block = records[start : start + together]
        pairs, gains, columns = [np.zeros(0, np.int64)], [np.zeros(0)], np.zeros(len(block), int)
        for column, values in enumerate(block.T):
            low, high = (
                np.searchsorted(ordered[:, column], values, side) for side in ("left", "right")
            )
            rare = np.flatnonzero((high > low) & (high - low <= most))
            columns[rare] += 1
            count = (high - low)[rare]
            first = np.repeat(low[rare] - np.cumsum(count) + count, count)
            others = order[first + np.arange(count.sum()), column]
            pairs.append(np.repeat(rare, count) * total + others)
            gains.append(np.repeat(np.log(total / count), count))
        kinds, pair = np.unique(np.concatenate(pairs), return_inverse=True)
        rarity = np.bincount(pair, np.concatenate(gains), minlength=len(kinds)).astype(np.float64)
        record, other = np.divmod(kinds, max(total, 1))
        # Equal up to rounding is equal, whatever the order of columns.
        yield _Shared(start + record, other, rarity.round(9), columns[record])
