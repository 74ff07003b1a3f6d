"""The database of a contest: its tables, and how it is opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    JSON,
    Connection,
    Double,
    Engine,
    ForeignKey,
    Index,
    String,
    UniqueConstraint,
    create_engine,
    event,
    inspect,
    text,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from sudare.core import InputError

_LOCK_TIMEOUT = 60_000  # milliseconds that a writer waits for another
_ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(20180907, hashtext(current_schema()))")


class Base(DeclarativeBase):
    """What the tables share. Times are seconds since 1970, UTC."""

    type_annotation_map = {  # noqa: RUF012
        dict[str, Any]: JSON,
        list[Any]: JSON,
        float: Double,
    }


class IdentityRow(Base):
    """Which contest the database belongs to: a hash of the secret in its folder. One row."""

    __tablename__ = "identity"
    id: Mapped[int] = mapped_column(primary_key=True)
    secret: Mapped[str] = mapped_column(String(64))


class AccountRow(Base):
    """A team, or the referee."""

    __tablename__ = "accounts"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    folded: Mapped[str] = mapped_column(String(120), unique=True)  # names differ by more than case
    role: Mapped[str] = mapped_column(String(10))
    password: Mapped[str] = mapped_column(String(200))
    created: Mapped[float]
    status: Mapped[str] = mapped_column(String(10), default="active")  # or waiting, removed
    address: Mapped[str] = mapped_column(String(254), default="")  # for mail


class SessionRow(Base):
    """Somebody who is logged in; of the token only its hash is known."""

    __tablename__ = "sessions"
    token: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), index=True)
    expires: Mapped[float]


class AttemptRow(Base):
    """Something that may be done only so often: a wrong password, an upload."""

    __tablename__ = "attempts"
    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))
    key: Mapped[str] = mapped_column(String(200))
    at: Mapped[float]
    __table_args__ = (Index("attempts_by_key", "kind", "key", "at"),)


class OrderRow(Base):
    """A phase that the referee opened or closed by hand."""

    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(String(30))
    is_open: Mapped[bool]
    at: Mapped[float]


class AnnouncementRow(Base):
    """What the referee tells everybody."""

    __tablename__ = "announcements"
    id: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]
    at: Mapped[float]


class EntryRow(Base):
    """A file that was received: a masked file, or an attack on one."""

    __tablename__ = "entries"
    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))
    round: Mapped[str] = mapped_column(String(20))
    team_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    target_id: Mapped[int | None] = mapped_column(ForeignKey("entries.id"))
    file: Mapped[str] = mapped_column(String(64))
    filename: Mapped[str] = mapped_column(String(100))
    size: Mapped[int]
    received: Mapped[float]
    status: Mapped[str] = mapped_column(String(10))  # waiting, accepted, refused
    problems: Mapped[list[Any]] = mapped_column(default=list)
    problem_count: Mapped[int] = mapped_column(default=0)
    chosen: Mapped[bool] = mapped_column(default=False)
    __table_args__ = (Index("entries_by_team", "round", "kind", "team_id", "target_id"),)


class JobRow(Base):
    """Work on an entry; at most one of each kind."""

    __tablename__ = "jobs"
    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))  # mask, attack, statistics
    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"))
    status: Mapped[str] = mapped_column(String(10))  # queued, running, done, failed
    worker: Mapped[str | None] = mapped_column(String(32))
    lease: Mapped[float | None]  # of a job that waits: not to be taken before
    attempts: Mapped[int] = mapped_column(default=0)
    created: Mapped[float]
    finished: Mapped[float | None]
    __table_args__ = (
        UniqueConstraint("kind", "entry_id", name="one_job_per_entry"),
        Index("jobs_by_status", "status", "id"),
    )


class ResultRow(Base):
    """What came out of a job; the database refuses a second one."""

    __tablename__ = "results"
    id: Mapped[int] = mapped_column(primary_key=True)
    job_id: Mapped[int] = mapped_column(ForeignKey("jobs.id"), unique=True)
    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), index=True)
    kind: Mapped[str] = mapped_column(String(10))
    content: Mapped[dict[str, Any]]


class FormerResultRow(Base):
    """What came out of a job before the entry was scored again."""

    __tablename__ = "former_results"
    id: Mapped[int] = mapped_column(primary_key=True)
    entry_id: Mapped[int] = mapped_column(ForeignKey("entries.id"), index=True)
    status: Mapped[str] = mapped_column(String(10))
    content: Mapped[dict[str, Any]]
    reason: Mapped[str] = mapped_column(String(200))
    at: Mapped[float]


class FrozenRow(Base):
    """The standings of a round at the moment when they were frozen, or when they were released."""

    __tablename__ = "frozen_standings"
    round: Mapped[str] = mapped_column(String(20), primary_key=True)
    content: Mapped[dict[str, Any]]
    at: Mapped[float]
    released: Mapped[bool] = mapped_column(default=False)


class MailRow(Base):
    """A mail to a team; at most one of each topic."""

    __tablename__ = "mails"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    topic: Mapped[str] = mapped_column(String(60))
    subject: Mapped[str] = mapped_column(String(200))
    body: Mapped[str]
    status: Mapped[str] = mapped_column(String(10), default="waiting")  # then sent or failed
    attempts: Mapped[int] = mapped_column(default=0)
    due: Mapped[float]
    __table_args__ = (
        UniqueConstraint("account_id", "topic", name="one_mail_per_topic"),
        Index("mails_by_status", "status", "due"),
    )


class Database:
    """An SQLite file or a PostgreSQL database; every use is one transaction."""

    def __init__(self, url: str | URL) -> None:
        try:
            address = make_url(url)
            if address.drivername == "postgresql":
                address = address.set(drivername="postgresql+psycopg")
            self.engine: Engine = create_engine(address, pool_pre_ping=True, pool_size=10)
        except (ArgumentError, ModuleNotFoundError):
            raise InputError(
                "contest: the database address must begin with sqlite:/// or postgresql://."
            ) from None
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)

    @classmethod
    def in_folder(cls, folder: Path) -> "Database":
        """Return the SQLite database of a folder."""
        path = (folder / "contest.db").resolve()
        return cls(URL.create("sqlite", database=str(path)))

    @property
    def file(self) -> Path | None:
        """The file that is the database, if it is one."""
        name = self.engine.url.database or ":memory:"
        plain = self.engine.dialect.name == "sqlite" and not name.startswith((":memory:", "file:"))
        return Path(name) if plain else None

    def is_empty(self) -> bool:
        """Return whether there are no tables of a contest; a missing file is not created."""
        if self.file is not None and not self.file.exists():
            return True
        with _opening():
            return not inspect(self.engine).has_table(AccountRow.__tablename__)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Give a session that only reads, from one moment."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Give a session that commits at the end of the block; one at a time is let in.

        So what a block has read is still so when it writes: how many teams there are, how many
        files a team has sent, that the phase is open. SQLite does it by itself.
        """
        options = {"writing": True}
        with (
            self.engine.connect().execution_options(**options) as connection,
            Session(connection, expire_on_commit=False) as session,
            session.begin(),
        ):
            if connection.dialect.name == "postgresql":
                session.execute(_ONE_AT_A_TIME)
            yield session

    def migrate(self) -> None:
        """Bring the tables to the present form; two servers that start at once take turns."""
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        if self.file is not None and self.file.parent.is_dir() and not self.file.exists():
            self.file.touch(mode=0o600)
        with (
            _opening(),
            self.engine.connect().execution_options(writing=True) as connection,
            connection.begin(),
        ):
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(20180906)"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def close(self) -> None:
        """Close the connections."""
        self.engine.dispose()


@contextmanager
def _opening() -> Iterator[None]:
    try:
        yield
    except DatabaseError as error:
        raise InputError(
            "contest: the database cannot be opened: {reason}",
            reason=str(error.orig).splitlines()[0],
        ) from None


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {_LOCK_TIMEOUT}")
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")  # what was accepted survives a power cut
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
