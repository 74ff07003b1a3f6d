"""The state of a contest: its folder, its database, its clock, and the phase it is in."""

import hashlib
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from sqlalchemy import select
from sqlalchemy.orm import Session

from sudare.contest.accounts import REFEREE, Account, Accounts
from sudare.contest.errors import ChangedError, NotAllowedError, NotFoundError
from sudare.contest.mail import MailQueue
from sudare.contest.rulebooks import RuleBook, RulePackage, package_for
from sudare.contest.rules import (
    ContestRole,
    ContestRules,
    Moment,
    Order,
    Phase,
    PhasePeriod,
    Resource,
    Round,
    allowed,
    is_path,
    moment_at,
    roles_of,
)
from sudare.contest.storage import (
    Database,
    FileStore,
    IdentityRow,
    OrderRow,
    prepare_round,
    read_round_data,
    round_secret,
    write_round_data,
)
from sudare.core import InputError, OutputError
from sudare.engine.formats import writing

RULES_FILE = "contest.toml"
DATABASE_VARIABLE = "SUDARE_CONTEST_DATABASE"  # an address here comes before the one in the rules


class ContestState:
    """A folder with rules, database and files; knows the phase and who may do what in it."""

    def __init__(self, folder: Path, rules: ContestRules, clock: Callable[[], float]) -> None:
        self.folder, self.rules, self.clock = folder, rules, clock
        address = os.environ.get(DATABASE_VARIABLE) or rules.database
        self.database = Database(address) if address else Database.in_folder(folder)
        self.store = FileStore(folder / "store")
        self.accounts = Accounts(self.database, clock)
        self.mail = MailQueue(self.database, clock, rules.title, rules.mail)
        self.package: RulePackage = package_for(rules)
        self.data = read_round_data((folder / "data.toml").read_text())
        self.secret = (folder / "secret").read_bytes()

    @classmethod
    def create(
        cls,
        folder: str | os.PathLike[str],
        rules: ContestRules,
        data: str | os.PathLike[str] | Mapping[Round, str | os.PathLike[str] | None] | None = None,
        *,
        password: str,
        clock: Callable[[], float] = time.time,
    ) -> Self:
        """Make a contest in a new folder.

        Parameters
        ----------
        folder
            Where it will live; must not exist, or be empty.
        rules
            The rules.
        data
            The file T, or one for each round; none where the rules make up the data.
        password
            The referee's.
        clock
            Seconds since 1970.
        """
        path = Path(folder)
        files = data if isinstance(data, Mapping) else dict.fromkeys(rules.rounds, data)
        with _new_folder(path):
            _fill_folder(path, rules, {name: _path(files[name]) for name in rules.rounds})
            contest = cls(path, ContestRules.read(path / RULES_FILE), clock)
            contest._create_referee(password)
        return contest

    def _create_referee(self, password: str) -> None:
        """Make the referee's account in a database that holds no contest yet."""
        try:
            self.database.migrate()
            if self.accounts.all("referee"):
                raise OutputError(
                    "the database already holds a contest; give the address of an empty one."
                )
            self.accounts.add(REFEREE, password, "referee")
            self._claim_database()
        except BaseException:
            self.close()
            raise

    @classmethod
    def open(
        cls, folder: str | os.PathLike[str], *, clock: Callable[[], float] = time.time
    ) -> Self:
        """Open the contest of a folder; its database is brought to the present form.

        A database without a contest, or with another one, is refused, and none is made.
        """
        path = Path(folder)
        try:
            if not (path / RULES_FILE).is_file():
                raise InputError(
                    "there is no contest in '{path}'; make one with: sudare contest new",
                    path=str(path),
                )
            contest = cls(path, ContestRules.read(path / RULES_FILE), clock)
            try:
                contest._check_database()
                contest.store.sweep()
            except BaseException:
                contest.close()
                raise
        except OSError as error:
            raise InputError(
                "the contest in '{path}' cannot be opened: {reason}.",
                path=str(path),
                reason=_reason(error),
            ) from None
        return contest

    def _check_database(self) -> None:
        """Refuse a database that is not this contest's."""
        facts = {"path": str(self.folder), "variable": DATABASE_VARIABLE}
        has_tables = not self.database.is_empty()
        if has_tables:
            self.database.migrate()
        if not has_tables or not self.accounts.all("referee"):
            raise InputError(
                "the database given for '{path}' holds no contest; are {variable} and 'database' "
                "in contest.toml what they were when the contest was made?",
                **facts,
            )
        if not self._claim_database():
            raise InputError(
                "the database given for '{path}' holds another contest; are {variable} and "
                "'database' in contest.toml what they were when the contest was made?",
                **facts,
            )

    def _claim_database(self) -> bool:
        """Return whether the database is this contest's; one that is nobody's yet becomes so."""
        own = hashlib.sha256(self.secret).hexdigest()
        with self.database.writing() as session:
            row = session.get(IdentityRow, 1)
            if row is None:  # new, or of a contest made before databases said whose they are
                row = IdentityRow(id=1, secret=own)
                session.add(row)
            return row.secret == own

    def close(self) -> None:
        """Close the connections to the database."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def phase(self, now: datetime | None = None) -> Moment:
        """Return the phase of the contest: by the schedule, or as the referee has set it."""
        with self.database.reading() as session:
            return self._moment(session, now)

    def phases(self) -> list[tuple[Phase, PhasePeriod]]:
        """Return all phases with the times at which they open and close by themselves."""
        return [
            (phase, self.rules.schedule.get(phase, PhasePeriod())) for phase in self.rules.phases
        ]

    def close_phase(self, expected: Phase | None = None) -> Moment:
        """End the phase: the one expected, where somebody decided on it while it was open.

        The next one opens at once, unless it has a time that is still to come.
        """
        with self.database.writing() as session:
            moment = self._moment(session)
            if expected is not None and (expected, True) != (moment.phase, moment.is_open):
                raise ChangedError("the phase has changed in the meantime.")
            following = self.rules.phases[self.rules.phases.index(moment.phase) + 1 :]
            if not following:
                raise NotAllowedError("the contest has no phase after this one.")
            opens = self.rules.schedule.get(following[0], PhasePeriod()).opens
            waits = moment.is_open and opens is not None and opens > self._now()
            order = (moment.phase, False) if waits else (following[0], True)
            session.add(OrderRow(phase=order[0], is_open=order[1], at=self.clock()))
        return self.phase()

    def open_phase(self, phase: Phase) -> Moment:
        """Open a phase by hand, also one that was closed."""
        if phase not in self.rules.phases:
            raise NotFoundError("the contest has no such phase.")
        with self.database.writing() as session:
            session.add(OrderRow(phase=phase, is_open=True, at=self.clock()))
        return self.phase()

    def may(self, account: Account | None, resource: Resource, round_: Round | None = None) -> bool:
        """Return whether a role may do or read something now."""
        return self._may(account, resource, round_, self.phase())

    def original(self, round_: Round) -> Path:
        """Return where the T of a round is stored."""
        return self.store.path(self.data[round_].common["data"])

    def handed_out(self, round_: Round, team_id: int) -> dict[str, Path]:
        """Return what was handed out in a round to everybody and to one team, by name."""
        seats = [team.id for team in self.accounts.all()]
        keys = self.data[round_].of_seat(seats.index(team_id))
        return {name: self.store.path(key) for name, key in keys.items()}

    def book(self) -> RuleBook:
        """Return the rule book, in the current language."""
        return self.package.describe()

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self.clock(), UTC)

    def _moment(self, session: Session, now: datetime | None = None) -> Moment:
        rows = select(OrderRow.phase, OrderRow.is_open, OrderRow.at).order_by(OrderRow.id)
        orders = [
            Order(Phase(phase), is_open, datetime.fromtimestamp(at, UTC))
            for phase, is_open, at in session.execute(rows)
        ]
        return moment_at(self.rules.phases, self.rules.schedule, orders, now or self._now())

    def _may(
        self, account: Account | None, resource: Resource, round_: Round | None, moment: Moment
    ) -> bool:
        active = account is not None and account.status == "active"
        role: ContestRole = account.role if account is not None and active else "visitor"
        return allowed(role, moment.phase, resource, round_, is_open=moment.is_open)

    def _demand(
        self, account: Account | None, resource: Resource, round_: Round | None = None
    ) -> None:
        if account is not None and account.status != "active" and resource != Resource.RULES:
            raise NotAllowedError("the referee has not approved the team yet.")
        if not self.may(account, resource, round_):
            raise refusal("visitor" if account is None else account.role, resource)


def refusal(role: ContestRole, resource: Resource) -> NotAllowedError:
    """Return why somebody may not: never in this role, or not in the present phase."""
    roles = roles_of(resource)
    if role in roles:
        return NotAllowedError("this is not possible in the present phase.")
    if roles == {"referee"}:
        return NotAllowedError("this is for the referee.")
    return NotAllowedError("this is for teams; log in as one.")


@contextmanager
def _new_folder(path: Path) -> Iterator[None]:
    """Make a folder, or take an empty one, to fill in the block; nothing half-made stays behind."""
    try:
        is_new = not path.exists()
        if not is_new and (not path.is_dir() or any(path.iterdir())):
            raise OutputError("'{path}' exists; a contest needs a new folder.", path=str(path))
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            yield
        except BaseException:
            for child in path.iterdir():
                shutil.rmtree(child) if child.is_dir() else child.unlink()
            if is_new:
                path.rmdir()
            raise
    except OSError as error:
        raise OutputError(
            "cannot create a contest in '{path}': {reason}.", path=str(path), reason=_reason(error)
        ) from None


def _reason(error: OSError) -> str:
    reason = error.strerror or type(error).__name__
    return f"{reason} ({Path(error.filename).name})" if error.filename else reason


def _path(given: str | os.PathLike[str] | None) -> Path | None:
    return None if given is None else Path(given)


def _fill_folder(folder: Path, rules: ContestRules, files: Mapping[Round, Path | None]) -> None:
    """Put what is handed out, a secret and the rules into the folder of a new contest."""
    store = FileStore(folder / "store")
    secret = secrets.token_bytes(32)
    (folder / "secret").touch(mode=0o600)
    (folder / "secret").write_bytes(secret)
    if is_path(rules.subject):
        rules = replace(rules, subject=str(_copied_package(Path(rules.subject), folder)))
    package = package_for(rules)
    package.describe()  # before anything is stored: rules that cannot be read hold no contest
    data = {
        round_: prepare_round(
            package, path, store, rules.limits.teams, round_secret(secret, round_)
        )
        for round_, path in files.items()
    }
    with writing(folder / "data.toml") as draft:
        draft.write_text(write_round_data(data))
    with writing(folder / RULES_FILE) as draft:  # last: a folder with rules is a whole contest
        draft.write_text(rules.to_toml(), encoding="utf-8")


def _copied_package(source: Path, folder: Path) -> Path:
    """Copy an organizer's package of rules into the folder: the contest keeps its rules."""
    target = folder.resolve() / (f"rules{source.suffix}" if source.is_file() else "rules")
    if source.is_file():
        shutil.copyfile(source, target)
    else:
        shutil.copytree(source, target)
    return target
