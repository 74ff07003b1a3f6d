"""Synthetic records that give original ones away: replicated uniques, and near copies."""

from collections.abc import Sequence

import numpy as np

from sudare.core import Column, Flags, Floats, Integers, Numeric
from sudare.engine.counting import joint_keys, renumbered
from sudare.mask.synthesis.column_models import states

Pair = tuple[Column, Column]  # a column of the original, and of the synthetic table


def replicated_uniques(pairs: Sequence[Pair]) -> Flags:
    """Return which synthetic records are unique and equal a unique record of the original.

    References
    ----------
    Raab, Nowok and Dibben (2024). Practical privacy metrics for synthetic data. arXiv:2406.16826.

    Examples
    --------
    >>> before, after = (Numeric("x", np.array(v)) for v in ([1.0, 2.0, 2.0], [1.0, 2.0, 3.0, 3.0]))
    >>> replicated_uniques([(before, after)]).tolist()
    [True, False, False, False]
    """
    groups = joint_groups(pairs)
    number = int(max(part.max(initial=0) for part in groups)) + 1
    before, after = (np.bincount(part, minlength=number) for part in groups)
    return ((before == 1) & (after == 1))[groups[1]]


def joint_groups(pairs: Sequence[Pair]) -> tuple[Integers, Integers]:
    """Return numbers of the groups that have the same values, in the original and the synthetic."""
    index, _ = renumbered(*joint_keys([_codes(*pair) for pair in pairs]))
    rows = pairs[0][0].rows
    return index[:rows], index[rows:]


def _codes(before: Column, after: Column) -> tuple[Integers, int]:
    """Return codes of the values of both, one after the other, and how many there are."""
    if isinstance(before, Numeric) and isinstance(after, Numeric):
        state = np.concatenate((states(before), states(after)))
        values = np.where(state > 0, 0.0, np.concatenate((before.values, after.values)))
        levels, codes = np.unique(values, return_inverse=True)
        return np.where(state > 0, len(levels) - 1 + state, codes), len(levels) + 2
    labels = before.coded.labels
    codes = np.concatenate([column.coded.codes_in(labels) for column in (before, after)])
    return codes.astype(np.int64) + 2, len(labels) + 2


def near_copies(pairs: Sequence[Pair], distance: float) -> Flags:
    """Return which synthetic records are nearer than a distance to a record of the original.

    The distance of two records is the mean over the columns: of numbers, their difference as a
    share of the range of the original; of categories, 0 if they are equal and 1 if not. From a
    missing number every other is at least half the range away.

    Examples
    --------
    >>> before, after = (Numeric("x", np.array(v)) for v in ([0.0, 10.0], [0.4, 5.0, 11.0]))
    >>> near_copies([(before, after)], 0.05).tolist()
    [True, False, False]
    """
    from scipy.spatial import cKDTree

    before, after = (np.hstack(part) for part in zip(*map(_coordinates, pairs), strict=True))
    reach = distance * len(pairs)
    tree = cKDTree(before, balanced_tree=False)  # many values are equal
    nearest, _ = tree.query(after, p=1, distance_upper_bound=reach)
    return nearest < reach


def _coordinates(pair: Pair) -> tuple[Floats, Floats]:
    """Return coordinates of a column, in which distances add up, shape (n, …) for both tables."""
    before, after = pair
    if isinstance(before, Numeric) and isinstance(after, Numeric):
        low, high = np.nanmin(before.values), np.nanmax(before.values)
        parts = []
        for column in (before, after):
            state = states(column)
            scaled = (column.values - low) / ((high - low) or 1.0)
            aside = np.choose(state, [0.0, 0.5, -0.5])
            parts.append(np.column_stack([np.where(state > 0, 0.5, scaled), aside]))
        return parts[0], parts[1]
    codes, number = _codes(before, after)
    halves = np.eye(number)[codes] / 2  # two categories differ in two places
    return halves[: before.rows], halves[before.rows :]
