"""The contest of synthetic cohorts: what is handed out, how attacks are judged, who wins."""

import csv
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sudare
from sudare.contest import Contest, ContestLimits, ContestRules
from sudare.contest.entries import ContestEntry
from sudare.contest.errors import NotFoundError
from sudare.contest.results import ScoredAttack, Standings
from sudare.contest.rulebooks.synthetic_cohort.attacks import (
    Answers,
    judge_attributes,
    judge_membership,
)
from sudare.contest.rulebooks.synthetic_cohort.cohort_settings import CohortSettings
from sudare.contest.rulebooks.synthetic_cohort.cohorts import write_handouts
from sudare.contest.rules import Resource
from sudare.core import SettingError
from sudare.datasets import cohort_like
from tests.contest.conftest import PASSWORD
from tests.contest.made_up_people import write_common_people
from tests.contest.working import working

SETTINGS = {
    "members": 120,
    "background": 60,
    "facets": ["k-marginal: k = 1, classes = 3", "total-variation"],
    "strata": ["sex"],
}
RULES = ContestRules(
    subject="synthetic-cohort",
    rounds=("final",),
    settings=SETTINGS,
    limits=ContestLimits(teams=3),
)


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def handouts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("handouts")
    write_handouts(CohortSettings.of(SETTINGS), None, folder, 2, b"secret")
    return folder


def test_half_of_the_candidates_and_of_the_persons_are_from_the_cohort(handouts: Path) -> None:
    cohort = [tuple(row.values()) for row in rows_of(handouts / "1" / "cohort.csv")]
    trial, secrets = (rows_of(handouts / "1" / f"{name}.csv") for name in ("trial", "secrets"))
    members: list[set[tuple[str, ...]]] = []
    for people in (trial, secrets):
        inside = [tuple(row.values())[:-1] for row in people if row["control"] == "0"]
        outside = [tuple(row.values())[:-1] for row in people if row["control"] == "1"]
        assert len(inside) == len(outside) == 60
        assert set(inside) <= set(cohort)
        assert not set(outside) & set(cohort)
        members.append(set(inside))
    assert not members[0] & members[1], "a candidate's record would tell a person's secret"


def test_attackers_get_no_secret_and_no_mark(handouts: Path) -> None:
    [candidate, *_] = rows_of(handouts / "1" / "candidates.csv")
    [person, *_] = rows_of(handouts / "1" / "persons.csv")
    assert list(candidate) == ["candidate", *cohort_like(1).names]
    assert list(person) == ["person", *CohortSettings.of(SETTINGS).columns("key")]


def test_teams_have_cohorts_of_their_own_and_another_secret_gives_others(
    handouts: Path, tmp_path: Path
) -> None:
    write_handouts(CohortSettings.of(SETTINGS), None, tmp_path, 1, b"another")
    texts = [
        (handouts / "1" / "cohort.csv").read_text(),
        (handouts / "2" / "cohort.csv").read_text(),
        (tmp_path / "1" / "cohort.csv").read_text(),
    ]
    assert len(set(texts)) == 3


def test_an_organizers_table_is_dealt_out_without_its_background(tmp_path: Path) -> None:
    sudare.write(cohort_like(500, seed=3), tmp_path / "people.csv")
    (tmp_path / "out").mkdir()
    settings = CohortSettings.of(SETTINGS)
    write_handouts(settings, tmp_path / "people.csv", tmp_path / "out", 2, b"secret")
    background = {tuple(row.values()) for row in rows_of(tmp_path / "out" / "background.csv")}
    for seat in ("1", "2"):
        cohort = {tuple(r.values()) for r in rows_of(tmp_path / "out" / seat / "cohort.csv")}
        assert len(cohort) == 120
        assert not cohort & background


@pytest.fixture(scope="module")
def answers(handouts: Path) -> dict[str, Answers]:
    return {name: Answers.read(handouts / "1" / f"{name}.csv") for name in ("trial", "secrets")}


def lines(path: Path, text: list[str]) -> Path:
    path.write_text("".join(f"{line}\n" for line in text))
    return path


