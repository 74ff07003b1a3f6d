"""Teams and the referee: registration, passwords, sessions, and what may be done only so often."""

import hashlib
import math
import re
import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from sudare.contest.errors import (
    EntryError,
    LoginError,
    NotAllowedError,
    NotFoundError,
    TakenError,
    ThrottledError,
)
from sudare.contest.rules import ContestRole, is_address
from sudare.contest.storage import AccountRow, AttemptRow, Database, SessionRow

REFEREE = "referee"
TeamStatus = Literal["active", "waiting", "removed"]  # waiting for the referee's approval
SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 200  # characters of a password
_LONGEST_NAME = 40
_SESSION_SECONDS = 7 * 24 * 3600.0
_LOGIN_WINDOW_SECONDS = 15 * 60.0
_SHARED_FACTOR = (
    10  # times as many wrong passwords from an address, which teams may share, or for a name
)
_HOUR = 3600.0
# Characters that show nothing though Python takes them for printable: fillers, variation selectors,
# the empty Braille cell.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)  # OWASP's advice


@dataclass(frozen=True)
class Account:
    """Somebody who is known: a team, or the referee."""

    id: int
    name: str
    role: ContestRole
    status: TeamStatus = "active"


class Accounts:
    """The accounts of a contest."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self.database, self.clock = database, clock

    def add(
        self,
        name: str,
        password: str,
        role: ContestRole,
        *,
        most: int | None = None,
        status: TeamStatus = "active",
        address: str = "",
    ) -> Account:
        """Make an account; names that differ by case, width or what is not seen are the same."""
        name = team_name(name)
        if address and not is_address(address):
            raise EntryError("the mail address is not valid.")
        check_password(password)
        row = AccountRow(
            name=name,
            folded=_folded(name),
            role=role,
            password=_HASHER.hash(password),
            created=self.clock(),
            status=status,
            address=address,
        )
        try:
            with self.database.writing() as session:
                if most is not None and _team_count(session) >= most:
                    raise NotAllowedError("the contest is full: {limit} teams.", limit=most)
                session.add(row)
                session.flush()
                return _account(row)
        except IntegrityError:
            raise TakenError("a team of that name already exists.") from None

    def set_password(self, name: str, password: str) -> None:
        """Give an account another password, and end its sessions."""
        check_password(password)
        with self.database.writing() as session:
            row = _named(session, name)
            if row is None:
                raise NotFoundError("there is no such team.")
            row.password = _HASHER.hash(password)
            session.execute(delete(SessionRow).where(SessionRow.account_id == row.id))

    def set_status(self, session: Session, name: str, status: TeamStatus) -> AccountRow:
        """Let a team take part, wait or be gone; one that is gone is logged out."""
        row = _named(session, name)
        if row is None or row.role != "team":
            raise NotFoundError("there is no such team.")
        row.status = status
        if status == "removed":
            session.execute(delete(SessionRow).where(SessionRow.account_id == row.id))
        return row

    def login(self, name: str, password: str, origin: str, *, most: int) -> str:
        """Return a token for the right password; after too many wrong ones the caller has to wait.

        Wrong passwords for an account are counted by the address they come from, so that one
        address locks out nobody else; all those from an address, and all those for an account, up
        to ten times as many. They are counted before they are looked at, so that guesses at the
        same time count too; the right one is taken back. A name that does not exist takes as long
        as a wrong password.
        """
        account, address = hashlib.sha256(_folded(name).encode()).hexdigest(), origin[:100]
        limits = {
            ("login", f"{account} {address}"): most,
            ("login-from", address): most * _SHARED_FACTOR,
            ("login-to", account): most * _SHARED_FACTOR,
        }
        with self.database.writing() as session:
            attempts = [
                self._count_attempt(session, *attempt, limit, _LOGIN_WINDOW_SECONDS)
                for attempt, limit in limits.items()
            ]
            row = _named(session, name)
        right = _is_right(row.password if row is not None else _unknown_password(), password)
        if row is None or not right:
            raise LoginError("wrong name or password.")
        if row.status == "removed":
            raise NotAllowedError("the referee has removed this team from the contest.")
        token = secrets.token_urlsafe(32)
        now = self.clock()
        with self.database.writing() as session:
            session.execute(delete(AttemptRow).where(AttemptRow.id.in_(attempts)))
            session.execute(delete(SessionRow).where(SessionRow.expires < now))
            session.add(
                SessionRow(token=_hashed(token), account_id=row.id, expires=now + _SESSION_SECONDS)
            )
        return token

    def of_session(self, token: str | None) -> Account | None:
        """Return whose session a token belongs to; nobody's when it has expired."""
        if not token:
            return None
        query = (
            select(AccountRow)
            .join(SessionRow, SessionRow.account_id == AccountRow.id)
            .where(SessionRow.token == _hashed(token), SessionRow.expires >= self.clock())
        )
        with self.database.reading() as session:
            row = session.scalar(query)
        return None if row is None else _account(row)

    def logout(self, token: str) -> None:
        """End a session."""
        with self.database.writing() as session:
            session.execute(delete(SessionRow).where(SessionRow.token == _hashed(token)))

    def all(self, role: ContestRole = "team") -> list[Account]:
        """Return the accounts of a role, in the order of their registration."""
        query = select(AccountRow).where(AccountRow.role == role).order_by(AccountRow.id)
        with self.database.reading() as session:
            return [_account(row) for row in session.scalars(query)]

    def named(self, name: str) -> Account:
        """Return the account of a name."""
        with self.database.reading() as session:
            row = _named(session, name)
        if row is None:
            raise NotFoundError("there is no such team.")
        return _account(row)

    def throttle(self, kind: str, key: str, most: int, seconds: float = _HOUR) -> None:
        """Count one more of a kind, and refuse it after ``most`` within some seconds."""
        with self.database.writing() as session:
            self._count_attempt(session, kind, key, most, seconds)

    def _count_attempt(
        self, session: Session, kind: str, key: str, most: int, seconds: float
    ) -> int:
        """Count one more of a kind, and return its number in the database."""
        now = self.clock()
        query = (
            select(AttemptRow.at)
            .where(AttemptRow.kind == kind, AttemptRow.key == key, AttemptRow.at > now - seconds)
            .order_by(AttemptRow.at.desc())
            .limit(most)
        )
        recent = list(session.scalars(query))
        if len(recent) >= most:
            wait = max(1, math.ceil(recent[-1] + seconds - now))
            raise ThrottledError(
                "too many attempts; wait {seconds} {seconds:second|seconds}.", seconds=wait
            )
        row = AttemptRow(kind=kind, key=key, at=now)
        session.execute(delete(AttemptRow).where(AttemptRow.at < now - 24 * _HOUR))
        session.add(row)
        session.flush()
        return row.id


