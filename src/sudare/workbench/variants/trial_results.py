"""What was tried of which variants: results by what they depend on, and the jobs that make them."""

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from sudare.core import InputError, Language, Message, SudareError, language, retellable, speaking
from sudare.release import Project
from sudare.web import Job, JobQueue, ReportProgress
from sudare.workbench.projects import OpenProject

_REMEMBERED = 60
_PARTS = ("subject", "data", "history", "columns", "limits", "measures", "recipes")


@dataclass(frozen=True)
class TrialState:
    """What is known of a trial at this moment: its result, the job at work, or what went wrong."""

    result: dict[str, Any] | None = None
    job: Job | None = None
    trouble: SudareError | None = None


class TrialResults:
    """Results of trials."""

    def __init__(self, jobs: JobQueue) -> None:
        self.jobs = jobs
        self._results: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._jobs: dict[str, str] = {}
        self._lock = threading.RLock()

    def state(
        self,
        opened: OpenProject,
        kind: str,
        project: Project,
        names: tuple[str, ...] | None = None,
        about: object = None,
    ) -> TrialState:
        """Return what is known of a trial of some variants; of all, where none is named.

        Parameters
        ----------
        opened, project
            The project, and what it says now.
        kind
            What jobs call the work.
        names
            The variants that the result depends on.
        about
            What else it depends on, as JSON has it.
        """
        identity = _identity(kind, project, names, about)
        with self._lock:
            if identity in self._results:
                self._results.move_to_end(identity)
                return TrialState(self._results[identity])
            if identity not in self._jobs:
                return TrialState()
            job = self.jobs.job(self._jobs[identity])
            if not job.is_over:
                return TrialState(job=job)
            opened.end_job(job.id)
            if job.state == "done" and isinstance(job.result, dict):
                return TrialState(self._remember(identity, job.result))
            return TrialState(trouble=job.error or InputError("the trial was canceled."))

    def start(
        self,
        opened: OpenProject,
        kind: str,
        project: Project,
        work: Callable[..., object],
        *more: object,
        title: Message,
        names: tuple[str, ...] | None = None,
        about: object = None,
    ) -> None:
        """Have a trial made, unless it is being made."""
        identity = _identity(kind, project, names, about)
        with self._lock:
            if self.state(opened, kind, project, names, about).job is None:
                self._results.pop(identity, None)
                told = (opened.path, project.text, opened.allow_paths)
                job = self.jobs.submit(kind, _spoken, language(), work, told, *more)
                self._jobs[identity] = job.id
                opened.start_job(job.id, title)

    def _remember(self, identity: str, result: dict[str, Any]) -> dict[str, Any]:
        self._results[identity] = result
        del self._jobs[identity]
        while len(self._results) > _REMEMBERED:
            self._results.popitem(last=False)
        return result


def _spoken(
    report: ReportProgress, spoken: Language, work: Callable[..., object], *arguments: object
) -> object:
    """Do the work in the language of the user who asked for it; notes can be shown in others."""
    with speaking(spoken), retellable():
        return work(report, *arguments)


def _identity(kind: str, project: Project, names: tuple[str, ...] | None, about: object) -> str:
    """Return what tells a trial from all others: the table, its reading, and the recipes."""
    sections = asdict(project.sections)
    parts: dict[str, Any] = {part: sections[part] for part in _PARTS}
    if names is not None:  # a trial of some variants does not change with the others
        parts["recipes"] = [r for r in parts["recipes"] if r.get("name") in names]
    facts = project.source.stat()
    version = (str(project.source), facts.st_size, facts.st_mtime_ns)
    told = json.dumps((kind, names, about, version, parts), sort_keys=True, default=str)
    return hashlib.sha256(told.encode()).hexdigest()[:32]
