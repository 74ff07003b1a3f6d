"""Contest: one folder that holds a whole contest, and everything that can be done with it."""

import os
import secrets
import time
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from sqlalchemy import select
from sqlalchemy.orm import Session

from sudare.contest.accounts import REFEREE, Account, Accounts
from sudare.contest.data import prepare
from sudare.contest.database import (
    AnnouncementRow,
    Database,
    OrderRow,
)
from sudare.contest.downloads import Download, Shelf, of_entries
from sudare.contest.entries import Entries, Entry, counted_masks
from sudare.contest.errors import EntryError, NotAllowedError, NotFoundError
from sudare.contest.jobs import Jobs, Progress
from sudare.contest.phases import (
    Moment,
    Order,
    Period,
    Phase,
    Resource,
    Role,
    Round,
    allowed,
    standing,
)
from sudare.contest.results import AttackerLine, Hit, Leader, Standings, Statistics
from sudare.contest.rules import ContestRules
from sudare.contest.store import Store
from sudare.core.errors import InputError, OutputError
from sudare.engine.atomic import writing

RULES = "contest.toml"
_LONGEST = 4000  # characters of an announcement
DATABASE = "SUDARE_CONTEST_DATABASE"  # an address here comes before the one in the rules


@dataclass(frozen=True)
class Announcement:
    """What the referee told everybody."""

    text: str
    at: datetime


