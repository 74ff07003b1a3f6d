import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import SettingError
from sudare.core.table.microdata import Microdata
from sudare.core.table.numeric import Numeric
from sudare.mask import Rounding
from sudare.mask.recode.rounding import How, rounded

numbers = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30)
bases = st.sampled_from([0.1, 0.25, 1.0, 3.0, 10.0, 1000.0])


@given(numbers, bases, st.sampled_from(["nearest", "down", "random"]), st.integers(0, 2**32))
def test_rounded_numbers_are_multiples_less_than_a_base_away(
    values: list[float], base: float, how: How, seed: int
) -> None:
    before = np.array(values)
    after = rounded(before, base, how, np.random.default_rng(seed).random(len(before)))
    np.testing.assert_allclose(after / base, np.rint(after / base), rtol=0, atol=1e-6)
    reach = base / 2 if how == "nearest" else base
    assert (np.abs(after - before) <= reach * (1 + 1e-6)).all()
    if how == "down":
        assert (after <= before + 1e-300).all()  # a number so small divides to 0


def test_random_rounding_is_unbiased() -> None:
    values = np.full(200_000, 12.5)
    after = rounded(values, 10.0, "random", np.random.default_rng(1).random(len(values)))
    assert set(after.tolist()) == {10.0, 20.0}
    assert after.mean() == pytest.approx(12.5, abs=0.05)


def test_multiples_stay_whatever_is_drawn() -> None:
    values = np.array([-20.0, 0.0, 10.0, 0.3])
    for draw in (0.0, np.nextafter(1, 0)):
        np.testing.assert_array_equal(
            rounded(values[:3], 10.0, "random", np.full(3, draw)), values[:3]
        )
    assert rounded(values[3:], 0.1, "nearest").tolist() == [0.3]


def test_the_seed_matters_only_where_rounding_is_random(toy: Microdata) -> None:
    assert not Rounding().random
    random = Rounding(how="random")
    assert random.random
    first, second = (sudare.apply(toy, random, seed=seed).data for seed in (1, 2))
    assert not first.equals(second)


def test_bases_can_be_given_by_column(toy: Microdata) -> None:
    plan = Rounding(base={"age": 5}).fit(toy)
    assert plan.step.columns == ("age",)
    with pytest.raises(SettingError, match="no number for column 'income'"):
        Rounding(base={"age": 5}, columns=("income",)).fit(toy)


@pytest.mark.parametrize("base", [0.0, -5.0])
def test_a_base_that_makes_no_sense_is_refused(base: float) -> None:
    with pytest.raises(SettingError, match=r"base must be above 0, got"):
        Rounding(base=base)


def test_absent_values_stay_and_zero_has_no_sign() -> None:
    column = Numeric("x", np.array([-3.0, np.nan, np.nan]), absent=np.array([0, 1, 0]), role="key")
    after = sudare.apply(Microdata((column,)), Rounding()).data["x"]
    assert isinstance(after, Numeric)
    assert after.values[0] == 0
    assert not np.signbit(after.values[0])
    assert after.not_applicable.tolist() == [False, True, False]


@pytest.mark.parametrize("how", ["nearest", "down", "random"])
@pytest.mark.parametrize("base", [0.1, 1e-300, 10.0, 1e308])
def test_numbers_near_the_largest_there_is_stay_numbers(base: float, how: How) -> None:
    values = np.array([1.7e308, -1.7e308, np.finfo(float).max, 1e300])
    made = rounded(values, base, how, np.zeros(4))
    assert np.isfinite(made).all()
    assert (np.abs(made - values) <= base).all()
