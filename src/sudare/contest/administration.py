"""What organizers do besides phases: teams in and out, files scored again, everything exported."""

import csv
import io
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select, update

from sudare.contest.accounts import Account, TeamStatus
from sudare.contest.contest_state import ContestState
from sudare.contest.entries import ContestEntries, ContestEntry
from sudare.contest.errors import ChangedError, EntryError, NotFoundError
from sudare.contest.results import Standings
from sudare.contest.rulebooks import MASK
from sudare.contest.rules import Resource, Round
from sudare.contest.storage import EntryRow, FormerResultRow, FrozenRow, JobRow, ResultRow
from sudare.core import Message, OutputError
from sudare.engine.formats import is_formula

_LONGEST_REASON = 200  # characters
Rows = list[dict[str, Any]]


class Administration(ContestState):
    """A contest, as its organizers change it."""

    def set_team_status(self, by: Account | None, team: str, status: TeamStatus) -> None:
        """Approve a team, or remove it: its files and its attacks no longer count."""
        self._demand(by, Resource.CONTROL)
        with self.database.writing() as session:
            row = self.accounts.set_status(session, team, status)
            told = {
                "active": Message("the referee has approved your team."),
                "removed": Message("the referee has removed this team from the contest."),
            }
            if status in told:
                self.mail.add(session, [row], f"{status} {self.clock():.3f}", [told[status]])

    def choose(self, account: Account | None, entry_id: int) -> None:
        """Let an accepted file count instead of the team's latest, until it chooses another."""
        moment = self.phase()
        self._demand(account, Resource.SUBMIT_MASK, moment.phase.round)
        with self.database.writing() as session:
            row = session.get(EntryRow, entry_id)
            own = row is not None and account is not None and row.team_id == account.id
            if row is None or not own or row.kind != MASK:
                raise NotFoundError("there is no such file.")
            if row.status != "accepted" or row.round != moment.phase.round:
                raise EntryError("only an accepted file of this round can be chosen.")
            same = (EntryRow.team_id == row.team_id) & (EntryRow.round == row.round)
            session.execute(update(EntryRow).where(same).values(chosen=False))
            row.chosen = True

    def rescore(self, by: Account | None, reason: str) -> int:
        """Score every file again, by the rules as they are now; return how many files.

        The old scores are kept, with the reason.
        """
        self._demand(by, Resource.CONTROL)
        reason = reason.strip()
        if not 0 < len(reason) <= _LONGEST_REASON:
            raise EntryError("a reason has 1 to {limit} characters.", limit=_LONGEST_REASON)
        with self.database.writing() as session:
            rows = session.execute(
                select(EntryRow, JobRow, ResultRow.content)
                .join(JobRow, JobRow.entry_id == EntryRow.id)
                .outerjoin(ResultRow, ResultRow.job_id == JobRow.id)
                .where(JobRow.status.in_(("done", "failed")))
            ).all()
            for entry, job, content in rows:
                if job.kind == entry.kind:
                    former = FormerResultRow(
                        entry_id=entry.id,
                        status=entry.status,
                        content=content or {},
                        reason=reason,
                        at=self.clock(),
                    )
                    session.add(former)
                    entry.status = "waiting"
                job.status, job.attempts, job.lease, job.finished = "queued", 0, None, None
            jobs = [job.id for _, job, _ in rows]
            session.execute(delete(ResultRow).where(ResultRow.job_id.in_(jobs)))
        return sum(job.kind == entry.kind for entry, job, _ in rows)

    def freeze(self, by: Account | None, round_: Round) -> None:
        """Keep the standings of a round as everybody but the referee sees them from now on.

        What is scored, rescored or removed later shows when they are released again.
        """
        self._demand(by, Resource.CONTROL)
        self._check_round(round_)
        if not self._freeze(round_, self.clock()):
            raise ChangedError("the leaderboard is frozen already.")

    def freeze_due(self) -> None:
        """Freeze what the rules say is frozen by now, before anything changes or is shown."""
        for round_, stated in self.rules.freeze.items():
            at = stated.timestamp()
            if at <= self.clock():
                query = select(FrozenRow.released, FrozenRow.at).where(FrozenRow.round == round_)
                with self.database.reading() as session:
                    known = session.execute(query).one_or_none()
                if known is None or (known.released and known.at < at):
                    self._freeze(round_, at)

    def _freeze(self, round_: Round, at: float) -> bool:
        """Keep the standings as they are; false where others were kept before."""
        with self.database.writing() as session:  # nothing is scored meanwhile
            row = session.get(FrozenRow, round_)
            if row is not None and not row.released:
                return False
            content = self._standings(round_).to_json(self.database)
            session.merge(FrozenRow(round=round_, content=content, at=at, released=False))
        return True

    def unfreeze(self, by: Account | None, round_: Round) -> None:
        """Let everybody see the standings of a round as they are."""
        self._demand(by, Resource.CONTROL)
        self._check_round(round_)
        values = {"released": True, "content": {}, "at": self.clock()}
        with self.database.writing() as session:
            session.execute(update(FrozenRow).where(FrozenRow.round == round_).values(values))

    def frozen(self, round_: Round) -> datetime | None:
        """Return since when the standings of a round are frozen, if they are."""
        self.freeze_due()
        query = select(FrozenRow.at).where(FrozenRow.round == round_, ~FrozenRow.released)
        with self.database.reading() as session:
            at = session.scalar(query)
        return None if at is None else datetime.fromtimestamp(at, UTC)

    def _demand(
        self, account: Account | None, resource: Resource, round_: Round | None = None
    ) -> None:
        self.freeze_due()
        super()._demand(account, resource, round_)

    def _check_round(self, round_: Round) -> None:
        if round_ not in self.rules.rounds:
            raise NotFoundError("the contest has no round '{name}'.", name=round_)

    def _standings(self, round_: Round) -> Standings:
        return Standings.of(self.database, round_, self.book().weights.get(round_, {}))

    def _frozen_standings(self, round_: Round) -> Standings | None:
        with self.database.reading() as session:
            row = session.get(FrozenRow, round_)
        if row is None or row.released:
            return None
        return Standings.from_json(row.content, round_, datetime.fromtimestamp(row.at, UTC))

    def export(self, by: Account | None) -> dict[str, Rows]:
        """Return everything as tables: teams, entries, former scores and the leaderboards.

        Passwords, and where files are stored, are not in it.
        """
        self._demand(by, Resource.ALL_ENTRIES)
        entries = ContestEntries(self.database, self.clock).find()
        tables: dict[str, Rows] = {
            "teams": [
                {"team": team.name, "status": team.status, "seat": seat}
                for seat, team in enumerate(self.accounts.all(), 1)
            ],
            "entries": [_entry_row(entry) for entry in entries],
            "former_scores": self._former_scores(),
        }
        for round_ in self.rules.rounds:
            standings = self._standings(round_)
            tables[f"leaderboard_{round_}"] = [
                _flat({**vars(line), "safe": line.safe}) for line in standings.leaderboard()
            ]
            tables[f"attacks_{round_}"] = [dict(vars(hit)) for hit in standings.hits()]
        return tables

    def _former_scores(self) -> Rows:
        with self.database.reading() as session:
            rows = session.scalars(select(FormerResultRow).order_by(FormerResultRow.id)).all()
        return [
            {
                "entry": row.entry_id,
                "status": row.status,
                "reason": row.reason,
                "replaced": datetime.fromtimestamp(row.at, UTC).isoformat(),
                **_flat({name: row.content.get(name) for name in _NUMBERS}),
            }
            for row in rows
        ]


