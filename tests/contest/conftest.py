"""Contests on both databases."""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from argon2 import PasswordHasher

import sudare.contest.accounts
from sudare.contest import Contest, ContestLimits, ContestRules
from sudare.datasets import purchases_like
from sudare.transactions import History, write_history
from tests.contest import postgresql
from tests.lacking import lacking

PASSWORD = "correct horse battery"  # noqa: S105

MakeContest = Callable[..., Contest]
NewAddress = Callable[[], str]


@pytest.fixture(scope="session", autouse=True)
def hasher() -> Iterator[PasswordHasher]:
    """The one that hashes passwords; in tests another takes less time."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        original = sudare.contest.accounts._HASHER
        patch.setattr("sudare.contest.accounts._HASHER", quick)
        yield original


@pytest.fixture(scope="session")
def server() -> Iterator[Path]:
    """A PostgreSQL server."""
    programs = postgresql.binaries()
    if programs is None:
        lacking("needs PostgreSQL: initdb and pg_ctl on the path, or Debian's package")
    with postgresql.cluster(programs) as folder:
        yield folder


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def new_address(request: pytest.FixtureRequest) -> NewAddress:
    """Addresses of empty databases; empty for the SQLite file of the contest's folder."""
    if request.param == "sqlite":
        return str
    folder: Path = request.getfixturevalue("server")
    return lambda: postgresql.new_schema(folder, f"contest_{secrets.token_hex(6)}")


@pytest.fixture
def address(new_address: NewAddress) -> str:
    """The address of an empty database."""
    return new_address()


@pytest.fixture(scope="session")
def history() -> History:
    """A small T."""
    return purchases_like(24, seed=5)


@pytest.fixture
def make_contest(tmp_path: Path, address: str, history: History) -> Iterator[MakeContest]:
    """Contests about the small T, with rules and a clock of one's own."""
    made: list[Contest] = []
    write_history(history, tmp_path / "T.csv")

    def make(*teams: str, **changes: object) -> Contest:
        clock = changes.pop("clock", None)
        plain = ContestRules(rounds=("final",), database=address, limits=ContestLimits(samples=0))
        rules = replace(plain, **changes)  # type: ignore[arg-type]
        contest = Contest.create(
            tmp_path / "contest",
            rules,
            tmp_path / "T.csv",
            password=PASSWORD,
            **({"clock": clock} if clock else {}),  # type: ignore[arg-type]
        )
        for team in teams:
            contest.register(team, PASSWORD, by=contest.referee())
        made.append(contest)
        return contest

    yield make
    for contest in made:
        contest.close()
