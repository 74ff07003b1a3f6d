import hashlib

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import ndtri

from sudare.core import draws
from sudare.core.draws import Draws, draws_from, guessable, normal_from
from sudare.core.errors import SettingError
from sudare.core.types import Floats


@given(st.integers(0, 2**64), st.integers(0, 40), st.integers(1, 60))
def test_a_partition_draws_what_the_whole_table_draws_there(
    seed: int, first_row: int, rows: int
) -> None:
    draws = Draws(seed)
    whole = draws.uniform("年齢", first_row + rows)
    part = draws.starting_at(first_row).uniform("年齢", rows)
    np.testing.assert_array_equal(part, whole[first_row:])


@given(st.integers(0, 2**64), st.lists(st.integers(0, 60), min_size=1))
def test_any_records_draw_what_the_whole_table_draws_there(seed: int, rows: list[int]) -> None:
    draws, numbers = Draws(seed), np.array(rows)
    some = draws.starting_at(numbers)
    for method in (Draws.uniform, Draws.words, Draws.normal):
        whole = method(draws, "年齢", 61, lane=1)
        np.testing.assert_array_equal(method(some, "年齢", len(rows), lane=1), whole[numbers])
    np.testing.assert_array_equal(some.starting_at(3).uniform("a", 2), draws.uniform("a", 5)[3:])


def test_seed_step_column_and_lane_each_change_the_draws() -> None:
    draws = Draws(1)
    streams = [
        draws.uniform("a", 100),
        draws.uniform("b", 100),
        draws.uniform("a", 100, lane=1),
        draws.for_step(1).uniform("a", 100),
        Draws(2).uniform("a", 100),
    ]
    for number, stream in enumerate(streams):
        for other in streams[number + 1 :]:
            assert abs(np.corrcoef(stream, other)[0, 1]) < 0.4
            assert not (stream == other).any()


def test_draws_stay_the_same_from_version_to_version() -> None:
    assert Draws(7).uniform("age", 2).round(12).tolist() == [0.648972319373, 0.946375503107]


def test_normal_draws_have_the_right_moments() -> None:
    normal = Draws(3).normal("x", 200_000)
    assert abs(normal.mean()) < 0.01
    assert abs(normal.std() - 1) < 0.01


@given(st.integers(0, 2**64), st.integers(0, 2**40), st.integers(0, 3000))
def test_normal_draws_are_the_quantiles_of_uniform_ones(
    seed: int, first_row: int, rows: int
) -> None:
    draws = Draws(seed).starting_at(first_row)
    expected = normal_from(draws.uniform("年齢", rows))
    np.testing.assert_array_equal(draws.normal("年齢", rows), expected)
    values = np.arange(rows, dtype=float)
    draws.add_normal("年齢", values, 0.3)
    np.testing.assert_array_equal(values, np.arange(rows) + expected * 0.3)


def test_the_extreme_draws_give_finite_normal_numbers() -> None:
    extremes = np.array([0.0, np.nextafter(1.0, 0.0)])
    assert np.isfinite(normal_from(extremes)).all()


@given(arrays(float, st.integers(0, 3000), elements=st.floats(0, 1, exclude_max=True)))
def test_normal_quantiles_are_those_of_scipy(shares: Floats) -> None:
    expected = ndtri(np.maximum(shares, 2.0**-54))
    np.testing.assert_allclose(normal_from(shares), expected, rtol=4e-15, atol=1e-15)


def test_normal_quantiles_meet_where_their_formulas_do() -> None:
    far = np.exp(-25.0)  # √(−log p) = 5
    ends = np.array([0.075, 0.925, far])
    shares = np.concatenate([ends, np.nextafter(ends, 0), np.nextafter(ends, 1), [2.0**-53, 0.5]])
    np.testing.assert_allclose(normal_from(shares), ndtri(shares), rtol=4e-15)
    assert normal_from(np.array([0.0])) == normal_from(np.array([2.0**-54]))


def test_no_repr_shows_the_seed() -> None:
    assert "12345" not in repr(Draws(12345))


def test_a_generator_gives_a_seed_and_none_gives_fresh_entropy() -> None:
    same = [draws_from(np.random.default_rng(5)).seed for _ in range(2)]
    assert same[0] == same[1]
    assert draws_from(None).seed != draws_from(None).seed


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True])
def test_what_is_no_seed_is_refused(seed: object) -> None:
    with pytest.raises(SettingError, match="whole number"):
        draws_from(seed)  # type: ignore[arg-type]


@given(st.integers(0, 2**64))
def test_a_seed_drawn_at_random_is_never_taken_for_a_guessable_one(seed: int) -> None:
    drawn = int.from_bytes(hashlib.blake2b(str(seed).encode(), digest_size=16).digest(), "big")
    assert not guessable(drawn | 1 << 127)


@given(st.integers(1, 999), st.integers(7, 20))
def test_repeats_runs_and_powers_are_guessable_however_long(few: int, times: int) -> None:
    assert all(map(guessable, (int(str(few) * times), few * 10**30, few << 90, 2**70 + few)))


def test_a_seed_is_stretched_at_the_price_that_is_promised_and_in_every_version_alike() -> None:
    assert 128 * draws._SCRYPT["n"] * draws._SCRYPT["r"] == 2**25  # bytes for each try
    assert draws.stretched(20240401, bytes(range(16))) == 236446107723079457508242465602163472895