def test_who_knows_everybody_has_success_1_and_who_tosses_no_coin_has_0(
    answers: dict[str, Answers], tmp_path: Path
) -> None:
    settings, trial = CohortSettings.of(SETTINGS), answers["trial"]
    sure = [f"{at},{int(inside)}" for at, inside in enumerate(trial.inside, 1)]
    same = [f"{at},0.5" for at in range(1, len(trial.inside) + 1)]
    known = judge_membership(lines(tmp_path / "sure.csv", sure), trial, settings)["result"]
    blind = judge_membership(lines(tmp_path / "same.csv", same), trial, settings)["result"]
    assert (known["success"], known["effective"]) == (1.0, True)
    assert blind["success"] == pytest.approx(0, abs=1e-12)
    assert not blind["effective"]


@given(st.randoms(use_true_random=False))
def test_the_success_is_the_worst_over_the_strata_whatever_the_order_of_lines(
    tmp_path_factory: pytest.TempPathFactory, answers: dict[str, Answers], random: object
) -> None:
    trial, settings = answers["trial"], CohortSettings.of(SETTINGS)
    drawn = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    text = [f"{at},{drawn.random():.6f}" for at in range(1, len(trial.inside) + 1)]
    folder = tmp_path_factory.mktemp("guess")
    result = judge_membership(lines(folder / "a.csv", text), trial, settings)["result"]
    assert result["success"] == max(result["parts"].values())
    assert 0 <= result["success"] <= 1
    drawn.shuffle(text)
    assert judge_membership(lines(folder / "b.csv", text), trial, settings)["result"] == result


def test_a_guess_that_is_as_true_of_others_discloses_nothing(
    answers: dict[str, Answers], tmp_path: Path
) -> None:
    settings, secrets = CohortSettings.of(SETTINGS), answers["secrets"]
    count = len(secrets.inside)
    truth = [f"{at},state,{secrets.values['state'][at - 1]}" for at in range(1, count + 1)]
    everybody = judge_attributes(lines(tmp_path / "a.csv", truth), secrets, settings)["result"]
    assert everybody["success"] == 0
    members = [line for line, inside in zip(truth, secrets.inside, strict=True) if inside]
    result = judge_attributes(lines(tmp_path / "b.csv", members), secrets, settings)["result"]
    assert (result["success"], result["effective"], result["named"]) == (1.0, True, count // 2)


@pytest.mark.parametrize(
    ("judge", "text", "reason"),
    [
        (judge_membership, "candidate,confidence", "column names"),
        (judge_attributes, "person,column,guess\n1,state,ill", "column names"),
        (judge_membership, "1,1.5", "from 0 to 1"),
        (judge_membership, "1,nan", "from 0 to 1"),
        (judge_membership, "0,0.5", "not in the list"),
        (judge_membership, "999,0.5", "not in the list"),
        (judge_membership, "1,0.5\n1,0.5", "before"),
        (judge_membership, "1,0.5", "no line"),
        (judge_membership, "", "no line"),
        (judge_membership, "\ufeff1,0.5", "byte order mark"),
        (judge_attributes, "1,age,40", "must be one of"),
        (judge_attributes, "1,state", "cells instead of"),
        (judge_attributes, "1,state,ill\n1,state,dead", "before"),
        (judge_attributes, "", "names nobody"),
    ],
)
def test_attacks_that_are_not_in_order_are_refused_with_the_reason(
    answers: dict[str, Answers],
    tmp_path: Path,
    judge: Callable[..., dict[str, object]],
    text: str,
    reason: str,
) -> None:
    name = "trial" if judge is judge_membership else "secrets"
    (tmp_path / "F.csv").write_text(text, encoding="utf-8")
    refusal = judge(tmp_path / "F.csv", answers[name], CohortSettings.of(SETTINGS))
    assert refusal["count"]
    assert reason in str(refusal["problems"]) or reason in str(refusal).lower()


@pytest.mark.parametrize(
    "wrong",
    [
        {"members": 10},
        {"facets": []},
        {"strata": ["state"]},
        {"weights": {"final": {"beauty": 1.0}}},
        {"weights": {"final": {"utility": -1.0}}},
        {"unknown": 1},
    ],
)
def test_wrong_settings_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingError):
        CohortSettings.of({**SETTINGS, **wrong})


