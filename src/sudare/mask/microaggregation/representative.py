"""What represents a group: its mean, median or mode.

Weights count in means, and there only so far (:func:`evened`): a record that has nearly all the
weight of its group would else be published, by a median or mode as it is. Sums run over the
sorted values of a group, so that record order does not change the last digit.
"""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from sudare.core import MISSING, Array, Codes, Column, Floats, Integers, Numeric, significant
from sudare.engine.counting import in_units, magnitude

Representative = Literal["mean", "median", "mode", "ranked-mean"]


@dataclass(frozen=True, eq=False)
class _Runs:
    """Values sorted inside their groups: a run of places per group."""

    values: Array
    counts: Floats
    starts: Integers
    run_of_record: Integers

    def sums(self, values: Array) -> Array:
        """Return the sum over each run."""
        return np.add.reduceat(values, self.starts)

    def spread(self, by_run: Array) -> Array:
        """Return a number per run as one per place."""
        return np.repeat(by_run, np.diff(self.starts, append=len(self.values)))


def _runs(values: Array, groups: Integers, counts: Floats | None) -> _Runs:
    given = np.ones(len(values)) if counts is None else counts
    order = np.lexsort((values, groups) if counts is None else (given, values, groups))
    sorted_groups = groups[order]
    first = np.concatenate(([True], sorted_groups[1:] != sorted_groups[:-1]))
    run_of_record = np.empty(len(order), np.int64)
    run_of_record[order] = np.cumsum(first) - 1
    return _Runs(values[order], given[order], np.flatnonzero(first), run_of_record)


def evened(weights: Floats | None, groups: Integers) -> Floats | None:
    """Return weights of which none is less than half the largest of its group, shape (n,).

    So no record of n counts for more than 2 / (n + 1), and none for nothing. In a group without
    any weight, all count alike.

    Examples
    --------
    >>> evened(np.array([0.0, 8.0, 6.0, 0.0]), np.array([0, 0, 0, 1])).tolist()
    [4.0, 8.0, 6.0, 1.0]
    """
    if weights is None:
        return None
    largest = np.zeros(int(groups.max(initial=0)) + 1)
    np.maximum.at(largest, groups, weights)
    return np.where(largest[groups] > 0, np.maximum(weights, largest[groups] / 2), 1.0)


def group_means(values: Floats, groups: Integers, counts: Floats | None = None) -> Floats:
    """Return each record's group mean, shape (n,); equal values keep their value exactly.

    Examples
    --------
    >>> group_means(np.array([1.0, 2.0, 9.0]), np.array([0, 0, 1])).tolist()
    [1.5, 1.5, 9.0]
    """
    runs = _runs(values, groups, counts)
    lowest = runs.values[runs.starts]
    above = runs.sums((runs.values - runs.spread(lowest)) * runs.counts)
    return (lowest + above / runs.sums(runs.counts))[runs.run_of_record]


def ranked_means(values: Floats, groups: Integers, weights: Floats | None = None) -> Floats:
    """Return group means moved out to where the values are, shape (n,).

    Groups are put in the order of their means, and the sorted values are dealt to them in turn, as
    many to each as it has records: a group gets the mean of its share. The largest group mean
    becomes the mean of the largest values, so that tails are kept; every number is still a mean of
    as many values as the group has. The mean of all stays, and the variance is at least that of
    the plain means. Weights count where means are taken, evened in each share.

    Examples
    --------
    >>> ranked_means(np.array([0.0, 8.0, 1.0, 9.0]), np.array([0, 0, 1, 1])).tolist()
    [0.5, 0.5, 8.5, 8.5]
    """
    means = group_means(values, groups, evened(weights, groups))
    # By mean, then by group; equal means are one group, as nothing tells their order.
    levels, rank = np.unique(means, return_inverse=True)
    order = np.argsort(values, kind="stable")
    dealt = np.empty(len(values), np.int64)
    dealt[order] = np.sort(rank)
    by_rank = np.empty(len(levels))
    by_rank[dealt] = group_means(values, dealt, evened(weights, dealt))
    return by_rank[rank]


