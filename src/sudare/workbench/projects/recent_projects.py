"""The projects that were opened lately, the last one first."""

import hashlib
import json
import threading
from dataclasses import dataclass
from pathlib import Path

from sudare.engine.formats import writing

_MOST = 30


@dataclass(frozen=True)
class RecentProject:
    """A project that was opened: what addresses call it, and where it is."""

    id: str
    path: Path

    @property
    def is_there(self) -> bool:
        """Whether its file still exists."""
        return self.path.is_file()


class RecentProjects:
    """The list, in a file of the state folder that only its owner can read."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "recent.json"
        self._lock = threading.Lock()

    def projects(self) -> list[RecentProject]:
        """Return the projects; a list that cannot be read is an empty one."""
        try:
            paths = json.loads(self.file.read_bytes())
            return [RecentProject(project_id(Path(path)), Path(path)) for path in paths]
        except (OSError, ValueError, TypeError):
            return []

    def remember(self, path: Path) -> str:
        """Put a project first, and return what addresses call it."""
        there = path.resolve()
        with self._lock:
            others = [str(known.path) for known in self.projects() if known.path != there]
            with writing(self.file, overwrite=True, private=True) as draft:
                draft.write_text(json.dumps([str(there), *others][:_MOST]), encoding="utf-8")
        return project_id(there)

    def journal_path(self, path: Path) -> Path:
        """Return where the steps of a project are kept."""
        return self.folder / "journals" / f"{project_id(path.resolve())}.jsonl"


def project_id(path: Path) -> str:
    """Return what addresses call a project: a digest of its path."""
    return hashlib.sha256(str(path).encode()).hexdigest()[:12]
