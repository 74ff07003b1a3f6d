"""Data whose maximum lies at infinity: the log-likelihood must still reach its supremum."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from sudare.describe.regression.logit import collapse, fit_logit, predict, probabilities
from tests.describe.regression.logit.samples import sample

Floats = NDArray[np.float64]

CROSS = np.array([[a, b] for a in range(3) for b in range(2)])


def raked_log_likelihood(rows: NDArray[np.int64], counts: Floats, sweeps: int) -> float:
    """Plain iterative proportional fitting on the dense table, slow and sure."""
    total = counts.sum(axis=1, keepdims=True)
    fitted = np.ones_like(counts) * total / counts.shape[1]
    for _ in range(sweeps):
        for column in rows.T:
            for level in np.unique(column):
                own = column == level
                margin = fitted[own].sum(axis=0)
                ratio = counts[own].sum(axis=0) / np.where(margin > 0, margin, 1)
                fitted[own] *= ratio
            fitted *= total / fitted.sum(axis=1, keepdims=True)
    seen = counts > 0
    return float(counts[seen] @ np.log((fitted / total)[seen]))


def test_a_class_missing_at_a_level_gets_probability_zero_there() -> None:
    rows, counts = [[0, 0], [0, 1], [1, 0], [1, 1]], [[3, 2, 0], [1, 2, 0], [2, 1, 4], [2, 2, 1]]
    fit = fit_logit(rows, counts)
    assert fit.converged
    assert probabilities(fit, rows)[:2, 2].max() < 1e-40


def test_classes_separated_by_two_inputs_together_converge() -> None:
    # all level × class margins are positive, yet two opposite corners are empty
    rows = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    counts = np.array([[0, 2], [3, 1], [2, 2], [1, 3], [2, 1], [1, 1], [4, 2], [2, 0]])
    fit = fit_logit(rows, counts)
    assert fit.converged
    assert np.isfinite(probabilities(fit, rows)).all()


def test_complete_separation_predicts_every_record() -> None:
    rows, counts = [[0, 0], [0, 1], [1, 0], [1, 1]], [[9, 0], [4, 0], [3, 0], [0, 5]]
    fit = fit_logit(rows, counts)
    assert fit.converged
    assert fit.log_likelihood == pytest.approx(0, abs=1e-6)
    assert predict(fit, rows).tolist() == [0, 0, 0, 1]


def test_predictions_under_separation_do_not_depend_on_the_tolerance() -> None:
    inputs, target = sample(2_000, (9, 12, 30), 15, seed=5, strength=2.5)
    rows, counts = collapse(inputs, target)
    loose, tight = (fit_logit(rows, counts, tolerance=t) for t in (1e-8, 1e-12))
    assert loose.converged
    assert tight.converged
    assert np.array_equal(predict(loose, rows), predict(tight, rows))
    assert loose.log_likelihood == pytest.approx(tight.log_likelihood, rel=1e-8)


@settings(max_examples=150, deadline=None)
@given(arrays(np.float64, (6, 3), elements=st.sampled_from([0.0, 0.0, 1.0, 2.0, 5.0])))
def test_every_pattern_of_zeros_reaches_the_supremum(counts: Floats) -> None:
    if np.count_nonzero(counts.sum(axis=0)) < 2:
        return
    fit = fit_logit(CROSS, counts)
    used = counts.sum(axis=1) > 0
    assert fit.converged
    assert np.isfinite(fit.log_likelihood)
    assert fit.log_likelihood >= raked_log_likelihood(CROSS[used], counts[used], 300) - 1e-6
    p = probabilities(fit, CROSS)
    np.testing.assert_allclose(p.sum(axis=1), 1)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000), st.sampled_from([10, 40, 160]), st.sampled_from([0.0, 1.0, 4.0]))
def test_sparse_weighted_data_converge_and_the_tables_say_so(
    seed: int, n: int, spread: float
) -> None:
    inputs, target = sample(n, (4, 5, 3, 4), 5, seed, strength=3.0)
    if np.unique(target).size < 2:
        return
    weights = np.exp(np.random.default_rng(seed).normal(0, spread, n))
    rows, counts = collapse(inputs, target, weights)
    fit = fit_logit(rows, counts)
    seen = counts > 0
    from_tables = counts[seen] @ np.log(probabilities(fit, rows)[seen])
    assert fit.converged
    assert abs(fit.log_likelihood - from_tables) <= 1e-12 * counts.sum()


def test_empty_classes_have_probability_zero_and_are_never_predicted() -> None:
    rows, counts = [[0, 0], [0, 1], [1, 0]], [[0, 2, 0, 1], [0, 1, 0, 3], [0, 1, 0, 1]]
    fit = fit_logit(rows, counts)
    cross = [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert (probabilities(fit, cross)[:, [0, 2]] == 0).all()
    assert set(predict(fit, cross).tolist()) <= {1, 3}


def test_a_level_without_records_gets_the_mean_of_the_others() -> None:
    fit = fit_logit([[0], [2]], [[3, 1], [1, 3]], levels=[4])
    np.testing.assert_allclose(probabilities(fit, [[1], [3]]), 0.5)
    two = fit_logit([[0, 0], [2, 1], [0, 1]], [[3, 1], [1, 3], [2, 2]], levels=[4, 2])
    assert np.isfinite(probabilities(two, [[1, 0], [3, 1]])).all()


def test_rows_without_records_are_left_out() -> None:
    with_empty = fit_logit([[0, 0], [0, 1], [1, 1], [1, 0]], [[2, 1], [1, 2], [3, 1], [0, 0]])
    without = fit_logit([[0, 0], [0, 1], [1, 1]], [[2, 1], [1, 2], [3, 1]])
    assert with_empty.log_likelihood == without.log_likelihood


def test_a_combination_where_every_class_is_impossible_still_has_probabilities() -> None:
    rows, counts = [[0, 0], [1, 1], [1, 2], [0, 2]], [[2, 0], [0, 3], [1, 1], [1, 0]]
    fit = fit_logit(rows, counts)
    p = probabilities(fit, [[0, 1]])
    assert np.isfinite(p).all()
    assert p.sum() == pytest.approx(1)


def test_a_start_that_calls_a_class_impossible_can_be_left() -> None:
    rows, counts = [[0, 0], [0, 1], [1, 0], [1, 1]], [[3, 1], [2, 2], [2, 2], [1, 4]]
    wrong = fit_logit(rows, [[3, 0], [2, 0], [2, 2], [1, 4]])
    cold, warm = fit_logit(rows, counts), fit_logit(rows, counts, start=wrong.effects)
    assert warm.log_likelihood == pytest.approx(cold.log_likelihood, rel=1e-12)


def test_the_iteration_limit_is_reported() -> None:
    inputs, target = sample(2_000, (9, 12, 30), 15, seed=5, strength=2.5)
    fit = fit_logit(*collapse(inputs, target), max_iterations=1)
    assert (fit.converged, fit.reason) == (False, "iteration limit")
