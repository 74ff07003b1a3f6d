import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder

from sudare.describe.regression.logit import Fit, collapse, fit_logit, predict, probabilities
from sudare.describe.regression.logit.ascent import (
    information_times,
    margin_gap,
    maximize,
    open_cells,
    softmax,
)
from tests.describe.regression.logit.samples import sample

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Data = tuple[list[Ints], Ints]


def log_likelihood(fit: Fit, rows: Ints, counts: Floats) -> float:
    seen = counts > 0
    return float(counts[seen] @ np.log(probabilities(fit, rows)[seen]))


def margins(rows: Ints, table: Floats) -> list[Floats]:
    """Sum of a (rows, classes) table over the rows of each level, the obvious way."""
    return [
        np.array([table[column == level].sum(axis=0) for level in range(column.max() + 1)])
        for column in rows.T
    ]


def test_fitted_margins_equal_observed_margins(well_posed: Data) -> None:
    rows, counts = collapse(*well_posed)
    fit = fit_logit(rows, counts)
    expected = probabilities(fit, rows) * counts.sum(axis=1, keepdims=True)
    for fitted, observed in zip(margins(rows, expected), margins(rows, counts), strict=True):
        np.testing.assert_allclose(fitted, observed, atol=1e-4)
    assert fit.converged
    assert fit.gradient_norm <= 1e-9


def test_it_agrees_with_scikit_learn_without_penalty(well_posed: Data) -> None:
    inputs, target = well_posed
    rows, counts = collapse(inputs, target)
    fit = fit_logit(rows, counts)
    encoder = OneHotEncoder(drop="first", sparse_output=False)
    design = encoder.fit_transform(np.stack(inputs, axis=1))
    peer = LogisticRegression(C=np.inf, solver="newton-cg", tol=1e-10, max_iter=1000)
    peer.fit(design, target)
    theirs = peer.predict_log_proba(design)[np.arange(target.size), target].sum()
    assert fit.log_likelihood == pytest.approx(theirs, rel=1e-9)
    assert np.array_equal(predict(fit, np.stack(inputs, axis=1)), peer.predict(design))
    for number, table in enumerate(fit.effects):  # the formula for R's coefficients in Fit's Notes
        ours = table - table[:1] - table[:, :1] + table[0, 0]
        at = sum(len(e) - 1 for e in fit.effects[:number])
        coefficients = peer.coef_[:, at : at + len(table) - 1].T
        np.testing.assert_allclose(ours[1:], coefficients - coefficients[:, :1], atol=1e-4)


def test_the_reported_log_likelihood_is_that_of_the_tables(well_posed: Data) -> None:
    rows, counts = collapse(*well_posed)
    fit = fit_logit(rows, counts)
    assert fit.log_likelihood == pytest.approx(log_likelihood(fit, rows, counts), rel=1e-12)


def test_gradient_is_that_of_finite_differences(well_posed: Data) -> None:
    rows, counts = collapse(*well_posed)
    cells = open_cells(rows, counts, (3, 4, 5))
    rng = np.random.default_rng(0)
    effects, direction = rng.normal(size=(2, cells.observed.size))

    def value(at: Floats) -> float:
        return float(cells.counts @ np.log(softmax(cells, at) / cells.per_cell(cells.totals)))

    gap, _ = margin_gap(cells, softmax(cells, effects))
    slope = (value(effects + 1e-5 * direction) - value(effects - 1e-5 * direction)) / 2e-5
    assert gap @ direction == pytest.approx(slope, rel=1e-6)


def test_information_is_that_of_the_dense_matrix() -> None:
    inputs, target = sample(500, (2, 3), 3, seed=3)
    rows, counts = collapse(inputs, target)
    cells = open_cells(rows, counts, (2, 3))
    rng = np.random.default_rng(0)
    effects, vector = rng.normal(size=(2, cells.observed.size))
    dense = np.zeros((15, 15))
    for row, total in zip(rows, counts.sum(axis=1), strict=True):
        at = [[level * 3 + k for level in (row[0], 2 + row[1])] for k in range(3)]
        design = np.zeros((3, 15))
        for k in range(3):
            design[k, at[k]] = 1
        p = np.exp(design @ effects)
        p /= p.sum()
        dense += total * design.T @ (np.diag(p) - np.outer(p, p)) @ design
    fast = information_times(cells, softmax(cells, effects), vector)
    np.testing.assert_allclose(fast, dense @ vector, rtol=1e-10)


def test_one_input_is_the_share_within_each_level() -> None:
    fit = fit_logit([[0], [1], [2]], [[2, 1, 1], [0, 3, 1], [5, 0, 0]])
    expected = np.array([[0.5, 0.25, 0.25], [0, 0.75, 0.25], [1, 0, 0]])
    np.testing.assert_allclose(probabilities(fit, [[0], [1], [2]]), expected, atol=1e-15)
    assert (fit.iterations, fit.reason) == (0, "closed form")


def test_the_closed_form_equals_the_iteration() -> None:
    inputs, target = sample(3_000, (7,), 5, seed=2)
    rows, counts = collapse(inputs, target)
    cells = open_cells(rows, counts, (len(rows),))
    end = maximize(cells, np.zeros(cells.observed.size), 1e-9, 50)
    assert fit_logit(rows, counts).log_likelihood == pytest.approx(end.log_likelihood, rel=1e-12)


