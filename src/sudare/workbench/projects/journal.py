"""The journal of a project: every text that it had, so that steps can be undone without end.

A file to which lines are only appended. A line that a crash cut short is as if it had never been.
It holds texts of the project, not the data, and is for its owner alone.
"""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sudare.core import Message, OutputError

StepKind = Literal["opened", "edited", "outside"]
_OWNER_ONLY = 0o600


@dataclass(frozen=True)
class JournalStep:
    """A text of the project, and what was done to get it.

    Attributes
    ----------
    number, parent
        Its place in the journal, and that of the step it was made from; the first has none.
    at
        Seconds since 1970 by the clock of the machine, for people only: nothing is decided by it.
    """

    number: int
    parent: int | None
    kind: StepKind
    summary: Message
    text: str
    at: float


class Journal:
    """The steps of a project and where among them it stands.

    The file need not be there; one that cannot be understood is set aside.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._clear()
        try:
            for line in _lines(path):
                self._take(line)
            _ = self.line()
        except (KeyError, IndexError, TypeError):  # of another version, or not ours
            path.replace(path.with_suffix(".unreadable"))
            self._clear()

    def _clear(self) -> None:
        self.steps: list[JournalStep] = []
        self.position = -1
        self.started_jobs: dict[str, Message] = {}

    @property
    def current(self) -> JournalStep | None:
        """The step at which the project stands."""
        return self.steps[self.position] if self.steps else None

    def add(self, kind: StepKind, summary: Message, text: str, at: float) -> JournalStep:
        """Note a new text; what was undone before stays in the file, out of the list."""
        parent = self.position if self.steps else None
        self._append(
            {"kind": kind, "parent": parent, "summary": as_json(summary), "text": text, "at": at}
        )
        return self.steps[-1]

    def move(self, number: int) -> None:
        """Note that the project stands at another step now."""
        self._append({"kind": "moved", "to": number})

    def start_job(self, job_id: str, title: Message) -> None:
        """Note that long work has begun."""
        self._append({"kind": "job", "id": job_id, "title": as_json(title)})

    def end_job(self, job_id: str) -> None:
        """Note that long work is over."""
        if job_id in self.started_jobs:
            self._append({"kind": "job-over", "id": job_id})

    def line(self) -> list[JournalStep]:
        """Return the steps that led to where the project stands, and those that can be redone."""
        back: list[JournalStep] = []
        number: int | None = self.position if self.steps else None
        while number is not None:
            back.append(self.steps[number])
            number = self.steps[number].parent
        return [*reversed(back), *self._undone()]

    def _undone(self) -> Iterator[JournalStep]:
        """Yield the steps that were undone, the next one first."""
        children = {step.parent: step for step in self.steps}  # of several, the latest
        number = self.position
        while number in children:
            yield children[number]
            number = children[number].number

    def _take(self, line: Mapping[str, Any]) -> None:
        kind = line["kind"]
        if kind == "moved":
            self.position = line["to"]
        elif kind == "job":
            self.started_jobs[line["id"]] = message_from(line["title"])
        elif kind == "job-over":
            self.started_jobs.pop(line["id"], None)
        else:
            summary = message_from(line["summary"])
            number = len(self.steps)
            self.steps.append(
                JournalStep(number, line["parent"], kind, summary, line["text"], line["at"])
            )
            self.position = number

    def _append(self, line: Mapping[str, Any]) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, _OWNER_ONLY)
            with os.fdopen(descriptor, "rb+") as file:
                text = json.dumps(line, ensure_ascii=False) + "\n"
                file.write(("" if _ends_whole(file) else "\n").encode() + text.encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise OutputError(
                "could not write '{path}': {reason}; what was there before is unchanged.",
                path=str(self.path),
                reason=error.strerror or type(error).__name__,
            ) from error
        self._take(line)


def as_json(message: Message) -> dict[str, Any]:
    """Return what a file keeps of a message, so that it can be said in any language later."""
    facts = {
        name: as_json(fact) if isinstance(fact, Message) else fact for name, fact in message.facts
    }
    return {"template": message.template, "facts": facts}


def message_from(kept: Mapping[str, Any]) -> Message:
    """Return the message that a file kept."""
    facts = {
        name: message_from(fact) if isinstance(fact, Mapping) else fact
        for name, fact in kept["facts"].items()
    }
    return Message(kept["template"], **facts)


def _ends_whole(file: Any) -> bool:
    """Return whether the last line is whole, so that the next one does not continue it."""
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        return True
    file.seek(size - 1)
    return bool(file.read(1) == b"\n")


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return
    for line in content.split(b"\n"):
        try:
            yield json.loads(line)
        except ValueError:  # empty, or cut short by a crash
            continue
