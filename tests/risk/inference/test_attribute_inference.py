"""Attribute inference: nothing where nothing is told, everything where all is."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.errors import SettingError
from sudare.core.table.categorical import Categorical
from sudare.core.table.column import Column
from sudare.core.table.numeric import Numeric
from sudare.core.types import Floats, Integers
from sudare.describe.distances import Space
from sudare.risk import AttributeInference, MembershipInference
from sudare.risk.inference.attribute_inference import blind_guesses, guesses
from sudare.risk.inference.control import excess, members, targets
from tests.risk.inference.populations import joined, people


def test_an_unchanged_release_tells_nearly_every_secret() -> None:
    data = people(400, 1)
    attack = AttributeInference()(data)
    assert attack.parts["pay"] > 0.75
    assert attack.interval is not None
    assert attack.interval[0] <= attack.value <= attack.interval[1]


@pytest.mark.parametrize("kept", [3, 400])
def test_who_knows_nothing_of_a_person_learns_no_more_than_a_blind_guess(kept: int) -> None:
    data = people(400, 1)
    alone = AttributeInference(columns=("area",), sensitive=("area",))(data, people(kept, 2))
    assert alone.value == 0
    assert alone.by_record is not None
    assert alone.by_record.max() <= 1


def test_fresh_people_tell_no_more_than_a_control_already_knows() -> None:
    """Half of the secret follows from the area: that is knowledge about the population."""
    data = joined(people(600, 1), people(600, 2))
    release = people(600, 3)
    settings = {"columns": ("age", "area"), "sensitive": ("secret",)}
    plain = AttributeInference(**settings)(data, release)  # type: ignore[arg-type]
    controlled = AttributeInference(control="control", **settings)(data, release)  # type: ignore[arg-type]
    assert plain.value < 0.08
    assert any("without a control" in note for note in plain.notes)
    assert not controlled.notes
    assert controlled.interval is not None
    assert controlled.interval[0] == 0
    leaking = AttributeInference(control="control", **settings)(data, people(600, 1))  # type: ignore[arg-type]
    assert leaking.value > 0.5


def test_many_secrets_of_fresh_people_raise_no_more_alarms_than_one() -> None:
    """The value is the largest of all columns; its interval must cover 0 as often as stated."""

    def strangers(draws: np.random.Generator, n: int) -> list[Categorical]:
        codes = draws.integers(0, 2, (10, n))
        return [Categorical(str(at), each, (0, 1), role="key") for at, each in enumerate(codes)]

    marks = Categorical("held", np.arange(200) % 2, (0, 1), role="other")
    attack = AttributeInference(control="held")
    alarms = 0
    for seed in range(100):
        draws = np.random.default_rng(seed)
        original = sudare.Microdata((*strangers(draws, 200), marks))
        interval = attack(original, sudare.Microdata(tuple(strangers(draws, 5)))).interval
        alarms += interval is not None and interval[0] > 0
    assert alarms <= 5  # with the interval of a single column, 13


@given(st.integers(0, 10**6))
def test_guesses_are_those_of_all_pairs(seed: int) -> None:
    draws = np.random.default_rng(seed)
    before, after = (
        sudare.Microdata(
            (
                Numeric("x", draws.choice([0.0, 1.0, 2.0, np.nan], n)),
                Categorical("k", draws.integers(-2, 2, n), ("a", "b")),
            )
        )
        for n in (7, 9)
    )
    secret = draws.integers(0, 3, 7), draws.integers(0, 3, 9)
    space = Space.of(before, after, ["x", "k"])
    chances = guesses(space.original, space.released, secret, 0.0)
    for row in range(7):
        apart = np.array([_apart(before, after, row, other) for other in range(9)])
        nearest = apart <= apart.min() + 1e-12
        assert chances[row] == pytest.approx((secret[1][nearest] == secret[0][row]).mean())
    blind = blind_guesses(secret, 0.0)
    np.testing.assert_allclose(blind, [(secret[1] == own).mean() for own in secret[0]])


def _apart(before: sudare.Microdata, after: sudare.Microdata, row: int, other: int) -> float:
    original, released = before["x"], after["x"]
    assert isinstance(original, Numeric)
    assert isinstance(released, Numeric)
    known = original.values[original.known]
    reach = float(np.ptp(known)) if len(known) and np.ptp(known) > 0 else 1.0
    mine, theirs = original.values[row], released.values[other]
    gap = float(np.isnan(mine) != np.isnan(theirs))
    if not np.isnan(mine) and not np.isnan(theirs):
        gap = min(abs(mine - theirs) / reach, 1.0)
    return gap + float(before["k"].coded.codes[row] != after["k"].coded.codes[other])


def test_a_control_without_records_is_refused() -> None:
    data = people(10, 1)
    marked = sudare.Microdata((*data.columns, Categorical("control", np.zeros(10), (False, True))))
    with pytest.raises(sudare.errors.SettingError, match="marks 0 of 10 records as control"):
        AttributeInference(control="control")(marked, data)


rates = st.lists(st.floats(0, 1), min_size=1, max_size=30).map(np.array)


@given(rates, rates)
def test_an_excess_lies_in_its_interval(success: Floats, reference: Floats) -> None:
    estimate = excess(success, reference, 0.9)
    assert 0 <= estimate.low <= estimate.risk <= estimate.high <= 1


def test_attacked_records_are_spread_over_the_table() -> None:
    assert targets(np.arange(5), 10).tolist() == [0, 1, 2, 3, 4]
    parts = np.searchsorted([0, 2, 5, 7], targets(np.arange(10), 4), "right")
    assert parts.tolist() == [1, 2, 3, 4]


def test_no_place_in_a_household_is_safe_from_an_attack() -> None:
    """The heads of households of five are newly drawn, and all others are copies."""
    inside = people(10_000, 1)
    drawn = (np.arange(10_000) % 5 == 0) * 10_000 + np.arange(10_000)
    both = joined(inside, people(10_000, 2)).without(["control"])
    data = joined(inside, people(10_000, 3))
    assert AttributeInference(control="control")(data, both.take(drawn)).value > 0.1
    assert MembershipInference(control="control")(data, both.take(drawn)).value > 0.5


@pytest.mark.parametrize("origin", [0.0, 2000.0, 1.7e15])
def test_years_and_dates_are_secrets_wherever_they_are_counted_from(origin: float) -> None:
    """A twentieth of 2000 is a century, in which every guess would be right."""
    pay = people(600, 1)["pay"]
    assert isinstance(pay, Numeric)
    data = joined(people(600, 1), people(600, 2))
    both = data["pay"]
    assert isinstance(both, Numeric)
    data = data.replacing([replace(both, values=both.values / 1000 + origin)])
    release = people(600, 1).replacing([replace(pay, values=pay.values / 1000 + origin)])
    attack = AttributeInference(sensitive=("pay",), control="control")(data, release)
    assert attack.value > 0.7


@pytest.mark.parametrize("words", [(0, 1), ("no", "yes"), ("True", "False"), (1, 0)])
def test_control_is_what_is_marked_by_a_word_for_yes(words: tuple[object, object]) -> None:
    marks = np.array([0, 0, 1])
    column = Categorical("control", marks, words, role="other")
    flags = members(sudare.Microdata((column,)), "control")
    is_control = str(words[1]) in ("1", "yes", "True")
    assert flags.tolist() == ([True, True, False] if is_control else [False, False, True])


@pytest.mark.parametrize("words", [("member", "control"), ("train", "holdout"), (1, 2)])
def test_marks_that_do_not_say_which_is_control_are_refused(words: tuple[object, object]) -> None:
    column = Categorical("control", np.array([0, 0, 1]), words, role="other")
    with pytest.raises(SettingError, match="'control' must mark control records with 1"):
        members(sudare.Microdata((column,)), "control")
    gap = Categorical("control", np.array([0, -1, 1]), (0, 1), role="other")
    with pytest.raises(SettingError, match="without missing values"):
        members(sudare.Microdata((gap,)), "control")


def test_a_copy_of_a_few_columns_tells_the_secret_beside_them() -> None:
    draws = np.random.default_rng(1)
    amounts, others = draws.normal(0, 1, (2, 800)).round(3), draws.normal(0, 1, (5, 1200)).round()
    secret, marks = draws.integers(0, 4, 800), np.arange(800) >= 400

    def table(rows: Integers, beside: Integers) -> list[Column]:
        numbers = [*amounts[:, rows], *others[:, beside]]
        columns = [Numeric(f"x{at}", each, role="key") for at, each in enumerate(numbers)]
        return [*columns, Categorical("secret", secret[rows], tuple("abcd"), role="sensitive")]

    held = Categorical("held", marks, ("no", "yes"), role="other")
    everybody, members = np.arange(800), np.arange(400)
    original = sudare.Microdata((*table(everybody, everybody), held))
    release = sudare.Microdata(tuple(table(members, members + 800)))
    assert AttributeInference(control="held")(original, release).value > 0.8


@pytest.mark.filterwarnings("error")
def test_a_release_without_records_tells_nothing() -> None:
    data = sudare.datasets.toy()
    assert AttributeInference()(data, data.take(np.arange(0))).value == 0
