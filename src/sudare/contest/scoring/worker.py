"""A worker: takes jobs from the queue, evaluates files in processes of their own, writes results.

Started by ``sudare contest serve``, or by hand as
``python -m sudare.contest.scoring.worker FOLDER``; any number may run, also on several machines
that share the folder and a PostgreSQL database.
"""

import argparse
import os
import secrets
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from sudare.contest.contest import Contest
from sudare.contest.contest_state import RULES_FILE
from sudare.contest.errors import EntryError
from sudare.contest.rulebooks import (
    MASK,
    EvaluationResult,
    EvaluationTask,
    evaluate,
    is_result,
    problem_to_json,
)
from sudare.contest.scoring import statistics
from sudare.contest.scoring.evaluation_queue import (
    LEASE_SECONDS,
    MOST_ATTEMPTS,
    EvaluationJob,
    Verdict,
)
from sudare.contest.scoring.sandbox import (
    ContestUnavailable,
    EvaluationCancelled,
    EvaluationFailed,
    Sandbox,
)
from sudare.contest.storage import EntryRow, ResultRow
from sudare.core import SudareError
from sudare.transactions.files import FileProblem, RefusedError
from sudare.web import log_error

IDLE_SECONDS = 0.5  # between two looks at an empty queue
PAUSE_SECONDS = 5.0  # before a job is tried again that could not be done
_REQUEST_SECONDS = 5.0  # between two looks whether files are decided
_STATISTICS_SECONDS = 3600.0  # for the statistics of one file


