"""Teams, passwords, sessions, and what may be done only so often."""

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from argon2 import PasswordHasher, Type
from sqlalchemy import select

from sudare.contest import Phase
from sudare.contest.errors import (
    ContestError,
    EntryError,
    LoginError,
    NotAllowedError,
    NotFoundError,
    TakenError,
    ThrottledError,
)
from sudare.contest.rules.contest_rules import ContestLimits
from sudare.contest.storage.database import AccountRow, SessionRow
from tests.contest.conftest import PASSWORD, MakeContest

UNSEEN = "\ufe0f\u034f\u3164\u2800\uffa0\U000e0100"


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def test_a_team_registers_logs_in_and_out(make_contest: MakeContest) -> None:
    contest = make_contest()
    team = contest.register("簾 team", PASSWORD)
    token = contest.login("簾 team", PASSWORD, "::1")
    assert contest.session(token) == team
    contest.logout(token)
    assert contest.session(token) is None
    assert contest.session(None) is None


def test_neither_passwords_nor_tokens_are_stored(make_contest: MakeContest) -> None:
    contest = make_contest("alpha")
    token = contest.login("alpha", PASSWORD, "::1")
    with contest.database.reading() as session:
        hashes = list(session.scalars(select(AccountRow.password)))
        tokens = list(session.scalars(select(SessionRow.token)))
    assert all(kept.startswith("$argon2id$") for kept in hashes)
    assert PASSWORD not in "".join(hashes)
    assert token not in tokens


def test_passwords_are_hashed_with_as_much_work_as_owasp_advises(hasher: PasswordHasher) -> None:
    assert hasher.type == Type.ID
    assert (hasher.time_cost, hasher.memory_cost, hasher.parallelism) == (2, 19 * 1024, 1)


def test_names_that_look_alike_are_taken(make_contest: MakeContest) -> None:
    contest = make_contest("Team")
    for name in (
        *("Team", "team", " TEAM ", "ＴＥＡＭ", "referee", "Referee"),
        *(word + character for word in ("Team", "referee") for character in UNSEEN),
        *("Te" + character + "am" for character in UNSEEN),
    ):
        with pytest.raises(TakenError):
            contest.register(name, PASSWORD)


def test_guesses_at_one_account_count_however_its_name_is_written(
    make_contest: MakeContest,
) -> None:
    contest = make_contest("alpha", limits=ContestLimits(failed_logins=3))
    for name in ("alpha", " alpha", "al\ufe0fpha"):
        with pytest.raises(LoginError):
            contest.login(name, "not this one", "here")
    with pytest.raises(ThrottledError):
        contest.login("alpha ", PASSWORD, "here")


def test_names_that_cannot_be_shown_are_refused(make_contest: MakeContest) -> None:
    contest = make_contest()
    for name in ("", " ", "a/b", "x" * 41, "a\x00b", "a\u202eb", "..", *UNSEEN):
        with pytest.raises(EntryError):
            contest.register(name, PASSWORD)
    for password in ("short", "x" * 201):
        with pytest.raises(EntryError):
            contest.register("fine", password)


def test_teams_register_only_at_the_beginning(make_contest: MakeContest) -> None:
    contest = make_contest()
    contest.open_phase(Phase.FINAL_MASKING)
    with pytest.raises(NotAllowedError):
        contest.register("late", PASSWORD)
    assert contest.register("late", PASSWORD, by=contest.referee()).name == "late"


def test_a_contest_can_be_full(make_contest: MakeContest) -> None:
    contest = make_contest("alpha", "beta", limits=ContestLimits(teams=2))
    with pytest.raises(NotAllowedError, match="full"):
        contest.register("gamma", PASSWORD)


def test_limits_hold_when_many_come_at_once(make_contest: MakeContest) -> None:
    contest = make_contest(limits=ContestLimits(teams=3, failed_logins=2))

    def tried(refusal: type[ContestError], act: Callable[[], object]) -> int:
        try:
            act()
        except refusal:
            return 0
        return 1

    def register(number: int) -> int:
        return tried(NotAllowedError, lambda: contest.register(f"team {number}", PASSWORD))

    def throttle(_: int) -> int:
        return tried(ThrottledError, lambda: contest.accounts.throttle("upload", "1", 3))

    def guess(_: int) -> int:
        with contextlib.suppress(LoginError):
            return tried(ThrottledError, lambda: contest.login("team 0", "not this one", "here"))
        return 1

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(register, range(8))) == 3
        assert sum(pool.map(throttle, range(24))) == 3
        assert sum(pool.map(guess, range(16))) == 2
    assert len(contest.teams()) == 3


def test_right_passwords_are_not_counted(make_contest: MakeContest) -> None:
    contest = make_contest("alpha", limits=ContestLimits(failed_logins=1))
    assert all(contest.login("alpha", PASSWORD, "here") for _ in range(3))


def test_after_wrong_passwords_even_the_right_one_waits(make_contest: MakeContest) -> None:
    clock = Clock()
    contest = make_contest("alpha", "beta", limits=ContestLimits(failed_logins=3), clock=clock)
    for _ in range(3):
        with pytest.raises(LoginError):
            contest.login("alpha", "not this one", "here")
    with pytest.raises(ThrottledError) as error:
        contest.login("ALPHA", PASSWORD, "here")
    assert error.value.seconds == 900
    assert contest.login("beta", PASSWORD, "here")
    clock.now += 901
    assert contest.login("alpha", PASSWORD, "here")


def test_nobody_locks_out_a_rival_or_the_referee(make_contest: MakeContest) -> None:
    contest = make_contest("alpha", limits=ContestLimits(failed_logins=2))
    for name in ("alpha", "referee"):
        for wrong in (LoginError, LoginError, ThrottledError, ThrottledError):
            with pytest.raises(wrong):
                contest.login(name, "not this one", "rival")
        assert contest.login(name, PASSWORD, "elsewhere")


def test_an_account_that_is_guessed_at_from_many_addresses_waits(
    make_contest: MakeContest,
) -> None:
    contest = make_contest("alpha", "beta", limits=ContestLimits(failed_logins=1))
    for origin in "abcdefghij":
        with pytest.raises(LoginError):
            contest.login("alpha", "not this one", origin)
    with pytest.raises(ThrottledError):
        contest.login("alpha", PASSWORD, "k")
    assert contest.login("beta", PASSWORD, "k")


def test_an_address_that_guesses_names_waits_too(make_contest: MakeContest) -> None:
    contest = make_contest("alpha", limits=ContestLimits(failed_logins=1))
    for name in "abcdefghij":
        with pytest.raises(LoginError):
            contest.login(name, "not this one", "here")
    with pytest.raises(ThrottledError):
        contest.login("alpha", PASSWORD, "here")
    assert contest.login("alpha", PASSWORD, "elsewhere")


def test_sessions_end_with_time_and_with_a_new_password(make_contest: MakeContest) -> None:
    clock = Clock()
    contest = make_contest("alpha", clock=clock)
    token = contest.login("alpha", PASSWORD, "here")
    clock.now += 8 * 24 * 3600
    assert contest.session(token) is None
    token = contest.login("alpha", PASSWORD, "here")
    contest.set_password(contest.referee(), "alpha", "another password")
    assert contest.session(token) is None
    assert contest.login("alpha", "another password", "here")
    with pytest.raises(NotAllowedError):
        contest.set_password(None, "alpha", "mine, all mine")
    with pytest.raises(NotFoundError):
        contest.set_password(contest.referee(), "nobody", "another password")
