"""Correlation of numbers with gaps, and its square root, for noise that moves columns together."""

import numpy as np

from sudare.core.types import Floats
from sudare.engine.moments import block_moments


def correlation(values: Floats) -> Floats:
    """Return the correlation matrix, each pair over the records that have both, shape (p, p).

    A constant column, or a pair that no two records have, is uncorrelated. Pairs over different
    records may contradict each other; the nearest possible matrix in the sense of
    :func:`possible` is returned.

    Parameters
    ----------
    values
        Shape (p, n): one row per column, NaN where a record has no value.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 3.0, np.nan])
    >>> correlation(np.stack([x, -x, np.ones(4)])).round(3).tolist()
    [[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    if not np.isnan(values).any():
        found = block_moments(values).correlation
    else:
        found = np.eye(len(values))
        for i in range(len(values)):
            for j in range(i):
                found[i, j] = found[j, i] = block_moments(values[[i, j]]).correlation[0, 1]
    found = np.nan_to_num(found, nan=0.0)
    np.fill_diagonal(found, 1.0)
    return possible(found)


def possible(matrix: Floats) -> Floats:
    """Return the correlation matrix with its negative eigenvalues raised to 0 and ones put back.

    Examples
    --------
    >>> possible(np.array([[1.0, 0.5], [0.5, 1.0]])).round(3).tolist()
    [[1.0, 0.5], [0.5, 1.0]]
    """
    sizes, directions = np.linalg.eigh(matrix)
    if sizes[0] >= 0:
        return matrix
    raised = (directions * np.maximum(sizes, 0)) @ directions.T
    sd = np.sqrt(np.diag(raised))
    corrected: Floats = raised / np.outer(sd, sd)
    return corrected


def root(matrix: Floats) -> Floats:
    """Return the symmetric square root of a positive semidefinite matrix, singular or not.

    Examples
    --------
    >>> half = root(np.array([[1.0, 1.0], [1.0, 1.0]]))
    >>> (half @ half).round(9).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    sizes, directions = np.linalg.eigh(matrix)
    half: Floats = (directions * np.sqrt(np.maximum(sizes, 0))) @ directions.T
    return half
