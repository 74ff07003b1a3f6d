"""Association of categorical variables: Cramér's V (Sano and Hattori, eq. 7)."""

from collections.abc import Sequence

import numpy as np

from sudare.core.columns import Column
from sudare.core.types import Floats
from sudare.engine.counts import cross_table


def cramers_v(table: Floats) -> float:
    """Return Cramér's V of a cross table: 0 for independence, 1 for full dependence (eq. 7).

    Rows and columns without records are left out; with a single row or column left, V is NaN.

    Examples
    --------
    >>> cramers_v(np.array([[10, 0], [0, 10]]))
    1.0
    """
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape, default=0) < 2:
        return float("nan")
    total = table.sum()
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / total
    chi_square = ((table - expected) ** 2 / expected).sum()
    return float(np.sqrt(chi_square / (total * (min(table.shape) - 1))))


def cramers_matrix(columns: Sequence[Column], weights: Floats | None = None) -> Floats:
    """Return Cramér's V of every pair of columns, over the records that have both values."""
    size = len(columns)
    found = np.eye(size)
    for i in range(size):
        for j in range(i):
            table = cross_table([columns[i], columns[j]], weights)[:-2, :-2]
            found[i, j] = found[j, i] = cramers_v(table)
    return found
