"""Ranges and sets that members of a household show of a value they share, put together."""

from dataclasses import dataclass

import numpy as np

from sudare.core import Array, Categorical, Flags, Integers, label_codes
from sudare.release.inspection.derivable_values import Telling
from sudare.release.inspection.masked_pair import MaskedPair

_LARGEST = 50  # members of a household


@dataclass(frozen=True, eq=False, repr=False)
class _Reach:
    """How many values each record may have, by its own label and by those of all members.

    Attributes
    ----------
    own, together
        Numbers of values, shape (n,).
    holds
        Whether the true value is among those that fit all members, shape (n,).
    """

    own: Integers
    together: Integers
    holds: Flags


def narrowed(
    pair: MaskedPair, name: str, groups: Array, most: int = _LARGEST
) -> tuple[int, Telling]:
    """Return how many cells members tell more narrowly than released, and that beyond chance.

    A label stands for the values of the original that it replaced: all from the lowest to the
    highest of numbers and ordered categories, the set of other categories. Only labels that say
    the truth are put together: no draws, and no value that stands for another.

    Parameters
    ----------
    pair, name
        The masked column, which members share.
    groups
        Shape (n,), from 0.
    most
        Number of records above which a group is not one household.
    """
    hidden: Flags = pair.changed(name) & pair.before[name].coded.known
    if name in pair.drawn or not _is_generalized(pair, name):
        return 0, Telling(0, int(hidden.sum()))
    ordered = pair.before[name].scale != "nominal"
    reach = (_spans if ordered else _sets)(pair, name, groups)
    smaller = hidden & (reach.together < reach.own) & (np.bincount(groups) <= most)[groups]
    told = smaller & reach.holds
    chance = reach.together[smaller] / reach.own[smaller]
    excess = max(float(told.sum() - chance.sum()), 0.0)
    return int(told.sum()), Telling(excess, int(hidden.sum()), float((chance * (1 - chance)).sum()))


def _is_generalized(pair: MaskedPair, name: str) -> bool:
    """Return whether each label of a column that was a value is still that value."""
    before, after = pair.before[name].coded, pair.after[name].coded
    labels = tuple(map(str, before.labels))
    shown = label_codes(map(str, after.labels), labels)[after.codes]
    other = before.known & after.known & (shown < len(labels)) & (shown != before.codes)
    return isinstance(pair.after[name], Categorical) and not other.any()


def _spans(pair: MaskedPair, name: str, groups: Array) -> _Reach:
    codes, shown, values = _cells(pair, name)
    lowest, highest = np.full(shown.max() + 1, values), np.full(shown.max() + 1, -1)
    np.minimum.at(lowest, shown[codes >= 0], codes[codes >= 0])
    np.maximum.at(highest, shown[codes >= 0], codes[codes >= 0])
    lowest[0], highest[0] = 0, values - 1
    low, high = lowest[shown], highest[shown]
    start = np.zeros(groups.max() + 1, np.int64)
    end = np.full(groups.max() + 1, values - 1)
    np.maximum.at(start, groups, low)
    np.minimum.at(end, groups, high)
    first, last = start[groups], end[groups]
    together = np.maximum(last - first + 1, 0)
    return _Reach(high - low + 1, together, (first <= codes) & (codes <= last))


def _sets(pair: MaskedPair, name: str, groups: Array) -> _Reach:
    codes, shown, values = _cells(pair, name)
    sets = [0] * (int(shown.max()) + 1)  # a bit for each value
    for label, value in np.unique(np.stack([shown, codes])[:, codes >= 0], axis=1).T.tolist():
        sets[label] |= 1 << value
    sets[0] = (1 << values) - 1
    own = np.array(sets, object)[shown]
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    common = np.empty(groups.max() + 1, object)
    common[groups[order][starts]] = np.bitwise_and.reduceat(own[order], starts)
    together = common[groups]
    holds = [
        code >= 0 and bool(bits >> code & 1) for code, bits in zip(codes, together, strict=True)
    ]
    return _Reach(_sizes(own), _sizes(together), np.array(holds, np.bool_))


def _cells(pair: MaskedPair, name: str) -> tuple[Integers, Integers, int]:
    """Return original codes, labels shown from 1 with 0 for none, and the number of values."""
    before, after = pair.before[name].coded, pair.after[name].coded
    shown = np.where(after.known, after.codes.astype(np.int64) + 1, 0)
    return before.codes.astype(np.int64), shown, len(before.labels)


def _sizes(sets: Array) -> Integers:
    return np.array([bits.bit_count() for bits in sets], np.int64)
