"""Log-linear models of key counts: how many people outside the sample share a record's keys."""

from collections.abc import Sequence
from itertools import combinations
from math import prod

import numpy as np

from sudare.core import Column, Floats, Integers, SettingError
from sudare.describe.pairing import Rule
from sudare.engine.counting import cross_table

_MOST_CELLS = 2**22
_ROUNDS, _CHANGE = 100, 1e-6


def poisson_risk(sample: Integers, unseen: Floats) -> Floats:
    """Return E[1/F | f] if the people not in the sample are Poisson: (1 − e^−a)/a for f = 1.

    Parameters
    ----------
    sample
        Number of records with the keys, at least 1, shape (g,).
    unseen
        Expected number a of people with the keys who are not in the sample, shape (g,).

    References
    ----------
    Skinner and Shlomo (2008). Assessing identification risk in survey microdata using log-linear
    models. Journal of the American Statistical Association 103(483).

    Examples
    --------
    >>> poisson_risk(np.array([1, 1, 2]), np.array([0.0, 2.0, 2.0])).round(4).tolist()
    [1.0, 0.4323, 0.2838]
    """
    from scipy.special import hyp1f1

    return hyp1f1(1, sample + 1, -unseen) / sample


def independent_counts(keys: Sequence[Column], missing: Rule = "category") -> Floats:
    """Return how many records would match each record's keys if keys were independent, shape (n,).

    This is the log-linear model with main effects, whose maximum likelihood fit is a product of
    shares.
    """
    n = keys[0].records
    expected = np.full(keys[0].rows, float(n))
    for key in keys:
        expected *= _matching(cross_table([key]), missing)[key.coded.codes] / n
    return expected


def paired_counts(keys: Sequence[Column], missing: Rule = "category") -> Floats:
    """Return how many records would match each record's keys, given the table of every two keys.

    This is the log-linear model with all two-way interactions, fitted by iterative proportional
    fitting over all cells.
    """
    if len(keys) < 3:
        table = _matching(cross_table(keys), missing)
        return table[tuple(key.coded.codes for key in keys)]
    cells = prod(len(key.coded.labels) + 2 for key in keys)
    if cells > _MOST_CELLS:
        raise SettingError(
            "the model with interactions of these {count} keys has {cells} cells, more than "
            "{limit}; use fewer keys, recode them, or set interactions to false.",
            count=len(keys),
            cells=cells,
            limit=_MOST_CELLS,
        )
    fitted = _matching(proportional_fit(cross_table(keys)), missing)
    return fitted[tuple(key.coded.codes for key in keys)]


def _matching(table: Floats, missing: Rule) -> Floats:
    """Return how many records match the keys of each cell, from how many are in it.

    Codes -1 (missing) and -2 are the last two of each axis. As a wildcard a missing key matches
    all, and what has a value matches its equals and those in which it is missing.
    """
    if missing == "category":
        return table
    for axis in range(table.ndim):
        whole, table = table.sum(axis=axis), table + table.take([-1], axis=axis)
        np.moveaxis(table, axis, 0)[-1] = whole
    return table


def proportional_fit(table: Floats) -> Floats:
    """Return the table without higher interactions that has the same table for each pair of axes.

    Rounds end when no pair's table is off by more than 1e-6 of a record, or after a hundred.

    Examples
    --------
    >>> table = np.array([[[4.0, 0.0], [0.0, 4.0]], [[0.0, 4.0], [4.0, 0.0]]])
    >>> proportional_fit(table).ravel().tolist()  # only all three together tell anything
    [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0]
    """
    fitted = np.full(table.shape, table.sum() / table.size)
    rest = [
        tuple(axis for axis in range(table.ndim) if axis not in pair)
        for pair in combinations(range(table.ndim), 2)
    ]
    wanted = [table.sum(axis=axes, keepdims=True) for axes in rest]
    for _ in range(_ROUNDS):
        change = 0.0
        for axes, target in zip(rest, wanted, strict=True):
            margin = fitted.sum(axis=axes, keepdims=True)
            change = max(change, float(np.abs(margin - target).max()))
            fitted *= np.divide(target, margin, out=np.zeros_like(target), where=margin > 0)
        if change < _CHANGE:
            break
    return fitted
