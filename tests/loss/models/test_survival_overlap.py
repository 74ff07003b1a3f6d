"""Cox regression and Kaplan–Meier: by hand, against the partial likelihood of every risk set."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.core.types import Flags, Floats
from sudare.describe.regression.survival_models import cox_fit, kaplan_meier
from sudare.loss import SurvivalOverlap


def likelihood(beta: Floats, inputs: Floats, time: Floats, event: Flags) -> float:
    """The logarithm of the partial likelihood, ties by Breslow, one risk set at a time."""
    score = inputs @ beta
    return float(
        sum(score[i] - np.log(np.exp(score[time >= time[i]]).sum()) for i in np.flatnonzero(event))
    )


@given(st.integers(0, 10**4))
def test_cox_is_the_maximum_of_the_partial_likelihood(seed: int) -> None:
    draws = np.random.default_rng(seed)
    inputs = draws.normal(size=(60, 2))
    time = np.ceil(draws.exponential(np.exp(-inputs[:, 0])) * 4)  # with ties
    event = draws.random(60) < 0.7
    beta, error = cox_fit(inputs, time, event)
    best, step = likelihood(beta, inputs, time, event), 1e-3
    curvature = np.empty((2, 2))
    for i, a in enumerate(np.eye(2) * step):
        assert likelihood(beta + a, inputs, time, event) <= best + 1e-9
        assert likelihood(beta - a, inputs, time, event) <= best + 1e-9
        for j, b in enumerate(np.eye(2) * step):
            values = [likelihood(beta + s * a + t * b, inputs, time, event)
                      for s, t in ((1, 1), (1, -1), (-1, 1), (-1, -1))]  # fmt: skip
            curvature[i, j] = -(values[0] - values[1] - values[2] + values[3]) / (4 * step**2)
    expected = np.sqrt(np.diag(np.linalg.inv(curvature)))
    np.testing.assert_allclose(error, expected, rtol=0.02)


def test_kaplan_meier_by_hand() -> None:
    time = np.array([1.0, 2.0, 2.0, 3.0, 4.0])
    event = np.array([True, True, False, False, True])
    curve = kaplan_meier(time, event, np.array([0.5, 1.0, 2.0, 3.5, 4.0]))
    np.testing.assert_allclose(curve, [1.0, 0.8, 0.6, 0.6, 0.0])


@given(st.lists(st.floats(0, 50), min_size=1, max_size=40))
def test_without_censoring_the_curve_is_the_share_still_there(times: list[float]) -> None:
    time = np.array(times)
    curve = kaplan_meier(time, np.ones(len(time), np.bool_), time)
    np.testing.assert_allclose(curve, [(time > t).mean() for t in time], atol=1e-12)


def cohort(seed: int, n: int = 500) -> sudare.Microdata:
    draws = np.random.default_rng(seed)
    age = draws.normal(60, 8, n)
    time = draws.exponential(np.exp(-(age - 60) / 8)) * 5
    state = (time < 10).astype(int)
    return sudare.Microdata(
        (
            Numeric("age", age),
            Numeric("time", np.minimum(time, 10)),
            Categorical("died", state, ("no", "yes")),
        )
    )


def test_another_cohort_agrees_and_times_at_random_do_not() -> None:
    overlap = SurvivalOverlap(time="time", event="died")
    data, severed = cohort(1), cohort(1).columns
    order = np.random.default_rng(0).permutation(500)
    assert overlap(data, data).value == 0
    assert overlap(data, cohort(2)).value < 0.9
    mixed = sudare.Microdata((severed[0].take(order), *severed[1:]))
    result = overlap(data, mixed)
    assert result.parts["age"] == 1  # the curve is kept, what it depends on is not
    assert result.parts["Kaplan–Meier curve"] == 0
    assert result.value == 1


def test_an_event_that_nobody_had_must_be_named() -> None:
    with pytest.raises(sudare.errors.SettingError, match="name it with state"):
        SurvivalOverlap(time="time", event="died", state="gone")(cohort(1))
    assert SurvivalOverlap(time="time", event="died", state="no")(cohort(1)).value == 0


def test_states_1_and_2_must_be_told_apart_by_name() -> None:
    data = cohort(1)
    codes = data["died"].coded.codes
    coded = data.replacing([Categorical("died", codes, (1, 2))])  # 2 is death, as R has it
    with pytest.raises(sudare.errors.SettingError, match="has no label 0"):
        SurvivalOverlap(time="time", event="died")(coded)
    assert SurvivalOverlap(time="time", event="died", state="2")(coded).value == 0
    with pytest.raises(sudare.errors.SettingError, match="holds no numbers"):
        SurvivalOverlap(time="died", event="time", state="2")(coded)


def test_times_and_states_alone_have_a_curve() -> None:
    data, other = (cohort(seed).without(["age"]) for seed in (1, 2))
    result = SurvivalOverlap(time="time", event="died")(data, other)
    assert list(result.parts) == ["Kaplan–Meier curve"]
    assert 0 < result.value < 0.1
