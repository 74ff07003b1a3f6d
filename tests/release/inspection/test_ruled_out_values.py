"""Values that a key rules out: who knows the key of a person knows which records are not his."""

from typing import Any

import numpy as np
import pytest

import sudare
from sudare.core import Categorical, Codes, Flags, Integers, Microdata, Numeric
from sudare.release.inspection import Finding, NamedConfirmation
from sudare.release.inspection.masked_pair import MaskedPair
from sudare.release.inspection.release_guarantees.measured_promises import (
    Promise,
    left_where_known,
)
from sudare.release.inspection.release_guarantees.partial_dependencies import Known
from sudare.release.inspection.release_guarantees.ruled_out_values import (
    _apart,
    is_parted,
    ruled_out,
)

KEYS = ("age", "area", "sex")


def people(kind: str, records: int = 1_000, seed: int = 1) -> Microdata:
    """Return people of whom a status, or an amount, has to do with age or area."""
    rng = np.random.default_rng(seed)
    age, area = rng.integers(0, 90, records), rng.integers(0, 8, records)
    sex, chance = rng.integers(0, 2, records), rng.random(records)
    young, others = rng.integers(0, 3, records), rng.integers(3, 7, records)
    status = {
        "one of three, then one of four": np.where(age < 20, young, others),
        "and some of any age": np.where(chance < 0.3, 7, np.where(age < 20, young, others)),
        "and few exceptions": np.where((age < 20) ^ (chance < 0.01), young, others),
        "three groups": np.where(age < 20, young, np.where(age < 60, others, 5 + others)),
        "many of each": np.where(age < 20, young + 3 * sex, 10 + 5 * others + area % 5),
        "of the oldest": np.where(age > 86, young, others),
        "of one area": np.where(area == 3, young, others),
        "some of the young never": np.where((age < 30) & (young < 2), 3, others),
        "one, then the other": np.where(age < 20, 0, 1),
        "by chance": np.where(chance < 0.4, young, others),
        "amounts": np.where(age < 20, 1 + chance, 100 * (1 + chance)),
    }[kind]
    answers: Any = Numeric("status", status * 1.0, role="sensitive")
    if kind != "amounts":
        labels = tuple(f"s{number}" for number in range(50))
        answers = Categorical("status", status, labels, role="sensitive")
    return Microdata(
        (
            Numeric("age", age * 1.0, role="key"),
            Categorical("area", area, tuple("abcdefgh"), role="key"),
            Categorical("sex", sex, ("m", "f"), role="key"),
            answers,
        )
    )


def told_by_keys(data: Microdata) -> list[Finding]:
    masked = sudare.apply(data, sudare.mask.Mondrian(k=5, columns=KEYS), seed=1)
    twins = sudare.release.gate(data, masked.data, masked.steps).of_kind("twin")
    return [twin for twin in twins if "can be follows" in str(twin)]


@pytest.mark.parametrize(
    ("kind", "stopped"),
    [
        ("one of three, then one of four", ("status", "age")),
        ("and few exceptions", ("status", "age")),
        ("three groups", ("status", "age")),
        ("many of each", ("status", "age")),
        ("of the oldest", ("status", "age")),
        ("of one area", ("status", "area")),
        ("amounts", ("status", "age")),
        ("some of the young never", None),
        ("by chance", None),
    ],
)
def test_one_of_several_values_that_follow_from_a_key_is_no_promise_of_k(
    kind: str, stopped: tuple[str, ...] | None
) -> None:
    stops = [twin.columns for twin in told_by_keys(people(kind)) if twin.stops]
    assert stops == ([stopped] if stopped else [])


def test_a_rule_for_everybody_stops_a_release_whatever_is_left() -> None:
    """What is usual for some, and leaves half of k, is noted; groups that never meet are a rule."""
    for kind, severity in (
        ("one of three, then one of four", "stop"),
        ("and some of any age", "note"),
    ):
        (twin,) = told_by_keys(people(kind, records=5_000))
        assert twin.severity == severity
        assert ("for some people" in str(twin)) == (severity == "note")


