"""Values that a key rules out: a status that nobody has below an age, schools of other regions.

For each value of a released column it is looked up below and above which keys it does not occur, or
in which categories, but for few exceptions and far more often than by chance. Whoever knows the key
of a person rules out the records with such values, though none of the others need be certain. Keys
in which chance would give few records of a value rule it out only where it is in few categories.
"""

import numpy as np

from sudare.core import Codes, Column, Flags, Floats, Integers, Numeric
from sudare.describe import is_ordered
from sudare.engine.counting import quantile_codes, quantile_edges
from sudare.release.inspection.masked_pair import class_codes, is_amount
from sudare.release.inspection.release_guarantees.functional_dependencies import EXCEPTIONS, SURE

_CELLS, _CLASSES = 200, 20  # of amounts that are keys, and of others
_MOST = 2_000_000  # combinations of a value and a key that are looked at
_FEWEST = 5  # records of a value that chance gives the keys that rule it out by themselves
_EACH = 5  # records per category that has a value, where it is ruled out in all others
_GROUPED = 1.4  # evidence, in natural logarithms, that each value needs to be in one of two groups
_SHOWN = 8.0  # the same, that each of the groups needs
_PAID = 3.0  # the same, that each absence needs beyond the number of them
_STEPS = 40  # of the power method


def ruled_out(key: Column, column: Column) -> tuple[Codes, Codes, Flags] | None:
    """Return which values a key rules out; None where it rules out none.

    Returns
    -------
    people, told, fits
        What is known of each person, 0 for nothing, shape (n,); what his record says, shape (n,);
        and whether people and records of these codes can be the same, shape (people, told).
    """
    people, told = _classed(key, _CELLS), _classed(column, _CLASSES)
    shape = int(told.max(initial=0)) + 1, int(people.max(initial=0)) + 1
    rows = (people > 1) & (told > 1)  # neither is missing or not applicable
    if shape[0] * shape[1] > _MOST or not rows.any():
        return None
    counts = np.bincount(told[rows] * shape[1] + people[rows], minlength=shape[0] * shape[1])
    counts = counts.reshape(shape)
    if is_ordered(key):
        absent = _sure(_below(counts), _below(counts, backwards=True)) | _apart(counts)
    else:
        order = _order(counts)
        absent = _sure(_outside(counts))
        absent[:, order] |= _apart(counts[:, order], int(counts.any(axis=0).sum()))
    absent[:, :2] = False  # a missing key tells nothing
    fits: Flags = ~absent.T
    tells: Flags = np.any(absent, axis=0)
    is_known = tells[people] & fits[people, told]  # nobody knows who is an exception
    return (np.where(is_known, people, 0), told, fits) if is_known.any() else None


def is_parted(people: Codes, told: Codes, fits: Flags) -> bool:
    """Return whether a key parts all values: those of some people are not those of the others.

    People of whom nothing is known are the exceptions, of whom there may be few.

    Examples
    --------
    >>> codes = np.array([1, 2])
    >>> is_parted(codes, codes, np.eye(3, dtype=bool))
    True
    """
    if np.count_nonzero(people) < (1 - EXCEPTIONS) * len(people):
        return False
    fits = fits[np.unique(people[people > 0])][:, np.unique(told[people > 0])]
    parts = np.arange(len(fits))
    for _ in range(len(fits)):
        of_values = np.where(fits, parts[:, None], len(parts)).min(axis=0)
        parts, before = np.minimum(parts, np.where(fits, of_values, len(parts)).min(axis=1)), parts
        if (parts == before).all():
            break
    return bool(parts.any())


def _classed(column: Column, most: int) -> Codes:
    """Return codes of a column, of amounts those of classes of equal count, shape (n,)."""
    if isinstance(column, Numeric) and is_amount(column) and len(column.coded.labels) > most:
        return (quantile_codes(column, quantile_edges(column, most)) + 2).astype(np.int32)
    return class_codes(column)


def _sure(*absences: tuple[Floats, Flags]) -> Flags:
    """Return the absences that are sure among so many, if all of them are together."""
    paid = np.log(sum(np.count_nonzero(evidence) for evidence, _ in absences) + 1)
    extra = sum(np.maximum(evidence - paid, 0).sum() for evidence, _ in absences)
    sure = [absent & (evidence > paid + _PAID)[:, None] for evidence, absent in absences]
    together: Flags = np.logical_or.reduce(sure) & (extra > SURE)
    return together


def _below(counts: Integers, *, backwards: bool = False) -> tuple[Floats, Flags]:
    """Return the evidence that each value is absent from the first keys, and from which.

    Of counts of shape (values, keys). Keys next to the first that have a value may have it too.
    """
    if backwards:
        evidence, absent = _below(counts[:, ::-1])
        return evidence, absent[:, ::-1]
    size = counts.sum(axis=1, keepdims=True)
    below = counts.cumsum(axis=1) - counts
    upto = counts.sum(axis=0).cumsum() / max(counts.sum(), 1)
    share = np.append(0, upto[:-1])
    evidence = np.where(below <= EXCEPTIONS * size * share, _surprise(size, below, share), 0)
    best = evidence.argmax(axis=1)
    is_lower = np.arange(counts.shape[1]) < best[:, None]
    return evidence.max(axis=1), is_lower & (size * (share[best][:, None] - upto) >= _FEWEST)