class Worker:
    """Works on the queue of one contest until it is asked to stop."""

    def __init__(self, contest: Contest, parent: int | None = None) -> None:
        self.contest = contest
        self.name = secrets.token_hex(8)
        self.stopping = False
        self.parent = os.getppid() if parent is None else parent  # work ends when it has gone
        self.last_request = -_REQUEST_SECONDS
        self._originals: dict[tuple[Path, ...], Any] = {}

    def stop(self, _signal: int = 0, _frame: FrameType | None = None) -> None:
        """Stop soon; work that is not done goes back to the queue."""
        self.stopping = True

    def run(self, *, until_idle: bool = False) -> int:
        """Work until asked to stop, or until nothing is left to do; return how many jobs."""
        done = 0
        while not self._is_over():
            job = self._claim()
            if job is not None:
                self.handle(job)
                done += 1
            elif until_idle and self.contest.progress().idle:
                break
            else:
                time.sleep(IDLE_SECONDS)
        return done

    def handle(self, job: EvaluationJob) -> None:
        """Run a job and write its result.

        A file waits, however long, while the contest itself has trouble: no room on the disk, a
        folder or a database that is away. Of a crash one does not know; after three it is refused.
        """
        try:
            self._work(job)
        except ContestUnavailable:  # the child has said by what
            self._put_back(job)
        except (OSError, SudareError, OperationalError) as error:
            log_error(error)
            self._put_back(job)

    def _work(self, job: EvaluationJob) -> None:
        if job.attempts > MOST_ATTEMPTS:
            self._give_up(job, "crash")
            return
        try:
            with self._task(job) as (task, answer):
                result = self._evaluated(job, task, answer)
                verdict = self._verdict(job, task, result)
        except EvaluationFailed as failure:
            if failure.reason == "crash" and job.attempts < MOST_ATTEMPTS:
                self.contest.jobs.release(job, attempts=job.attempts, pause=PAUSE_SECONDS)
            else:
                self._give_up(job, failure.reason)
        except EvaluationCancelled:
            self.contest.jobs.release(job, attempts=job.attempts - 1)  # it was not the file's fault
        else:
            self._end(job, verdict)

    def _put_back(self, job: EvaluationJob) -> None:
        """Put a job back for a while, as soon as the database can be written."""
        while True:
            try:
                self.contest.jobs.release(job, attempts=job.attempts - 1, pause=PAUSE_SECONDS)
                return
            except OperationalError:
                if self._is_over():
                    return
                time.sleep(IDLE_SECONDS)

    def _is_over(self) -> bool:
        return self.stopping or os.getppid() != self.parent

    def _evaluated(
        self, job: EvaluationJob, task: EvaluationTask, answer: Path
    ) -> EvaluationResult:
        sandbox, alive = self._sandbox(job), self._alive(job)
        if job.kind != "statistics":
            return sandbox.run(
                lambda: evaluate(self.contest.package, job.kind, task), answer, alive
            )
        files = (self.contest.folder / RULES_FILE, task.data["data"], task.file, answer)
        arguments = (*map(str, files), str(sandbox.seconds), str(sandbox.memory_bytes))
        return sandbox.run_module(statistics.MODULE, *arguments, answer=answer, alive=alive)

    def _end(self, job: EvaluationJob, verdict: Verdict) -> None:
        jobs = self.contest.jobs
        self.contest.freeze_due()
        if job.kind == "statistics" and verdict.result is None:
            jobs.give_up(job, verdict)
        else:
            jobs.finish(job, verdict)

    def _give_up(self, job: EvaluationJob, reason: str) -> None:
        self.contest.freeze_due()
        self.contest.jobs.give_up(job, _refusal(reason))

    def _claim(self) -> EvaluationJob | None:
        """Take a job; when there is none, ask for the statistics of files that are decided."""
        jobs = self.contest.jobs
        try:
            if not jobs.waiting() and time.monotonic() - self.last_request > _REQUEST_SECONDS:
                self.last_request = time.monotonic()
                self.contest.request_statistics()
            return jobs.claim(self.name) if jobs.waiting() else None
        except OperationalError:  # the database is away for a moment
            return None

    def _sandbox(self, job: EvaluationJob) -> Sandbox:
        limits = self.contest.rules.limits
        seconds = _STATISTICS_SECONDS if job.kind == "statistics" else float(limits.seconds)
        return Sandbox(seconds, limits.memory_bytes)

    def _alive(self, job: EvaluationJob) -> Callable[[], bool]:
        """Return a function that keeps the job claimed; false when the work should be given up."""
        last_beat = time.monotonic()

        def alive() -> bool:
            nonlocal last_beat
            if self._is_over():
                return False
            if time.monotonic() - last_beat > self.contest.jobs.lease / 4:
                last_beat = time.monotonic()
                return self.contest.jobs.heartbeat(job)
            return True

        return alive

    @contextmanager
    def _task(self, job: EvaluationJob) -> Iterator[tuple[EvaluationTask, Path]]:
        """Give what is needed for a job; files that the child writes vanish unless taken."""
        store = self.contest.store
        with self.contest.database.reading() as session:
            entry = session.get_one(EntryRow, job.entry_id)
            query = select(ResultRow.content).where(
                ResultRow.entry_id == entry.target_id, ResultRow.kind == MASK
            )
            target = session.scalar(query) if entry.target_id is not None else None
            scored = session.get_one(EntryRow, entry.target_id or entry.id)
            owner = scored.team_id
        if scored.status == "refused":  # by rules that have changed
            raise EvaluationFailed("target")
        if entry.target_id is not None and target is None:
            raise ContestUnavailable  # the attacked file is being scored again
        drafts = [store.draft() for _ in range(3)]
        published, pseudonyms = (
            (drafts[0], drafts[1])
            if target is None
            else (store.path(target["published"]), store.path(target["pseudonyms"]))
        )
        data = self.contest.handed_out(entry.round, owner)  # type: ignore[arg-type]
        try:
            yield (
                EvaluationTask(
                    data,
                    self._loader(data),
                    store.path(entry.file),
                    published,
                    pseudonyms,
                    secret=self.contest.secret,
                ),
                drafts[2],
            )
        finally:
            for draft in drafts:
                draft.unlink(missing_ok=True)

    def _loader(self, data: Mapping[str, Path]) -> Callable[[], Any]:
        """Return a function that gives the data.

        A history, or the answers to attacks, is read here, once, and the children share it. A table
        is read by each child: the library that reads it has threads, which do not live on in a
        forked process.
        """
        package = self.contest.package
        if not package.shared:
            return lambda: package.load(data)
        files = tuple(sorted(data.values()))
        if files not in self._originals:
            self._originals[files] = package.load(data)
        original = self._originals[files]
        return lambda: original

    def _verdict(
        self, job: EvaluationJob, task: EvaluationTask, result: EvaluationResult
    ) -> Verdict:
        if job.kind != "statistics" and not is_result(job.kind, result):
            raise EvaluationFailed("rules")
        if "result" not in result:
            return Verdict(problems=tuple(result["problems"]), problem_count=result["count"])
        content = dict(result["result"])
        if job.kind == MASK:
            try:
                content["published"] = self.contest.store.take(task.outputs[0])
                content["pseudonyms"] = self.contest.store.take(task.outputs[1])
            except EntryError:
                raise EvaluationFailed("rules") from None
        return Verdict(content)


_REASONS = {
    "time": RefusedError("scoring the file took too long."),
    "memory": RefusedError("scoring the file took too much memory."),
    "crash": RefusedError("the file could not be scored; ask the referee."),
    "rules": RefusedError("the file could not be scored; ask the referee."),
    "target": RefusedError("the attacked file is no longer accepted."),
}


def _refusal(reason: str) -> Verdict:
    return Verdict(
        problems=(problem_to_json(FileProblem(0, "", _REASONS[reason])),), problem_count=1
    )


def main(arguments: list[str] | None = None) -> None:
    """Run one worker from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m sudare.contest.scoring.worker", description=__doc__
    )
    parser.add_argument("folder", type=Path, help="the folder of the contest")
    parser.add_argument("--until-idle", action="store_true", help="stop when nothing is left to do")
    parser.add_argument(
        "--lease", type=float, default=LEASE_SECONDS, help="seconds a job is claimed for"
    )
    parser.add_argument("--parent", type=int, help="stop when this is no longer the parent process")
    options = parser.parse_args(arguments)
    contest = Contest.open(options.folder)
    contest.jobs.lease = options.lease
    worker = Worker(contest, options.parent)
    signal.signal(signal.SIGTERM, worker.stop)
    signal.signal(signal.SIGINT, worker.stop)
    worker.run(until_idle=options.until_idle)
    contest.close()


if __name__ == "__main__":
    main()