@pytest.mark.parametrize(
    ("kind", "is_left"), [("one of three, then one of four", True), ("one, then the other", False)]
)
def test_values_that_are_ruled_out_count_for_l_where_the_key_leaves_several(
    kind: str, is_left: bool
) -> None:
    """In a class of both groups each person knows his own; what the key alone tells is no news."""
    masked = sudare.mask.Mondrian(k=2, l=2, columns=KEYS)
    made = sudare.apply(data := people(kind, records=3_000), masked, seed=1)
    (twin,) = sudare.release.gate(data, made.data, made.steps).of_kind("twin")
    assert ("l = 1 instead of k = 2, l = 2" in str(twin)) is is_left
    assert ("l = " in str(twin)) is is_left


def test_the_promise_does_not_hold_and_can_be_confirmed() -> None:
    recipe = sudare.Recipe("r", [sudare.mask.Mondrian(k=5, columns=KEYS)])
    data = people("three groups")
    made = sudare.publish(data, recipe, measures=[], seed=73915502846613094428817)
    (twin,) = [finding for finding in made.findings.stops if finding.kind == "twin"]
    assert made.guarantees[0].holds is False
    accepted = sudare.publish(
        data, recipe, measures=[], seed=73915502846613094428817, confirmations=[twin.name]
    )
    assert not accepted.findings.stops


@pytest.mark.parametrize("most", [None, 1_000])
def test_a_confirmation_of_some_records_covers_nothing_without_a_number(most: int | None) -> None:
    (twin,) = told_by_keys(people("three groups"))
    accepted = NamedConfirmation(twin.kind, twin.columns, most)
    assert twin.count == 0
    assert twin.accepted_by(accepted) is (most is None)


