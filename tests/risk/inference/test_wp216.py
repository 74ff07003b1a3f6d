"""Singling out and linkability: all of an unchanged release, nothing of independent people."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.risk import Linkability, NearestDistances, SinglingOut
from sudare.risk.inference.linkability import link_chances
from sudare.risk.inference.predicates import Predicate, single_values
from sudare.risk.inference.singling_out import rate_among
from tests.risk.inference.populations import joined, people

ATTACKS = [
    SinglingOut(control="control"),
    SinglingOut(control="control", predicates="univariate"),
    Linkability(control="control", first=("age", "area")),
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.label())
def test_members_of_a_release_are_found_more_often_than_control_records(
    attack: sudare.core.Measure,
) -> None:
    data = joined(people(300, 1), people(300, 2))
    result = attack(data, people(300, 1))
    assert result.interval is not None
    assert result.interval[0] > 0.1
    assert result.parts["attack"] > result.parts["control"]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.label())
def test_nobody_hides_behind_copies_of_the_own_record(attack: sudare.core.Measure) -> None:
    data, members = joined(people(300, 1), people(300, 2)), people(300, 1)
    copied = members.take(np.append(np.repeat(np.arange(299), 10), 299))
    assert attack(data, copied).value == pytest.approx(attack(data, members).value, abs=0.03)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.label())
def test_of_independent_people_the_intervals_cover_nothing(attack: sudare.core.Measure) -> None:
    results = [
        attack(joined(people(200, seed), people(200, seed + 1)), people(200, seed + 2))
        for seed in range(0, 60, 3)
    ]
    assert sum(result.interval is not None and result.interval[0] == 0 for result in results) >= 18


def test_few_control_records_stand_for_as_many_people_as_there_are_members() -> None:
    attack = SinglingOut(control="control", attacks=600)
    results = [
        attack(joined(people(400, seed), people(130, seed + 1)), people(400, seed + 2))
        for seed in range(0, 30, 3)
    ]
    assert sum(result.interval is not None and result.interval[0] == 0 for result in results) >= 9
    rates = [np.mean([result.parts[part] for result in results]) for part in ("attack", "control")]
    assert rates[1] == pytest.approx(rates[0], abs=0.06)


@given(st.floats(0.2, 5.0), st.floats(0.05, 2.0), st.floats(1.0, 5.0))
def test_the_rate_among_more_people_is_that_of_the_same_gamma(
    shape: float, scale: float, times: float
) -> None:
    none, single = (1 + scale) ** -shape, shape * scale / (1 + scale) ** (shape + 1)
    larger = scale * times
    expected = shape * larger / (1 + larger) ** (shape + 1)
    assert rate_among(none, single, 1.0) == pytest.approx(single, rel=1e-6)
    assert rate_among(none, single, times) == pytest.approx(expected, rel=1e-4)


def test_without_more_spread_than_chance_matches_are_poisson() -> None:
    none, single = np.exp(-0.3), 0.3 * np.exp(-0.3)
    assert rate_among(none, single, 3.0) == pytest.approx(0.9 * np.exp(-0.9))
    assert rate_among(1.0, 0.0, 3.0) == 0


def test_who_is_alone_with_a_value_is_singled_out() -> None:
    data = sudare.Microdata((Categorical("job", np.array([0, 0, 1]), ("a", "b"), role="key"),))
    result = SinglingOut(predicates="univariate")(data)
    assert result.parts["attack"] == result.value == 1
    assert "without a control" in result.notes[0]


@given(st.integers(0, 10**6))
def test_a_predicate_matches_what_lies_in_its_box(seed: int) -> None:
    draws = np.random.default_rng(seed)
    points = draws.integers(0, 5, (30, 3)).astype(float)
    low = draws.integers(0, 4, 2).astype(float)
    box = Predicate(np.array([0, 2]), low, low + 1)
    inside = ((points[:, [0, 2]] >= low) & (points[:, [0, 2]] <= low + 1)).all(axis=1).sum()
    assert len(box.matching(points)) == inside
    singles = single_values(points, (True, True, True), 99)
    assert all(len(each.matching(points)) == 1 for each in singles)


def test_links_are_shared_among_ties() -> None:
    released = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    chances = link_chances(np.array([[0.0, 1.0], [1.0, 0.0]]), released, np.array([True, False]))
    assert chances.tolist() == [0.25, 0.0]  # one of two by two; the nearest are other records


def test_two_sources_of_nothing_link_by_chance() -> None:
    data = people(50, 1)
    assert Linkability(columns=("age",))(data, people(40, 2)).value == 0


def test_distances_come_with_a_warning() -> None:
    data = sudare.Microdata((Numeric("x", np.array([0.0, 4.0, 10.0]), role="key"),))
    after = sudare.Microdata((Numeric("x", np.array([0.0, 5.0, 9.0]), role="key"),))
    result = NearestDistances()(data, after)
    assert result.value == pytest.approx(0.1)
    assert result.parts["NNDR, median"] == pytest.approx(1 / 5)
    assert result.parts["copies"] == pytest.approx(1 / 3)
    assert "say little about risk" in result.notes[0]