def _order(counts: Integers) -> Integers:
    """Return the categories of a key so that those with the same values are next to each other.

    By the first axis of a correspondence analysis.
    """
    sizes, keys = np.sqrt(counts.sum(axis=1)), np.sqrt(counts.sum(axis=0))
    weights = counts / np.maximum(np.outer(sizes, keys), 1)
    axis = np.cos(np.arange(len(keys)))  # any but the trivial one
    for _ in range(_STEPS):  # sums that depend on no library's threads
        axis = np.einsum("vk,v->k", weights, np.einsum("vk,k->v", weights, axis))
        axis -= keys * (keys * axis).sum() / max(counts.sum(), 1)
        axis /= max(np.abs(axis).max(), 1e-300)
    order: Integers = np.argsort(axis / np.maximum(keys, 1), kind="stable")
    return order


def _apart(counts: Integers, ordered: int = 0) -> Flags:
    """Return which values are absent from keys beyond cuts that part the values into two groups.

    Values that are about as frequent on both sides of a cut are in no group. Each group has to show
    where the cut is. The more keys were ``ordered`` by the values, the more there has to be.
    """
    size, sizes = counts.sum(axis=1, keepdims=True), counts.sum(axis=0)
    share = sizes.cumsum() / max(counts.sum(), 1)
    below = counts.cumsum(axis=1)
    is_lower = 2 * below > size
    few, beyond = np.where(is_lower, size - below, below), np.where(is_lower, 1 - share, share)
    is_grouped = 2 * few < size * beyond
    evidence = _surprise(size, few, beyond) * is_grouped
    is_cut = evidence.sum(axis=0) > SURE + _GROUPED * (np.count_nonzero(size) + ordered)
    for group in (is_lower, ~is_lower):
        is_cut &= (evidence * group).sum(axis=0) > _SHOWN
    by_chance = (size * beyond * is_grouped).sum(axis=0)
    is_cut &= (few * is_grouped).sum(axis=0) <= EXCEPTIONS * by_chance
    absent, keys = np.zeros(counts.shape, np.bool_), np.arange(counts.shape[1])
    cuts = np.flatnonzero(is_cut)
    beyond_cut = (is_lower, cuts, np.greater), (~is_lower, cuts[::-1], np.less_equal)
    for group, from_inside, is_beyond in beyond_cut:
        groups = (group & is_grouped)[:, from_inside]
        groups, nearest = np.unique(groups, axis=1, return_index=True)  # many cuts have the same
        for values, cut in zip(groups.T, from_inside[nearest], strict=True):
            of_group = counts[values].sum(axis=0)
            is_rare = of_group <= EXCEPTIONS * sizes * of_group.sum() / counts.sum()
            absent[values] |= is_beyond(keys, cut) & is_rare
    return absent


def _outside(counts: Integers) -> tuple[Floats, Flags]:
    """Return the evidence that each value is absent from some categories, and from which."""
    size = counts.sum(axis=1, keepdims=True)
    share = counts.sum(axis=0) / max(counts.sum(), 1)
    in_few = size >= _EACH * np.count_nonzero(counts, axis=1)[:, None]
    absent = (share > 0) & (in_few | (size * share >= _FEWEST))
    absent &= counts <= EXCEPTIONS * size * share
    order = np.argsort(absent * -share, axis=1, kind="stable")
    ranks = np.argsort(order, axis=1)
    absent_first, number = np.take_along_axis(absent, order, axis=1), np.count_nonzero(share)
    shares = (absent_first * share[order]).cumsum(axis=1)
    few = (absent_first * np.take_along_axis(counts, order, axis=1)).cumsum(axis=1)
    chosen = np.minimum(np.arange(1, counts.shape[1] + 1), number)
    choices = number * np.log(number) - _by_log(chosen) - _by_log(number - chosen)  # no fewer
    evidence = np.where(absent_first, _surprise(size, few, shares) - choices, 0)
    return evidence.max(axis=1), absent & (ranks <= evidence.argmax(axis=1)[:, None])


def _surprise(records: Integers, few: Integers, share: Floats) -> Floats:
    """Return how unlikely so few of some records are within a share, by Chernoff's bound.

    Examples
    --------
    >>> _surprise(np.array([100]), np.array([0]), np.array([0.5])).round(1).tolist()
    [69.3]
    """
    rest = records - few
    share = np.clip(share, 1e-12, 1 - 1e-12)
    surprise: Floats = _by_log(few) + _by_log(rest) - _by_log(records)
    return surprise - few * np.log(share) - rest * np.log1p(-share)


def _by_log(numbers: Integers) -> Floats:
    """Return n log n, 0 for 0."""
    product: Floats = np.multiply(numbers, np.log(np.maximum(numbers, 1)))
    return product
