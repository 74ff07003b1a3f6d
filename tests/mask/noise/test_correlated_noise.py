import numpy as np
import pytest

import sudare
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats
from sudare.mask import CorrelatedNoise, MultiplicativeNoise, Noise
from sudare.mask.noise.multiplicative_noise import factors


def related(rows: int = 60_000) -> Floats:
    rng = np.random.default_rng(1)
    mixing = np.array([[3.0, 0.0, 0.0], [1.0, 2.0, 0.0], [-4.0, 1.0, 0.5]])
    made: Floats = mixing @ rng.normal(size=(3, rows)) + np.array([[10.0], [0.0], [-5.0]])
    return made


def table(values: Floats) -> Microdata:
    return Microdata(tuple(Numeric(f"x{i}", row, role="key") for i, row in enumerate(values)))


def numbers(data: Microdata) -> Floats:
    return np.stack([c.values for c in data.columns if isinstance(c, Numeric)])


@pytest.mark.parametrize("sd_ratio", [0.1, 1.0])
def test_noise_has_the_covariance_of_the_data_times_the_ratio_squared(sd_ratio: float) -> None:
    values = related()
    masked = sudare.apply(table(values), CorrelatedNoise(sd_ratio=sd_ratio), seed=1)
    noise = numbers(masked.data) - values
    expected = sd_ratio**2 * np.cov(values)
    np.testing.assert_allclose(np.cov(noise), expected, rtol=0.05, atol=0.02 * sd_ratio**2)
    np.testing.assert_allclose(noise.mean(axis=1), 0, atol=0.05 * sd_ratio)
    np.testing.assert_allclose(
        np.corrcoef(numbers(masked.data)), np.corrcoef(values), atol=0.01, rtol=0
    )


def test_the_ratio_means_what_it_means_for_independent_noise() -> None:
    data = table(related(2_000))
    size = Noise(sd_ratio=0.3).fit(data).step.public["x0"]["noise_sd"]
    masked = sudare.apply(data, CorrelatedNoise(sd_ratio=0.3), seed=1).data
    assert (numbers(masked) - numbers(data))[0].std() == pytest.approx(size, rel=0.1)


def test_nothing_is_published_that_depends_on_the_numbers() -> None:
    told = [CorrelatedNoise().fit(table(related(rows))).step.public for rows in (50, 500)]
    assert told[0] == told[1]


def test_a_column_that_is_a_sum_of_others_stays_one() -> None:
    values = related(200)
    whole = np.vstack([values, values.sum(axis=0)])
    masked = numbers(sudare.apply(table(whole), CorrelatedNoise(sd_ratio=0.5), seed=1).data)
    np.testing.assert_allclose(masked[3], masked[:3].sum(axis=0), atol=1e-6)


def test_constant_columns_get_no_noise_and_disturb_no_other() -> None:
    values = np.vstack([related(200), np.full(200, 7.0)])
    masked = numbers(sudare.apply(table(values), CorrelatedNoise(), seed=1).data)
    assert (masked[3] == 7).all()
    assert (masked[:3] != values[:3]).all()


def test_records_with_gaps_get_noise_of_the_same_kind() -> None:
    values = related()
    gaps = np.random.default_rng(2).random(values.shape) < 0.3
    values[gaps] = np.nan
    masked = numbers(sudare.apply(table(values), CorrelatedNoise(sd_ratio=1.0), seed=1).data)
    np.testing.assert_array_equal(np.isnan(masked), gaps)
    both = ~np.isnan(values[0]) & ~np.isnan(values[2])
    noise = (masked - values)[:, both]
    expected = np.corrcoef(values[0, both], values[2, both])[0, 1]
    assert np.corrcoef(noise[0], noise[2])[0, 1] == pytest.approx(expected, abs=0.02)


def test_the_order_of_columns_does_not_matter() -> None:
    data = table(related(100))
    there = sudare.apply(data, CorrelatedNoise(columns=("x0", "x1", "x2")), seed=1).data
    back = sudare.apply(data, CorrelatedNoise(columns=("x2", "x0", "x1")), seed=1).data
    np.testing.assert_allclose(numbers(there), numbers(back))


@pytest.mark.parametrize("sd", [0.05, 0.5])
def test_factors_have_mean_one_and_the_deviation_asked_for(sd: float) -> None:
    drawn = factors(np.random.default_rng(1).normal(size=400_000), sd)
    assert drawn.mean() == pytest.approx(1, abs=0.005)
    assert drawn.std() == pytest.approx(sd, rel=0.02)
    assert (drawn > 0).all()


def test_signs_and_zeros_survive_multiplication() -> None:
    values = np.array([[-5.0, 0.0, 3.0, np.nan]])
    masked = numbers(sudare.apply(table(values), MultiplicativeNoise(sd_ratio=2.0), seed=1).data)
    np.testing.assert_array_equal(np.sign(masked), np.sign(values))
    assert masked[0, 0] != -5


def test_no_noise_changes_nothing() -> None:
    data = table(related(50))
    for masker in (CorrelatedNoise(sd_ratio=0), MultiplicativeNoise(sd_ratio=0)):
        assert sudare.apply(data, masker, seed=1).data.equals(data)
