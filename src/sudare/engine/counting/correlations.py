"""Correlation of numbers with gaps, and its square root, for noise that moves columns together."""

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from sudare.core import Floats, Microdata, Moments
from sudare.engine.counting.algebra import eigen, rebuilt
from sudare.engine.counting.weighted_moments import block_moments, moments_of


def correlation(values: Floats) -> Floats:
    """Return the correlation matrix, each pair over the records that have both, shape (p, p).

    A constant column, or a pair that no two records have, is uncorrelated. Pairs over different
    records may contradict each other; the nearest possible matrix in the sense of
    :func:`possible` is returned. Values have one row per column, shape (p, n).

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 3.0, np.nan])
    >>> correlation(np.stack([x, -x, np.ones(4)])).round(3).tolist()
    [[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    return _correlation(lambda rows: block_moments(values[[*rows]]), len(values), values.shape[1])


def sd_and_correlation(data: Microdata, names: Sequence[str]) -> tuple[Floats, Floats]:
    """Return the standard deviations of columns of a table, in memory or not, and correlations.

    Standard deviations are over the records that have a value, shape (p,); for correlations see
    :func:`correlation`, shape (p, p).
    """
    moments = cache(lambda positions: moments_of(data, [names[number] for number in positions]))
    matrix = _correlation(moments, len(names), data.records)
    whole = moments(tuple(range(len(names))))
    if whole.weight == data.records:
        return whole.sd, matrix
    return np.array([moments((number,)).sd[0] for number in range(len(names))]), matrix


def _correlation(
    moments: Callable[[tuple[int, ...]], Moments], columns: int, records: int
) -> Floats:
    whole = moments(tuple(range(columns)))
    matrix = whole.correlation
    if whole.weight < records:
        for i in range(columns):
            for j in range(i):
                matrix[i, j] = matrix[j, i] = moments((i, j)).correlation[0, 1]
    matrix = np.nan_to_num(matrix, nan=0.0)
    np.fill_diagonal(matrix, 1.0)
    return possible(matrix)


def possible(matrix: Floats) -> Floats:
    """Return the correlation matrix with its negative eigenvalues raised to 0 and ones put back.

    Examples
    --------
    >>> possible(np.array([[1.0, 0.5], [0.5, 1.0]])).round(3).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    sizes, directions = eigen(matrix)
    if sizes[0] >= 0:
        return matrix
    raised = rebuilt(np.maximum(sizes, 0), directions)
    sd = np.sqrt(np.diag(raised))
    return raised / np.outer(sd, sd)


def root(matrix: Floats) -> Floats:
    """Return the symmetric square root of a positive semidefinite matrix, singular or not.

    Examples
    --------
    >>> half = root(np.array([[1.0, 1.0], [1.0, 1.0]]))
    >>> (half @ half).round(9).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    sizes, directions = eigen(matrix)
    return rebuilt(np.sqrt(np.maximum(sizes, 0)), directions)
