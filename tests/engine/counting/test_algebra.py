"""Products and eigenvectors in our own order are those of the library, up to rounding."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare.core.types import Floats
from sudare.engine.counting.algebra import eigen, product, pseudoinverse, rebuilt, times

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(1, 12)


def numbers(seed: int, *shape: int) -> Floats:
    return np.random.default_rng(seed).normal(size=shape)


def one_by_one(left: Floats, right: Floats) -> Floats:
    """The twin of the kernel: terms are added in ascending order."""
    out = np.zeros((len(left), right.shape[1]))
    for k in range(left.shape[1]):
        out += left[:, k, None] * right[k]
    return out


@given(seeds, sizes, sizes, sizes)
def test_a_product_is_its_terms_added_in_order(seed: int, p: int, q: int, n: int) -> None:
    left, right = numbers(seed, p, q), numbers(seed + 1, q, n)
    np.testing.assert_array_equal(product(left, right), one_by_one(left, right))
    np.testing.assert_array_equal(times(left, right[:, 0]), one_by_one(left, right)[:, 0])


def test_a_part_of_the_columns_has_the_digits_of_the_whole() -> None:
    left, right = numbers(1, 7, 9), numbers(2, 9, 1500)
    whole = product(left, right)
    np.testing.assert_array_equal(product(left, right[:, 400:1100]), whole[:, 400:1100])
    right.flags.writeable = False
    np.testing.assert_array_equal(product(left, right), whole)


@given(seeds, st.integers(1, 25), st.integers(0, 25))
def test_eigenvectors_put_the_matrix_together_again(seed: int, size: int, rank: int) -> None:
    half = numbers(seed, size, rank)
    matrix = half @ half.T
    values, vectors = eigen(matrix)
    scale = max(np.abs(matrix).max(), 1.0)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(matrix), atol=1e-12 * scale)
    np.testing.assert_allclose(rebuilt(values, vectors), matrix, atol=1e-12 * scale)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(size), atol=1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e-8, 1e300])
def test_numbers_of_any_size_have_eigenvalues(scale: float) -> None:
    values, _ = eigen(np.array([[2.0, 1.0], [1.0, 2.0]]) * scale)
    np.testing.assert_allclose(values, [scale, 3 * scale], rtol=1e-12)


def test_equal_and_empty_matrices_have_eigenvectors_too() -> None:
    for matrix in (np.eye(4), np.zeros((3, 3)), np.ones((5, 5)), np.diag([3.0, 1.0, 2.0])):
        values, vectors = eigen(matrix)
        np.testing.assert_allclose(rebuilt(values, vectors), matrix, atol=1e-14)


@given(seeds, st.integers(1, 8), st.integers(1, 8))
def test_a_pseudoinverse_undoes_the_matrix_where_it_can(seed: int, size: int, rank: int) -> None:
    half = np.round(numbers(seed, size, rank), 1)
    matrix = half @ half.T
    if np.linalg.matrix_rank(half) == min(size, rank) and np.linalg.cond(half) < 1e3:
        inverse = pseudoinverse(matrix)
        np.testing.assert_allclose(matrix @ inverse @ matrix, matrix, atol=1e-6 * matrix.max())