_NUMBERS = ("score", "parts", "named", "right", "needed", "effective", "success")


def write_export(contest: Administration, folder: Path) -> list[str]:
    """Write everything into a new folder, as CSV and as one JSON file; return the names."""
    if folder.exists():
        raise OutputError("'{path}' exists; an export needs a new folder.", path=str(folder))
    tables = contest.export(contest.accounts.all("referee")[0])
    folder.mkdir(parents=True, mode=0o700)
    for name, rows in tables.items():
        (folder / f"{name}.csv").write_text(csv_text(rows), encoding="utf-8")
    text = json.dumps(tables, ensure_ascii=False, indent=1)
    (folder / "contest.json").write_text(text, encoding="utf-8")
    return [*(f"{name}.csv" for name in tables), "contest.json"]


def csv_text(rows: Rows) -> str:
    """Return a table as CSV; cells that a spreadsheet would take for a formula are text."""
    columns = dict.fromkeys(name for row in rows for name in row)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {name: f"'{cell}" if is_formula(cell) else cell for name, cell in row.items()}
        for row in rows
    )
    return text.getvalue()


def _entry_row(entry: ContestEntry) -> dict[str, Any]:
    names = ("id", "kind", "round", "team", "target", "filename", "size", "status", "counts")
    row = {name: getattr(entry, name) for name in names}
    row["received"] = entry.received.isoformat()
    row["problems"] = entry.problem_count
    return row | _flat({name: getattr(entry, name) for name in _NUMBERS})


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with the parts of a score as values of their own."""
    row = {
        name: ", ".join(map(str, value)) if isinstance(value, tuple) else value
        for name, value in values.items()
        if name != "parts"
    }
    return row | {f"part {name}": value for name, value in (values.get("parts") or {}).items()}
