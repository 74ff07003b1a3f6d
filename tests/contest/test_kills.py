"""kill -9 at any point: nothing that was accepted is lost, nothing is scored twice."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, note, settings, strategies as st
from sqlalchemy import select

from sudare.contest import Contest, ContestLimits, ContestRules, Phase
from sudare.contest.errors import TakenError
from sudare.contest.scoring.worker import Worker
from sudare.contest.storage.database import EntryRow, JobRow, ResultRow
from sudare.datasets import purchases_like
from sudare.transactions import (
    History,
    MaskedHistory,
    RowDeletion,
    utility,
    write_guess,
    write_history,
    write_masked,
)
from tests.contest.conftest import PASSWORD, NewAddress
from tests.contest.lives import EXAMPLES, Life, later, noted, points

pytestmark = pytest.mark.xdist_group("kills")  # a contest that is not killed is held once
TEAMS = ("alpha", "beta")
Outcome = tuple[list[tuple[str, float, int]], list[tuple[str, str, int, bool]]]


@dataclass
class KilledContest:
    """A contest of two teams, which every process opens again and brings to its end."""

    folder: Path
    turn: int = 0

    @classmethod
    def prepared(cls, folder: Path, original: History, address: str) -> "KilledContest":
        """Make the contest, and files that it will take."""
        folder.mkdir()
        write_history(original, folder / "T.csv")
        for number, team in enumerate(TEAMS):
            write_masked(masked(original, number), folder / f"mask {team}")
            names = dict(enumerate(original.customer_ids, 1))
            write_guess(names, folder / f"attack {team}")
        rules = ContestRules(rounds=("final",), database=address, limits=ContestLimits(samples=0))
        Contest.create(folder / "contest", rules, folder / "T.csv", password=PASSWORD).close()
        return cls(folder)

    def open(self) -> Contest:
        """Open the contest, with the clock put forward."""
        return Contest.open(self.folder / "contest", clock=lambda: time.time() + later(self.turn))

    def lead(self, life: Life) -> None:
        """Hold the contest, from wherever it stands to its end."""
        with life.watch(self.open()) as contest:
            for team in TEAMS:
                try:
                    contest.register(team, PASSWORD, by=contest.referee())
                except TakenError:
                    continue
            reach(contest, Phase.FINAL_MASKING)
            for team in TEAMS:
                self.send(contest, f"mask {team}", team, None)
            Worker(contest).run(until_idle=True)
            reach(contest, Phase.FINAL_ATTACK)
            for team, target in (TEAMS, TEAMS[::-1]):
                self.send(contest, f"attack {target}", team, target)
            Worker(contest).run(until_idle=True)
            reach(contest, Phase.FINAL_RESULT)

    def send(self, contest: Contest, name: str, team: str, target: str | None) -> None:
        """Send a file unless it was accepted before; note when it is."""
        if name in self.told:
            return
        draft = contest.store.draft()
        draft.write_bytes((self.folder / name).read_bytes())
        account = contest.accounts.named(team)
        entry = (
            contest.accept_mask(account, draft, name)
            if target is None
            else contest.accept_attack(account, target, draft, name)
        )
        with (self.folder / "told").open("a") as notes:
            notes.write(f"{name} {entry.id}\n")

    @property
    def told(self) -> dict[str, int]:
        """What the teams were told is accepted."""
        return noted(self.folder / "told")

    def live(self, dies_at: int | None = None) -> Life:
        """Hold the contest in a process of its own."""
        life = Life(self.lead, dies_at)
        life.killed()
        self.turn += 1
        return life


def masked(original: History, number: int) -> MaskedHistory:
    return RowDeletion(share=0.1 * number).mask(MaskedHistory.of(original), seed=number)


def reach(contest: Contest, phase: Phase) -> None:
    phases = contest.rules.phases
    if phases.index(contest.phase().phase) < phases.index(phase):
        contest.open_phase(phase)


def outcome(contest: Contest) -> Outcome:
    standings = contest.standings(None, "final")
    return (
        [(line.team, line.score, line.hits) for line in standings.leaderboard()],
        [(hit.attacker, hit.target, hit.right, hit.effective) for hit in standings.hits()],
    )


@pytest.fixture(scope="module")
def small() -> History:
    return purchases_like(3, seed=2)


@pytest.fixture(scope="module")
def make_ground(
    tmp_path_factory: pytest.TempPathFactory, small: History, new_address: NewAddress
) -> Callable[[], KilledContest]:
    return lambda: KilledContest.prepared(
        tmp_path_factory.mktemp("kill") / "ground", small, new_address()
    )


@pytest.fixture(scope="module")
def undisturbed(make_ground: Callable[[], KilledContest], small: History) -> tuple[int, Outcome]:
    """How many events there are in a contest that nobody disturbs, and how it ends."""
    scores = {team: utility(small, masked(small, number)) for number, team in enumerate(TEAMS)}
    ground = make_ground()
    life = ground.live()
    with ground.open() as contest:
        board, hits = outcome(contest)
    assert {team: score for team, score, _ in board} == scores
    assert len(hits) == 2
    return life.events, (board, hits)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=EXAMPLES)
def test_a_contest_ends_as_it_would_have_wherever_its_processes_are_killed(
    make_ground: Callable[[], KilledContest], undisturbed: tuple[int, Outcome], seed: int
) -> None:
    events, expected = undisturbed
    ground = make_ground()
    for point in points(seed, events):
        note(f"killed at {point} of {events}")
        ground.live(point)
        with ground.open() as contest:
            nothing_is_lost(ground, contest)
    ground.live()
    with ground.open() as contest:
        nothing_is_lost(ground, contest)
        everything_is_scored_once(contest)
        assert outcome(contest) == expected


def nothing_is_lost(ground: KilledContest, contest: Contest) -> None:
    """What was accepted is there, is whole, and will be evaluated."""
    entries = {entry.id: entry for entry in contest.entries(contest.referee())}
    for name, told in ground.told.items():
        content = contest.store.path(entries[told].file).read_bytes()
        assert content == (ground.folder / name).read_bytes()
    for entry in entries.values():  # also one that the team was not told of any more
        content = contest.store.path(entry.file).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry.file
    with contest.database.reading() as session:
        assert sorted(session.scalars(select(JobRow.entry_id))) == sorted(entries)


def everything_is_scored_once(contest: Contest) -> None:
    """Every entry has one result, and what is published of it."""
    with contest.database.reading() as session:
        results = session.execute(select(ResultRow.entry_id, ResultRow.content)).all()
        jobs = set(session.scalars(select(JobRow.status)))
        entries = session.execute(select(EntryRow.id, EntryRow.kind, EntryRow.status)).all()
    assert jobs == {"done"}
    assert {status for _, _, status in entries} == {"accepted"}
    assert sorted(entry for entry, _ in results) == sorted(entry for entry, _, _ in entries)
    kinds = {entry: kind for entry, kind, _ in entries}
    for entry, content in results:
        for part in ("published", "pseudonyms") if kinds[entry] == "mask" else ():
            assert contest.store.path(content[part]).is_file()


def test_a_job_over_which_workers_die_is_given_up(make_ground: Callable[[], KilledContest]) -> None:
    ground = make_ground()
    with ground.open() as contest:
        team = contest.register("alpha", PASSWORD)
        contest.open_phase(Phase.FINAL_MASKING)
        for _ in range(2):
            contest.accept_mask(team, ground.folder / "mask alpha", "A.csv")
    for _ in range(4):
        ground.turn += 1
        with ground.open() as contest:
            contest.jobs.claim("dies")
    ground.turn += 1
    with ground.open() as contest:
        Worker(contest).run(until_idle=True)
        entries = contest.entries(contest.referee())
    assert [entry.status for entry in entries] == ["accepted", "refused"]
    assert "ask the referee" in str(entries[-1].problems[0])
