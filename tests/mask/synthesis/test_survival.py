"""Times and states drawn together: the hazards are Cox's, and the joint distribution is kept."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core import Categorical, ColumnError, Microdata, Numeric
from sudare.core.types import Array, Floats
from sudare.describe.regression import log_hazard_ratios
from sudare.mask import SequentialSynthesis
from sudare.mask.synthesis.column_models.predictors import standardized
from sudare.mask.synthesis.column_models.survival import Hazards

NONE, EVENT, DEATH = range(3)
LABELS = ("none", "event", "death")


def cohort(n: int, seed: int) -> Microdata:
    """Two competing events, censoring at 10 only, and a covariate that hastens the first."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    first = rng.exponential(8 / np.exp(0.8 * x))
    second = rng.exponential(20, n)
    time = np.minimum(np.minimum(first, second), 10.0).round(2)
    state = np.where(time >= 10, NONE, np.where(first < second, EVENT, DEATH))
    return Microdata(
        (
            Numeric("x", x, role="key"),
            Numeric("time", time, role="sensitive"),
            Categorical("state", state, LABELS, role="sensitive"),
        )
    )


def partial_likelihood(inputs: Array, level: Array, event: Array, effects: Array) -> float:
    """Breslow's, record by record."""
    scores = inputs @ effects
    return sum(
        float(scores[i] - np.log(np.exp(scores[level >= level[i]]).sum()))
        for i in np.flatnonzero(event)
    ) - float(effects @ effects / 2)


@given(st.integers(0, 2**32), st.integers(3, 25), st.integers(1, 3))
def test_no_effects_near_those_found_are_likelier(seed: int, n: int, columns: int) -> None:
    rng = np.random.default_rng(seed)
    inputs, level = rng.normal(size=(n, columns)), np.sort(rng.integers(0, 6, n))
    event = rng.random(n) < 0.6
    effects = log_hazard_ratios(inputs, level, event, np.ones(n))
    best = partial_likelihood(inputs, level, event, effects)
    for step in 1e-2 * np.vstack([np.eye(columns), -np.eye(columns)]):
        assert partial_likelihood(inputs, level, event, effects + step) <= best + 1e-6


def test_without_inputs_the_curve_is_that_of_kaplan_and_meier() -> None:
    level = np.array([0, 0, 1, 2, 2, 2])
    state = np.array([0, 1, 0, 0, 1, 1])
    hazards = Hazards.learnt(np.empty((6, 0)), level, state, np.ones(6))
    surviving = np.exp(-hazards.cumulative.sum(axis=0))
    np.testing.assert_allclose(surviving[:2], [4 / 6, 3 / 6], atol=1e-9)
    uniform: Floats = (np.arange(6000) + 0.5) / 6000
    drawn, states = hazards.drawn(np.empty((6000, 0)), uniform, np.resize([0.1, 0.9], 6000))
    np.testing.assert_allclose(np.bincount(drawn) / 6000, [2 / 6, 1 / 6, 3 / 6], atol=1e-3)
    assert set(states[drawn == 1].tolist()) == {0}  # at that time nothing else happened


def test_times_and_states_are_drawn_together() -> None:
    data = cohort(4000, 1)
    made = sudare.apply(data, SequentialSynthesis(survival={"time": "state"}), seed=2).data
    before, after = (
        {
            "shares": np.bincount(t["state"].coded.codes, minlength=3) / t.rows,
            "early": [
                float((t["time"].values[t["state"].coded.codes == s] < 3).mean())  # type: ignore[attr-defined]
                for s in (EVENT, DEATH)
            ],
            "hastened": float(
                np.corrcoef(t["x"].values, t["state"].coded.codes == EVENT)[0, 1]  # type: ignore[attr-defined]
            ),
        }
        for t in (data, made)
    )
    for what in before:
        np.testing.assert_allclose(np.array(after[what]), np.array(before[what]), atol=0.05)
    none = made["state"].coded.codes == NONE
    np.testing.assert_array_equal(none, made["time"].values == 10)  # type: ignore[attr-defined]


def test_each_column_may_have_a_model_of_its_own() -> None:
    data = cohort(500, 3)
    masker = SequentialSynthesis(
        survival={"time": "state"}, models={"x": "local-regression"}, order="found"
    )
    made = sudare.apply(data, masker, seed=1).data
    assert made.rows == 500
    again = SequentialSynthesis(survival={"time": "state"}, models={"time": "regression"})
    assert sudare.apply(data, again, seed=1).data.rows == 500  # a time has hazards whatever it says


def test_outcomes_that_cannot_be_drawn_are_refused() -> None:
    data = cohort(50, 1)
    with pytest.raises(ColumnError, match="numbers and one of categories"):
        SequentialSynthesis(survival={"state": "time"}).fit(data)
    with pytest.raises(ColumnError, match="no column"):
        SequentialSynthesis(models={"y": "tree"}).fit(data)
    with pytest.raises(ColumnError, match="no column"):
        SequentialSynthesis(strata=("state",), survival={"time": "state"}).fit(data)


def test_categories_with_too_few_events_say_nothing_about_hazards() -> None:
    data = cohort(30, 2)
    region = Categorical("region", np.arange(30) // 3, tuple(range(10)), role="key")
    wide = Microdata((region, *data.columns))
    masker = SequentialSynthesis(columns=("time", "state"), survival={"time": "state"})
    with_region, alone = (masker.fit(t).transform(t, seed=3) for t in (wide, data))
    for name in ("time", "state"):
        np.testing.assert_array_equal(with_region[name].coded.codes, alone[name].coded.codes)


@given(st.lists(st.floats(-10, 10), min_size=3, max_size=20), st.integers(-900, 900))
def test_values_act_on_hazards_whatever_their_unit(values: list[float], power: int) -> None:
    learnt = np.round(np.array(values), 3)
    weights, larger = np.ones(len(learnt)), np.ldexp(learnt, power)
    np.testing.assert_allclose(
        standardized(larger, larger, weights), standardized(learnt, learnt, weights), atol=1e-9
    )
