"""A study's notebook: what is finished, kept in a file so that an interrupted study goes on."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sudare.core.errors import InputError

Note = Mapping[str, Any]


class Notebook:
    """Notes of one study, a line of JSON each; without a path they are not kept.

    ``digest`` says which data and settings the notes belong to; others are refused.
    """

    def __init__(self, path: Path | None, digest: str) -> None:
        self.path = path
        self.notes: list[Note] = []
        if path is None:
            return
        if path.exists():
            self._read(path, digest)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._append({"study": digest})

    def note(self, note: Note) -> None:
        """Write down what is finished."""
        self.notes.append(note)
        self._append(note)

    def _append(self, note: Note) -> None:
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(note, ensure_ascii=False) + "\n")

    def _read(self, path: Path, digest: str) -> None:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        if lines and not lines[-1].endswith("\n"):  # cut off in the middle of writing
            lines = lines[:-1]
            path.write_text("".join(lines), encoding="utf-8")
        notes = [json.loads(line) for line in lines]
        if not notes or notes[0].get("study") != digest:
            raise InputError(
                "'{path}' belongs to a study of other data or settings; choose another folder.",
                path=str(path),
            )
        self.notes = notes[1:]
