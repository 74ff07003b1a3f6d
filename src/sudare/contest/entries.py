"""What teams send in: masked files and attacks. The latest valid one counts."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session, aliased

from sudare.contest.accounts import Account
from sudare.contest.errors import EntryError, NotAllowedError, NotFoundError
from sudare.contest.rulebooks import MASK, problem_from_json
from sudare.contest.rules import ContestLimits, Round
from sudare.contest.scoring import enqueue
from sudare.contest.storage import AccountRow, Database, EntryRow, JobRow, ResultRow
from sudare.transactions.files import FileProblem
from sudare.web import shown_file_name

_DAY_SECONDS = 24 * 3600.0
_NUMBERS = ("score", "named", "right", "needed", "effective", "success")
EntryStatus = Literal["waiting", "running", "accepted", "refused"]


@dataclass(frozen=True)
class ContestEntry:
    """A file that was received.

    Attributes
    ----------
    status
        "waiting", "running" while it is evaluated, then "accepted" or "refused".
    counts
        Whether it is the one that counts: the latest accepted of its team; for an attack, the
        latest on a file that itself counts.
    problems, problem_count
        Why it was refused: the first of them, by line and column, and how many there are.
    score, parts, missed
        Of an accepted masked file: U and the error by column, or the score by measure; and which
        limits of a table contest it does not keep.
    named, right, needed, effective, success
        Of an accepted attack, where the reader may know it.
    """

    id: int
    kind: str
    round: Round
    team: str
    target: str | None
    filename: str
    size: int
    received: datetime
    status: EntryStatus
    counts: bool
    file: str = field(repr=False)
    target_id: int | None = None
    problems: tuple[FileProblem, ...] = ()
    problem_count: int = 0
    score: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    missed: tuple[str, ...] = ()
    named: int | None = None
    right: int | None = None
    needed: int | None = None
    effective: bool | None = None
    success: float | None = None
    result: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def showing(self, names: Collection[str]) -> "ContestEntry":
        """Return the entry with only some of its numbers."""
        hidden: dict[str, Any] = {name: None for name in _NUMBERS if name not in names}
        hidden |= {"parts": {}} if "parts" not in names else {}
        hidden |= {"missed": ()} if "missed" not in names else {}
        return replace(self, **hidden, result={})


@dataclass(frozen=True)
class ReceivedFile:
    """A file as it was received: its kind, its key in the store, its name and size."""

    kind: str
    key: str
    filename: str
    size: int


class ContestEntries:
    """The entries of a contest."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self.database, self.clock = database, clock

    def add(
        self,
        session: Session,
        team: Account,
        round_: Round,
        file: ReceivedFile,
        target: str | None,
    ) -> int:
        """Receive a file: the entry and its evaluation, in the session's transaction.

        An attack is on the file of a team that counts.
        """
        target_id = None if target is None else _target_id(session, team, round_, target)
        row = EntryRow(
            kind=file.kind,
            round=round_,
            team_id=team.id,
            target_id=target_id,
            file=file.key,
            filename=shown_file_name(file.filename),
            size=file.size,
            received=self.clock(),
            status="waiting",
            problems=[],
            problem_count=0,
        )
        session.add(row)
        session.flush()
        enqueue(session, file.kind, row.id, row.received)
        return row.id

    def check_limits(
        self,
        session: Session,
        team: Account,
        round_: Round,
        kind: str,
        target: str | None,
        limits: ContestLimits,
    ) -> None:
        """Refuse a file after as many of its kind, on the same target, as a team may send."""
        owner, attacked = aliased(AccountRow), aliased(EntryRow)
        query = (
            select(EntryRow.received)
            .outerjoin(attacked, attacked.id == EntryRow.target_id)
            .outerjoin(owner, owner.id == attacked.team_id)
            .where(EntryRow.team_id == team.id, EntryRow.round == round_, EntryRow.kind == kind)
            .where(owner.name == target if target is not None else EntryRow.target_id.is_(None))
        )
        received = list(session.scalars(query))
        today = sum(at > self.clock() - _DAY_SECONDS for at in received)
        if limits.files_in_all and len(received) >= limits.files_in_all:
            raise NotAllowedError(
                "a team may send {limit} {limit:file|files} of this kind in all.",
                limit=limits.files_in_all,
            )
        if limits.files_per_day and today >= limits.files_per_day:
            raise NotAllowedError(
                "a team may send {limit} {limit:file|files} of this kind within 24 hours.",
                limit=limits.files_per_day,
            )

    def find(self, *, team: str | None = None, entry_id: int | None = None) -> list[ContestEntry]:
        """Return entries, the latest first: all, or those of a team, or one."""
        with self.database.reading() as session:
            counting = _counting(session)
            query = _entry_query().order_by(EntryRow.id.desc())
            if team is not None:
                query = query.where(AccountRow.name == team)
            if entry_id is not None:
                query = query.where(EntryRow.id == entry_id)
            return [_entry(*row, counting=counting) for row in session.execute(query)]


