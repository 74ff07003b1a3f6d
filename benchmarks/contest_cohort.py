"""The contest of synthetic cohorts: 50 teams that attack all others, against the bare scoring.

The evaluation of an attack takes it from the queue, a process with limits, and the transaction that
writes its result; the bare scoring is the same function on the same file. The leaderboard is read
from the database; the bare one is computed from what was read.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import sudare
from sudare.contest import Contest, ContestRules, Phase
from sudare.contest.results import Standings
from sudare.contest.rulebooks import EvaluationTask, evaluate
from sudare.contest.rules.contest_rules import ContestLimits

PASSWORD = "correct horse battery"  # noqa: S105


def prepare(folder: Path, teams: int, members: int) -> Contest:
    """Make a contest in which every team has sent a table of people who are not its own."""
    rules = ContestRules(
        subject="synthetic-cohort",
        rounds=("final",),
        settings={"members": members, "background": members, "facets": ["total-variation"]},
        limits=ContestLimits(teams=teams, uploads_per_hour=10**6),
    )
    contest = Contest.create(folder / "contest", rules, password=PASSWORD)
    sudare.write(sudare.datasets.cohort_like(members, seed=7), folder / "table.csv")
    contest.open_phase(Phase.FINAL_MASKING)
    for number in range(teams):
        team = contest.register(f"Team {number + 1}", PASSWORD, by=contest.referee())
        contest.accept_mask(team, folder / "table.csv", "table.csv")
    return contest


def main(teams: int = 50, members: int = 200) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        contest = prepare(folder, teams, members)
        masks = timed(lambda: work_off(contest)) / teams
        print(f"{teams} teams: a table takes {masks:.2f} s", flush=True)
        contest.open_phase(Phase.FINAL_ATTACK)
        confidences = np.random.default_rng(1).random(members)
        lines = (f"{at},{value:.6f}\n" for at, value in enumerate(confidences, 1))
        (folder / "guess.csv").write_text("".join(lines))
        accounts = contest.teams()
        count = teams * (teams - 1)
        sent = timed(lambda: send(contest, folder / "guess.csv")) / count
        print(f"{count} attacks: received in {1000 * sent:.1f} ms each", flush=True)
        evaluated = timed(lambda: work_off(contest)) / count
        package, data = contest.package, contest.handed_out("final", accounts[0].id)
        answers = package.load(data)
        task = EvaluationTask(data, lambda: answers, folder / "guess.csv")
        bare = timed(lambda: [evaluate(package, "membership", task) for _ in range(100)]) / 100
        print(
            f"{count} attacks: evaluated in {1000 * evaluated:.1f} ms each,"
            f" {evaluated / bare:.1f} times the bare scoring ({1000 * bare:.1f} ms)",
            flush=True,
        )
        time_leaderboard(contest, teams, count)
        contest.close()


def time_leaderboard(contest: Contest, teams: int, count: int) -> None:
    referee = contest.referee()
    board = timed(lambda: contest.leaderboard(referee, "final"))
    weights = contest.book().weights["final"]
    standings = Standings.of(contest.database, "final", weights)
    plain = timed(standings.leaderboard)
    print(
        f"leaderboard of {teams} teams and {count} attacks: {1000 * board:.0f} ms,"
        f" {board / plain:.1f} times the bare ranking ({1000 * plain:.1f} ms)"
    )


def send(contest: Contest, path: Path) -> None:
    teams = contest.teams()
    for team in teams:
        for target in teams:
            if team != target:
                contest.accept_attack(team, target.name, path, path.name, kind="membership")


def work_off(contest: Contest) -> None:
    """Evaluate all that waits in a process of its own: this one has threads, and cannot fork."""
    words = ["-m", "sudare.contest.scoring.worker", str(contest.folder), "--until-idle"]
    subprocess.run([sys.executable, *words], check=True)


def timed(work: object) -> float:
    start = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - start


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
