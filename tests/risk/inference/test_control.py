"""Control records: a comparison with people who are in the release says nothing, and says so."""

import numpy as np
import pytest

import sudare
from sudare.core.table.categorical import Categorical
from sudare.core.table.numeric import Numeric
from sudare.risk import (
    AttributeInference,
    CorrectAttribution,
    Linkability,
    MembershipInference,
    NearestDistances,
    ReplicatedUniques,
    SinglingOut,
)
from sudare.risk.inference import ControlledRisk, excess
from tests.risk.inference.populations import joined, people

ATTACKS = (
    AttributeInference,
    CorrectAttribution,
    Linkability,
    MembershipInference,
    NearestDistances,
    ReplicatedUniques,
    SinglingOut,
)


def marked() -> sudare.Microdata:
    return joined(people(60, seed=1), people(40, seed=2))


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_release_of_the_control_records_is_refused(attack: type[ControlledRisk]) -> None:
    data = marked()
    with pytest.raises(sudare.errors.SettingError, match="marks 40 records of the masked table"):
        attack(control="control")(data, data)
    made = data.take(np.arange(60))
    assert (
        attack(control="control")(data, made).notes
        == attack(control="control")(data, made.without(["control"])).notes
    )


@pytest.mark.parametrize("attack", ATTACKS)
def test_control_records_that_a_release_copies_are_noted(attack: type[ControlledRisk]) -> None:
    data = marked()
    release = attack(control="control")
    notes = release(data, data.without(["control"])).notes
    noted = [note for note in notes if "control records that" in note]
    assert len(noted) == 1
    assert "shows nothing" in noted[0]
    members = data.take(np.arange(60)).without(["control"])
    assert not any("control records that" in note for note in release(data, members).notes)


@pytest.mark.parametrize("attack", ATTACKS)
def test_without_a_control_an_attack_refuses_or_says_so(attack: type[ControlledRisk]) -> None:
    data = people(60, seed=1)
    if attack is MembershipInference:
        with pytest.raises(sudare.errors.SettingError, match="needs control records"):
            attack()(data, data)
    else:
        assert any("without a control" in note for note in attack()(data, data).notes)


def test_an_attack_that_is_right_about_few_controls_leaves_everything_open() -> None:
    assert excess(np.ones(50), np.ones(3), 0.95) == (0, 0, 1)
    assert excess(np.full(1000, 0.9), np.ones(1000), 0.95) == (0, 0, 0)


def test_what_everybody_has_is_no_secret() -> None:
    data = sudare.Microdata(
        (
            Numeric("age", np.arange(40.0), role="key"),
            Categorical("ill", np.zeros(40, int), ("no",), role="sensitive"),
            Categorical("held", np.arange(40) % 2, (0, 1), role="other"),
        )
    )
    result = AttributeInference(control="held")(data, data.take(np.arange(0, 40, 2)))
    assert (result.value, result.interval) == (0, (0, 0))


def test_many_statements_about_few_people_are_no_more_evidence_than_the_people() -> None:
    data = joined(people(4, seed=1), people(4, seed=2))
    result = SinglingOut(control="control")(data, people(200, seed=3))
    assert result.interval is not None
    assert result.interval[1] > 0.3


@pytest.mark.parametrize("attack", [AttributeInference, CorrectAttribution])
def test_a_secret_that_the_release_lacks_is_named(attack: type[ControlledRisk]) -> None:
    data = people(30, seed=1)
    with pytest.raises(sudare.errors.MismatchError, match="'pay' is not in the table after"):
        attack()(data, data.without(["pay"]))


@pytest.mark.parametrize(("copied", "told"), [(400, True), (150, True), (0, False)])
def test_a_control_with_copied_members_is_told(*, copied: int, told: bool) -> None:
    data, rows = sudare.datasets.toy(800), np.arange(800)
    rows[400 : 400 + copied] -= 400
    marks = Categorical("held", np.arange(800) // 400, ("no", "yes"), role="other")
    both = sudare.Microdata((*data.take(rows).columns, marks))
    notes = MembershipInference(control="held")(both, data.take(np.arange(400))).notes
    assert any("equal a record from which" in note for note in notes) is told