def _target_id(session: Session, team: Account, round_: Round, target: str) -> int:
    if target == team.name:
        raise EntryError("a team does not attack its own file.")
    mask = counted_masks(session, round_).get(target)
    if mask is None:
        raise NotFoundError("that team has no file that can be attacked.")
    return mask.id


@cache
def _entry_query() -> Any:
    target, owner = aliased(EntryRow), aliased(AccountRow)
    return (
        select(EntryRow, AccountRow.name, owner.name, JobRow.status, ResultRow.content)
        .join(AccountRow, AccountRow.id == EntryRow.team_id)
        .outerjoin(target, target.id == EntryRow.target_id)
        .outerjoin(owner, owner.id == target.team_id)
        .outerjoin(JobRow, (JobRow.entry_id == EntryRow.id) & (JobRow.kind == EntryRow.kind))
        .outerjoin(ResultRow, ResultRow.job_id == JobRow.id)
    )


def _entry(
    row: EntryRow,
    team: str,
    target: str | None,
    job: str | None,
    content: Mapping[str, Any] | None,
    *,
    counting: set[int],
) -> ContestEntry:
    result = content or {}
    status = "running" if row.status == "waiting" and job == "running" else row.status
    return ContestEntry(
        row.id,
        row.kind,
        row.round,  # type: ignore[arg-type]
        team,
        target,
        row.filename,
        row.size,
        datetime.fromtimestamp(row.received, UTC),
        status,  # type: ignore[arg-type]
        row.id in counting,
        row.file,
        target_id=row.target_id,
        problems=tuple(problem_from_json(kept) for kept in row.problems),
        problem_count=row.problem_count,
        parts=result.get("parts", {}),
        missed=tuple(result.get("missed", ())),
        result=result,
        **{name: result.get(name) for name in _NUMBERS},
    )


def counted_masks(session: Session, round_: Round) -> dict[str, ContestEntry]:
    """Return the masked file of each team that counts: the one it chose, or else the latest.

    While a later one is being checked a team has none: it could become the one that counts. Teams
    that were removed have none either.
    """
    query = _entry_query().where(
        EntryRow.kind == MASK, EntryRow.round == round_, AccountRow.status == "active"
    )
    rows = session.execute(query.order_by(EntryRow.chosen, EntryRow.id)).all()
    settled = {team for row, team, *_ in rows if row.chosen and row.status == "accepted"}
    waiting = {team for row, team, *_ in rows if row.status == "waiting"} - settled
    latest = {row[1]: row for row in rows if row[0].status == "accepted"}
    return {
        team: _entry(*row, counting={row[0].id})
        for team, row in latest.items()
        if team not in waiting
    }


def _counting(session: Session) -> set[int]:
    """Return what counts: each active team's chosen or latest file, the latest attacks on these."""
    query = (
        select(func.max(EntryRow.id), EntryRow.target_id, EntryRow.team_id, EntryRow.round)
        .join(AccountRow, AccountRow.id == EntryRow.team_id)
        .where(EntryRow.status == "accepted", AccountRow.status == "active")
        .group_by(EntryRow.round, EntryRow.kind, EntryRow.team_id, EntryRow.target_id)
    )
    latest = session.execute(query).all()
    wanted = select(EntryRow.id, EntryRow.team_id, EntryRow.round).where(
        EntryRow.chosen, EntryRow.status == "accepted"
    )
    chosen = {(team, round_): entry for entry, team, round_ in session.execute(wanted)}
    masks = {
        chosen.get((team, round_), entry)
        for entry, target, team, round_ in latest
        if target is None
    }
    return masks | {entry for entry, target, _, _ in latest if target in masks}
