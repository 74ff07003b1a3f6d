"""Masks that hide nothing: values under other names, and values that are changed too seldom."""

from collections.abc import Iterator

import numpy as np

from sudare.core import Column, Flags, Floats, Message, Numeric
from sudare.release.inspection.derivable_values.determination import HiddenCategory
from sudare.release.inspection.findings import Finding
from sudare.release.inspection.masked_pair import MaskedPair, class_codes

_MOST = 0.5  # share of the changed values that lead back, from which a mask hides too little
_SELDOM = 0.05  # share of the values that random changes must hide


def find_ineffective(pair: MaskedPair) -> Iterator[Finding]:
    """Yield the masked columns whose values are practically revealed by what they became."""
    for name in pair.masked:
        before, after = pair.before[name], pair.after[name]
        changed = _moved(before, after, pair.changed(name)) & before.known
        if not changed.any():
            continue  # blanks were filled, and nothing was to be hidden
        leading = int((leads_back(before, after) & changed).sum())
        if leading > _MOST * changed.sum():
            yield _renamed(name, leading, int(changed.sum()))
        elif name in pair.drawn:
            uncommon = HiddenCategory(before, after)
            hidden = int((_unknown(before, after, uncommon) & uncommon.uncommon).sum())
            values = int(uncommon.uncommon.sum())
            if hidden < _SELDOM * values:
                yield _seldom(name, hidden, values)


def _moved(before: Column, after: Column, changed: Flags) -> Flags:
    """Return which records were changed; numbers that rounding gives back, where all do, too."""
    if changed.any() or not isinstance(before, Numeric) or not isinstance(after, Numeric):
        return changed
    moved: Flags = after.known & (before.values != after.values)
    return moved


def _unknown(before: Column, after: Column, categories: HiddenCategory) -> Flags:
    """Return which values of the original do not follow from what they became, shape (n,)."""
    if isinstance(before, Numeric) and isinstance(after, Numeric):
        return ~_is_nearest(before.values, after.values)
    return categories.surprising


def leads_back(before: Column, after: Column) -> Flags:
    """Return which records have a value by which the original one is known, shape (n,).

    A category leads back where it stands for one category of the original, and this one became no
    other; a blank has no name. A number does where it is nearest to the record's own, or has the
    same rank.

    Examples
    --------
    >>> from sudare.core import Categorical
    >>> towns = Categorical("town", np.array([0, 1, 2, 2]), ("Kobe", "Nara", "Otsu"))
    >>> letters = Categorical("town", np.array([0, 1, 1, 1]), ("A", "B"))
    >>> leads_back(towns, letters).tolist()
    [True, False, False, False]
    """
    own, shown = class_codes(before).astype(np.int64), class_codes(after).astype(np.int64)
    width = int(shown.max(initial=0)) + 1
    cells = np.unique(own * width + shown)
    became = np.bincount(cells // width, minlength=int(own.max(initial=0)) + 1)
    stands_for = np.bincount(cells % width, minlength=width)
    alike: Flags = before.known & after.known & (became[own] == 1) & (stands_for[shown] == 1)
    if isinstance(before, Numeric) and isinstance(after, Numeric):
        return _is_nearest(before.values, after.values) | (alike & _has_rank(before, after))
    return alike


def _is_nearest(before: Floats, after: Floats) -> Flags:
    """Return which released numbers are nearer to the own number than to any other."""
    levels = np.unique(before[~np.isnan(before)])
    if not len(levels):
        return np.zeros(len(before), np.bool_)
    bounds = (levels[:-1] + levels[1:]) / 2
    nearest = levels[np.searchsorted(bounds, np.nan_to_num(after))]
    flags: Flags = ~np.isnan(after) & (nearest == before)
    return flags


def _has_rank(before: Numeric, after: Numeric) -> Flags:
    """Return which released numbers have the rank, from below or above, of the own number."""
    own, shown = class_codes(before), class_codes(after)
    flags: Flags = own == shown
    if len(before.coded.labels) == len(after.coded.labels):
        turned = len(after.coded.labels) + 3 - shown
        flags = flags if flags.sum() >= (own == turned).sum() else own == turned
    return flags & after.known


def _renamed(name: str, leading: int, changed: int) -> Finding:
    detail = Message(
        "The mask of '{column}' hides too little: {count} of the {changed} values that it changed "
        "have another name or form, by which the original one is known.",
        column=name,
        count=leading,
        changed=changed,
    )
    remedy = Message("Merge values of '{column}', or change it more strongly.", column=name)
    return Finding("ineffective", (name,), leading, "stop", detail, remedy)


def _seldom(name: str, hidden: int, uncommon: int) -> Finding:
    detail = Message(
        "The mask of '{column}' hides {count} of the {values} values that nobody could guess: the "
        "others are as they were.",
        column=name,
        count=hidden,
        values=uncommon,
    )
    remedy = Message("Change '{column}' more often, or recode it.", column=name)
    return Finding("ineffective", (name,), uncommon - hidden, "stop", detail, remedy)