def test_a_constant_input_changes_nothing(well_posed: Data) -> None:
    inputs, target = well_posed
    plain = fit_logit(*collapse(inputs, target))
    constant = fit_logit(*collapse([*inputs, np.zeros_like(target)], target))
    assert constant.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-12)


def test_an_input_given_twice_changes_nothing(well_posed: Data) -> None:
    inputs, target = well_posed
    plain = fit_logit(*collapse(inputs, target))
    twice_rows, counts = collapse([*inputs, inputs[1]], target)
    twice = fit_logit(twice_rows, counts)
    assert twice.converged
    assert twice.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-12)
    assert np.array_equal(predict(twice, twice_rows), predict(plain, twice_rows[:, :3]))


def test_integer_weights_are_repeated_records(well_posed: Data) -> None:
    inputs, target = well_posed
    weights = np.random.default_rng(0).integers(1, 4, target.size)
    weighted = fit_logit(*collapse(inputs, target, weights))
    repeated = fit_logit(
        *collapse([np.repeat(codes, weights) for codes in inputs], np.repeat(target, weights))
    )
    assert weighted.log_likelihood == repeated.log_likelihood
    assert all(map(np.array_equal, weighted.effects, repeated.effects))


def test_scaled_weights_scale_the_log_likelihood_only(well_posed: Data) -> None:
    rows, counts = collapse(*well_posed)
    plain, scaled = fit_logit(rows, counts), fit_logit(rows, counts * 1e-3)
    assert scaled.log_likelihood == pytest.approx(plain.log_likelihood * 1e-3, rel=1e-12)


def test_the_order_of_records_and_repeated_rows_do_not_matter(well_posed: Data) -> None:
    inputs, target = well_posed
    order = np.random.default_rng(0).permutation(target.size)
    plain = fit_logit(*collapse(inputs, target))
    shuffled = fit_logit(*collapse([codes[order] for codes in inputs], target[order]))
    assert all(map(np.array_equal, plain.effects, shuffled.effects))
    every_record = fit_logit(np.stack(inputs, axis=1), np.eye(4)[target])
    assert every_record.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-12)


def test_a_start_from_a_smaller_model_ends_at_the_same_place(well_posed: Data) -> None:
    inputs, target = well_posed
    small = fit_logit(*collapse(inputs[:2], target))
    rows, counts = collapse(inputs, target)
    cold, warm = fit_logit(rows, counts), fit_logit(rows, counts, start=[*small.effects, None])
    assert warm.log_likelihood == pytest.approx(cold.log_likelihood, rel=1e-12)
    assert fit_logit(rows, counts, start=cold.effects).iterations == 0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_an_input_more_never_lowers_the_log_likelihood(seed: int) -> None:
    inputs, target = sample(300, (3, 4, 3), 4, seed)
    values = [fit_logit(*collapse(inputs[:q], target)).log_likelihood for q in (1, 2, 3)]
    assert values[0] <= values[1] + 1e-6
    assert values[1] <= values[2] + 1e-6


def test_ties_go_to_the_lowest_class() -> None:
    rows, counts = [[0, 0], [0, 1], [1, 0], [1, 1]], [[0, 3, 3], [0, 2, 2], [1, 2, 2], [0, 1, 1]]
    assert predict(fit_logit(rows, counts), rows).tolist() == [1, 1, 1, 1]


def test_the_repr_shows_no_effects(well_posed: Data) -> None:
    text = repr(fit_logit(*collapse(*well_posed)))
    assert "effects" not in text
    assert "array" not in text


@pytest.mark.parametrize(
    ("rows", "counts", "words"),
    [
        ([[0], [1]], [[1, 0], [2, 0]], "fewer than two categories"),
        ([[0], [1]], [[1, 2]], "shape"),
        ([0, 1], [[1, 2], [2, 1]], "shape"),
        ([[0], [1]], [[1, -2], [2, 1]], "not negative"),
        ([[0], [1]], [[1, np.nan], [2, 1]], "finite"),
        ([[0], [-1]], [[1, 2], [2, 1]], "integer codes"),
    ],
)
def test_bad_tables_are_refused_with_the_reason(rows, counts, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=words):
        fit_logit(rows, counts)


def test_settings_that_do_not_fit_the_table_are_refused() -> None:
    rows, counts = [[0, 0], [1, 1], [1, 0]], [[1, 2], [2, 1], [1, 1]]
    with pytest.raises(ValueError, match="levels"):
        fit_logit(rows, counts, levels=[2, 1])
    with pytest.raises(ValueError, match="start has 1 tables"):
        fit_logit(rows, counts, start=[None])
    with pytest.raises(ValueError, match="start of input 1"):
        fit_logit(rows, counts, start=[None, np.zeros((3, 2))])
    with pytest.raises(ValueError, match="beyond the 2 levels"):
        predict(fit_logit(rows, counts), [[0, 2]])
    with pytest.raises(ValueError, match="1 inputs, the fit has 2"):
        probabilities(fit_logit(rows, counts), [[0]])
