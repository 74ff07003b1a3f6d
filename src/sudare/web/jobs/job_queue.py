"""Long work in separate processes: a queue, progress, and cancellation.

Each job has a process of its own, so that one that is canceled, or takes all memory, does no harm
to the server and to other jobs. The process ends with the server, however that ends. On Linux it is
forked from one that has imported what jobs need and has done nothing else: it starts at once.
"""

import atexit
import multiprocessing
import pickle
import secrets
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, Literal

from sudare.core import InputError, SudareError
from sudare.web.jobs.job_process import (
    end_process,
    log,
    log_error,
    run_work,
    signal_group,
    unexpected_end,
)

JobState = Literal["waiting", "running", "done", "failed", "cancelled"]
ReportProgress = Callable[[str, float], None]
"""Called by the work with a sentence on what it is doing, and the share that is done."""

_FORKED = sys.platform == "linux"
# Never forked from the server: threads of libraries do not live on in a fork.
_PROCESSES: Any = multiprocessing.get_context("forkserver" if _FORKED else "spawn")


@dataclass(frozen=True)
class Job:
    """The state of work at one moment.

    Attributes
    ----------
    kind
        A word by which the site knows what the work is.
    share, stage
        How much is done, from 0 to 1, and an English sentence of the catalog of messages on what
        is being done now.
    result
        What the work returned.
    error
        Why it failed.
    version
        Grows with every change.
    """

    id: str
    kind: str
    state: JobState = "waiting"
    share: float = 0.0
    stage: str = ""
    result: object = field(default=None, repr=False)
    error: SudareError | None = field(default=None, repr=False)
    version: int = 0

    @property
    def is_over(self) -> bool:
        """Whether nothing will change any more."""
        return self.state in ("done", "failed", "cancelled")


class JobQueue:
    """Jobs in the order in which they were submitted, some of them running.

    Parameters
    ----------
    workers
        How many jobs run at once.
    remembered
        How many jobs that are over are kept, with their results.
    preload
        Modules that the processes of jobs have imported when they start, as the first queue of a
        server states them. One that starts threads which work does not belong here.
    """

    def __init__(
        self, *, workers: int = 1, remembered: int = 50, preload: tuple[str, ...] = ()
    ) -> None:
        if _FORKED:
            _PROCESSES.set_forkserver_preload(list(preload))
            forkserver.ensure_running()
        self.remembered = remembered
        self._jobs: dict[str, Job] = {}
        self._work: dict[str, bytes] = {}  # of jobs that are still attended to
        self._processes: dict[str, BaseProcess] = {}
        self._changed = threading.Condition()
        self._waiting: SimpleQueue[str | None] = SimpleQueue()
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()
        atexit.register(self.close)

    def submit(self, kind: str, work: Callable[..., object], *arguments: object) -> Job:
        """Put work into the queue.

        Parameters
        ----------
        kind
            What the site calls the work.
        work
            A function of a module, called in another process as ``work(report, *arguments)``, where
            ``report`` is a :data:`ReportProgress`.
        arguments
            Small: paths and settings rather than tables.
        """
        job = Job(secrets.token_urlsafe(8), kind)
        with self._changed:
            self._work[job.id] = pickle.dumps((work, arguments))
            self._jobs[job.id] = job
            over = [known for known in self._jobs if known not in self._work]
            for forgotten in over[: max(0, len(over) - self.remembered)]:
                del self._jobs[forgotten]
        self._waiting.put(job.id)
        return job

    def job(self, job_id: str) -> Job:
        """Return a job as it stands now."""
        with self._changed:
            if job_id not in self._jobs:
                raise InputError("there is no such job.")
            return self._jobs[job_id]

    def jobs(self) -> list[Job]:
        """Return all jobs that are remembered, in the order in which they were submitted."""
        with self._changed:
            return list(self._jobs.values())

    def wait(self, job_id: str, *, after: int | None = None, seconds: float = 60.0) -> Job:
        """Return a job when it is over, or changed after a version, or when time has passed."""

        def is_ready() -> bool:
            job = self.job(job_id)
            return job.is_over or (after is not None and job.version > after)

        with self._changed:
            self._changed.wait_for(is_ready, seconds)
            return self.job(job_id)

    def cancel(self, job_id: str) -> Job:
        """End a job; one that is over stays as it is."""
        with self._changed:
            job = self.job(job_id)
            if not job.is_over:
                job = self._change(job_id, state="cancelled")
            process = self._processes.get(job_id)
        if process is not None:
            signal_group(process.pid, signal.SIGTERM)
            end_process(process)
        return job

    def close(self) -> None:
        """Cancel all jobs and take no more."""
        atexit.unregister(self.close)
        for job in self.jobs():
            self.cancel(job.id)
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()
        self._threads = []

    def _change(self, job_id: str, **changes: Any) -> Job:
        with self._changed:
            job = self._jobs[job_id]
            if not job.is_over:
                job = replace(job, version=job.version + 1, **changes)
                self._jobs[job_id] = job
                self._changed.notify_all()
            return job

    def _serve(self) -> None:
        """Run one job after the other; each of the queue's threads does this."""
        while (job_id := self._waiting.get()) is not None:
            try:
                self._run(job_id)
            except OSError as error:  # no process or pipe can be had
                log_error(error)
                self._change(job_id, state="failed", error=unexpected_end())
            finally:
                with self._changed:
                    del self._work[job_id]

    def _run(self, job_id: str) -> None:
        with self._changed:
            work = self._work[job_id]
            if self._jobs[job_id].is_over:  # canceled while it waited
                return
        receiver, sender = _PROCESSES.Pipe(duplex=False)
        with receiver:
            with sender:
                process = _PROCESSES.Process(target=run_work, args=(sender, work))
                process.start()
            with self._changed:
                self._processes[job_id] = process
                job = self._change(job_id, state="running")
            if job.is_over:  # canceled while it started
                signal_group(process.pid, signal.SIGTERM)
            try:
                self._follow(job_id, receiver)
            finally:
                end_process(process)
                with self._changed:
                    del self._processes[job_id]

    def _follow(self, job_id: str, receiver: "Connection[Any, Any]") -> None:
        """Take over what the process reports, until it has ended."""
        changes: dict[str, Any] = {}
        while "state" not in changes:
            try:
                changes = receiver.recv()
            except (EOFError, OSError):  # it ended without a word: killed, or out of memory
                changes = {"state": "failed", "error": unexpected_end()}
            if "fault" in changes:
                log(changes.pop("fault"))
            self._change(job_id, **changes)
