"""synthpop's measures, by hand and against counts of every pair of records."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.core.table.categorical import Categorical
from sudare.describe.pairing import shared_keys
from sudare.risk import CorrectAttribution, ReplicatedUniques
from sudare.risk.replication.correct_attribution import attributions
from sudare.risk.replication.key_tables import SecretTable
from tests.risk.inference.populations import joined, people


def table(keys: list[int], secrets: list[int]) -> sudare.Microdata:
    return sudare.Microdata(
        (
            Categorical("key", np.array(keys), tuple("abcdef"), role="key"),
            Categorical("secret", np.array(secrets), tuple("uvw"), role="sensitive"),
        )
    )


BEFORE = table([0, 1, 1, 2, 3, 3], [0, 0, 1, 1, 2, 2])
AFTER = table([0, 1, 1, 1, 3, 4], [0, 0, 0, 0, 1, 1])


def test_uniques_by_hand() -> None:
    parts = ReplicatedUniques()(BEFORE, AFTER).parts
    assert parts["UiO"] == pytest.approx(2 / 6)  # keys a and c
    assert parts["UiS"] == pytest.approx(3 / 6)  # keys a, d and e
    assert parts["UiOiS"] == parts["repU"] == pytest.approx(1 / 6)  # key a


def test_a_note_tells_of_uniques_that_are_released_several_times() -> None:
    assert not any("several times" in note for note in ReplicatedUniques()(BEFORE, AFTER).notes)
    result = ReplicatedUniques()(BEFORE, BEFORE.take(np.repeat(np.arange(6), 10)))
    assert result.value == 0
    assert "2 of 2 people who are alone" in result.notes[0]


def test_attribution_by_hand() -> None:
    parts = CorrectAttribution()(BEFORE, AFTER).parts
    assert parts["secret, iS"] == pytest.approx(5 / 6)  # all but the one with key c
    assert parts["secret, DiS"] == pytest.approx(5 / 6)
    assert parts["secret, DiSCO"] == pytest.approx(2 / 6)  # key a, and the first with key b
    assert parts["secret, DiSDiO"] == pytest.approx(1 / 6)  # key a
    assert parts["secret, TCAP"] == pytest.approx(2 / 5)
    assert parts["secret, DCAP"] == pytest.approx(2 / 5)
    assert parts["secret, DiO"] == pytest.approx(4 / 6)


@given(st.integers(0, 10**6))
def test_attributions_are_those_of_all_pairs(seed: int) -> None:
    draws = np.random.default_rng(seed)
    keys = draws.integers(0, 4, 12), draws.integers(0, 4, 9)
    secrets = draws.integers(-1, 2, 12), draws.integers(-1, 2, 9)
    shares = attributions(SecretTable.of(keys, secrets))
    right, certain, chances = [], [], []
    for key, secret in zip(keys[0], secrets[0], strict=True):
        said = secrets[1][keys[1] == key]
        certain.append(len(set(said)) == 1)
        right.append(certain[-1] and said[0] == secret)
        chances += [(said == secret).mean()] if len(said) else []
    assert shares["DiSCO"] == pytest.approx(np.mean(right))
    assert shares["DiS"] == pytest.approx(np.mean(certain))
    assert shares["DCAP"] == pytest.approx(np.mean(chances) if chances else 0)
    assert shares["CAP0"] == pytest.approx((secrets[0][:, None] == secrets[1]).mean())


def test_what_is_alike_by_chance_is_the_baseline() -> None:
    """A fresh sample replicates uniques as often as those of people it was not made from."""
    data = joined(people(400, 1), people(400, 2))
    for measure in (
        ReplicatedUniques(columns=("age", "area"), control="control"),
        CorrectAttribution(columns=("age", "area"), sensitive=("secret",), control="control"),
    ):
        fresh, copied = measure(data, people(400, 3)), measure(data, people(400, 1))
        assert fresh.baseline is not None
        assert copied.baseline is not None
        assert fresh.value == pytest.approx(fresh.baseline, abs=0.05)
        assert copied.value > copied.baseline + 0.3


def test_a_level_that_nearly_everybody_has_is_no_disclosure() -> None:
    common = table([*[0] * 30, *[1] * 30, *[2] * 40], [*[0] * 97, 1, 1, 1])
    notes = " ".join(CorrectAttribution()(common).notes)
    assert "60 disclosures are of one level that 97 % of the people have" in notes
    assert "60 of 60 disclosures follow from 'key' alone" in notes


def test_numbers_and_blanks_are_keys_like_others() -> None:
    data = people(50, 4)
    original, released, size = shared_keys(data, data, ["age", "pay"])
    np.testing.assert_array_equal(original, released)
    assert size == len({*zip(data["age"].values, data["pay"].values, strict=True)})  # type: ignore[attr-defined]


def test_a_column_does_not_tell_itself() -> None:
    result = CorrectAttribution(columns=("key",))(BEFORE.without(["secret"]))
    assert result.value == 0
