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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from sudare.contest.contest import Contest
from sudare.contest.contest_state import RULES
from sudare.contest.entries import written
from sudare.contest.scoring import statistics
from sudare.contest.scoring.history_scoring import Finding, Task, evaluate
from sudare.contest.scoring.jobs import LEASE, TRIES, Job, Verdict
from sudare.contest.scoring.original import read_original
from sudare.contest.scoring.sandbox import Abandoned, Hindered, Overrun, Sandbox, tell
from sudare.contest.storage import EntryRow, ResultRow
from sudare.core import Microdata, SudareError
from sudare.transactions import History
from sudare.transactions.files import Problem, RefusedError

IDLE = 0.5  # seconds between two looks at an empty queue
PAUSE = 5.0  # seconds before a job is tried again that could not be done
_SETTLE = 5.0  # seconds between two looks whether files are decided
_STATISTICS = 3600.0  # seconds for the statistics of one file


class Worker:
    """Works on the queue of one contest until it is told to stop."""

    def __init__(self, contest: Contest, parent: int | None = None) -> None:
        self.contest = contest
        self.name = secrets.token_hex(8)
        self.stopping = False
        self.parent = os.getppid() if parent is None else parent  # work ends when it has gone
        self.settled = -_SETTLE
        self._originals: dict[Path, History | Microdata] = {}

    def stop(self, _signal: int = 0, _frame: FrameType | None = None) -> None:
        """Stop soon; work that is not done goes back to the queue."""
        self.stopping = True

    def run(self, *, until_idle: bool = False) -> int:
        """Work until told to stop, or until nothing is left to do; return how many jobs."""
        done = 0
        while not self._over():
            job = self._claim()
            if job is not None:
                self.handle(job)
                done += 1
            elif until_idle and self.contest.progress().idle:
                break
            else:
                time.sleep(IDLE)
        return done

    def handle(self, job: Job) -> None:
        """Evaluate what a job asks for and write what came of it.

        A file waits, however long, while the contest itself has trouble: no room on the disk, a
        folder or a database that is away. Of a crash one does not know; after three it is refused.
        """
        try:
            self._work(job)
        except Hindered:  # the child has said by what
            self._put_back(job)
        except (OSError, SudareError, OperationalError) as trouble:
            tell(trouble)
            self._put_back(job)

    def _work(self, job: Job) -> None:
        if job.attempts > TRIES:
            self.contest.jobs.give_up(job, _refusal("crash"))
            return
        try:
            with self._task(job) as (task, answer):
                finding = self._evaluated(job, task, answer)
                verdict = self._verdict(job, task, finding)
        except Overrun as overrun:
            if overrun.reason == "crash" and job.attempts < TRIES:
                self.contest.jobs.release(job, attempts=job.attempts, pause=PAUSE)
            else:
                self.contest.jobs.give_up(job, _refusal(overrun.reason))
        except Abandoned:
            self.contest.jobs.release(job, attempts=job.attempts - 1)  # it was not the file's fault
        else:
            self._end(job, verdict)

    def _put_back(self, job: Job) -> None:
        """Put a job back for a while, as soon as the database can be written."""
        while True:
            try:
                self.contest.jobs.release(job, attempts=job.attempts - 1, pause=PAUSE)
                return
            except OperationalError:
                if self._over():
                    return
                time.sleep(IDLE)

    def _over(self) -> bool:
        return self.stopping or os.getppid() != self.parent

    def _evaluated(self, job: Job, task: Task, answer: Path) -> Finding:
        box, alive = self._sandbox(job), self._alive(job)
        if job.kind != "statistics":
            return box.run(lambda: evaluate(job.kind, task), answer, alive)
        files = (self.contest.folder / RULES, task.original, task.file, answer)
        words = (*map(str, files), str(box.seconds), str(box.memory_bytes))
        return box.run_module(statistics.MODULE, *words, answer=answer, alive=alive)

    def _end(self, job: Job, verdict: Verdict) -> None:
        jobs = self.contest.jobs
        if job.kind == "statistics" and verdict.result is None:
            jobs.give_up(job, verdict)
        else:
            jobs.finish(job, verdict)

    def _claim(self) -> Job | None:
        """Take a job; when there is none, ask for the statistics of files that are decided."""
        jobs = self.contest.jobs
        try:
            if not jobs.waiting() and time.monotonic() - self.settled > _SETTLE:
                self.settled = time.monotonic()
                self.contest.settle()
            return jobs.claim(self.name) if jobs.waiting() else None
        except OperationalError:  # the database is away for a moment
            return None

    def _sandbox(self, job: Job) -> Sandbox:
        limits = self.contest.rules.limits
        seconds = _STATISTICS if job.kind == "statistics" else float(limits.seconds)
        return Sandbox(seconds, limits.memory_bytes)

    def _alive(self, job: Job) -> Callable[[], bool]:
        """Return a function that keeps the job claimed; false when the work should be given up."""
        beaten = time.monotonic()

        def alive() -> bool:
            nonlocal beaten
            if self._over():
                return False
            if time.monotonic() - beaten > self.contest.jobs.lease / 4:
                beaten = time.monotonic()
                return self.contest.jobs.heartbeat(job)
            return True

        return alive

    @contextmanager
    def _task(self, job: Job) -> Iterator[tuple[Task, Path]]:
        """Give what is needed for a job; files that the child writes vanish unless taken."""
        store = self.contest.store
        with self.contest.database.reading() as session:
            entry = session.get_one(EntryRow, job.entry_id)
            query = select(ResultRow.content).where(
                ResultRow.entry_id == entry.target_id, ResultRow.kind == "mask"
            )
            target = session.scalar(query) if entry.target_id is not None else None
        drafts = [store.draft() for _ in range(3)]
        pseudonyms = drafts[1] if target is None else store.path(target["pseudonyms"])
        original = self.contest.original(entry.round)  # type: ignore[arg-type]
        try:
            yield (
                Task(
                    self.contest.rules,
                    original,
                    self._loader(original),
                    store.path(entry.file),
                    published=drafts[0],
                    pseudonyms=pseudonyms,
                    secret=self.contest.secret,
                ),
                drafts[2],
            )
        finally:
            for draft in drafts:
                draft.unlink(missing_ok=True)

    def _loader(self, path: Path) -> Callable[[], History | Microdata]:
        """Return a function that gives T.

        A history is read here, once, and the children share it. A table is read by each child: the
        library that reads it has threads, which do not live on in a forked process.
        """
        rules = self.contest.rules
        if rules.subject == "table":
            return lambda: read_original(path, rules)
        if path not in self._originals:
            self._originals[path] = read_original(path, rules)
        original = self._originals[path]
        return lambda: original

    def _verdict(self, job: Job, task: Task, finding: Finding) -> Verdict:
        if "result" not in finding:
            return Verdict(problems=tuple(finding["problems"]), problem_count=finding["count"])
        result = dict(finding["result"])
        if job.kind == "mask" and task.published is not None and task.pseudonyms is not None:
            result["published"] = self.contest.store.take(task.published)
            result["pseudonyms"] = self.contest.store.take(task.pseudonyms)
        return Verdict(result)


_REASONS = {
    "time": RefusedError("the evaluation of the file took too long."),
    "memory": RefusedError("the evaluation of the file took too much memory."),
    "crash": RefusedError("the file could not be evaluated; ask the referee."),
}


def _refusal(reason: str) -> Verdict:
    return Verdict(problems=(written(Problem(0, "", _REASONS[reason])),), problem_count=1)


def main(arguments: list[str] | None = None) -> None:
    """Run one worker from the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m sudare.contest.scoring.worker", description=__doc__
    )
    parser.add_argument("folder", type=Path, help="the folder of the contest")
    parser.add_argument("--until-idle", action="store_true", help="stop when nothing is left to do")
    parser.add_argument("--lease", type=float, default=LEASE, help="seconds a job is claimed for")
    parser.add_argument("--parent", type=int, help="stop when this is no longer the parent process")
    asked = parser.parse_args(arguments)
    contest = Contest.open(asked.folder)
    contest.jobs.lease = asked.lease
    worker = Worker(contest, asked.parent)
    signal.signal(signal.SIGTERM, worker.stop)
    signal.signal(signal.SIGINT, worker.stop)
    worker.run(until_idle=asked.until_idle)
    contest.close()


if __name__ == "__main__":
    main()
