"""Public numbers are rounded, and rounding takes nothing away that protects."""

from collections import Counter

import numpy as np
from hypothesis import given, strategies as st

from sudare.core import (
    counts_with_noise,
    factor_bits,
    multiple_below,
    noise_grid,
    on_public_grid,
    round_range,
    round_unit,
    significant,
    significant_above,
    significant_bits,
    unit_above,
    with_noise,
)

positive = st.floats(1e-100, 1e100)


@given(positive)
def test_two_digits_are_within_a_twentieth_and_never_below_where_they_protect(
    number: float,
) -> None:
    assert abs(significant(number) - number) <= 0.0501 * number
    above = significant_above(number)
    assert number * (1 - 1e-8) <= above <= 1.101 * number
    assert significant(above) == above


@given(positive)
def test_a_unit_is_round_and_not_far_below(width: float) -> None:
    unit = round_unit(width)
    assert width / 2.51 <= unit <= width * (1 + 1e-8)
    assert f"{unit:.0e}"[0] in "125"


@given(st.floats(-1e12, 1e12), st.floats(1e-6, 1e12))
def test_a_widened_range_holds_the_range_and_little_more(low: float, width: float) -> None:
    high = low + width
    if high > low:
        wide_low, wide_high = round_range(low, high)
        assert wide_low <= low < high <= wide_high
        assert wide_high - wide_low <= 1.41 * (high - low) + 1e-9 * abs(low)


def test_one_number_stays_a_range_of_no_width() -> None:
    assert round_range(3.0, 3.0) == (3.0, 3.0)
    assert round_range(-np.inf, np.inf) == (-np.inf, np.inf)


@given(st.integers(-(10**6), 10**6), st.sampled_from([0.1, 0.2, 0.5, 1.0, 5.0, 100.0]))
def test_a_multiple_is_its_own_multiple_below(steps: int, unit: float) -> None:
    number = steps * unit
    assert abs(multiple_below(number, unit) - number) <= 1e-9 * max(abs(number), unit)


@given(positive, st.lists(st.floats(-1e60, 1e60), min_size=1))
def test_a_grid_is_public_and_moves_no_number_by_more_than_half_a_step(
    size: float, numbers: list[float]
) -> None:
    unit = noise_grid(size)
    assert size / 2**25 < unit <= size / 2**24
    values = np.array(numbers)
    rounded = on_public_grid(values, unit)
    assert (np.abs(rounded - values) <= unit / 2).all()
    assert (np.remainder(rounded, unit) == 0).all()
    np.testing.assert_array_equal(on_public_grid(rounded, unit), rounded)


@given(st.floats(1e-9, 10), st.lists(st.floats(-1e60, 1e60), min_size=1))
def test_products_keep_the_digits_that_their_factors_leave(
    size: float, numbers: list[float]
) -> None:
    bits = factor_bits(size)
    assert 24 <= bits <= 53
    values = np.array(numbers)
    rounded = significant_bits(values, bits)
    assert (np.abs(rounded - values) <= np.abs(values) * max(size, 2.0**-29) / 2**23).all()
    np.testing.assert_array_equal(significant_bits(rounded, bits), rounded)


def test_without_noise_there_is_no_grid() -> None:
    values = np.array([0.1, np.nan])
    assert noise_grid(0.0) == 0
    np.testing.assert_array_equal(on_public_grid(values, 0.0), values)


@given(st.floats(1e-6, 0.9))
def test_a_unit_is_above_what_a_record_moves_and_not_far(number: float) -> None:
    unit = unit_above(number)
    assert number < unit <= 2.6 * number
    assert round_unit(unit) == unit


DRAWN = [(number + 0.5) / 4096 for number in range(4096)]  # every chance to one in 4,096


@given(st.floats(0, 1), st.floats(-1, 1), st.sampled_from([0.01, 0.05, 0.2]), st.floats(0.2, 3))
def test_no_number_is_much_more_likely_by_a_share_than_by_one_less_than_a_unit_away(
    share: float, away: float, unit: float, epsilon: float
) -> None:
    other = min(max(share + away * unit * (1 - 1e-9), 0.0), 1.0)
    chances = [
        Counter(with_noise(number, unit, epsilon, drawn) for drawn in DRAWN)
        for number in (share, other)
    ]
    for first, second in (chances, chances[::-1]):
        for told, count in first.items():
            assert count <= np.exp(epsilon) * (second[told] + 2) + 2


@given(st.integers(0, 60), st.floats(0.02, 2))
def test_no_noisy_count_is_much_more_likely_with_a_record_more(count: int, epsilon: float) -> None:
    chances = [
        Counter(counts_with_noise(np.full(4096, float(number)), epsilon, np.array(DRAWN)).tolist())
        for number in (count, count + 1)
    ]
    for first, second in (chances, chances[::-1]):
        for told, number in first.items():
            assert told >= 1
            assert number <= np.exp(epsilon) * (second[told] + 2) + 2


def test_noise_is_two_sided_and_geometric() -> None:
    steps = Counter(round((with_noise(0.5, 0.01, 1.0, drawn) - 0.5) / 0.01) for drawn in DRAWN)
    for step in range(-4, 5):
        chance = np.exp(-abs(step)) * (1 - np.exp(-1)) / (1 + np.exp(-1))
        assert abs(steps[step] / 4096 - chance) < 2 / 4096


def test_the_outermost_draws_stay_between_nothing_and_all() -> None:
    ends = [
        with_noise(share, 0.02, 0.5, drawn) for share in (0.0, 1.0) for drawn in (0.0, 1 - 1e-16)
    ]
    assert set(ends) == {0.0, 1.0}