def independent(seed: int) -> tuple[list[Any], list[Any]]:
    """Return keys and other columns that have nothing to do with each other."""
    rng = np.random.default_rng(seed)
    records = int(rng.integers(300, 3_001))

    def drawn(name: str, values: int, evenness: float) -> Categorical:
        shares = rng.dirichlet(np.full(values, evenness))
        labels = tuple(f"v{number}" for number in range(values))
        return Categorical(name, rng.choice(values, records, p=shares), labels)

    keys: list[Any] = [
        Numeric("age", rng.integers(0, 90, records) * 1.0),
        Numeric("size", rng.normal(size=records)),
        drawn("sex", 2, 100.0),
        drawn("area", 47, 1.0),
        drawn("place", records // 5, 100.0),
    ]
    others: list[Any] = [
        drawn(f"{n} {evenness}", n, evenness) for n in (2, 7, 60) for evenness in (0.3, 50.0)
    ]
    triples = np.arange(records) // 3
    names = tuple(f"n{number}" for number in range(int(triples.max()) + 1))
    others += [Categorical("names", triples, names), Numeric("income", rng.lognormal(size=records))]
    return keys, others


def test_independent_columns_rule_out_nothing() -> None:
    for seed in range(40):
        keys, others = independent(seed)
        assert not [1 for key in keys for column in others if ruled_out(key, column) is not None]


@pytest.mark.parametrize("seed", range(5))
def test_what_is_left_is_what_a_count_by_hand_gives(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shown, known, said, more, also = (
        rng.integers(0, top, 200).astype(np.int32) for top in (9, 4, 5, 3, 3)
    )
    fits, others = rng.random((4, 5)) < 0.6, rng.random((3, 3)) < 0.7
    fits[0], others[0] = True, True
    known, more = known * fits[known, said], more * others[more, also]
    key = Categorical("key", shown, tuple("abcdefghi"), role="key")
    data = Microdata((key, Categorical("other", said, tuple("vwxyz"))))
    knowns = [
        Known(("other",), ("key",), known, said, fits, is_presence=False),
        Known(("another",), ("key",), more, also, others, is_presence=False),
    ]
    sizes = [
        sum(
            shown[other] == shown[person]
            and fits[known[person], said[other]]
            and others[more[person], also[other]]
            for other in range(200)
        )
        for person in range(200)
    ]
    promise, pair = Promise("k", 200, ("key",)), MaskedPair(data, data)
    assert left_where_known(promise, 200, pair, knowns) == min(sizes)


def seen(key: Any, column: Any) -> tuple[Codes, Codes, Flags]:
    found_out = ruled_out(key, column)
    assert found_out is not None
    return found_out


def test_a_value_next_to_the_first_that_was_seen_is_not_ruled_out() -> None:
    """Of 91 records of a value from 50 on, chance alone may have left out 48 and 49."""
    age = np.tile(np.arange(100), 20)
    rare = (age >= 50) & (np.arange(2_000) % 11 == 0)
    column = Categorical("status", rare.astype(int), ("usual", "rare"))
    known, _, fits = seen(Numeric("age", age * 1.0), column)
    last = max(int(age[row]) for row in range(2_000) if not fits[known[row]].all())
    assert 40 < last < 49


def test_what_is_missing_tells_nothing_and_is_ruled_out_by_nobody() -> None:
    age = np.tile(np.arange(100), 20) * 1.0
    status = np.where(age < 50, 0, 1)
    status[::7], age[::11] = -1, np.nan
    known, said, fits = seen(Numeric("age", age), Categorical("status", status, ("a", "b")))
    assert (known[::11] == 0).all()
    assert fits[:, said[::7]].all()
    assert fits[0].all()
    assert is_parted(known, said, fits) is False  # of too many people nothing is known


@pytest.mark.parametrize("exceptions", [0.0, 0.01])
def test_keys_without_an_order_are_parted_by_the_values_that_they_have(exceptions: float) -> None:
    """Ninety categories, a few records of each in every value: by themselves they show nothing."""
    rng = np.random.default_rng(2)
    town = rng.permutation(90)[age := rng.integers(0, 90, 1_000)]
    other = rng.random(1_000) < exceptions
    status = np.where((age < 20) ^ other, rng.integers(0, 3, 1_000), rng.integers(3, 7, 1_000))
    names = tuple(f"town {number:02d}" for number in range(90))
    known, said, fits = seen(
        Categorical("town", town, names), Categorical("status", status, tuple("abcdefg"))
    )
    truth = (age[:, None] < 20) == (status < 3)[None, :]
    assert (fits[known][:, said] | ~truth)[known > 0].mean() > 0.99
    assert (fits[known][:, said] == truth)[known > 0].mean() > 0.9


def schools(pupils: int) -> tuple[Any, Any]:
    """Return ten regions of 20 schools each, with some pupils in every school."""
    school: Integers = np.repeat(np.arange(200), pupils)
    names = tuple(f"school {number}" for number in range(200))
    region = Categorical("region", school // 20, tuple("abcdefghij"))
    return region, Categorical("school", school, names)


def test_schools_of_other_regions_are_ruled_out_though_each_has_few_records() -> None:
    known, said, fits = seen(*schools(8))
    assert is_parted(known, said, fits)
    assert fits[known[0]][said].mean() == pytest.approx(0.1)


def test_schools_of_many_towns_are_looked_at() -> None:
    """Each town goes to 6 schools of 1,500; more than a million pairs passed unseen."""
    rng = np.random.default_rng(0)
    town = rng.integers(0, 700, 60_000)
    school = (town + rng.integers(-1, 2, 60_000)) % 700 * 2 + rng.integers(0, 2, 60_000)
    names = tuple(f"n{number}" for number in range(1_500))
    towns, schools = Categorical("town", town, names[:700]), Categorical("school", school, names)
    told = ruled_out(towns, schools)
    assert told is not None
    people, said, fits = told
    assert fits[people, said].all()
    assert fits[people[0]].sum() < 100


def test_values_are_ruled_out_from_the_nearest_cut_on_each_side() -> None:
    """Each twelve keys have two values of their own, and many cuts the same values beyond them."""
    key = np.arange(3_000) % 60
    counts = np.zeros((10, 60), np.int64)
    np.add.at(counts, (key // 12 * 2 + np.arange(3_000) // 60 % 2, key), 1)
    others = np.arange(10)[:, None] // 2 != np.arange(60) // 12
    np.testing.assert_array_equal(_apart(counts), others)
