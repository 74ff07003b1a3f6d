"""Robust distances: how far out records are, outliers having no say in what is ordinary."""

import numpy as np

from sudare.core import Floats

_NONE = 1e-9  # a median absolute deviation of this share of the standard deviation is none
_NORMAL = 1.4826022185056018  # median absolute deviation to standard deviation, normal distribution


def spreads(values: Floats) -> Floats:
    """Return the scaled median absolute deviation of each column, or the sd where it is 0."""
    deviation = _NORMAL * np.median(np.abs(values - np.median(values, axis=0)), axis=0)
    plain = values.std(axis=0)
    return np.where(deviation > _NONE * plain, deviation, plain)


def mahalanobis(values: Floats) -> Floats:
    """Return the robust Mahalanobis distance of each record from the center, shape (n,).

    The covariance is the orthogonalized Gnanadesikan–Kettenring estimate with medians and median
    absolute deviations. A missing value is taken to be the median of its column; columns that do
    not vary do not count.

    Parameters
    ----------
    values
        Shape (n, p), NaN where missing.

    References
    ----------
    Maronna and Zamar (2002). Robust estimates of location and dispersion for high-dimensional
    datasets. Technometrics 44(4).

    Examples
    --------
    >>> mahalanobis(np.array([[1.0], [2.0], [3.0], [4.0], [30.0]])).round(2).tolist()
    [1.35, 0.67, 0.0, 0.67, 18.21]
    """
    filled = values.copy()
    for column in filled.T:
        unknown = np.isnan(column)
        column[unknown] = np.median(column[~unknown]) if not unknown.all() else 0.0
    varies = spreads(filled) > 0
    if not varies.any():
        return np.zeros(len(values))
    scaled = filled[:, varies] / spreads(filled[:, varies])
    _, directions = np.linalg.eigh(_pairwise(scaled))
    turned = scaled @ directions
    width = spreads(turned)
    outward = (turned - np.median(turned, axis=0)) / np.where(width > 0, width, 1.0)
    return np.sqrt((outward**2).sum(axis=1))


def _pairwise(scaled: Floats) -> Floats:
    """Return robust correlations: (s(x + y)² − s(x − y)²) / 4 for every pair of columns."""
    p = scaled.shape[1]
    correlations = np.eye(p)
    for first in range(p):
        for second in range(first):
            pair = np.column_stack(
                [scaled[:, first] + scaled[:, second], scaled[:, first] - scaled[:, second]]
            )
            both, apart = spreads(pair) ** 2
            correlations[first, second] = correlations[second, first] = (both - apart) / 4
    return correlations
