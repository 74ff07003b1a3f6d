"""Records that fit a person: what is left of suppression for an attacker who knows the keys."""

from collections.abc import Sequence

import numpy as np

from sudare.core import Column, Flags, Integers, TablePair
from sudare.engine.counting import groups


def compatible_records(
    before: Sequence[Column], after: Sequence[Column], copies: Integers | None = None
) -> Integers:
    """Return how many released records fit the keys of each person, shape (n,).

    The attacker knows the original keys and how they were recoded. A cell that masking suppressed
    fits every value; the suppressed cells of the person's own record hide nothing, since the
    attacker knows what they held. What a value was recoded to is learned from the other records
    that had it; where they differ, or there is none, only suppressed cells fit. Records that look
    alike fit alike: nobody sees which blanks were there before. ``copies`` says how many records
    each entry stands for.

    Examples
    --------
    >>> from sudare.core import Categorical
    >>> known = Categorical("age", np.array([0, 0, 0, 1]), ("20", "90"))
    >>> released = Categorical("age", np.array([0, 0, 0, -1]), ("20", "90"))
    >>> compatible_records([known], [released]).tolist()
    [4, 4, 4, 1]
    """
    lost = [new.suppressed_since(old) for old, new in zip(before, after, strict=True)]
    released = [new.coded.codes.astype(np.int64) + 3 for new in after]  # 1 and 2 are absent
    wanted = [
        _recoded(old.coded.codes.astype(np.int64) + 2, codes, gone)
        for old, codes, gone in zip(before, released, lost, strict=True)
    ]
    bits = 1 << np.arange(len(lost), dtype=np.int64)
    patterns = sum((gone * bit for gone, bit in zip(lost, bits, strict=True)), np.int64(0))
    counts = np.zeros(len(released[0]), np.int64)
    times = np.ones(len(counts), np.int64) if copies is None else copies
    for pattern in np.unique(patterns).tolist():
        rows = np.flatnonzero(patterns == pattern)
        kept = [number for number, bit in enumerate(bits.tolist()) if not pattern & bit]
        counts += _fitting(
            [wanted[i] for i in kept], [released[i][rows] for i in kept], times[rows]
        )
    return np.maximum(counts, _alike(after, times))


def smallest_company(
    before: Sequence[Column], after: Sequence[Column], copies: Integers | None = None
) -> float | None:
    """Return the least number of records that fit a person whose keys an attacker knows.

    Where records lost all their keys or none, those that lost them are known to belong to no group
    that was kept, and are no company to it. None where masking suppressed nothing.

    Examples
    --------
    >>> from sudare.core import Categorical
    >>> known = Categorical("age", np.array([0, 0, 0, 1, 1]), ("20", "90"))
    >>> released = Categorical("age", np.array([0, 0, 0, -1, -1]), ("20", "90"))
    >>> smallest_company([known], [released])
    2.0
    """
    if not _lost(before, after).any():
        return None
    return float(company_of(before, after, copies).min())


def company_of(
    before: Sequence[Column], after: Sequence[Column], copies: Integers | None = None
) -> Integers:
    """Return of each person what :func:`smallest_company` is the least of, shape (n,)."""
    if np.isinf(smallest_kept(before, after, copies)):
        return compatible_records(before, after, copies)
    return _alike(after, np.ones(after[0].rows, np.int64) if copies is None else copies)


def pair_company(pair: TablePair, columns: Sequence[str]) -> Integers:
    """Return :func:`company_of` each entry of two tables side by side, by some keys, shape (n,)."""
    return company_of(
        [pair.before[name] for name in columns],
        [pair.after[name] for name in columns],
        pair.after.copies,
    )


def smallest_kept(
    before: Sequence[Column], after: Sequence[Column], copies: Integers | None = None
) -> float:
    """Return the smallest group where records lost all their keys or none, else infinity."""
    lost = _lost(before, after)
    blank = (lost | ~np.stack([column.known for column in after])).all(axis=0)
    if not lost.any() or lost[:, ~blank].any() or blank.all():
        return np.inf
    kept = np.flatnonzero(~blank)
    times = np.ones(len(kept), np.int64) if copies is None else copies[kept]
    return float(_alike([column.take(kept) for column in after], times).min())


def _alike(columns: Sequence[Column], copies: Integers) -> Integers:
    """Return how many records look like each entry, shape (n,)."""
    index = groups(list(columns)).index
    sizes = np.zeros(int(index.max(initial=-1)) + 1, np.int64)
    np.add.at(sizes, index, copies)
    alike: Integers = sizes[index]
    return alike


def _lost(before: Sequence[Column], after: Sequence[Column]) -> Flags:
    """Return which keys masking suppressed, shape (keys, n)."""
    return np.stack([new.suppressed_since(old) for old, new in zip(before, after, strict=True)])


def _recoded(original: Integers, released: Integers, lost: Flags) -> Integers:
    """Return the released code of each person's value, 0 where it cannot be told."""
    lowest = np.full(int(original.max(initial=0)) + 1, np.iinfo(np.int64).max)
    highest = np.zeros_like(lowest)
    np.minimum.at(lowest, original[~lost], released[~lost])
    np.maximum.at(highest, original[~lost], released[~lost])
    became = np.where(lowest == highest, highest, 0)
    return np.where(lost, became[original], released)


def _fitting(
    wanted: Sequence[Integers], released: Sequence[Integers], copies: Integers
) -> Integers | int:
    """Return how many of the records have the values wanted, in all columns."""
    if not wanted:
        return int(copies.sum())
    people = len(wanted[0])
    labels = np.zeros(people + len(copies), np.int64)
    for ours, theirs in zip(wanted, released, strict=True):
        codes = np.concatenate([ours, theirs])
        labels = np.unique(labels * (codes.max() + 1) + codes, return_inverse=True)[1]
    counts = np.zeros(int(labels.max()) + 1, np.int64)
    np.add.at(counts, labels[people:], copies)
    fitting: Integers = counts[labels[:people]]
    return fitting
