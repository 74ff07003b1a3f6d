"""Products, eigenvectors and inverses whose digits do not depend on threads or libraries."""

import numpy as np

from sudare.core import Array, Floats

_TERMS = 1024  # of a product at a time, so that they stay in the cache
_NO_VARIANCE = 1e-12  # a share of the largest eigenvalue that is rounding


def product(left: Array, right: Array) -> Floats:
    """Return ``left @ right``, shapes (p, q) and (q, n), added up in an order of our own.

    Examples
    --------
    >>> product(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]])).tolist()
    [[11.0]]
    """
    from sudare.engine.counting._kernels_algebra import add_product

    if right.shape[1] < min(left.shape[0], 8):  # long rows are what the kernel is fast on
        return product(right.T, left.T).T
    out = np.zeros((left.shape[0], right.shape[1]))
    for start in range(0, left.shape[1], _TERMS):  # the order of terms stays
        terms = slice(start, start + _TERMS)
        add_product(_owned(left[:, terms]), _owned(right[terms]), out)
    return out


def times(matrix: Array, vector: Array) -> Floats:
    """Return ``matrix @ vector``, shapes (p, q) and (q,), in the same order."""
    return product(matrix, vector[:, None])[:, 0]


def eigen(matrix: Floats) -> tuple[Floats, Floats]:
    """Return the eigenvalues of a symmetric matrix, ascending, and its eigenvectors as columns.

    Examples
    --------
    >>> values, vectors = eigen(np.array([[2.0, 1.0], [1.0, 2.0]]))
    >>> values.round(9).tolist(), np.abs(vectors).round(3).tolist()
    ([1.0, 3.0], [[0.707, 0.707], [0.707, 0.707]])
    """
    from sudare.engine.counting._kernels_algebra import diagonalize, tridiagonal

    size = len(matrix)
    power = int(
        np.frexp(np.abs(matrix).max(initial=0.0))[1]
    )  # squares must neither run over nor out
    reduced = np.ldexp(matrix, -power)
    turned, diagonal, beside = np.eye(size), np.empty(size), np.empty(size)
    tridiagonal(np.ascontiguousarray(reduced), turned, diagonal, beside)
    diagonalize(diagonal, beside, turned)
    order = np.argsort(diagonal, kind="stable")
    return np.ldexp(diagonal[order], power), turned[order].T


def rebuilt(values: Floats, vectors: Floats) -> Floats:
    """Return the symmetric matrix of some eigenvalues and eigenvectors, shape (p, p)."""
    return product(vectors * values, vectors.T)


def pseudoinverse(matrix: Floats) -> Floats:
    """Return the inverse of a positive semidefinite matrix on the space where it has one.

    Examples
    --------
    >>> pseudoinverse(np.array([[4.0, 0.0], [0.0, 0.0]])).tolist()
    [[0.25, 0.0], [0.0, 0.0]]
    """
    values, vectors = eigen(matrix)
    there = values > _NO_VARIANCE * values[-1]
    return rebuilt(np.divide(1.0, values, out=np.zeros_like(values), where=there), vectors)


def _owned(matrix: Array) -> Floats:
    """Return an array of one layout that may be written: the kernel is compiled for these only."""
    return np.require(matrix, np.float64, ["C", "W"])
