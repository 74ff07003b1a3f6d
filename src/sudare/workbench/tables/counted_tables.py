"""Which tables are counted, which are being counted, and what went wrong with which."""

import hashlib
import json
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudare.core import InputError, SudareError
from sudare.engine.formats import Folder
from sudare.release import Project
from sudare.web import Job, JobQueue
from sudare.workbench.projects import OpenProject
from sudare.workbench.tables.counting_work import count_table
from sudare.workbench.tables.table_counts import TableCounts

_REMEMBERED = 3  # tables, or readings of one, that are kept in memory
COUNTING = "count"  # what jobs call the work


@dataclass(frozen=True)
class TableState:
    """What is known of the table of a project at this moment.

    Attributes
    ----------
    counts
        The counts; those of an earlier reading while the table is counted again.
    is_current
        Whether the counts are of the table as it is now, read as the project says now.
    job
        The job that counts the table.
    trouble
        Why the table cannot be counted.
    """

    counts: TableCounts | None
    is_current: bool
    job: Job | None = None
    trouble: SudareError | None = None


class CountedTables:
    """Counts of the tables of all open projects."""

    def __init__(self, jobs: JobQueue) -> None:
        self.jobs = jobs
        self._folder = Folder()  # of the owner alone, gone with the server
        self._counts: OrderedDict[str, TableCounts] = OrderedDict()
        self._jobs: dict[str, str] = {}  # by identity of the table
        self._last: dict[Path, str] = {}  # the table that was last seen of a project
        self._lock = threading.RLock()

    def state(self, opened: OpenProject, project: Project) -> TableState:
        """Return the counts of a project's table; where there are none, have it counted."""
        with self._lock:
            last = self._counts.get(self._last.get(opened.path, ""))
            try:
                identity = self._identity(project, last)
            except SudareError as error:
                return TableState(last, is_current=False, trouble=error)
            if identity in self._counts:
                self._last[opened.path] = identity
                self._counts.move_to_end(identity)
                return TableState(self._counts[identity], is_current=True)
            return self._counting(opened, project, identity, last)

    def retry(self, project: Project) -> None:
        """Forget that a table could not be counted."""
        with self._lock:
            self._jobs.pop(self._identity(project, None), None)

    def _counting(
        self, opened: OpenProject, project: Project, identity: str, last: TableCounts | None
    ) -> TableState:
        if identity not in self._jobs:
            output = self._folder.path / identity
            output.unlink(missing_ok=True)
            work = (opened.path, project.text, opened.allow_paths, output)
            self._jobs[identity] = self.jobs.submit(COUNTING, count_table, *work).id
        job = self.jobs.job(self._jobs[identity])
        if job.state == "done":
            self._take(opened, identity)
            return TableState(self._counts[identity], is_current=True)
        if job.is_over:
            trouble = job.error or InputError("counting was canceled; start it again.")
            return TableState(last, is_current=False, trouble=trouble)
        return TableState(last, is_current=False, job=job)

    def _take(self, opened: OpenProject, identity: str) -> None:
        written = self._folder.path / identity
        self._counts[identity] = TableCounts.load(written)
        written.unlink()
        del self._jobs[identity]
        self._last[opened.path] = identity
        while len(self._counts) > _REMEMBERED:
            self._counts.popitem(last=False)

    def _identity(self, project: Project, last: TableCounts | None) -> str:
        """Return what tells a table and its reading from all others; roles are no part of it.

        Of a table that does not fit in memory only the keys are counted, so they are.
        """
        source = project.source
        facts = source.stat()
        reading: dict[str, Any] = project.reading()
        roles = reading.pop("roles", {})
        if last is not None and last.table is None:
            reading["keys"] = sorted(name for name, role in roles.items() if role == "key")
        version = (str(source), facts.st_size, facts.st_mtime_ns, facts.st_ino)
        told = json.dumps((version, reading), sort_keys=True, default=str)
        return hashlib.sha256(told.encode()).hexdigest()[:32]
