"""Contest: everything that can be done with a contest."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import func, select

from sudare.contest.accounts import Account, TeamStatus
from sudare.contest.administration import Administration
from sudare.contest.downloads import Download, Downloads, entry_downloads
from sudare.contest.entries import ContestEntries, ContestEntry, ReceivedFile, counted_masks
from sudare.contest.errors import ContestError, EntryError, NotAllowedError, NotFoundError
from sudare.contest.mail import active_teams
from sudare.contest.results import (
    AttackerLine,
    LeaderboardLine,
    ScoredAttack,
    Standings,
    Statistics,
)
from sudare.contest.rulebooks import MASK
from sudare.contest.rules import ContestRules, Moment, Resource, Round
from sudare.contest.scoring import EvaluationProgress, EvaluationQueue
from sudare.contest.storage import AnnouncementRow, FormerResultRow
from sudare.core import Message

_LONGEST_ANNOUNCEMENT = 4000  # characters
CONTROL_CHARACTERS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # but tabs and new lines
_ENTRY_KEY = re.compile("entry/([1-9][0-9]{0,8})")  # no database has more of them


@dataclass(frozen=True)
class Announcement:
    """What the referee announced to everybody."""

    text: str
    at: datetime


class Contest(Administration):
    """A contest: rules, teams, files, and who won. Safe to use from several threads.

    The caller is always the first argument: an :class:`Account`, or None for a visitor. What the
    table of permissions does not allow in the present phase raises :class:`NotAllowedError`.
    """

    def __init__(self, folder: Path, rules: ContestRules, clock: Callable[[], float]) -> None:
        super().__init__(folder, rules, clock)
        self.jobs = EvaluationQueue(self.database, clock)
        self._entries = ContestEntries(self.database, clock)

    def register(
        self, team: str, password: str, *, by: Account | None = None, address: str = ""
    ) -> Account:
        """Create the account of a team: anyone may while the phase is open, the referee always.

        Mail goes to the address, if the rules state a server for it.
        """
        self._demand(by, Resource.REGISTER)
        waits = self.rules.approval and by is None
        status: TeamStatus = "waiting" if waits else "active"
        most = self.rules.limits.teams
        return self.accounts.add(
            team, password, "team", most=most, status=status, address=address.strip()
        )

    def login(self, team: str, password: str, origin: str) -> str:
        """Return a token for the right password."""
        return self.accounts.login(team, password, origin, most=self.rules.limits.failed_logins)

    def logout(self, token: str) -> None:
        """End a session."""
        self.accounts.logout(token)

    def session(self, token: str | None) -> Account | None:
        """Return whose session a token is."""
        return self.accounts.of_session(token)

    def set_password(self, by: Account | None, team: str, password: str) -> None:
        """Give a team another password."""
        self._demand(by, Resource.CONTROL)
        self.accounts.set_password(team, password)

    def teams(self) -> list[Account]:
        """Return the teams, in the order of their registration."""
        return self.accounts.all()

    def referee(self) -> Account:
        """Return the referee, for a caller who has the folder itself."""
        return self.accounts.all("referee")[0]

    def accept_mask(self, account: Account | None, path: Path, filename: str) -> ContestEntry:
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
        self,
        account: Account | None,
        target: str,
        path: Path,
        filename: str,
        *,
        kind: str | None = None,
    ) -> ContestEntry:
        """Receive an attack on the file of a team; of several the latest in order counts.

        Rules may take several kinds of attacks; by default it is the first.
        """
        kinds = [attack.name for attack in self.book().attacks]
        if kind is not None and kind not in kinds:
            raise NotFoundError(
                "there is no such kind of attack; take one of: {kinds}.", kinds=", ".join(kinds)
            )
        return self._accept(
            account, Resource.SUBMIT_ATTACK, path, filename, target, kind or kinds[0]
        )

    def _accept(
        self,
        account: Account | None,
        resource: Resource,
        path: Path,
        filename: str,
        target: str | None,
        kind: str = MASK,
    ) -> ContestEntry:
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
            file = ReceivedFile(kind, key, filename, size)
            self._entries.check_limits(session, team, round_, file.kind, target, limits)
            entry = self._entries.add(session, team, round_, file, target)
        return self._entries.find(entry_id=entry)[0]

    def entries(self, account: Account | None) -> list[ContestEntry]:
        """Return what a team has sent, the latest first; for the referee, what everybody has."""
        if account is not None and account.role == "referee":
            self._demand(account, Resource.ALL_ENTRIES)
            return self._entries.find()
        self._demand(account, Resource.OWN_ENTRIES)
        entries = self._entries.find(team=account.name if account is not None else "")
        moment = self.phase()
        return [self._without_secrets(account, entry, moment) for entry in entries]

    def entry(self, account: Account | None, entry_id: int) -> ContestEntry:
        """Return one entry of a team, or any for the referee."""
        moment = self.phase()
        everything = self._may(account, Resource.ALL_ENTRIES, None, moment)
        for entry in self._entries.find(entry_id=entry_id) if account is not None else ():
            if everything or (account is not None and entry.team == account.name):
                return self._without_secrets(account, entry, moment)
        raise NotFoundError("there is no such file.")

    def _without_secrets(
        self, account: Account | None, entry: ContestEntry, moment: Moment
    ) -> ContestEntry:
        """Return an entry without what its team must not know before the result, or now."""
        frozen = not _is_referee(account) and self.frozen(entry.round) is not None
        if not frozen and self._may(account, Resource.LEADERBOARD, entry.round, moment):
            return entry
        return entry.showing(self.book().file(entry.kind).at_once)

    def resources(self, account: Account | None) -> list[Download]:
        """Return the files that the caller may have now."""
        moment = self.phase()
        with self.database.reading() as session:
            masks = {round_: counted_masks(session, round_) for round_ in self.rules.rounds}

        def may(resource: Resource, round_: Round | None) -> bool:
            return self._may(account, resource, round_, moment)

        seats = {team.name: seat for seat, team in enumerate(self.accounts.all())}
        team = account.name if account is not None and account.role == "team" else None
        files = Downloads(self.store, self.book().handouts, self.data, masks, seats, team)
        return list(files.available(may))

    def file(self, account: Account | None, key: str) -> Download:
        """Return a file by its key; only keys of files that the caller may have exist."""
        entry = _ENTRY_KEY.fullmatch(key)
        if entry and account is not None:
            files = list(entry_downloads([self.entry(account, int(entry[1]))], self.store))
        else:
            files = [file for file in self.resources(account) if file.key == key]
        if not files:
            raise NotAllowedError("there is no such file, or not for you in the present phase.")
        return files[0]

    def progress(self) -> EvaluationProgress:
        """Return how far the evaluation of what was received is."""
        return self.jobs.progress()

    def request_statistics(self) -> int:
        """Ask for the statistics of files that are decided; return how many are new."""
        phase = self.phase().phase
        requested = 0
        for round_ in self.rules.rounds if self.book().statistics else ():
            result = next(
                p for p in self.rules.phases if (p.round, p.activity) == (round_, "result")
            )
            if self.rules.phases.index(phase) >= self.rules.phases.index(result):
                masks = self._standings(round_).masks.values()
                requested += self.jobs.request("statistics", [mask.id for mask in masks])
        return requested

    def standings(self, account: Account | None, round_: Round) -> Standings:
        """Return all that counts in a round, from one look at the database.

        While they are frozen, everybody but the referee gets them as they were then.
        """
        self._demand(account, Resource.LEADERBOARD, round_)
        return self._shown_standings(account, round_)

    def leaderboard(self, account: Account | None, round_: Round) -> list[LeaderboardLine]:
        """Return the leaderboard: safe files by their score, then those that were hit."""
        return self.standings(account, round_).leaderboard()

    def attackers(self, account: Account | None, round_: Round) -> list[AttackerLine]:
        """Return who attacked, and how many files they hit."""
        return self.standings(account, round_).attackers()

    def hits(self, account: Account | None, round_: Round) -> list[ScoredAttack]:
        """Return who attacked whom, and what became of it."""
        return self.standings(account, round_).hits()

    def statistics(self, account: Account | None, round_: Round) -> Statistics:
        """Return the errors of use cases and statistics, as far as they are computed."""
        self._demand(account, Resource.STATISTICS, round_)
        return self._shown_standings(account, round_).statistics(self.database)

    def announce(self, by: Account | None, text: str) -> None:
        """Tell everybody something."""
        self._demand(by, Resource.CONTROL)
        if not text.strip() or len(text) > _LONGEST_ANNOUNCEMENT:
            raise EntryError(
                "an announcement has 1 to {limit} characters.", limit=_LONGEST_ANNOUNCEMENT
            )
        if re.search(f"[{CONTROL_CHARACTERS}]", text):
            raise ContestError("an announcement has no control characters but tabs and new lines.")
        with self.database.writing() as session:
            row = AnnouncementRow(text=text.strip(), at=self.clock())
            session.add(row)
            session.flush()
            news: list[Message | str] = [Message("Announcement"), row.text]
            self.mail.add(session, active_teams(session), f"announcement {row.id}", news)

    def tell_results(self) -> None:
        """Let mail wait about rounds whose results everybody may see; again after a new scoring."""
        for round_ in self.rules.rounds if self.rules.mail.server else ():
            if self.may(None, Resource.LEADERBOARD, round_) and self.frozen(round_) is None:
                with self.database.reading() as session:
                    scorings = session.scalar(select(func.max(FormerResultRow.id))) or 0
                    topic = f"result {round_} {scorings}"
                    untold = self.mail.untold(session, topic)
                if untold:
                    self._tell_result(round_, topic)

    def _tell_result(self, round_: Round, topic: str) -> None:
        standings = self._standings(round_)
        if standings.waiting:
            return
        lines = {line.team: line for line in standings.leaderboard()}
        with self.database.writing() as session:
            for team in self.mail.untold(session, topic):
                told = [Message("the results of the round '{round}' are out.", round=round_)]
                if team.name in lines:
                    told.append(_placed(lines[team.name]))
                self.mail.add(session, [team], topic, told)

    def announcements(self) -> list[Announcement]:
        """Return the announcements, the latest first."""
        with self.database.reading() as session:
            rows = session.scalars(select(AnnouncementRow).order_by(AnnouncementRow.id.desc()))
            return [Announcement(row.text, datetime.fromtimestamp(row.at, UTC)) for row in rows]

    def _shown_standings(self, account: Account | None, round_: Round) -> Standings:
        """Return what somebody may see: frozen standings hold for everybody but the referee."""
        standings = None if _is_referee(account) else self._frozen_standings(round_)
        return standings or replace(self._standings(round_), frozen=self.frozen(round_))


def _placed(line: LeaderboardLine) -> Message:
    if line.rank is None:
        return Message("your team has no rank: an attack on its file hit, or it misses a limit.")
    score = f"{line.score:.4f}"
    return Message("your team: rank {rank}, score {score}.", rank=line.rank, score=score)


def _is_referee(account: Account | None) -> bool:
    return account is not None and account.role == "referee"
