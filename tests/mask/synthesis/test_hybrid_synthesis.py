import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import spearmanr

import sudare
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.mask import HybridSynthesis


def table(values: Floats) -> Microdata:
    return Microdata(tuple(Numeric(f"x{i}", row, role="key") for i, row in enumerate(values)))


def values_of(data: Microdata) -> Floats:
    return np.stack([column.values for column in data.columns if isinstance(column, Numeric)])


@given(st.integers(1, 5), st.integers(0, 40), st.floats(0, 1), st.integers(0, 2**32))
def test_means_and_covariances_stay_and_similarity_is_the_correlation(
    columns: int, more: int, similarity: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    mixing = rng.normal(size=(columns, columns)) + 2 * np.eye(columns)
    before = 100 + mixing @ rng.lognormal(size=(columns, 2 * columns + 3 + more))
    masked = sudare.apply(table(before), HybridSynthesis(similarity=similarity), seed=seed).data
    after = values_of(masked)
    scale = np.sqrt(np.outer(before.var(axis=1), before.var(axis=1)))
    np.testing.assert_allclose(after.mean(axis=1), before.mean(axis=1), rtol=1e-7)
    apart = np.atleast_2d(np.cov(after)) - np.atleast_2d(np.cov(before))
    assert np.abs(apart / scale).max() < 1e-6
    for original, masked in zip(before, after, strict=True):
        assert np.corrcoef(original, masked)[0, 1] == pytest.approx(similarity, abs=1e-6)


def test_full_similarity_changes_nothing() -> None:
    before = np.random.default_rng(1).normal(size=(3, 20))
    masked = sudare.apply(table(before), HybridSynthesis(similarity=1.0), seed=1).data
    np.testing.assert_allclose(values_of(masked), before)


def test_a_regression_gives_the_same_coefficients_and_errors() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(2, 300))
    before = np.vstack([x, x.sum(axis=0) + rng.normal(size=300)])
    fits = []
    for values in (
        before,
        values_of(sudare.apply(table(before), HybridSynthesis(similarity=0.3), seed=3).data),
    ):
        inputs = np.column_stack([np.ones(300), values[0], values[1]])
        effects, left, _, _ = np.linalg.lstsq(inputs, values[2])
        fits.append([*effects, *left])
    np.testing.assert_allclose(fits[0], fits[1], rtol=1e-6)


def test_missing_values_stay_and_complete_records_keep_their_covariance() -> None:
    before = np.random.default_rng(4).normal(size=(3, 50))
    before[0, 3] = np.nan
    after = values_of(sudare.apply(table(before), HybridSynthesis(), seed=1).data)
    np.testing.assert_array_equal(np.isnan(after), np.isnan(before))
    complete = ~np.isnan(before[0])
    np.testing.assert_allclose(np.cov(after[:, complete]), np.cov(before[:, complete]), rtol=1e-6)


def test_few_records_are_masked_all_the_same() -> None:
    before = np.random.default_rng(5).normal(size=(4, 5))
    after = values_of(sudare.apply(table(before), HybridSynthesis(similarity=0.2), seed=1).data)
    assert np.isfinite(after).all()


def test_mixed_scores_keep_the_shape_of_columns() -> None:
    rng = np.random.default_rng(1)
    x = np.where(rng.random(3000) < 0.3, 0.0, rng.lognormal(3, 1, 3000).round())
    y = x * 0.5 + rng.lognormal(2, 0.5, 3000)
    data = Microdata((Numeric("x", x, role="key"), Numeric("y", y, role="key")))
    masked = sudare.apply(data, HybridSynthesis(similarity=0.3, scale="normal-scores"), seed=1).data
    new = [np.asarray(masked[name].values) for name in ("x", "y")]  # type: ignore[attr-defined]
    assert (new[0] == np.rint(new[0])).all()
    assert new[0].min() >= 0
    assert new[0].max() <= x.max()
    assert (new[0] == 0).mean() == pytest.approx((x == 0).mean(), abs=0.03)
    for old, made in ((x, new[0]), (y, new[1])):
        np.testing.assert_allclose(
            np.quantile(made, [0.25, 0.5, 0.9, 0.99]),
            np.quantile(old, [0.25, 0.5, 0.9, 0.99]),
            rtol=0.15,
        )
    before, after = (spearmanr(*pair).statistic for pair in ((x, y), new))
    assert after == pytest.approx(before, abs=0.08)


def test_scores_mixed_with_nothing_stay() -> None:
    data = sudare.datasets.expenditure_like(100, seed=1)
    same = sudare.apply(data, HybridSynthesis(similarity=1, scale="normal-scores"), seed=1).data
    for name in data.names:
        np.testing.assert_allclose(same[name].values, data[name].values)  # type: ignore[attr-defined]
