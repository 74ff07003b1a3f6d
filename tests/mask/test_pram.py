import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sudare
from sudare.core.columns import Categorical
from sudare.mask.pram import Pram, randomized, retention_matrix


@given(st.integers(1, 60), st.floats(0, 1))
def test_matrices_are_stochastic(categories: int, retain: float) -> None:
    matrix = retention_matrix(categories, retain)
    np.testing.assert_allclose(matrix.sum(axis=1), 1)
    assert (matrix >= 0).all()


def test_categories_move_as_often_as_the_matrix_says() -> None:
    matrix = np.array([[0.7, 0.2, 0.1], [0.0, 0.5, 0.5], [0.3, 0.0, 0.7]])
    codes = np.repeat([0, 1, 2], 100_000).astype(np.int32)
    drawn = randomized(codes, matrix, np.random.default_rng(1).random(len(codes)))
    found = np.bincount(codes * 3 + drawn, minlength=9).reshape(3, 3) / 100_000
    np.testing.assert_allclose(found, matrix, atol=0.006)
    assert found[1, 0] == 0
    assert found[2, 1] == 0


@pytest.mark.parametrize("draw", [0.0, 0.5, np.nextafter(1.0, 0.0)])
def test_the_extreme_draws_give_codes_that_are_possible(draw: float) -> None:
    matrix = np.tile([0.5, 0.5, 0.0], (3, 1))
    codes = np.array([0, 1, 2], np.int32)
    drawn = randomized(codes, matrix, np.full(3, draw))
    assert (matrix[codes, drawn] > 0).all()


@given(st.integers(2, 400), st.integers(0, 2**32))
def test_one_search_over_all_rows_is_the_search_in_each_row(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.dirichlet(np.ones(size), size)
    codes = rng.integers(0, size, 50).astype(np.int32)
    uniform = rng.random(50)
    by_row = [
        np.searchsorted(np.cumsum(matrix[c]), u, side="right")
        for c, u in zip(codes, uniform, strict=True)
    ]
    np.testing.assert_array_equal(randomized(codes, matrix, uniform), np.minimum(by_row, size - 1))


def test_frequencies_can_be_recovered_with_the_public_matrix() -> None:
    data = sudare.datasets.toy(50_000)
    masked = sudare.apply(data, Pram(retain=0.6, columns=("region",)), seed=1)
    public = masked.steps[0].public["region"]
    region, released = data["region"], masked.data["region"]
    assert isinstance(region, Categorical)
    assert isinstance(released, Categorical)
    observed = np.bincount(released.codes) / data.rows
    recovered = np.linalg.solve(public["matrix"].T, observed)
    np.testing.assert_allclose(recovered, np.bincount(region.codes) / data.rows, atol=0.01)


def test_a_matrix_of_one_keeps_and_of_zero_always_moves(toy: sudare.Microdata) -> None:
    kept = sudare.apply(toy, Pram(retain=1.0), seed=1).data
    assert kept.equals(toy)
    moved = sudare.apply(toy, Pram(retain=0.0, columns=("sex",)), seed=1).data
    assert sudare.loss.DirectComparison(columns=("sex",))(toy, moved).value == 1
