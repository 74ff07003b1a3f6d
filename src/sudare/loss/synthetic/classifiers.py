"""Two tables as inputs of trees, and how well these tell them apart."""

from collections.abc import Sequence

import numpy as np

from sudare.core import Column, Draws, Floats, Integers, Microdata, Numeric
from sudare.describe.pairing import category_codes

_LARGEST = 1e307  # missing values are up to five times as far


def tree_inputs(
    before: Microdata, after: Microdata, columns: Sequence[str]
) -> tuple[Floats, Floats]:
    """Return both tables as numbers for trees, shapes (n, p) and (k, p).

    Labels are codes; missing and not applicable are numbers below all others. Numbers too large
    for trees are replaced by their ranks, which trees split alike.
    """
    pairs = [_column(before[name], after[name]) for name in columns]
    old, new = (np.column_stack([pair[side] for pair in pairs]) for side in (0, 1))
    return old, new


def in_order(*tables: Floats) -> Integers:
    """Return the order of records by what they hold, so that it does not matter how they came."""
    keys = np.column_stack(tables)
    return np.lexsort(keys.T[::-1])


def folds(records: int, count: int) -> Integers:
    """Return a fold for each record, as many in each, at random.

    In turn would not do: neighbors in the order of what records hold would be seen and unseen
    alike, and what is there by chance would be there again.
    """
    return np.argsort(Draws(0).uniform("fold", records)) % count


def spread(order: Integers, most: int) -> Integers:
    """Return all records, or a given number of them at equal steps."""
    return order if len(order) <= most else order[np.arange(most) * len(order) // most]


def _column(before: Column, after: Column) -> tuple[Floats, Floats]:
    if not isinstance(before, Numeric) or not isinstance(after, Numeric):
        codes = before.coded.codes, category_codes(before.coded, after.coded)
        return codes[0].astype(np.float64), codes[1].astype(np.float64)
    values = [before.values, after.values]
    known = np.concatenate([c.values[c.known] for c in (before, after)])
    if len(known) and np.abs(known).max() > _LARGEST:
        levels = np.unique(known)
        values = [np.searchsorted(levels, each).astype(np.float64) for each in values]
        known = np.arange(len(levels), dtype=np.float64)
    low, reach = (float(known.min()), float(np.ptp(known)) or 1.0) if len(known) else (0.0, 1.0)
    first, second = (
        np.where(c.known, each, np.where(c.missing, low - reach, low - 2 * reach))
        for c, each in zip((before, after), values, strict=True)
    )
    return first, second
