"""A contest and its database belong together."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import inspect, select, text

from sudare.contest import Contest
from sudare.contest.contest_state import DATABASE_VARIABLE
from sudare.contest.storage.database import Database, IdentityRow
from sudare.core.errors import InputError
from tests.contest.conftest import PASSWORD, MakeContest, NewAddress


@pytest.fixture
def contest(make_contest: MakeContest) -> Contest:
    return make_contest("alpha")


@pytest.fixture
def other(contest: Contest, tmp_path: Path, new_address: NewAddress) -> Iterator[Contest]:
    """Another contest with a database of its own."""
    rules = replace(contest.rules, database=new_address())
    original = tmp_path / "T.csv"
    with Contest.create(tmp_path / "other", rules, original, password=PASSWORD) as other:
        yield other


def address_of(contest: Contest) -> str:
    return contest.database.engine.url.render_as_string(hide_password=False)


def test_a_lost_address_makes_no_second_contest(
    contest: Contest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, f"sqlite:///{tmp_path / 'lost.db'}")
    with pytest.raises(InputError, match=f"holds no contest; are {DATABASE_VARIABLE}"):
        Contest.open(contest.folder)
    assert not (tmp_path / "lost.db").exists()
    elsewhere = tmp_path / "elsewhere"
    Contest.create(elsewhere, contest.rules, tmp_path / "T.csv", password=PASSWORD).close()
    assert (tmp_path / "lost.db").stat().st_mode & 0o077 == 0
    monkeypatch.delenv(DATABASE_VARIABLE)
    with pytest.raises(InputError, match=r"holds (no|another) contest"):
        Contest.open(elsewhere)
    assert not (elsewhere / "contest.db").exists()


def test_an_empty_database_stays_empty(
    contest: Contest, new_address: NewAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = new_address() or f"sqlite:///{tmp_path / 'empty.db'}"
    monkeypatch.setenv(DATABASE_VARIABLE, address)
    with pytest.raises(InputError, match="holds no contest"):
        Contest.open(contest.folder)
    database = Database(address)
    assert inspect(database.engine).get_table_names() == []
    database.close()


def test_a_database_without_a_referee_is_no_contest(
    contest: Contest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sqlite:///{tmp_path / 'tables.db'}"
    database = Database(address)
    database.migrate()
    database.close()
    monkeypatch.setenv(DATABASE_VARIABLE, address)
    with pytest.raises(InputError, match="holds no contest"):
        Contest.open(contest.folder)


def test_the_database_of_another_contest_is_refused(
    contest: Contest, other: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, address_of(other))
    with pytest.raises(InputError, match=f"holds another contest; are {DATABASE_VARIABLE}"):
        Contest.open(contest.folder)
    Contest.open(other.folder).close()


def test_a_contest_made_before_takes_its_database_over(
    contest: Contest, other: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contest.database.writing() as session:  # as the first release left it
        session.execute(text("DROP TABLE identity"))
        for table in ("former_results", "frozen_standings", "mails"):
            session.execute(text(f"DROP TABLE {table}"))
        for table, column in (
            ("accounts", "status"),
            ("accounts", "address"),
            ("entries", "chosen"),
        ):
            session.execute(text(f"ALTER TABLE {table} DROP COLUMN {column}"))
        session.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    with (
        Contest.open(contest.folder) as again,
        again.database.reading() as session,
    ):
        [kept] = session.scalars(select(IdentityRow.secret))
        assert [team.name for team in again.teams()] == ["alpha"]
    assert contest.secret.hex() != kept
    monkeypatch.setenv(DATABASE_VARIABLE, address_of(contest))
    with pytest.raises(InputError, match="holds another contest"):
        Contest.open(other.folder)


def test_what_is_no_database_is_said_so(contest: Contest, tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("nothing of the kind " * 100)
    with pytest.raises(InputError, match="cannot be opened"):
        Database(f"sqlite:///{tmp_path / 'a.db'}").is_empty()
