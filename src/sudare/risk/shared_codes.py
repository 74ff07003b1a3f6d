"""Columns of two tables on one code, so that values before and after can be compared."""

from collections.abc import Sequence

import numpy as np

from sudare.core import Column, Floats, Integers, Numeric


def shared_codes(before: Column, after: Column, classes: int) -> tuple[Integers, Integers]:
    """Return both columns as codes from 0, equal where the values are; -1 missing, -2 none.

    Labels are compared as they are. Numbers fall into classes of equal count of the original.

    Examples
    --------
    >>> from sudare.core.columns import Categorical
    >>> one = Categorical("job", np.array([0, 1, -1]), ("farmer", "nurse"))
    >>> other = Categorical("job", np.array([0, 0, 1]), ("nurse", "other"))
    >>> [codes.tolist() for codes in shared_codes(one, other, 10)]
    [[0, 1, -1], [1, 1, 2]]
    """
    if isinstance(before, Numeric) and isinstance(after, Numeric):
        known = before.values[before.known]
        shares = np.arange(1, classes) / classes if len(known) else np.empty(0)
        edges = np.unique(np.quantile(known, shares)) if len(known) else shares
        return _classed(before, edges), _classed(after, edges)
    first, second = before.coded, after.coded
    code_of = {label: code for code, label in enumerate(first.labels)}
    moved = [code_of.setdefault(label, len(code_of)) for label in second.labels]
    table = np.array([*moved, -2, -1], np.int64)  # codes -2 and -1 index the last two entries
    return first.codes.astype(np.int64), table[second.codes]


def _classed(column: Numeric, edges: Floats) -> Integers:
    codes = np.searchsorted(edges, column.values, side="right")
    return np.where(column.known, codes, np.where(column.missing, -1, -2))


def shared_terms(pairs: Sequence[tuple[Integers, Integers]]) -> tuple[Integers, Integers]:
    """Return whole numbers whose sums over some columns tell records apart, shapes (n, m).

    A value that is absent has -1: it agrees with nothing.

    Notes
    -----
    Each category has a random number of 57 bits: two records that differ have equal sums with a
    probability of 2⁻⁵⁷.
    """
    numbers = np.random.default_rng(0)  # a hash, the same in every run; nothing is drawn from it
    sides: tuple[list[Integers], list[Integers]] = ([], [])
    for codes in pairs:
        most = max(int(side.max(initial=0)) for side in codes) + 1
        values = np.append(numbers.integers(0, 2**57, most), [-1, -1])
        for side, column in zip(sides, codes, strict=True):
            side.append(values[column])
    return np.column_stack(sides[0]), np.column_stack(sides[1])
