import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from sudare.core.methods.channels import (
    BoundedNoise,
    Replacement,
    noise_epsilon,
    noise_scale,
    published_channel,
    replacement_epsilon,
    replacement_retain,
)

sizes = st.integers(1, 60)
epsilons = st.floats(1e-6, 12)


@given(sizes, st.floats(0, 1))
def test_transition_matrices_are_stochastic(size: int, retain: float) -> None:
    matrix = Replacement(tuple(range(size)), retain).matrix()
    np.testing.assert_allclose(matrix.sum(axis=1), 1)
    assert (matrix >= 0).all()


@given(st.integers(2, 60), epsilons)
def test_epsilon_is_the_largest_log_ratio_of_the_matrix(size: int, epsilon: float) -> None:
    channel = Replacement(tuple(range(size)), replacement_retain(epsilon, size))
    matrix = channel.matrix()
    assert channel.epsilon == pytest.approx(epsilon)
    assert np.log(matrix.max() / matrix.min()) == pytest.approx(epsilon, rel=1e-6, abs=1e-9)


def test_the_ends_of_the_budget() -> None:
    assert replacement_retain(0.0, 5) == 0
    assert replacement_retain(np.inf, 5) == 1
    assert replacement_epsilon(1.0, 5) == np.inf
    assert replacement_epsilon(0.7, 1) == 0
    assert noise_scale(0.0, 3.0) == np.inf
    assert noise_epsilon(np.inf, 3.0) == 0


def test_categories_are_drawn_as_often_as_the_matrix_says() -> None:
    channel = Replacement(("a", "b", "c"), 0.4)
    codes = np.repeat([0, 1, 2], 100_000).astype(np.int32)
    drawn = channel.draw(codes, np.random.default_rng(1).random(len(codes)))
    shares = np.bincount(codes * 3 + drawn, minlength=9).reshape(3, 3) / 100_000
    np.testing.assert_allclose(shares, channel.matrix(), atol=0.006)


@pytest.mark.parametrize("retain", [0.0, 0.3, 1 - 2**-53, 1.0])
@pytest.mark.parametrize("draw", [0.0, 0.3, np.nextafter(1.0, 0.0)])
def test_extreme_draws_give_codes_that_exist(retain: float, draw: float) -> None:
    codes = np.array([0, 4, -1, -2], np.int32)
    drawn = Replacement(tuple("abcde"), retain).draw(codes, np.full(4, draw))
    assert ((drawn[:2] >= 0) & (drawn[:2] < 5)).all()
    assert drawn[2:].tolist() == [-1, -2]


@given(st.floats(0, 1), st.floats(0.02, 20), st.floats(0, 1, exclude_max=True))
def test_a_noisy_number_is_the_inverse_of_its_distribution(
    position: float, scale_ratio: float, uniform: float
) -> None:
    channel = BoundedNoise(-2.0, 6.0, 8.0 * scale_ratio)
    true = np.array([-2.0 + 8.0 * position])
    drawn = channel.draw(true, np.array([uniform]))
    assert -2 <= drawn[0] <= 6
    half_a_step = channel.grid / min(channel.scale, 8.0)  # times the largest density
    assert channel.cumulative(drawn, true)[0] == pytest.approx(uniform, abs=1e-9 + half_a_step)


@pytest.mark.parametrize("scale", [0.1, 2.0, 500.0, np.inf])
def test_the_density_adds_up_to_one_and_is_the_slope_of_the_distribution(scale: float) -> None:
    channel = BoundedNoise(1.0, 4.0, scale)
    grid = np.linspace(1, 4, 60_001)
    middle, true = (grid[1:] + grid[:-1]) / 2, np.array([1.0, 2.2, 4.0])[:, None]
    masses = channel.density(middle, true) * np.diff(grid)
    np.testing.assert_allclose(masses.sum(axis=1), 1, rtol=1e-6)
    np.testing.assert_allclose(masses.cumsum(axis=1), channel.cumulative(grid[1:], true), atol=1e-6)


@given(st.floats(0.1, 8))
def test_epsilon_is_the_largest_log_ratio_of_the_density(epsilon: float) -> None:
    channel = BoundedNoise(0.0, 1.0, noise_scale(epsilon, 1.0))
    grid = np.linspace(0, 1, 41)
    density = channel.density(grid, grid[:, None])
    largest = np.log(density.max(axis=0) / density.min(axis=0)).max()
    assert largest == pytest.approx(channel.epsilon) == pytest.approx(epsilon)


@pytest.mark.parametrize("scale", [1e-6, 0.5, 1e15, np.inf])
@pytest.mark.parametrize("draw", [0.0, 0.5, np.nextafter(1.0, 0.0)])
def test_extreme_draws_stay_between_the_bounds(scale: float, draw: float) -> None:
    values = np.array([0.0, 0.3, 1.0, np.nan])
    drawn = BoundedNoise(0.0, 1.0, scale).draw(values, np.full(4, draw))
    assert ((drawn[:3] >= 0) & (drawn[:3] <= 1)).all()
    assert np.isnan(drawn[3])


def test_a_single_number_stays() -> None:
    channel = BoundedNoise(3.0, 3.0, np.inf)
    assert channel.draw(np.full(2, 3.0), np.array([0.0, 0.9])).tolist() == [3, 3]
    assert channel.epsilon == 0


def test_channels_come_back_from_what_is_published() -> None:
    channel = published_channel(Replacement(("a", "b"), 0.25).public())
    assert isinstance(channel, Replacement)
    assert (channel.labels, channel.retain) == (("a", "b"), 0.25)
    other = published_channel(BoundedNoise(0.0, 2.0, 3.0).public())
    assert isinstance(other, BoundedNoise)
    assert (other.low, other.high, other.scale) == (0, 2, 3)
    assert published_channel({"noise_sd": 1.0}) is None


def could_come_from(channel: BoundedNoise, published: float, true: float) -> bool:
    """Return whether some draw of 53 bits publishes this value for that true one."""
    below, above = (float(mass[0]) for mass in channel.masses(np.array([true])))
    away = published - true
    step = np.sign(away) * -np.expm1(-abs(away) / channel.scale) / 2
    draw = np.rint((step + below) / (below + above) * 2**53)
    near = np.clip(draw + np.arange(-60, 61), 0, 2**53 - 1) / 2**53
    return bool((channel.draw(np.full(len(near), true), near) == published).any())


@given(
    st.floats(0, 100).map(lambda value: round(value, 1)),
    st.floats(0, 1, exclude_max=True),
    st.sampled_from([10.0, 50.0, 300.0]),
)
@settings(deadline=None, max_examples=40)
def test_the_last_bits_of_a_number_exclude_no_true_value(
    true: float, uniform: float, scale: float
) -> None:
    channel = BoundedNoise(0.0, 100.0, scale)
    (published,) = channel.draw(np.array([true]), np.array([uniform])).tolist()
    assert all(could_come_from(channel, published, other) for other in np.linspace(0, 100, 41))
