"""Rare values that one released record shares with a person: what distances over all columns miss.

Where only some columns are copied, a release is near nobody; yet two exact amounts that come back
together tell whose they are.
"""

import numpy as np

from sudare.core import Floats, Integers

_BLOCK = 2048  # records looked at together
_FEW, _SHARE = 20, 0.001  # released records that may have a rare value: so many, or this share


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
    order = np.argsort(released, axis=0, kind="stable")
    ordered = np.take_along_axis(released, order, axis=0)
    starts = range(0, len(records), _BLOCK)
    parts = [_rarity(records[start : start + _BLOCK], order, ordered) for start in starts]
    return np.concatenate([np.zeros(0), *parts])


def _rarity(records: Floats, order: Integers, ordered: Floats) -> Floats:
    """Return it of some records, given the released records in the order of each column."""
    total = len(ordered)
    pairs, gains = [np.zeros(0, np.int64)], [np.zeros(0)]
    for column in range(ordered.shape[1]):
        low, high = (
            np.searchsorted(ordered[:, column], records[:, column], side)
            for side in ("left", "right")
        )
        rare = np.flatnonzero((high > low) & (high - low <= max(total * _SHARE, _FEW)))
        count = (high - low)[rare]
        first = np.repeat(low[rare] - np.cumsum(count) + count, count)
        others = order[first + np.arange(count.sum()), column]
        pairs.append(np.repeat(rare, count) * total + others)
        gains.append(np.repeat(np.log(total / count), count))
    kinds, pair = np.unique(np.concatenate(pairs), return_inverse=True)
    rarity = np.zeros(len(records))
    np.maximum.at(rarity, kinds // max(total, 1), np.bincount(pair, np.concatenate(gains)))
    return rarity.round(9)  # equal up to rounding is equal, whatever the order of columns
