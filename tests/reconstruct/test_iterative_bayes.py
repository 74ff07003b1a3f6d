from functools import reduce

import numpy as np
import pytest

import sudare
from sudare.core.methods.channels import BoundedNoise, Replacement
from sudare.core.table.categorical import Categorical
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.mask import BoundedLaplace, Pram, RetentionReplacement
from sudare.reconstruct import IterativeBayes
from sudare.reconstruct.histograms.histogram import (
    HistogramAxis,
    HistogramEstimate,
    Kronecker,
    class_transition,
)


def histogram(method: IterativeBayes, masked: sudare.Masked[Microdata]) -> HistogramEstimate:
    estimate = method.fit(masked.data, masked.steps)
    assert isinstance(estimate, HistogramEstimate)
    return estimate


def test_factors_by_axis_are_the_kronecker_product() -> None:
    uneven = np.array([[0.9, 0.1], [0.4, 0.6]])
    even = Replacement(("a", "b", "c"), 0.3)
    codes = np.zeros(1, np.int64)
    axes = [
        HistogramAxis(("x", "y"), codes, uneven),
        HistogramAxis(even.labels, codes, even.matrix(), even.retain),
        HistogramAxis((1, 2), codes, None),
    ]
    whole = reduce(np.kron, [uneven, even.matrix(), np.eye(2)])
    vector = np.random.default_rng(1).random(12)
    np.testing.assert_allclose(Kronecker(axes).seen(vector), whole.T @ vector)
    np.testing.assert_allclose(Kronecker(axes).true(vector), whole @ vector)


@pytest.mark.parametrize("scale", [0.05, 1.0, 30.0, np.inf])
def test_the_transition_of_classes_is_stochastic(scale: float) -> None:
    matrix = class_transition(BoundedNoise(0.0, 2.0, scale), np.linspace(0, 2, 9))
    np.testing.assert_allclose(matrix.sum(axis=1), 1)
    assert (matrix >= 0).all()


def test_two_categories_by_hand() -> None:
    """60 of 100 published as x; with ρ = 0.5 that is 0.25 + 0.5·p = 0.6, so p = 0.7."""
    data = Microdata((Categorical("c", np.repeat([0, 1], [60, 40]), ("x", "y"), role="key"),))
    step = RetentionReplacement(retain=0.5).fit(data).step
    estimate = IterativeBayes(tolerance=1e-15).fit(data, [step])
    assert isinstance(estimate, HistogramEstimate)
    np.testing.assert_allclose(estimate.table, [0.7, 0.3], atol=1e-5)
    np.testing.assert_allclose(estimate.weights[[0, -1]], [0.7 / 0.6, 0.3 / 0.4], atol=1e-4)


def test_a_cross_table_comes_near_the_true_one() -> None:
    data = sudare.datasets.toy(40_000, seed=5)
    masked = sudare.apply(data, RetentionReplacement(retain=0.5), seed=1)
    columns = ("sex", "education", "condition")
    estimate = histogram(IterativeBayes(columns=columns), masked)
    true = sudare.apply(data, [], seed=1).data
    cells = np.ravel_multi_index([true[n].coded.codes for n in columns], estimate.table.shape)
    shares = np.bincount(cells, minlength=estimate.table.size) / data.rows
    assert np.abs(estimate.table.ravel() - shares).max() < 0.01
    assert estimate.axes[2] == ("none", "chronic")


def test_numbers_that_are_even_within_classes_are_estimated() -> None:
    rng = np.random.default_rng(5)
    shares, edges = np.array([0.1, 0.5, 0.3, 0.1]), np.linspace(0, 100, 5)
    values = 25 * rng.choice(4, 40_000, p=shares) + rng.uniform(0, 25, 40_000)
    data = Microdata((Numeric("age", values, role="key"),))
    masked = sudare.apply(data, BoundedLaplace(scale_ratio=0.2, bounds={"age": (0, 100)}), seed=1)
    estimate = histogram(IterativeBayes(classes=4), masked)
    noisy = masked.data["age"]
    assert isinstance(noisy, Numeric)
    published = np.histogram(noisy.values, edges)[0] / data.rows
    assert np.abs(published - shares).max() > 0.05
    assert np.abs(estimate.table - shares).max() < 0.02
    assert estimate.axes[0][0] == (0.0, 25.0)


def test_a_matrix_that_pram_published_is_used() -> None:
    data = sudare.datasets.toy(40_000, seed=5)
    masked = sudare.apply(data, Pram(retain=0.5, columns=("region",)), seed=1)
    estimate = histogram(IterativeBayes(columns=("region",)), masked)
    true = np.bincount(data["region"].coded.codes) / data.rows
    np.testing.assert_allclose(estimate.table, true, atol=0.01)


def test_records_with_an_absent_value_have_weight_one() -> None:
    data = sudare.datasets.toy(2000)
    masked = sudare.apply(data, RetentionReplacement(), seed=1)
    estimate = histogram(IterativeBayes(columns=("occupation",)), masked)
    assert (estimate.weights[~data["occupation"].known] == 1).all()


def test_too_many_cells_are_refused() -> None:
    data = sudare.datasets.toy()
    noise = BoundedLaplace(columns=("age", "income"))
    masked = sudare.apply(data, [RetentionReplacement(), noise], seed=1)
    with pytest.raises(sudare.errors.SettingError, match="name fewer columns"):
        IterativeBayes(classes=500).fit(masked.data, masked.steps)


def test_columns_that_no_record_publishes_together_have_no_table() -> None:
    data = sudare.datasets.toy(500)
    masked = sudare.apply(data, sudare.mask.PkSampling(k=3, columns=("sex", "region")), seed=1)
    with pytest.raises(sudare.errors.ColumnError, match="no record has a value in all of the 2"):
        IterativeBayes(columns=("sex", "region")).fit(masked.data, masked.steps)