def group_medians(
    values: Array, groups: Integers, counts: Floats | None = None
) -> tuple[Array, Array]:
    """Return each record's lower and upper group median, shape (n,) each.

    They are the two middle values, each value as often as counts say.

    Examples
    --------
    >>> low, high = group_medians(np.array([1, 2, 9, 5]), np.zeros(4, int))
    >>> low.tolist(), high.tolist()
    ([2, 2, 2, 2], [5, 5, 5, 5])
    """
    runs = _runs(values, groups, counts)
    totals = runs.sums(runs.counts)
    reached = np.cumsum(runs.counts)
    before = reached[runs.starts] - runs.counts[runs.starts]
    share = (reached - runs.spread(before)) / runs.spread(totals)
    positions = np.arange(len(values))
    last = np.append(runs.starts[1:], len(values)) - 1
    medians = []
    for enough in (share >= 0.5 - 1e-9, share > 0.5 + 1e-9):
        first = np.minimum.reduceat(np.where(enough, positions, len(values)), runs.starts)
        medians.append(runs.values[np.minimum(first, last)][runs.run_of_record])
    return medians[0], medians[1]


def group_modes(values: Array, groups: Integers, counts: Floats | None = None) -> Array:
    """Return each record's most frequent value of its group, shape (n,); ties to the lowest.

    Examples
    --------
    >>> group_modes(np.array([3, 1, 1, 2]), np.array([0, 0, 0, 1])).tolist()
    [1, 1, 1, 2]
    """
    runs = _runs(values, groups, counts)
    group = runs.spread(np.arange(len(runs.starts)))
    new = np.concatenate(([True], (np.diff(group) != 0) | (runs.values[1:] != runs.values[:-1])))
    starts = np.flatnonzero(new)
    sizes = np.add.reduceat(runs.counts, starts)
    best = np.lexsort((runs.values[starts], -sizes, group[starts]))
    winners = best[np.searchsorted(group[starts][best], np.arange(len(runs.starts)))]
    return runs.values[starts[winners]][runs.run_of_record]


def represented(
    column: Column, groups: Integers, representative: Representative, weights: Floats | None
) -> Column:
    """Return the column with each value replaced by what represents its group.

    Numbers get their mean, median or mode, or the mean of their ranks (:func:`ranked_means`);
    nominal categories always their mode; ordinal ones their mode if that was asked for, else the
    lower median. Weights count in means only; medians and modes are values of records, and weights
    would tell whose. Absent values stay absent; in a record with a negative group everything
    becomes missing, also what is not applicable.
    """
    known = column.known & (groups >= 0)
    copies = None if column.copies is None else column.copies[known].astype(np.float64)
    if isinstance(column, Numeric):
        values = np.full(column.rows, np.nan)
        own, given = groups[known], None if weights is None else weights[known]
        values[known] = _number(column.values[known], own, representative, given, copies)
        absent = None if column.absent is None else column.absent & (groups >= 0)
        return replace(column, values=values, absent=absent)
    kept = ~column.known & (groups >= 0)
    codes: Codes = np.where(kept, column.coded.codes, MISSING).astype(np.int32)
    if not known.any():
        return replace(column.coded, codes=codes)
    if column.scale == "ordinal" and representative != "mode":
        codes[known] = group_medians(column.coded.codes[known], groups[known], copies)[0]
    else:
        codes[known] = group_modes(column.coded.codes[known], groups[known], copies)
    return replace(column.coded, codes=codes)


def _number(
    values: Floats,
    groups: Integers,
    representative: Representative,
    weights: Floats | None,
    copies: Floats | None,
) -> Floats:
    if not len(values):
        return values
    if representative == "mean":
        return group_means(values, groups, copies if weights is None else evened(weights, groups))
    if representative == "mode":
        return group_modes(values, groups, copies)
    if representative == "ranked-mean":
        return ranked_means(values, groups, weights)
    low, high = group_medians(values, groups, copies)
    return np.asarray(low + (high - low) / 2)


def lost(before: Column, after: Column) -> dict[str, float]:
    """Return what the public may know of the loss in one column.

    For numbers it is the share of the summed squares (SSE / SST), over the records that still have
    a value and with one digit; for categories nothing, as how many changed tells single records.
    """
    known = after.known
    if isinstance(before, Numeric) and isinstance(after, Numeric):
        power = magnitude(before.values)
        values, masked = (in_units(c.values[known], power) for c in (before, after))
        total = float(((values - values.mean()) ** 2).sum()) if len(values) else 0.0
        changed = float(((values - masked) ** 2).sum())
        return {"sse_share": significant(changed / total, digits=1) if total > 0 else 0.0}
    return {}
