"""kill -9 at any point: nothing that was accepted is lost, nothing is scored twice.

A child process is killed at the n-th event, where opening or moving a file, every statement that
goes to the database and every commit are events; Hypothesis draws n.
"""

import hashlib
import os
import secrets
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import event, select

from sudare.contest import Contest, ContestRules, Limits, Phase
from sudare.contest.database import EntryRow, JobRow, ResultRow
from sudare.contest.worker import Worker
from sudare.transactions import (
    History,
    MaskedHistory,
    RowDeletion,
    utility,
    write_history,
    write_masked,
)
from tests.contest import postgresql
from tests.contest.conftest import PASSWORD

FILES = 3
_EVENTS = ("open", "os.rename", "os.fork", "os.remove", "os.truncate")


def killed_at(number: int, work: Callable[[], None]) -> bool:
    """Do some work in a forked process and kill that at an event; return whether it came so far."""
    child = os.fork()
    if child == 0:
        left = number

        def tick(*_: object) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        def hook(name: str, _: object) -> None:
            if name in _EVENTS:
                tick()

        sys.addaudithook(hook)
        _TICKS.append(tick)
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the work failed by itself"
    return os.WIFSIGNALED(status)


_TICKS: list[Callable[..., None]] = []


@dataclass
class Ground:
    """A contest in which a team sends files, opened anew by every process."""

    folder: Path
    files: list[Path]

    @classmethod
    def prepared(cls, folder: Path, original: History, address: str) -> "Ground":
        """Make the contest, and files that it will take."""
        folder.mkdir()
        write_history(original, folder / "T.csv")
        files = []
        for number in range(FILES):
            masked = RowDeletion(share=0.1 * number).mask(MaskedHistory.of(original), seed=number)
            files.append(folder / f"{number}.csv")
            write_masked(masked, files[-1])
        rules = ContestRules(rounds=("final",), database=address, limits=Limits(samples=0))
        contest = Contest.create(folder / "contest", rules, folder / "T.csv", password=PASSWORD)
        contest.register("alpha", PASSWORD)
        contest.open_phase(Phase.FINAL_MASKING)
        contest.close()
        return cls(folder, files)

    def open(self, later: float = 0.0) -> Contest:
        """Open the contest, with the clock put forward."""
        contest = Contest.open(self.folder / "contest", clock=lambda: time.time() + later)
        for tick in _TICKS:
            event.listen(contest.database.engine, "before_cursor_execute", tick)
            event.listen(contest.database.engine, "after_cursor_execute", tick)
            event.listen(contest.database.engine, "commit", tick)
        return contest

    def send(self) -> None:
        """Send all files; note on the side what was accepted."""
        with self.open() as contest:
            [team] = contest.teams()
            for path in self.files:
                draft = contest.store.draft()
                draft.write_bytes(path.read_bytes())
                entry = contest.accept_mask(team, draft, path.name)
                with (self.folder / "told").open("a") as note:
                    note.write(f"{entry.id} {path.name}\n")

    def work(self, later: float) -> None:
        """Evaluate everything."""
        with self.open(later) as contest:
            Worker(contest).run(until_idle=True)

    @cached_property
    def told(self) -> list[tuple[int, str]]:
        """What the team was told is accepted."""
        note = self.folder / "told"
        lines = note.read_text().splitlines() if note.exists() else []
        return [(int(line.split()[0]), line.split()[1]) for line in lines]


@pytest.fixture(scope="module")
def small() -> History:
    from sudare.datasets import purchases_like

    return purchases_like(3, seed=2)


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def new_address(request: pytest.FixtureRequest) -> Callable[[], str]:
    if request.param == "sqlite":
        return lambda: ""
    server: Path = request.getfixturevalue("server")
    return lambda: postgresql.new_schema(server, f"kill_{secrets.token_hex(6)}")


@given(st.integers(0, 135))
@settings(max_examples=8)
def test_what_was_accepted_survives_a_kill_during_an_upload(
    tmp_path_factory: pytest.TempPathFactory,
    small: History,
    new_address: Callable[[], str],
    number: int,
) -> None:
    folder = tmp_path_factory.mktemp("kill") / "ground"
    ground = Ground.prepared(folder, small, new_address())
    killed_at(number, ground.send)
    contest = ground.open()
    entries = {entry.id: entry for entry in contest.entries(contest.referee())}
    assert {told for told, _ in ground.told} <= set(entries)
    for told, name in ground.told:
        content = contest.store.path(entries[told].file).read_bytes()
        assert content == (folder / name).read_bytes()
    for entry in entries.values():  # also one that the team was not told of any more is whole
        content = contest.store.path(entry.file).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry.file
    with contest.database.reading() as session:  # and will be evaluated
        assert set(session.scalars(select(JobRow.entry_id))) == set(entries)
    contest.close()


@given(st.lists(st.integers(0, 150), min_size=1, max_size=2))
@settings(max_examples=8)
def test_everything_is_scored_once_whenever_workers_are_killed(
    tmp_path_factory: pytest.TempPathFactory,
    small: History,
    new_address: Callable[[], str],
    numbers: list[int],
) -> None:
    ground = Ground.prepared(tmp_path_factory.mktemp("kill") / "ground", small, new_address())
    ground.send()
    for turn, number in enumerate(numbers):
        killed_at(number, lambda turn=turn: ground.work(1000.0 * turn))  # type: ignore[misc]
    ground.work(1e6)
    contest = ground.open()
    with contest.database.reading() as session:
        results = session.execute(select(ResultRow.entry_id, ResultRow.content)).all()
        states = set(session.scalars(select(JobRow.status)))
        accepted = set(session.scalars(select(EntryRow.status)))
    assert (states, accepted) == ({"done"}, {"accepted"})
    assert sorted(entry for entry, _ in results) == list(range(1, FILES + 1))
    for entry, content in results:
        masked = RowDeletion(share=0.1 * (entry - 1)).mask(MaskedHistory.of(small), seed=entry - 1)
        assert content["score"] == utility(small, masked)
        assert contest.store.path(content["published"]).is_file()
        assert contest.store.path(content["pseudonyms"]).is_file()
    contest.close()


def test_a_job_over_which_workers_die_is_given_up(
    tmp_path: Path, small: History, new_address: Callable[[], str]
) -> None:
    ground = Ground.prepared(tmp_path / "ground", small, new_address())
    ground.send()
    contest = ground.open()
    for turn in range(4):
        with ground.open(1000.0 * turn) as later:
            later.jobs.claim("dies")
    ground.work(1e6)
    entries = contest.entries(contest.referee())
    assert [entry.status for entry in entries] == ["accepted", "accepted", "refused"]
    assert "ask the referee" in str(entries[-1].problems[0])
    contest.close()