def team_name(name: str) -> str:
    """Return the name of a team as it is kept; refuse one that cannot be printed or is too long."""
    name = _visible(name)
    if (
        not name
        or len(name) > _LONGEST_NAME
        or not name.isprintable()
        or "/" in name
        or name in (".", "..")
    ):
        raise EntryError(
            "a team's name has 1 to {limit} characters that can be printed, and no slash.",
            limit=_LONGEST_NAME,
        )
    return name


def check_password(password: str) -> None:
    """Refuse a password that is too short or too long."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise EntryError(
            "a password has {shortest} to {longest} characters.",
            shortest=SHORTEST_PASSWORD,
            longest=LONGEST_PASSWORD,
        )


def _visible(name: str) -> str:
    """Return a name without invisible characters."""
    return " ".join(unicodedata.normalize("NFC", _INVISIBLE.sub("", name)).split())


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", _visible(name)).casefold()[:120]


def _named(session: Session, name: str) -> AccountRow | None:
    try:
        folded = _folded(team_name(name))
    except EntryError:
        return None
    return session.scalar(select(AccountRow).where(AccountRow.folded == folded))


def _team_count(session: Session) -> int:
    query = select(func.count()).select_from(AccountRow).where(AccountRow.role == "team")
    return session.scalar(query) or 0


def _account(row: AccountRow) -> Account:
    return Account(row.id, row.name, row.role, row.status)  # type: ignore[arg-type]


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _is_right(hashed: str, password: str) -> bool:
    try:
        return len(password) <= LONGEST_PASSWORD and _HASHER.verify(hashed, password)
    except VerifyMismatchError:
        return False


@cache
def _unknown_password() -> str:
    return _HASHER.hash(secrets.token_hex(16))
