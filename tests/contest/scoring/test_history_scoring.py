"""What workers make of files: good ones, wrong ones, and those that mean harm."""

import gzip
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sudare.contest import Contest, Phase
from sudare.contest.entries import ContestEntry
from sudare.contest.errors import EntryError, NotAllowedError, NotFoundError, ThrottledError
from sudare.contest.rules.contest_rules import ContestLimits
from sudare.contest.scoring.sandbox import EvaluationCancelled, EvaluationFailed, Sandbox
from sudare.contest.scoring.worker import Worker
from sudare.core.messages import speaking
from sudare.transactions import (
    History,
    MaskedHistory,
    RowDeletion,
    check,
    published,
    read_guess,
    read_masked,
    utility,
    write_masked,
)
from tests.contest.conftest import MakeContest

Send = Callable[[bytes], ContestEntry]


@pytest.fixture
def contest(make_contest: MakeContest) -> Contest:
    contest = make_contest("alpha", "beta")
    contest.open_phase(Phase.FINAL_MASKING)
    return contest


@pytest.fixture
def lines(history: History, tmp_path: Path) -> list[bytes]:
    """The lines of a file in order."""
    write_masked(MaskedHistory.of(history), tmp_path / "A.csv")
    return (tmp_path / "A.csv").read_bytes().splitlines(keepends=True)


@pytest.fixture
def send(contest: Contest) -> Send:
    """Send a masked file for the first team and have it evaluated."""

    def submit(content: bytes) -> ContestEntry:
        draft = contest.store.draft()
        draft.write_bytes(content)
        team = contest.teams()[0]
        sent = contest.accept_mask(team, draft, "A.csv")
        Worker(contest).run(until_idle=True)
        return contest.entry(team, sent.id)

    return submit


def test_a_good_file_is_scored_and_what_is_published_is_in_no_order(
    contest: Contest, history: History, tmp_path: Path
) -> None:
    masked = RowDeletion(share=0.3).mask(MaskedHistory.of(history), seed=1)
    write_masked(masked, tmp_path / "A.csv")
    contest.accept_mask(contest.teams()[0], tmp_path / "A.csv", "A.csv")
    Worker(contest).run(until_idle=True)
    contest.close_phase()
    [entry] = contest.entries(contest.teams()[0])
    assert (entry.status, entry.counts) == ("accepted", True)
    assert entry.score == utility(history, masked)
    open_file = contest.file(contest.teams()[1], "final/published/alpha").path
    assert open_file.read_text() != (tmp_path / "A.csv").read_text()
    write_masked(published(masked), tmp_path / "B.csv")
    assert open_file.read_text() == (tmp_path / "B.csv").read_text()
    assert "*,*,*,*,*" not in open_file.read_text()
    secret = read_guess(contest.file(contest.referee(), "final/pseudonyms/alpha").path)
    assert set(secret) == set(read_masked(open_file).pseudonyms.tolist())
    shuffled = masked.take(np.random.default_rng(1).permutation(masked.rows))
    write_masked(published(shuffled), tmp_path / "C.csv")
    assert open_file.read_text() == (tmp_path / "C.csv").read_text(), "T's order leaves no trace"


def test_a_wrong_file_is_refused_with_the_words_of_the_checker(
    send: Send, history: History, lines: list[bytes], tmp_path: Path
) -> None:
    lines[4] = b"1,2011/2/30,{A;B},[3;2],*\n"
    lines[9] = b"nothing\n"
    entry = send(b"".join(lines))
    assert entry.status == "refused"
    (tmp_path / "wrong.csv").write_bytes(b"".join(lines))
    same = check(history, tmp_path / "wrong.csv")
    assert [str(problem) for problem in entry.problems] == [str(problem) for problem in same]
    assert {(problem.line, problem.column) for problem in entry.problems} >= {(5, "date"), (10, "")}
    with speaking("ja"):
        assert str(entry.problems[0]) == str(same[0])


BOMB = gzip.compress(b"0" * 10**7)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file has 0 rows"),
        (BOMB, "not plain text"),
        (b"PK\x03\x04" + b"\x00" * 3000, "not plain text"),
        (b"\n" * 10**7, "1 cells instead of 5"),
        (b"1" * 10**7, "longer than 8000 characters"),
        ("1,2011/3/5,簾,1,1\n".encode(), "not plain text"),
        ("1,2011/3/5,A,1,1\n".encode("utf-16"), "not plain text"),
        (b"\xef\xbb\xbf1,2011/3/5,A,1,1\n", "byte order mark"),
        (b"1,2011/3/5,A\x00,1,1\n", "not plain text"),
        (b"import os; os.abort()\n", "1 cells instead of 5"),
    ],
    ids=["empty", "gzip", "zip", "lines", "line", "utf8", "utf16", "mark", "nul", "code"],
)
def test_files_that_mean_harm_are_refused_with_a_reason(
    send: Send, content: bytes, told: str
) -> None:
    entry = send(content)
    assert entry.status == "refused"
    assert told in str(entry.problems[0])
    assert len(entry.problems) <= 100


def test_a_file_without_end_is_not_read_to_its_end(send: Send, lines: list[bytes]) -> None:
    entry = send(b"".join(lines) + b"1,2011/3/5,A,1,1\n" * 10**6)
    assert entry.status == "refused"
    assert "more than" in str(entry.problems[-1])
    assert entry.problem_count < 10


def test_a_refused_file_does_not_replace_one_that_counts(send: Send, lines: list[bytes]) -> None:
    first = send(b"".join(lines))
    second = send(b"nonsense\n")
    assert (first.status, second.status) == ("accepted", "refused")


