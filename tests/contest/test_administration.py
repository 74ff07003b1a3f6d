"""What organizers do: teams in and out, limits, choices, scoring again, export."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import inspect

from sudare.contest import Contest, ContestLimits, ContestRules, Phase
from sudare.contest.administration import csv_text
from sudare.contest.contest_state import RULES_FILE
from sudare.contest.entries import ContestEntry
from sudare.contest.errors import ChangedError, EntryError, NotAllowedError, NotFoundError
from sudare.contest.results import Standings, Statistics
from sudare.contest.scoring.worker import Worker
from sudare.contest.storage.database import Base, Database
from sudare.transactions import CellDeletion, History, ItemFamilies, MaskedHistory, write_masked
from tests.contest.conftest import PASSWORD, MakeContest
from tests.contest.test_accounts import Clock


@pytest.fixture
def files(history: History, tmp_path: Path) -> tuple[Path, Path]:
    """T itself, and T without quantities."""
    write_masked(MaskedHistory.of(history), tmp_path / "A.csv")
    deleted = CellDeletion(columns=("quantity",)).mask(MaskedHistory.of(history), seed=1)
    write_masked(deleted, tmp_path / "B.csv")
    return tmp_path / "A.csv", tmp_path / "B.csv"


def masked(make_contest: MakeContest, files: tuple[Path, Path], **rules: object) -> Contest:
    contest = make_contest("alpha", "beta", **rules)
    contest.open_phase(Phase.FINAL_MASKING)
    for team in contest.teams():
        contest.accept_mask(team, files[0], "A.csv")
    Worker(contest).run(until_idle=True)
    return contest


def attacked(contest: Contest) -> None:
    contest.open_phase(Phase.FINAL_ATTACK)
    alpha, beta = contest.teams()
    for attacker, target in ((beta, "alpha"), (alpha, "beta")):
        truth = contest.file(contest.referee(), f"final/pseudonyms/{target}").path
        contest.accept_attack(attacker, target, truth, "F.csv")
    Worker(contest).run(until_idle=True)


def test_the_tables_are_those_of_the_classes(make_contest: MakeContest) -> None:
    tables = inspect(make_contest().database.engine)
    for table in Base.metadata.sorted_tables:
        names = {column["name"] for column in tables.get_columns(table.name)}
        assert names == {column.name for column in table.columns}


def test_a_team_that_was_removed_leaves_no_trace_in_the_scores(
    make_contest: MakeContest, files: tuple[Path, Path]
) -> None:
    contest = masked(make_contest, files)
    attacked(contest)
    referee = contest.referee()
    assert [line.hits for line in contest.leaderboard(referee, "final")] == [1, 1]
    token = contest.login("beta", PASSWORD, "here")
    contest.set_team_status(referee, "beta", "removed")
    [line] = contest.leaderboard(referee, "final")
    assert (line.team, line.attacks, line.hits, line.rank) == ("alpha", 0, 0, 1)
    assert contest.hits(referee, "final") == []
    assert contest.attackers(referee, "final") == []
    assert contest.session(token) is None
    with pytest.raises(NotAllowedError, match="removed"):
        contest.login("beta", PASSWORD, "here")
    contest.set_team_status(referee, "beta", "active")
    assert len(contest.leaderboard(referee, "final")) == 2
    with pytest.raises(NotFoundError):
        contest.set_team_status(referee, "referee", "removed")


def test_a_team_waits_for_approval_where_the_rules_ask_for_it(
    make_contest: MakeContest, files: tuple[Path, Path]
) -> None:
    contest = make_contest(approval=True)
    contest.register("gamma", PASSWORD)
    contest.open_phase(Phase.FINAL_MASKING)
    [team] = contest.teams()
    assert (team.status, contest.resources(team)) == ("waiting", [])
    with pytest.raises(NotAllowedError, match="not approved"):
        contest.accept_mask(team, files[0], "A.csv")
    with pytest.raises(NotAllowedError, match="not approved"):
        contest.set_team_status(team, "gamma", "active")
    contest.set_team_status(contest.referee(), "gamma", "active")
    [team] = contest.teams()
    assert contest.accept_mask(team, files[0], "A.csv").status == "waiting"
    assert ContestRules.from_toml(contest.rules.to_toml()).approval


def test_files_are_limited_within_a_day_and_in_all(
    make_contest: MakeContest, files: tuple[Path, Path]
) -> None:
    clock = Clock()
    limits = ContestLimits(samples=0, files_per_day=2, files_in_all=3)
    contest = make_contest("alpha", clock=clock, limits=limits)
    contest.open_phase(Phase.FINAL_MASKING)
    [team] = contest.teams()
    for _ in range(2):
        contest.accept_mask(team, files[0], "A.csv")
    with pytest.raises(NotAllowedError, match="24 hours"):
        contest.accept_mask(team, files[0], "A.csv")
    clock.now += 25 * 3600
    contest.accept_mask(team, files[0], "A.csv")
    clock.now += 25 * 3600
    with pytest.raises(NotAllowedError, match="in all"):
        contest.accept_mask(team, files[0], "A.csv")


def test_a_team_chooses_which_of_its_files_counts(
    make_contest: MakeContest, files: tuple[Path, Path]
) -> None:
    contest = masked(make_contest, files)
    alpha, beta = contest.teams()
    contest.accept_mask(alpha, files[1], "B.csv")
    Worker(contest).run(until_idle=True)
    latest, first = contest.entries(alpha)
    assert (latest.counts, first.counts) == (True, False)
    contest.choose(alpha, first.id)
    latest, first = contest.entries(alpha)
    assert (latest.counts, first.counts) == (False, True)
    scores = {line.team: line.score for line in contest.leaderboard(contest.referee(), "final")}
    assert scores["alpha"] == first.score
    contest.accept_mask(alpha, files[1], "B.csv")  # a later one does not undo the choice
    assert "alpha" in {line.team for line in contest.leaderboard(contest.referee(), "final")}
    with pytest.raises(NotFoundError):
        contest.choose(beta, first.id)
    contest.close_phase()
    with pytest.raises(NotAllowedError):
        contest.choose(alpha, latest.id)


def test_scoring_again_keeps_the_old_scores(
    make_contest: MakeContest, files: tuple[Path, Path]
) -> None:
    contest = masked(make_contest, files)
    attacked(contest)
    referee = contest.referee()
    before = contest.leaderboard(referee, "final"), contest.hits(referee, "final")
    with pytest.raises(EntryError):
        contest.rescore(referee, " ")
    assert contest.rescore(referee, "a rule was wrong") == 4
    assert contest.leaderboard(referee, "final") == []
    Worker(contest).run(until_idle=True)
    assert (contest.leaderboard(referee, "final"), contest.hits(referee, "final")) == before
    former = contest.export(referee)["former_scores"]
    assert [row["reason"] for row in former] == ["a rule was wrong"] * 4
    assert former[0]["score"] == before[0][0].score


def test_everything_is_exported_but_secrets(
    make_contest: MakeContest, files: tuple[Path, Path]
) -> None:
    contest = masked(make_contest, files)
    tables = contest.export(contest.referee())
    assert [row["team"] for row in tables["teams"]] == ["alpha", "beta"]
    [first, *_] = csv.DictReader(io.StringIO(csv_text(tables["entries"])))
    assert first["score"] == "0.0"
    assert {"part date", "status", "received"} <= set(first)
    assert "password" not in str(tables)
    assert contest.entries(contest.referee())[0].file not in str(tables)
    with pytest.raises(NotAllowedError):
        contest.export(contest.teams()[0])
    assert csv_text([{"team": "=1+1"}]) == "team\n'=1+1\n"


def test_a_frozen_leaderboard_stays_as_it_was_for_all_but_the_referee(
    make_contest: MakeContest, files: tuple[Path, Path]
) -> None:
    contest = masked(make_contest, files)
    referee, (alpha, beta) = contest.referee(), contest.teams()
    contest.open_phase(Phase.FINAL_RESULT)
    before = contest.standings(alpha, "final")
    contest.freeze(referee, "final")
    attacked(contest)
    contest.set_team_status(referee, "beta", "removed")
    contest.rescore(referee, "the rules were wrong")
    contest.open_phase(Phase.FINAL_RESULT)
    for viewer in (None, alpha):
        shown = contest.standings(viewer, "final")
        assert shown.leaderboard() == before.leaderboard()
        assert shown.hits() == before.hits() == []
        assert shown.frozen is not None
    assert all(entry.effective is None for entry in contest.entries(alpha))
    assert contest.leaderboard(referee, "final") == []  # all files wait for their new scores
    assert contest.standings(referee, "final").frozen is not None
    with pytest.raises(ChangedError, match="frozen already"):
        contest.freeze(referee, "final")
    with pytest.raises(NotAllowedError):
        contest.unfreeze(beta, "final")
    contest.set_team_status(referee, "beta", "active")
    Worker(contest).run(until_idle=True)
    contest.unfreeze(referee, "final")
    assert [line.hits for line in contest.leaderboard(None, "final")] == [1, 1]
    assert any(entry.effective for entry in contest.entries(alpha))


def test_the_clock_freezes_the_leaderboard_as_it_was_at_the_time_in_the_rules(
    make_contest: MakeContest, files: tuple[Path, Path]
) -> None:
    clock = Clock()
    at = datetime.fromtimestamp(clock.now + 100, UTC)
    contest = masked(make_contest, files, clock=clock, freeze={"final": at})
    referee = contest.referee()
    contest.open_phase(Phase.FINAL_RESULT)
    before = contest.standings(None, "final")
    assert before.frozen is None
    contest.freeze(referee, "final")
    contest.unfreeze(referee, "final")  # before its time: the clock freezes it all the same
    clock.now += 200
    attacked(contest)  # nobody has looked since the time came
    contest.open_phase(Phase.FINAL_RESULT)
    shown = contest.standings(None, "final")
    assert (shown.frozen, shown.leaderboard(), shown.hits()) == (at, before.leaderboard(), [])
    contest.unfreeze(referee, "final")
    clock.now += 200
    shown = contest.standings(None, "final")  # what was released is not frozen again
    assert shown.frozen is None
    assert [line.hits for line in shown.leaderboard()] == [1, 1]


def test_attacks_on_a_file_that_new_rules_refuse_are_refused_and_nothing_waits(
    make_contest: MakeContest, history: History, tmp_path: Path
) -> None:
    families = ItemFamilies(size=5).mask(MaskedHistory.of(history), seed=1)
    write_masked(families, tmp_path / "A.csv")
    contest = masked(make_contest, (tmp_path / "A.csv", tmp_path / "A.csv"))
    attacked(contest)
    plain = replace(contest.rules, history=replace(contest.rules.history, set_size=1))
    (contest.folder / RULES_FILE).write_text(plain.to_toml(), encoding="utf-8")
    contest.close()
    with Contest.open(contest.folder) as corrected:
        referee = corrected.referee()
        corrected.rescore(referee, "an item is no set")
        Worker(corrected).run(until_idle=True)
        assert corrected.standings(referee, "final").waiting == 0
        entries = corrected.entries(referee)
        assert {entry.status for entry in entries} == {"refused"}
        reasons = [str(e.problems[0].reason) for e in entries if e.kind == "attack"]
        assert reasons == ["the attacked file is no longer accepted."] * 2


def test_what_is_frozen_is_the_points_and_the_statistics_too() -> None:
    at = datetime(2026, 9, 27, tzinfo=UTC)
    entry = ContestEntry(
        *(3, "mask", "final", "a", None, "A.csv", 1, at, "accepted", True, "0"),
        score=0.5,
        parts={"facet": 0.5},
        result={"own_attacks": {"nearest": 0.25}},
    )
    weights = {"utility": 0.5, "protection": 0.5}
    statistics = Statistics([{"team": "a", "score": 0.5}], {"x": None}, {"x": None}, 1, 0)
    standings = Standings({"a": entry}, [], 2, weights, None, statistics)
    kept = json.loads(json.dumps(standings.to_json(Database("sqlite://"))))
    again = Standings.from_json(kept, "final", at)
    assert again.leaderboard() == standings.leaderboard()
    assert (again.waiting, again.frozen) == (2, at)
    assert again.statistics(Database("sqlite://")) == statistics
