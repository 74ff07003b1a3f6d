"""A project that is open: edited one step at a time, saved after each, with undo and redo.

The file is read again for every request, so that what an editor or the command line writes appears
in the pages. Each form says which text it was made from; a form of an older text is refused.
"""

import hashlib
import threading
import time
from collections.abc import Callable
from pathlib import Path

from sudare.core import Message, SudareError, say
from sudare.release import Project
from sudare.workbench.projects.journal import Journal

Change = Callable[[Project], Project]
_MOST_NAMED = 5  # steps that a refusal names


class StaleError(SudareError):
    """A form that was made from an older text of the project."""


class OpenProject:
    """A project and its journal.

    Attributes
    ----------
    trouble
        Why the file cannot be read as it is now; the last text that could be is shown meanwhile.
    lost_jobs
        Long work that was under way when an earlier server ended.
    """

    def __init__(self, path: Path, journal: Journal, allow_paths: tuple[Path, ...] = ()) -> None:
        self.path, self.journal, self.allow_paths = path, journal, allow_paths
        self.trouble: SudareError | None = None
        self._lock = threading.RLock()
        self._project = Project.open(path, allow_paths=allow_paths)
        self._note_text()
        self.lost_jobs = list(journal.started_jobs.values())
        for job_id in list(journal.started_jobs):
            journal.end_job(job_id)

    def current(self) -> Project:
        """Return the project as its file is now; the last that was sound where it is not."""
        with self._lock:
            try:
                fresh = Project.open(self.path, allow_paths=self.allow_paths)
            except SudareError as error:
                self.trouble = error
                return self._project
            self.trouble = None
            if fresh.text != self._project.text:
                self._project = fresh
                self._note_text()
            return self._project

    @property
    def revision(self) -> str:
        """What tells the text of the project from every other."""
        return revision_of(self._project.text)

    def edit(self, revision: str, change: Change, summary: Message) -> Project:
        """Change the project, save it, and note the step.

        Parameters
        ----------
        revision
            That of the text which the change was made for.
        change
            Returns the changed project.
        summary
            What is done, without a value of the data.
        """
        with self._lock:
            self.check(revision)
            changed = change(self._project)
            if changed.text != self._project.text:
                self._project = changed.save()
                self.journal.add("edited", summary, changed.text, time.time())
            return self._project

    def undo(self, revision: str) -> Project:
        """Go back one step."""
        current = self.journal.current
        parent = None if current is None else current.parent
        return self.jump(revision, -1 if parent is None else parent)

    def redo(self, revision: str) -> Project:
        """Make the step again that was undone last."""
        line = self.journal.line()
        position = [step.number for step in line].index(self.journal.position)
        return self.jump(revision, line[position + 1].number if position + 1 < len(line) else -1)

    def jump(self, revision: str, number: int) -> Project:
        """Go to a step of the journal; nothing happens if there is no step with that number."""
        with self._lock:
            self.check(revision)
            if 0 <= number < len(self.journal.steps):
                text = self.journal.steps[number].text
                there = Project.from_text(text, self.path, allow_paths=self.allow_paths)
                there.save(overwrite=True)
                self._project = Project.open(self.path, allow_paths=self.allow_paths)
                self.journal.move(number)
            return self._project

    def restore(self) -> Project:
        """Write the last sound text again in place of one that cannot be read."""
        with self._lock:
            self._project = self._project.save(overwrite=True)
            self.trouble = None
            return self._project

    def can_undo(self) -> bool:
        """Return whether there is a step to go back to."""
        current = self.journal.current
        return current is not None and current.parent is not None

    def can_redo(self) -> bool:
        """Return whether a step was undone."""
        return bool(self.journal.line()) and self.journal.line()[-1] != self.journal.current

    def start_job(self, job_id: str, title: Message) -> None:
        """Remember long work, so that it can be reported if a crash ended it."""
        with self._lock:
            self.journal.start_job(job_id, title)

    def end_job(self, job_id: str) -> None:
        """Forget long work that is over."""
        with self._lock:
            self.journal.end_job(job_id)

    def check(self, revision: str) -> None:
        """Refuse a form that was made from another text of the project than the present one."""
        self.current()
        if self.trouble is not None:
            raise self.trouble
        if revision != self.revision:
            raise StaleError(
                "nothing was written: the project has changed since this page was loaded "
                "({steps}). Load the page again and repeat the step if it still makes sense.",
                steps=self._steps_since(revision),
            )

    def _steps_since(self, revision: str) -> str:
        known = [revision_of(step.text) for step in self.journal.steps]
        last = len(known) - 1 - known[::-1].index(revision) if revision in known else len(known) - 2
        told = [str(step.summary) for step in self.journal.steps[last + 1 :]]
        return say("; ").join(told[-_MOST_NAMED:]) or say("a step was undone or redone")

    def _note_text(self) -> None:
        """Note the text that was found in the file, if it is not the one that the journal has."""
        current = self.journal.current
        if current is not None and current.text == self._project.text:
            return
        first = current is None
        summary = Message("opened") if first else Message("changed outside the workbench")
        self.journal.add("opened" if first else "outside", summary, self._project.text, time.time())


def revision_of(text: str) -> str:
    """Return what tells a text from every other."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