class Contest:
    """A contest: rules, teams, files, and who won. Safe to use from several threads.

    Whoever asks for something is named first: an :class:`Account`, or None for a visitor. What the
    table of permissions does not allow in the present phase raises :class:`NotAllowedError`.
    """

    def __init__(self, folder: Path, rules: ContestRules, clock: Callable[[], float]) -> None:
        self.folder, self.rules, self.clock = folder, rules, clock
        address = os.environ.get(DATABASE) or rules.database
        self.database = Database(address) if address else Database.in_folder(folder)
        self.store = Store(folder / "store")
        self.accounts = Accounts(self.database, clock)
        self.jobs = Jobs(self.database, clock)
        self._entries = Entries(self.database, clock)
        self._data: dict[Round, str] = tomllib.loads((folder / "data.toml").read_text())  # type: ignore[assignment]
        self.secret = (folder / "secret").read_bytes()

    @classmethod
    def create(
        cls,
        folder: str | os.PathLike[str],
        rules: ContestRules,
        data: str | os.PathLike[str] | Mapping[Round, str | os.PathLike[str]],
        *,
        password: str,
        clock: Callable[[], float] = time.time,
    ) -> "Contest":
        """Make a contest in a new folder.

        Parameters
        ----------
        folder
            Where it will live; must not exist, or be empty.
        rules
            The rules.
        data
            The file T, or one for each round.
        password
            The referee's.
        clock
            Seconds since 1970.
        """
        place = Path(folder)
        if place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise OutputError("'{path}' exists; a contest needs a new folder.", path=str(place))
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        files = data if isinstance(data, Mapping) else dict.fromkeys(rules.rounds, data)
        store = Store(place / "store")
        kept = {one: prepare(Path(files[one]), rules, store) for one in rules.rounds}
        (place / "secret").touch(mode=0o600)
        (place / "secret").write_bytes(secrets.token_bytes(32))
        with writing(place / "data.toml") as draft:
            draft.write_text("".join(f'{one} = "{key}"\n' for one, key in kept.items()))
        with writing(place / RULES) as draft:  # last: a folder with rules is a whole contest
            draft.write_text(rules.to_toml(), encoding="utf-8")
        contest = cls.open(place, clock=clock)
        contest.accounts.add(REFEREE, password, "referee")
        return contest

    @classmethod
    def open(
        cls, folder: str | os.PathLike[str], *, clock: Callable[[], float] = time.time
    ) -> "Contest":
        """Open the contest of a folder; its database is brought to the present form."""
        place = Path(folder)
        if not (place / RULES).is_file():
            raise InputError(
                "there is no contest in '{path}'; make one with: sudare contest new",
                path=str(place),
            )
        contest = cls(place, ContestRules.read(place / RULES), clock)
        contest.database.migrate()
        contest.store.sweep()
        return contest

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

    def phases(self) -> list[tuple[Phase, Period]]:
        """Return all phases with the times at which they open and close by themselves."""
        return [(one, self.rules.schedule.get(one, Period())) for one in self.rules.phases]

    def close_phase(self) -> Moment:
        """End the phase. The next one opens at once, unless it has a time that is still to come."""
        with self.database.writing() as session:
            moment = self._moment(session)
            following = self.rules.phases[self.rules.phases.index(moment.phase) + 1 :]
            if not following:
                raise NotAllowedError("the contest has no phase after this one.")
            opens = self.rules.schedule.get(following[0], Period()).opens
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
        """Return whether somebody may do or read something now."""
        return self._may(account, resource, round_, self.phase())

    def register(self, team: str, password: str, *, by: Account | None = None) -> Account:
        """Make the account of a team; while the phase is open anybody may, the referee always."""
        self._demand(by, Resource.REGISTER)
        return self.accounts.add(team, password, "team", most=self.rules.limits.teams)

    def login(self, team: str, password: str, origin: str) -> str:
        """Return a token for the right password."""
        return self.accounts.login(team, password, origin, most=self.rules.limits.failed_logins)

    def logout(self, token: str) -> None:
        """End a session."""
        self.accounts.logout(token)

    def session(self, token: str | None) -> Account | None:
        """Return whose session a token is."""
        return self.accounts.of(token)

    def set_password(self, by: Account | None, team: str, password: str) -> None:
        """Give a team another password."""
        self._demand(by, Resource.CONTROL)
        self.accounts.set_password(team, password)

    def teams(self) -> list[Account]:
        """Return the teams, in the order of their registration."""
        return self.accounts.all()

    def referee(self) -> Account:
        """Return the referee, for whoever has the folder itself."""
        return self.accounts.all("referee")[0]

    def accept_mask(self, account: Account | None, path: Path, filename: str) -> Entry:
        """Receive a masked file; it is checked by a worker.

        Parameters
        ----------
        account
            The team.
        path
            The file; one in ``contest.store.incoming`` is moved, any other is copied.
        filename
            What the team calls it; only shown, never used as a path.
        """
        return self._accept(account, Resource.SUBMIT_MASK, path, filename, None)

    def accept_attack(
        self, account: Account | None, target: str, path: Path, filename: str
    ) -> Entry:
        """Receive an attack on the file of a team; of several the latest in order counts."""
        return self._accept(account, Resource.SUBMIT_ATTACK, path, filename, target)

    def _accept(
        self,
        account: Account | None,
        resource: Resource,
        path: Path,
        filename: str,
        target: str | None,
    ) -> Entry:
        self._demand(account, resource, self.phase().phase.round)
        team, limits = account or self.referee(), self.rules.limits
        self.accounts.throttle("upload", str(team.id), limits.uploads_per_hour)
        most = limits.mask_bytes if target is None else limits.attack_bytes
        size = path.stat().st_size
        key = self.store.receive(path, most=most)
        with self.database.writing() as session:  # the phase may have closed meanwhile
            moment = self._moment(session)
            round_ = moment.phase.round
            if round_ is None or not self._may(team, resource, round_, moment):
                raise NotAllowedError("this is not possible in the present phase.")
            if target is None:
                entry = self._entries.add_mask(session, team, round_, key, filename, size)
            else:
                entry = self._entries.add_attack(session, team, round_, target, key, filename, size)
        return self._entries.find(entry_id=entry)[0]

    def entries(self, account: Account | None) -> list[Entry]:
        """Return what a team has sent, the latest first; for the referee, what everybody has."""
        if account is not None and account.role == "referee":
            self._demand(account, Resource.ALL_ENTRIES)
            return self._entries.find()
        self._demand(account, Resource.OWN_ENTRIES)
        found = self._entries.find(team=account.name if account is not None else "")
        moment = self.phase()
        return [self._discreet(account, entry, moment) for entry in found]

    def entry(self, account: Account | None, entry_id: int) -> Entry:
        """Return one entry of a team, or any for the referee."""
        moment = self.phase()
        everything = self._may(account, Resource.ALL_ENTRIES, None, moment)
        for entry in self._entries.find(entry_id=entry_id) if account is not None else ():
            if everything or (account is not None and entry.team == account.name):
                return self._discreet(account, entry, moment)
        raise NotFoundError("there is no such file.")

    def _discreet(self, account: Account | None, entry: Entry, moment: Moment) -> Entry:
        """Return an entry without what its team must not know before the result."""
        known = self._may(account, Resource.LEADERBOARD, entry.round, moment)
        if entry.kind == "mask" or known:
            return entry
        return replace(entry, right=None, needed=None, effective=None, result={})

    def resources(self, account: Account | None) -> list[Download]:
        """Return the files that somebody may have now."""
        moment = self.phase()
        with self.database.reading() as session:
            masks = {one: counted_masks(session, one) for one in self.rules.rounds}
        shelf = Shelf(self.store, self._data, masks)
        return list(shelf.open_to(lambda what, one: self._may(account, what, one, moment)))

    def file(self, account: Account | None, key: str) -> Download:
        """Return a file by its key; there are no keys but those of files one may have."""
        if key.removeprefix("entry/").isdecimal() and account is not None:
            entry = self.entry(account, int(key.removeprefix("entry/")))
            found = list(of_entries([entry], self.store))
        else:
            found = [one for one in self.resources(account) if one.key == key]
        if not found:
            raise NotAllowedError("there is no such file, or not for you in the present phase.")
        return found[0]

    def progress(self) -> Progress:
        """Return how far the evaluation of what was received is."""
        return self.jobs.progress()

    def settle(self) -> int:
        """Ask for the statistics of files that are decided; return how many are new."""
        phase = self.phase().phase
        asked = 0
        wanted = self.rules.subject == "history" and self.rules.limits.samples > 0
        for round_ in self.rules.rounds if wanted else ():
            result = next(
                p for p in self.rules.phases if (p.round, p.activity) == (round_, "result")
            )
            if self.rules.phases.index(phase) >= self.rules.phases.index(result):
                masks = self._standings(round_).masks.values()
                asked += self.jobs.request("statistics", [mask.id for mask in masks])
        return asked

    def original(self, round_: Round) -> Path:
        """Return where T of a round lies."""
        return self.store.path(self._data[round_])

    def rounds_shown(self, account: Account | None) -> list[Round]:
        """Return the rounds whose leaderboard somebody may see now."""
        moment = self.phase()
        return [
            one
            for one in self.rules.rounds
            if self._may(account, Resource.LEADERBOARD, one, moment)
        ]

    def standings(self, account: Account | None, round_: Round) -> Standings:
        """Return all that counts in a round, from one look at the database."""
        self._demand(account, Resource.LEADERBOARD, round_)
        return self._standings(round_)

    def leaderboard(self, account: Account | None, round_: Round) -> list[Leader]:
        """Return the leaderboard: safe files by their score, then those that were hit."""
        return self.standings(account, round_).leaderboard()

    def attackers(self, account: Account | None, round_: Round) -> list[AttackerLine]:
        """Return who attacked, and how many files they hit."""
        return self.standings(account, round_).attackers()

    def hits(self, account: Account | None, round_: Round) -> list[Hit]:
        """Return who attacked whom, and what became of it."""
        return self.standings(account, round_).hits()

    def statistics(self, account: Account | None, round_: Round) -> Statistics:
        """Return the errors of use cases and statistics, as far as they are computed."""
        self._demand(account, Resource.STATISTICS, round_)
        return self._standings(round_).statistics(self.database)

    def announce(self, by: Account | None, text: str) -> None:
        """Tell everybody something."""
        self._demand(by, Resource.CONTROL)
        if not text.strip() or len(text) > _LONGEST:
            raise EntryError("an announcement has 1 to {limit} characters.", limit=_LONGEST)
        with self.database.writing() as session:
            session.add(AnnouncementRow(text=text.strip(), at=self.clock()))

    def announcements(self) -> list[Announcement]:
        """Return what everybody was told, the latest first."""
        with self.database.reading() as session:
            rows = session.scalars(select(AnnouncementRow).order_by(AnnouncementRow.id.desc()))
            return [Announcement(row.text, datetime.fromtimestamp(row.at, UTC)) for row in rows]

    def _standings(self, round_: Round) -> Standings:
        return Standings.of(self.database, round_)

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self.clock(), UTC)

    def _moment(self, session: Session, now: datetime | None = None) -> Moment:
        rows = select(OrderRow.phase, OrderRow.is_open, OrderRow.at).order_by(OrderRow.id)
        orders = [
            Order(Phase(phase), is_open, datetime.fromtimestamp(at, UTC))
            for phase, is_open, at in session.execute(rows)
        ]
        return standing(self.rules.phases, self.rules.schedule, orders, now or self._now())

    def _may(
        self, account: Account | None, resource: Resource, round_: Round | None, moment: Moment
    ) -> bool:
        role: Role = "visitor" if account is None else account.role
        return allowed(role, moment.phase, resource, round_, is_open=moment.is_open)

    def _demand(
        self, account: Account | None, resource: Resource, round_: Round | None = None
    ) -> None:
        if not self.may(account, resource, round_):
            raise NotAllowedError("this is not possible in the present phase.")
