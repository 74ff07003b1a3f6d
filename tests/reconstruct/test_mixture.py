import numpy as np
import pytest
from hypothesis import given, strategies as st

from sudare.reconstruct.mixture import Matrix, joined, maximize


def blurred(seed: int, seen: int, true: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.full(seen, 0.5), true).T


@given(st.integers(0, 2**32), st.integers(1, 12), st.integers(1, 12))
def test_the_likelihood_never_falls_and_shares_stay_shares(seed: int, seen: int, true: int) -> None:
    rng = np.random.default_rng(seed)
    observed = rng.dirichlet(np.ones(seen))
    start = np.full(true, 1 / true)
    ascent = maximize(
        Matrix(blurred(seed, seen, true)), observed, start, rounds=30, tolerance=1e-12
    )
    assert (np.diff(ascent.log_likelihood) > 0).all()
    assert (ascent.shares >= 0).all()
    assert ascent.shares.sum() == pytest.approx(1)


def test_what_was_mixed_is_found_again() -> None:
    true = np.array([0.5, 0.2, 0.2, 0.1])
    matrix = 0.6 * np.eye(4) + 0.1
    ascent = maximize(Matrix(matrix), matrix @ true, np.full(4, 0.25), rounds=500, tolerance=1e-15)
    np.testing.assert_allclose(ascent.shares, true, atol=1e-5)
    assert ascent.converged


def test_the_maximum_satisfies_the_conditions_of_optimality() -> None:
    rng = np.random.default_rng(3)
    matrix, observed = blurred(3, 30, 8), rng.dirichlet(np.ones(30))
    ascent = maximize(Matrix(matrix), observed, np.full(8, 1 / 8), rounds=5000, tolerance=0)
    slope = matrix.T @ (observed / (matrix @ ascent.shares))
    assert slope.max() <= 1 + 1e-4  # no direction gains
    np.testing.assert_allclose(slope[ascent.shares > 1e-3], 1, atol=1e-3)


def test_rounds_are_a_limit() -> None:
    matrix = 0.1 * np.eye(4) + 0.225
    observed = np.array([0.3, 0.25, 0.25, 0.2])
    ascent = maximize(Matrix(matrix), observed, np.full(4, 0.25), rounds=1, tolerance=0)
    assert len(ascent.log_likelihood) == 2
    assert not ascent.converged


def test_a_shorter_ascent_stays_where_it_ended() -> None:
    mean = joined([np.array([0.0, 1.0]), np.array([0.0, 2.0, 4.0])], [1.0, 1.0])
    assert mean.tolist() == [0, 1.5, 2.5]
