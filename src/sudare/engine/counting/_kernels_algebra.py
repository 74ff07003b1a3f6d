"""Kernels of linear algebra in an order of our own: the same digits on any number of threads.

A library for matrices adds up in an order that depends on its build, on the processor and on the
number of threads. What decides a draw must not. Each kernel has a NumPy twin in the tests.
"""

import math

from sudare.core import FloatMatrix, FloatVector, inlined, kernel

_BLOCK = 512  # columns of a product that stay in the cache
_LEAST = 2.0**-52
_MOST_TURNS = 60  # an eigenvalue takes two on average


@kernel
def add_product(left: FloatMatrix, right: FloatMatrix, out: FloatMatrix) -> None:
    """Add ``left @ right``, shapes (p, q) and (q, n), to ``out``; terms in ascending order of q."""
    terms, columns = left.shape[1], right.shape[1]
    fours = terms - terms % 4
    for start in range(0, columns, _BLOCK):
        end = min(start + _BLOCK, columns)
        for i in range(left.shape[0]):
            for k in range(0, fours, 4):
                a, b, c, d = left[i, k], left[i, k + 1], left[i, k + 2], left[i, k + 3]
                for j in range(start, end):
                    total = out[i, j] + a * right[k, j]
                    total = total + b * right[k + 1, j]
                    total = total + c * right[k + 2, j]
                    out[i, j] = total + d * right[k + 3, j]
            for k in range(fours, terms):
                a = left[i, k]
                for j in range(start, end):
                    out[i, j] += a * right[k, j]


@kernel
def tridiagonal(
    matrix: FloatMatrix, turned: FloatMatrix, diagonal: FloatVector, beside: FloatVector
) -> None:
    """Turn a symmetric matrix by reflections until only three diagonals are left.

    Parameters
    ----------
    matrix
        Shape (p, p); overwritten.
    turned
        The identity, shape (p, p). Afterwards ``turned @ matrix @ turned.T`` is tridiagonal.
    diagonal, beside
        For the diagonal, and for what is beside it (the last entry is 0), shape (p,).

    References
    ----------
    Householder (1958). Unitary triangularization of a nonsymmetric matrix. Journal of the ACM 5(4).
    """
    size = matrix.shape[0]
    for k in range(size - 2):
        length = 0.0
        for i in range(k + 1, size):
            length += matrix[k, i] * matrix[k, i]
        length = math.sqrt(length)
        if length > 0:
            _reflect(matrix, turned, k, math.copysign(length, matrix[k, k + 1]), beside)
    for i in range(size):
        diagonal[i] = matrix[i, i]
        beside[i] = matrix[i, i + 1] if i + 1 < size else 0.0


@inlined
def _reflect(
    matrix: FloatMatrix, turned: FloatMatrix, k: int, length: float, pushed: FloatVector
) -> None:
    """Reflect rows and columns beyond k so that row k has one entry beyond its diagonal."""
    size = matrix.shape[0]
    mirror = matrix[k]  # what is beyond k becomes the vector of the mirror
    mirror[k + 1] += length
    factor = 1.0 / (length * mirror[k + 1])
    for i in range(k + 1, size):
        pushed[i] = 0.0
    for j in range(k + 1, size):
        weight = factor * mirror[j]
        for i in range(k + 1, size):
            pushed[i] += weight * matrix[j, i]
    half = 0.0
    for i in range(k + 1, size):
        half += pushed[i] * mirror[i]
    half *= factor / 2
    for i in range(k + 1, size):
        pushed[i] -= half * mirror[i]
    for j in range(k + 1, size):
        own, other = mirror[j], pushed[j]
        for i in range(k + 1, size):
            matrix[j, i] -= own * pushed[i] + other * mirror[i]
    _reflect_rows(turned, mirror, k, factor, pushed)
    mirror[k + 1] = -length


@inlined
def _reflect_rows(
    turned: FloatMatrix, mirror: FloatVector, k: int, factor: float, pushed: FloatVector
) -> None:
    """Reflect the rows beyond k of what turns the matrix."""
    size = turned.shape[0]
    for column in range(size):
        pushed[column] = 0.0
    for j in range(k + 1, size):
        weight = factor * mirror[j]
        for column in range(size):
            pushed[column] += weight * turned[j, column]
    for j in range(k + 1, size):
        own = mirror[j]
        for column in range(size):
            turned[j, column] -= own * pushed[column]


@kernel
def diagonalize(diagonal: FloatVector, beside: FloatVector, turned: FloatMatrix) -> None:
    """Turn a tridiagonal matrix until only its diagonal is left: the eigenvalues.

    Parameters
    ----------
    diagonal, beside
        As :func:`tridiagonal` leaves them, shape (p,).
    turned
        Turned along, shape (p, p): afterwards its rows are the eigenvectors.

    References
    ----------
    Dubrulle, Martin and Wilkinson (1968). The implicit QL algorithm. Numerische Mathematik 12.
    """
    size = diagonal.shape[0]
    for first in range(size):
        for _ in range(_MOST_TURNS):
            last = _end_of_block(diagonal, beside, first)
            if last == first:
                break
            _chase(diagonal, beside, turned, first, last)


@inlined
def _end_of_block(diagonal: FloatVector, beside: FloatVector, first: int) -> int:
    """Return the first place from here on that nothing beside it connects with the next."""
    for index in range(first, diagonal.shape[0] - 1):
        near = abs(diagonal[index]) + abs(diagonal[index + 1])
        if abs(beside[index]) <= _LEAST * near:
            return index
    return int(diagonal.shape[0] - 1)


@inlined
def _chase(
    diagonal: FloatVector, beside: FloatVector, turned: FloatMatrix, first: int, last: int
) -> None:
    """Shift by the eigenvalue nearest to the first entry, and turn from the last back to it."""
    half = (diagonal[first + 1] - diagonal[first]) / (2 * beside[first])
    reach = half + math.copysign(math.sqrt(half * half + 1.0), half)
    bulge = diagonal[last] - diagonal[first] + beside[first] / reach
    sine, cosine, moved = 1.0, 1.0, 0.0
    for i in range(last - 1, first - 1, -1):
        off, kept = sine * beside[i], cosine * beside[i]
        length = math.sqrt(off * off + bulge * bulge)
        beside[i + 1] = length
        if length == 0:
            diagonal[i + 1] -= moved
            beside[last] = 0.0
            return
        sine, cosine = off / length, bulge / length
        bulge = diagonal[i + 1] - moved
        length = (diagonal[i] - bulge) * sine + 2 * cosine * kept
        moved = sine * length
        diagonal[i + 1] = bulge + moved
        bulge = cosine * length - kept
        _turn(turned[i], turned[i + 1], sine, cosine)
    diagonal[first] -= moved
    beside[first] = bulge
    beside[last] = 0.0


@inlined
def _turn(row: FloatVector, next_row: FloatVector, sine: float, cosine: float) -> None:
    for column in range(row.shape[0]):
        own, other = row[column], next_row[column]
        next_row[column] = sine * own + cosine * other
        row[column] = cosine * own - sine * other
