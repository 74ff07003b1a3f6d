"""The scores of both first kinds of contest, to the digit: rules as packages changed none."""

from pathlib import Path
from typing import Any

import sudare
from sudare.contest import Contest, ContestLimits, ContestRules, Phase, TableRules
from sudare.contest.scoring.worker import Worker
from sudare.datasets import purchases_like
from sudare.mask import Pram
from sudare.transactions import (
    CellDeletion,
    CoarseDates,
    ItemFamilies,
    PriceBands,
    QuantityBands,
    read_guess,
    write_guess,
    write_history,
    write_masked,
)
from sudare.transactions.methods import HistoryMasker
from tests.contest.conftest import PASSWORD
from tests.contest.working import working

HISTORY: list[tuple[Any, ...]] = [
    (1, "deleted", "0.25", ["0.0", "0.0", "1.0", "0.0"], 0),
    (
        None,
        "coarse",
        "0.30208661431558326",
        [
            "0.10498321118675942",
            "0.11727589766898348",
            "0.08624181386249713",
            "0.8998455345440931",
        ],
        1,
    ),
]
TABLE: list[tuple[Any, ...]] = [
    (None, "deleted", "0.01", ["0.0010000000000000009", "0.019"], 0),
    (None, "coarse", "0.06937499999999999", ["0.01725", "0.12149999999999998"], 0),
]
MASKS: dict[str, list[HistoryMasker]] = {
    "coarse": [CoarseDates(), PriceBands(), QuantityBands(), ItemFamilies()],
    "deleted": [CellDeletion(columns=("quantity",))],
}


def contest_of(folder: Path, rules: ContestRules, data: Path) -> Contest:
    contest = Contest.create(folder, rules, data, password=PASSWORD)
    for team in ("coarse", "deleted"):
        contest.register(team, PASSWORD, by=contest.referee())
    contest.open_phase(Phase.FINAL_MASKING)
    return contest


def board(contest: Contest) -> list[tuple[Any, ...]]:
    lines = contest.leaderboard(contest.referee(), "final")
    return [
        (line.rank, line.team, repr(line.score), [repr(x) for x in line.parts.values()], line.hits)
        for line in lines
    ]


def test_scores_of_the_contest_of_histories(tmp_path: Path) -> None:
    history = purchases_like(24, seed=5)
    write_history(history, tmp_path / "T.csv")
    rules = ContestRules(rounds=("final",), limits=ContestLimits(samples=0))
    with contest_of(tmp_path / "contest", rules, tmp_path / "T.csv") as contest:
        teams = {team.name: team for team in contest.teams()}
        for team, steps in MASKS.items():
            masked = sudare.apply(history, steps, seed=1).data
            write_masked(masked, tmp_path / f"{team}.csv")
            contest.accept_mask(teams[team], tmp_path / f"{team}.csv", "A.csv")
        Worker(contest).run(until_idle=True)
        contest.close_phase()
        truth = read_guess(contest.file(contest.referee(), "final/pseudonyms/coarse").path)
        right = dict(sorted(truth.items())[:9])
        write_guess(right, tmp_path / "F.csv")
        contest.accept_attack(teams["deleted"], "coarse", tmp_path / "F.csv", "F.csv")
        Worker(contest).run(until_idle=True)
        [hit] = contest.hits(contest.referee(), "final")
        assert (hit.named, hit.right, hit.needed, hit.effective) == (9, 9, 9, True)
        assert board(contest) == HISTORY


def test_scores_of_the_contest_of_microdata(tmp_path: Path) -> None:
    data = sudare.datasets.toy()
    sudare.write(data, tmp_path / "T.csv")
    table = TableRules(
        roles={"age": "key", "sex": "key", "region": "key"},
        score=("total-variation", "direct-comparison"),
        limits=("k-anonymity >= 2",),
    )
    rules = ContestRules(subject="table", rounds=("final",), table=table)
    steps = {
        "coarse": [Pram(retain=0.7, columns=("sex", "region"))],
        "deleted": [Pram(retain=0.9, columns=("sex",))],
    }
    with contest_of(tmp_path / "contest", rules, tmp_path / "T.csv") as contest:
        teams = {team.name: team for team in contest.teams()}
        original = sudare.read(tmp_path / "T.csv", roles=table.roles)
        with working(contest) as drained:
            for team, masked_by in steps.items():
                masked = sudare.apply(original, masked_by, seed=1).data
                sudare.write(masked, tmp_path / f"{team}.csv")
                contest.accept_mask(teams[team], tmp_path / f"{team}.csv", "A.csv")
            drained()
        assert board(contest) == TABLE