def test_the_latest_file_in_order_counts(
    contest: Contest, send: Send, lines: list[bytes], history: History, tmp_path: Path
) -> None:
    send(b"".join(lines))
    write_masked(RowDeletion(share=0.5).mask(MaskedHistory.of(history), seed=1), tmp_path / "b")
    better = send((tmp_path / "b").read_bytes())
    send(b"nonsense\n")
    counting = [entry.id for entry in contest.entries(contest.teams()[0]) if entry.counts]
    assert counting == [better.id]
    assert contest.leaderboard(contest.referee(), "final")[0].score == better.score


def test_while_a_later_file_waits_none_can_be_attacked(
    contest: Contest, send: Send, lines: list[bytes], tmp_path: Path
) -> None:
    send(b"".join(lines))
    contest.accept_mask(contest.teams()[0], _file(tmp_path, b"".join(lines)), "A.csv")
    contest.close_phase()
    guess = _file(tmp_path, b"1,12346\n")
    with pytest.raises(NotFoundError):
        contest.accept_attack(contest.teams()[1], "alpha", guess, "F.csv")
    Worker(contest).run(until_idle=True)
    assert contest.accept_attack(contest.teams()[1], "alpha", guess, "F.csv").status == "waiting"
    with pytest.raises(EntryError, match="its own"):
        contest.accept_attack(contest.teams()[0], "alpha", guess, "F.csv")


def test_attacks_are_checked_by_line_and_column_and_their_outcome_is_kept_back(
    contest: Contest, send: Send, lines: list[bytes], tmp_path: Path
) -> None:
    send(b"".join(lines))
    contest.close_phase()
    alpha, beta = contest.teams()
    truth = contest.file(contest.referee(), "final/pseudonyms/alpha").path.read_bytes()
    first = truth.splitlines(keepends=True)[0]
    wrong = first + first + b"999999,nobody\n" + b"x\n"
    for content in (wrong, truth):
        contest.accept_attack(beta, "alpha", _file(tmp_path, content), "F.csv")
    Worker(contest).run(until_idle=True)
    right, refused = contest.entries(beta)
    assert [(problem.line, problem.column) for problem in refused.problems] == [
        (2, "pseudonym"),
        (3, "pseudonym"),
        (3, "customer"),
        (4, ""),
    ]
    assert (right.status, right.right, right.effective) == ("accepted", None, None)
    assert contest.entries(contest.referee())[0].effective is True
    with pytest.raises(NotAllowedError):
        contest.hits(alpha, "final")
    contest.close_phase()
    assert contest.entries(beta)[0].effective is True
    [hit] = contest.hits(alpha, "final")
    assert (hit.attacker, hit.target, hit.right) == ("beta", "alpha", hit.named)


def test_what_is_too_large_or_too_often_is_refused_at_the_door(
    make_contest: MakeContest, tmp_path: Path
) -> None:
    contest = make_contest("alpha", limits=ContestLimits(mask_bytes=100, uploads_per_hour=2))
    contest.open_phase(Phase.FINAL_MASKING)
    team = contest.teams()[0]
    with pytest.raises(EntryError, match="larger than 100 bytes"):
        contest.accept_mask(team, _file(tmp_path, b"x" * 101), "A.csv")
    contest.accept_mask(team, _file(tmp_path, b"x" * 100), "A.csv")
    with pytest.raises(ThrottledError):
        contest.accept_mask(team, _file(tmp_path, b"x"), "A.csv")
    assert list(contest.store.incoming.iterdir()) == []


def test_files_come_only_from_teams_and_only_while_the_phase_is_open(
    contest: Contest, tmp_path: Path
) -> None:
    path, team = _file(tmp_path, b"x"), contest.teams()[0]
    for who in (None, contest.referee()):
        with pytest.raises(NotAllowedError):
            contest.accept_mask(who, path, "A.csv")
    with pytest.raises(NotAllowedError):
        contest.accept_attack(team, "beta", path, "F.csv")
    contest.close_phase()
    with pytest.raises(NotAllowedError):
        contest.accept_mask(team, path, "A.csv")
    with pytest.raises(NotFoundError):
        contest.accept_attack(team, "beta", path, "F.csv")


def _never() -> dict[str, object]:
    while True:
        pass


def _greedy() -> dict[str, object]:
    return {"bytes": len(bytearray(1 << 31))}


def _crash() -> dict[str, object]:
    raise RuntimeError("a mistake of ours")


@pytest.mark.parametrize(
    ("work", "reason", "seconds"),
    [(_never, "time", 0.2), (_greedy, "memory", 60), (_crash, "crash", 60)],
)
def test_a_sandbox_ends_what_takes_too_much(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], work: object, reason: str, seconds: float
) -> None:
    sandbox = Sandbox(seconds, memory_bytes=1 << 28)
    with pytest.raises(EvaluationFailed) as error:
        sandbox.run(work, tmp_path / "answer", lambda: True)  # type: ignore[arg-type]
    assert error.value.reason == reason
    assert "a mistake" not in capfd.readouterr().err


def test_a_sandbox_gives_up_when_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationCancelled):
        Sandbox(60, 1 << 28).run(_never, tmp_path / "answer", lambda: False)


def test_a_sandbox_changes_nothing_here(tmp_path: Path) -> None:
    def change() -> dict[str, object]:
        sys.modules["changed"] = sys
        return {"changed": True}

    assert Sandbox(60, 1 << 28).run(change, tmp_path / "answer", lambda: True) == {"changed": True}
    assert "changed" not in sys.modules


def _file(folder: Path, content: bytes) -> Path:
    path = folder / "sent"
    path.write_bytes(content)
    return path
