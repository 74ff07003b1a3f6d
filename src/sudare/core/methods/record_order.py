"""Whether the records of two tables that were read separately are in the same order."""

import numpy as np

from sudare.core.table import Column, Microdata, Numeric, label_codes

_FEWEST = 50  # records from which chance and order can be told apart
_CLEAR = 6  # standard deviations beyond what chance gives


def in_same_order(before: Microdata, after: Microdata) -> bool:
    """Return whether any column agrees, record by record, more than in records put together anyhow.

    A release has another order than its original, and comparing the two record by record would
    tell of a risk that is far too low.

    Examples
    --------
    >>> ages = Numeric("age", np.arange(100.0))
    >>> table, order = Microdata((ages,)), np.random.default_rng(1).permutation(100)
    >>> in_same_order(table, table), in_same_order(table, table.take(order))
    (True, False)
    """
    if before.rows != after.rows or before.rows < _FEWEST:
        return True  # other checks refuse what cannot correspond; few records tell nothing
    shared = [name for name in before.names if name in after]
    varied = [name for name in shared if len(after[name].coded.labels) > 1]
    return not varied or any(_agree(before[name], after[name]) for name in varied)


def _agree(before: Column, after: Column) -> bool:
    first, second = before.coded, after.coded
    labels = tuple(map(str, first.labels))
    own = label_codes(labels, labels)[first.codes] + 2
    moved = label_codes(map(str, second.labels), labels, -1)[second.codes] + 2
    records = len(own)
    width = len(labels) + 2
    counts = (np.bincount(codes, minlength=width) for codes in (own, moved))
    chance = float(np.multiply(*counts).sum()) / records
    if (own == moved).sum() > chance + _CLEAR * max(chance, 1.0) ** 0.5:
        return True
    if not isinstance(before, Numeric) or not isinstance(after, Numeric):
        return False
    known = before.known & after.known
    x, y = first.codes[known], second.codes[known]
    if known.sum() < _FEWEST or not (x.std() and y.std()):
        return False
    return bool(abs(np.corrcoef(x, y)[0, 1]) > _CLEAR / known.sum() ** 0.5)
