"""Trouble of the contest's own: accepted files wait until it is over."""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from sudare.contest import Contest, Phase
from sudare.contest.rulebooks import EvaluationTask, evaluate
from sudare.contest.scoring.evaluation_queue import MOST_ATTEMPTS
from sudare.contest.scoring.sandbox import ContestUnavailable, EvaluationFailed, Sandbox
from sudare.contest.scoring.worker import PAUSE_SECONDS, Worker
from sudare.transactions import History, MaskedHistory, write_guess, write_masked
from tests.contest.conftest import MakeContest
from tests.contest.test_accounts import Clock

Trouble = Callable[[Contest], AbstractContextManager[None]]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def contest(make_contest: MakeContest, history: History, clock: Clock) -> Contest:
    """A contest with a file in order that waits."""
    contest = make_contest("alpha", clock=clock)
    contest.open_phase(Phase.FINAL_MASKING)
    path = contest.folder.parent / "A.csv"
    write_masked(MaskedHistory.of(history), path)
    contest.accept_mask(contest.teams()[0], path, "A.csv")
    return contest


def no_space_left(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@contextmanager
def disk_full(_: Contest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", no_space_left)
        yield


@contextmanager
def files_away(contest: Contest) -> Iterator[None]:
    away = contest.store.folder.rename(contest.folder / "away")
    yield
    away.rename(contest.store.folder)


@contextmanager
def database_full(contest: Contest) -> Iterator[None]:
    def refuse(_c: object, _u: object, statement: str, *_: object) -> None:
        if statement.startswith("INSERT INTO results"):
            raise OperationalError(statement, {}, Exception("database or disk is full"))

    event.listen(contest.database.engine, "before_cursor_execute", refuse)
    yield
    event.remove(contest.database.engine, "before_cursor_execute", refuse)


@pytest.mark.parametrize("trouble", [disk_full, files_away, database_full])
def test_a_file_waits_until_the_trouble_is_over(
    contest: Contest, clock: Clock, capfd: pytest.CaptureFixture[str], trouble: Trouble
) -> None:
    with trouble(contest):
        for _ in range(MOST_ATTEMPTS + 1):
            tried(contest)
            assert status(contest) == "waiting"
            assert contest.jobs.claim("another") is None
            clock.now += PAUSE_SECONDS + 1
    assert "Error in " in capfd.readouterr().err
    assert Worker(contest).run(until_idle=True) == 1
    assert status(contest) == "accepted"
    assert list(contest.store.incoming.iterdir()) == []


def test_the_operator_is_told_what_the_system_said(
    contest: Contest, capfd: pytest.CaptureFixture[str]
) -> None:
    with disk_full(contest):
        tried(contest)
    told = capfd.readouterr().err
    assert told.startswith("sudare: OSError in ")
    assert told.endswith(": No space left on device\n")
    assert told.count("\n") == 1


def test_a_crash_is_tried_again_after_a_pause_and_refused_after_three(
    contest: Contest, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: os._exit(1))  # called by the child alone
    for _ in range(MOST_ATTEMPTS):
        assert status(contest) == "waiting"
        tried(contest)
        assert contest.jobs.claim("another") is None
        clock.now += PAUSE_SECONDS + 1
    assert status(contest) == "refused"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (OSError(errno.EIO, "input/output error"), None),
        (OSError(errno.ENOMEM, "cannot allocate memory"), "memory"),
        (OSError("a library does not like the content"), "crash"),
    ],
)
def test_what_the_system_says_is_no_fault_of_the_file(
    tmp_path: Path, said: OSError, reason: str | None
) -> None:
    def fail() -> dict[str, object]:
        raise said

    with pytest.raises((ContestUnavailable, EvaluationFailed)) as error:
        Sandbox(60, 1 << 28).run(fail, tmp_path / "answer", lambda: True)
    assert getattr(error.value, "reason", None) == reason


def test_what_is_wrong_with_files_of_the_contest_refuses_none(
    contest: Contest, history: History, tmp_path: Path
) -> None:
    write_guess(dict(enumerate(history.customer_ids, 1)), tmp_path / "F.csv")
    [entry] = contest.entries(contest.referee())
    mask, gone = contest.store.path(entry.file), tmp_path / "gone" / "file"
    for kind, file in (("attack", tmp_path / "F.csv"), ("mask", mask)):
        task = EvaluationTask({"data": gone}, lambda: history, file, gone, gone)
        with pytest.raises(ContestUnavailable):
            evaluate(contest.package, kind, task)


def tried(contest: Contest) -> None:
    worker = Worker(contest)
    job = contest.jobs.claim(worker.name)
    assert job is not None
    worker.handle(job)


def status(contest: Contest) -> str:
    [entry] = contest.entries(contest.referee())
    return entry.status