def entry(team: str, utility: float, ours: float) -> ContestEntry:
    result = {"own_attacks": {"nearest": ours}}
    return ContestEntry(
        *(1, "mask", "final", team, None, "S.csv", 1, datetime.now(UTC), "accepted", True, "key"),
        score=utility,
        parts={"k-marginal": utility},
        result=result,
    )


def test_points_are_weighted_and_protection_is_the_worst_over_attackers() -> None:
    masks = {"a": entry("a", 0.9, 0.1), "b": entry("b", 0.5, 0.2), "c": entry("c", 0.5, 0.2)}
    attacks = [
        ScoredAttack("b", "a", 10, 0, 0, effective=True, kind="membership", success=0.6),
        ScoredAttack("b", "a", 10, 0, 0, effective=False, kind="attribute", success=0.3),
        ScoredAttack("a", "b", 10, 0, 0, effective=False, kind="membership", success=0.1),
    ]
    weights = {"utility": 0.5, "protection": 0.3, "attack": 0.2}
    board = {line.team: line for line in Standings(masks, attacks, 0, weights).leaderboard()}
    assert board["a"].parts["protection"] == pytest.approx(0.4)
    assert board["b"].parts["protection"] == pytest.approx(0.8)
    assert board["b"].parts["attack"] == pytest.approx(0.3), "nothing was sent against c"
    assert board["a"].score == pytest.approx(0.5 * 0.9 + 0.3 * 0.4 + 0.2 * 0.05)
    assert [board[team].rank for team in "abc"] == [1, 2, 3]
    assert board["a"].hits == 1


def test_a_contest_of_cohorts_from_beginning_to_end(  # noqa: PLR0915
    tmp_path: Path, address: str
) -> None:
    rules = replace(RULES, database=address)
    with (
        Contest.create(tmp_path / "contest", rules, password=PASSWORD) as contest,
        working(contest) as drained,
    ):
        for name in ("copy", "fresh"):
            contest.register(name, PASSWORD)
        copy, fresh = contest.teams()
        contest.close_phase()
        own = contest.file(copy, "final/cohort/copy").path
        assert {file.key for file in contest.resources(copy)} == {
            "final/background",
            "final/cohort/copy",
        }
        write_common_people(tmp_path / "fresh.csv", 120)
        contest.accept_mask(copy, own, "cohort.csv")
        contest.accept_mask(fresh, tmp_path / "fresh.csv", "S.csv")
        bad = contest.accept_mask(fresh, contest.file(fresh, "final/background").path, "B.csv")
        drained()
        assert contest.entry(fresh, bad.id).status == "refused"
        [_, good] = contest.entries(fresh)
        assert good.score is not None
        assert good.result == {}, "protection comes with the result"
        contest.close_phase()
        published = {file.key for file in contest.resources(fresh)}
        assert {"final/candidates/copy", "final/persons/copy"} <= published
        assert not any(file.resource == Resource.MASKED for file in contest.resources(fresh))
        truth = rows_of(contest.file(contest.referee(), "final/trial/copy").path)
        guess = [f"{at},{1 - int(row['control'])}" for at, row in enumerate(truth, 1)]
        attack = lines(tmp_path / "F.csv", guess)
        contest.accept_attack(fresh, "copy", attack, "F.csv", kind="membership")
        with pytest.raises(NotFoundError, match="membership, attribute"):
            contest.accept_attack(fresh, "copy", attack, "F.csv", kind="attack")
        drained()
        [sent, *_] = contest.entries(fresh)
        assert (sent.kind, sent.named, sent.success, sent.effective) == (
            "membership",
            120,
            None,
            None,
        )
        contest.close_phase()
        board = {line.team: line for line in contest.leaderboard(None, "final")}
        assert board["copy"].parts["utility"] == 1
        assert board["copy"].parts["protection"] == 0
        assert board["fresh"].parts["attack"] == 1
        assert contest.entries(fresh)[0].success == 1
