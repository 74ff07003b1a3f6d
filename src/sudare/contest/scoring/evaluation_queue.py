"""The queue of evaluations, in the database: a restart loses nothing, nothing is scored twice.

A worker claims a job for a while and says again and again that it is still there. When it falls
silent the job is taken by another. A worker that is done writes the result in the transaction that
ends the job, and only while the job is still theirs.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, case, func, or_, select, update
from sqlalchemy.orm import Session

from sudare.contest.storage import Database, EntryRow, JobRow, ResultRow

LEASE_SECONDS = 30.0  # for which a job is claimed
MOST_ATTEMPTS = 3  # workers that may die over a job before it is given up


@dataclass(frozen=True)
class EvaluationJob:
    """Work that a worker has claimed."""

    id: int
    kind: str
    entry_id: int
    worker: str
    attempts: int


@dataclass(frozen=True)
class Verdict:
    """What a worker found: an entry is accepted with a result, or refused with problems."""

    result: Mapping[str, Any] | None = None
    problems: tuple[Mapping[str, Any], ...] = ()
    problem_count: int = 0


@dataclass(frozen=True)
class EvaluationProgress:
    """How far the evaluation is: numbers of jobs."""

    queued: int = 0
    running: int = 0
    done: int = 0
    failed: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.queued + self.running + self.done + self.failed

    @property
    def idle(self) -> bool:
        """Whether nothing is left to do."""
        return self.queued + self.running == 0


def enqueue(session: Session, kind: str, entry_id: int, now: float) -> None:
    """Put work into the queue, in the transaction that makes it necessary."""
    session.add(JobRow(kind=kind, entry_id=entry_id, status="queued", created=now))


class EvaluationQueue:
    """The queue of a contest."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self.database, self.clock = database, clock
        self.lease = LEASE_SECONDS

    def claim(self, worker: str) -> EvaluationJob | None:
        """Take the next job: one that waits, or whose worker has fallen silent.

        Files that are checked come before statistics. Of two workers only one gets a job.
        """
        now = self.clock()
        free = _free(now)
        first = (
            select(JobRow.id)
            .where(free)
            .order_by(case((JobRow.kind == "statistics", 1), else_=0), JobRow.id)
            .limit(1)
            .with_for_update(skip_locked=True)
            .scalar_subquery()
        )
        claim = (
            update(JobRow)
            .where(JobRow.id == first, free)
            .values(
                status="running",
                worker=worker,
                lease=now + self.lease,
                attempts=JobRow.attempts + 1,
            )
            .returning(JobRow.id, JobRow.kind, JobRow.entry_id, JobRow.attempts)
        )
        with self.database.writing() as session:
            row = session.execute(claim).one_or_none()
        return (
            None
            if row is None
            else EvaluationJob(row.id, row.kind, row.entry_id, worker, row.attempts)
        )

    def waiting(self) -> bool:
        """Return whether there is a job that can be taken; costs less than to try."""
        with self.database.reading() as session:
            return session.scalar(select(JobRow.id).where(_free(self.clock())).limit(1)) is not None

    def heartbeat(self, job: EvaluationJob) -> bool:
        """Say that the worker is still there; false when the job is no longer its own."""
        with self.database.writing() as session:
            return self._update_own(session, job, lease=self.clock() + self.lease)

    def finish(self, job: EvaluationJob, verdict: Verdict) -> bool:
        """End a job and write its result, both or neither; false when it was not the worker's."""
        with self.database.writing() as session:
            if not self._update_own(session, job, status="done", lease=None, finished=self.clock()):
                return False
            if verdict.result is not None:
                session.add(
                    ResultRow(
                        job_id=job.id,
                        entry_id=job.entry_id,
                        kind=job.kind,
                        content=dict(verdict.result),
                    )
                )
            if job.kind != "statistics":
                self._set_entry_status(session, job, verdict)
        return True

    def release(self, job: EvaluationJob, *, attempts: int, pause: float = 0.0) -> None:
        """Put a job back into the queue, with the number of attempts that count.

        Nobody takes it before the seconds of the pause have passed.
        """
        until = self.clock() + pause if pause else None
        with self.database.writing() as session:
            self._update_own(
                session, job, status="queued", worker=None, lease=until, attempts=attempts
            )

    def request(self, kind: str, entries: Iterable[int]) -> int:
        """Ask for work on entries unless it was asked for before; return how much is new."""
        with self.database.writing() as session:
            wanted = set(entries)
            known = select(JobRow.entry_id).where(JobRow.kind == kind, JobRow.entry_id.in_(wanted))
            new = sorted(wanted - set(session.scalars(known)))
            for entry_id in new:
                enqueue(session, kind, entry_id, self.clock())
        return len(new)

    def give_up(self, job: EvaluationJob, verdict: Verdict) -> bool:
        """End a job that cannot be done; the entry is refused."""
        with self.database.writing() as session:
            is_own = self._update_own(
                session, job, status="failed", lease=None, finished=self.clock()
            )
            if is_own and job.kind != "statistics":
                self._set_entry_status(session, job, verdict)
        return is_own

    def progress(self) -> EvaluationProgress:
        """Return how far the evaluation is."""
        query = select(JobRow.status, func.count()).group_by(JobRow.status)
        with self.database.reading() as session:
            counts = {str(status): int(count) for status, count in session.execute(query)}
        return EvaluationProgress(**counts)

    @staticmethod
    def _set_entry_status(session: Session, job: EvaluationJob, verdict: Verdict) -> None:
        session.execute(
            update(EntryRow)
            .where(EntryRow.id == job.entry_id)
            .values(
                status="refused" if verdict.result is None else "accepted",
                problems=[dict(problem) for problem in verdict.problems],
                problem_count=verdict.problem_count,
            )
        )

    @staticmethod
    def _update_own(session: Session, job: EvaluationJob, **changes: object) -> bool:
        changed = session.execute(
            update(JobRow)
            .where(
                JobRow.id == job.id,
                JobRow.status == "running",
                JobRow.worker == job.worker,
                JobRow.attempts == job.attempts,
            )
            .values(**changes)
            .returning(JobRow.id)
        )
        return changed.one_or_none() is not None


def _free(now: float) -> ColumnElement[bool]:
    """Return the condition that a job waits and pauses no more, or its worker has fallen silent."""
    return JobRow.status.in_(("queued", "running")) & or_(
        JobRow.lease.is_(None), JobRow.lease < now
    )
