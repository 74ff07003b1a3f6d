import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.types import Floats
from sudare.mask import RegressionSynthesis
from tests.mask.synthesis.test_orthogonal_transform import mixed, table, values_of

seeds = st.integers(0, 10**6)


def separate_fits(before: Floats) -> tuple[Floats, Floats]:
    """Predictions and residual standard deviations of p least-squares fits, one by one."""
    fitted, sd = np.empty_like(before), np.empty(before.shape[1])
    for i in range(before.shape[1]):
        inputs = np.column_stack([np.ones(len(before)), np.delete(before, i, axis=1)])
        slopes = np.linalg.lstsq(inputs / np.abs(inputs).max(axis=0), before[:, i])[0]
        fitted[:, i] = inputs / np.abs(inputs).max(axis=0) @ slopes
        sd[i] = np.sqrt(
            ((before[:, i] - fitted[:, i]) ** 2).sum() / (len(before) - before.shape[1])
        )
    return fitted, sd


@given(seeds)
def test_predictions_are_those_of_separate_least_squares_fits(seed: int) -> None:
    before = mixed(seed)
    plan = RegressionSynthesis(noise=False).fit(table(before))
    expected, sd = separate_fits(before)
    after = values_of(plan.transform(table(before)))
    assert (np.abs(after - expected) / before.std(axis=0)).max() < 1e-6
    published = [plan.step.public[f"x{i}"]["residual_sd"] for i in range(6)]
    assert published == [pytest.approx(size, rel=0.051) for size in sd]
    assert published == [float(f"{size:.2g}") for size in published]


def test_noise_has_the_size_of_the_residuals() -> None:
    before = mixed(4, n=40_000, p=4)
    without, noisy = (
        values_of(sudare.apply(table(before), RegressionSynthesis(noise=n), seed=1).data)
        for n in (False, True)
    )
    noise = noisy - without
    public = RegressionSynthesis().fit(table(before)).step.public
    sizes = [public[f"x{i}"]["residual_sd"] for i in range(4)]
    assert noise.std(axis=0) == pytest.approx(sizes, rel=0.02)
    assert np.abs(np.corrcoef(noise, rowvar=False) - np.eye(4)).max() < 0.03
    assert np.abs(np.corrcoef(noise[:, 0], before[:, 0])[0, 1]) < 0.02


def test_a_column_that_the_others_determine_comes_back_and_says_so() -> None:
    x = np.random.default_rng(1).normal(size=(60, 3))
    before = np.column_stack([x, x[:, 0] + x[:, 1]])  # the third has no part in the total
    plan = RegressionSynthesis(noise=True).fit(table(before))
    after = values_of(plan.transform(table(before), seed=1))
    determined = [0, 1, 3]
    np.testing.assert_allclose(after[:, determined], before[:, determined], atol=1e-9)
    assert [plan.step.public[f"x{i}"]["residual_sd"] > 0 for i in range(4)] == [0, 0, 1, 0]
    inputs = np.column_stack([np.ones(60), x[:, :2]])
    expected = inputs @ np.linalg.lstsq(inputs, x[:, 2])[0]
    plain = RegressionSynthesis(noise=False).fit(table(before)).transform(table(before))
    np.testing.assert_allclose(values_of(plain)[:, 2], expected, atol=1e-9)


def test_one_column_becomes_its_mean_and_a_constant_one_stays() -> None:
    masked = sudare.apply(table(np.array([[1.0], [2.0], [6.0]])), RegressionSynthesis(noise=False))
    np.testing.assert_allclose(values_of(masked.data), 3.0)
    before = np.column_stack([np.full(30, 7.0), mixed(1, n=30, p=2)])
    after = values_of(sudare.apply(table(before), RegressionSynthesis(), seed=1).data)
    np.testing.assert_allclose(after[:, 0], 7.0)


def test_missing_values_stay_missing_and_predict_as_the_mean() -> None:
    before = mixed(5)
    holes, filled = before.copy(), before.copy()
    holes[3, 2], filled[3, 2] = np.nan, before[:, 2].mean()
    plan = RegressionSynthesis(noise=False).fit(table(before))
    after, expected = (values_of(plan.transform(table(x))) for x in (holes, filled))
    assert np.isnan(after[3, 2])
    expected[3, 2] = np.nan
    np.testing.assert_allclose(after, expected, rtol=1e-9)


def test_means_stay_without_noise() -> None:
    before = mixed(6)
    after = values_of(sudare.apply(table(before), RegressionSynthesis(noise=False)).data)
    np.testing.assert_allclose(after.mean(axis=0), before.mean(axis=0), rtol=1e-6, atol=1e-6)
