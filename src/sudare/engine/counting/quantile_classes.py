"""Classes of equal count: numbers cut at their quantiles, by one rule."""

import numpy as np

from sudare.core import MISSING, NOT_APPLICABLE, Floats, Integers, Numeric


def quantile_edges(column: Numeric, classes: int) -> Floats:
    """Return where numbers are cut so that about as many records fall into each class, ascending.

    Quantiles that coincide are one edge: a value that many records share makes fewer classes.
    Without any number there is no edge.
    """
    known = column.known
    if not known.any():
        return np.empty(0)
    copies = None if column.copies is None else column.copies[known]
    shares = np.linspace(0, 1, classes + 1)[1:-1]
    return np.unique(quantiles(column.values[known], shares, copies))


def quantile_codes(column: Numeric, edges: Floats) -> Integers:
    """Return the class of each number, from 0; -1 where it is missing, -2 where there is none.

    Classes are closed on the right: a number that is an edge belongs to the class below it, as a
    quantile is the number at or below which a share of the records lies.

    Examples
    --------
    >>> column = Numeric("x", np.array([1.0, 2.0, 2.5, np.nan]))
    >>> quantile_codes(column, np.array([2.0])).tolist()
    [0, 0, 1, -1]
    """
    codes = np.searchsorted(edges, column.values, side="left")
    codes[column.missing] = MISSING
    codes[column.not_applicable] = NOT_APPLICABLE
    return codes


def quantiles(values: Floats, shares: Floats, copies: Integers | None = None) -> Floats:
    """Return the values below which some shares of the records are, as ``np.quantile`` has them.

    Examples
    --------
    >>> quantiles(np.array([5.0, 1.0]), np.array([0.5, 0.75]), np.array([1, 3])).tolist()
    [1.0, 2.0]
    """
    if copies is None:
        return np.quantile(values, shares)
    order = np.argsort(values, kind="stable")
    levels, ends = values[order], np.cumsum(copies[order])
    rank = shares * (ends[-1] - 1)
    low = np.floor(rank).astype(np.int64)
    least, most = (
        levels[np.searchsorted(ends, np.minimum(i, ends[-1] - 1), "right")] for i in (low, low + 1)
    )
    part, gap = rank - low, most - least
    return np.where(part < 0.5, least + gap * part, most - gap * (1 - part))
