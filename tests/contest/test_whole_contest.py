"""A whole contest, in small: the example's fourteen teams, from ``new`` to ``results``."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from sudare.cli import main as sudare
from sudare.contest import Contest
from sudare.transactions import ATTACKERS, read_history, read_masked, utility

pytestmark = pytest.mark.xdist_group("contest-example")  # one contest for all
EXAMPLE = Path(__file__).parents[2] / "examples" / "contest_2018.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("contest_2018", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("contest") / "contest"


@pytest.fixture(scope="module")
def outcome(example: ModuleType, folder: Path) -> dict[str, Any]:
    """What the example's contest came to, with few customers."""
    results: dict[str, Any] = example.main(
        ["--customers", "20", "--samples", "0", "--folder", str(folder)]
    )
    return results


def test_everybody_masked_and_attacked_everybody_else(
    example: ModuleType, outcome: dict[str, Any]
) -> None:
    teams = list(example.TEAMS)
    assert len(teams) == 14
    assert sorted(line["team"] for line in outcome["leaderboard"]) == sorted(teams)
    pairs = {(hit["attacker"], hit["target"]) for hit in outcome["hits"]}
    assert pairs == {
        (attacker, target) for attacker in teams for target in teams if attacker != target
    }
    assert outcome["progress"] == {"queued": 0, "running": 0, "done": 14 * 14, "failed": 0}


def test_the_best_file_that_was_never_hit_wins(outcome: dict[str, Any]) -> None:
    board = outcome["leaderboard"]
    safe = [line for line in board if line["safe"]]
    assert [line["rank"] for line in board] == [
        *range(1, len(safe) + 1),
        *[None] * (len(board) - len(safe)),
    ]
    assert [line["score"] for line in safe] == sorted(line["score"] for line in safe)
    hit = {hit["target"] for hit in outcome["hits"] if hit["effective"]}
    assert {line["team"] for line in board if not line["safe"]} == hit
    assert {"as it is", "months", "packs"} <= hit
    assert {"pairs", "threes", "fours", "sevens"} & hit == set()


def test_a_hit_needs_as_many_right_names_as_the_rules_say(outcome: dict[str, Any]) -> None:
    assert all(hit["effective"] == (hit["right"] >= hit["needed"]) for hit in outcome["hits"])
    by_team = {line["team"]: line["effective"] for line in outcome["attackers"]}
    for team, count in by_team.items():
        own = [hit for hit in outcome["hits"] if hit["attacker"] == team and hit["effective"]]
        assert len(own) == count
    assert len(by_team) == 14 > len(ATTACKERS)


def test_scores_are_those_of_the_files(outcome: dict[str, Any], folder: Path) -> None:
    with Contest.open(folder) as contest:
        referee = contest.referee()
        history = read_history(contest.original("final"))
        for line in outcome["leaderboard"][:3]:
            masked = read_masked(contest.file(referee, f"final/masked/{line['team']}").path)
            assert line["score"] == pytest.approx(utility(history, masked), abs=1e-15)


def test_results_can_be_read_again(
    outcome: dict[str, Any], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        sudare(["contest", "results", str(folder), "--json"])
    assert not end.value.code
    assert json.loads(capsys.readouterr().out) == outcome
