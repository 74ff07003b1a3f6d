"""What is next to a released file says how it was written, so that it can be read back.

A ledger (``ledger.json``) or a recipe (``*.toml``) in the folder of a file is about it if it names
the file and its digest.
"""

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from sudare.core import Step

_LARGEST = 1 << 26  # bytes of a file that may be a ledger or recipe
_MOST = 200  # recipes in a folder that are looked at


@dataclass(frozen=True)
class ReleasedForm:
    """How a released file was written.

    Attributes
    ----------
    file, sha256
        Its name and its digest.
    encoding
        Of a text file.
    shuffled
        Whether its records are in another order than those of the original.
    suppressed
        The columns in which a word stands for suppressed values.
    blanks
        By column, how many values masking suppressed.
    """

    file: str
    sha256: str
    encoding: str = "utf-8"
    shuffled: bool = True
    suppressed: tuple[str, ...] = ()
    blanks: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(
        cls, path: Path, *, encoding: str, shuffled: bool, suppressed: tuple[str, ...]
    ) -> "ReleasedForm":
        """Return the form of a file that was just written."""
        return cls(path.name, digest_of(path), encoding, shuffled, suppressed)

    def after(self, steps: Iterable[Step]) -> "ReleasedForm":
        """Return the form of a file that holds what some steps made, and how much they suppressed.

        What the steps tell anybody of that: it stands in their public part.
        """
        blanks: Counter[str] = Counter()
        for step in steps:
            for name, told in step.public.items():
                blanks[name] += int(told.get("suppressed", 0))
        return replace(self, blanks={name: count for name, count in blanks.items() if count})

    @property
    def steps(self) -> tuple[Step, ...]:
        """What the form tells of what was done: how many values of which columns are suppressed."""
        public = {name: {"suppressed": count} for name, count in self.blanks.items()}
        return (Step("suppression", tuple(public), {}, public, "hides"),) if public else ()

    @classmethod
    def from_mapping(cls, told: object) -> "ReleasedForm | None":
        """Return the form that a ledger or recipe tells; None where it tells none."""
        if not isinstance(told, Mapping) or not {"file", "sha256"} <= told.keys():
            return None
        columns, blanks = told.get("suppressed", ()), told.get("blanks", {})
        return cls(
            str(told["file"]),
            str(told["sha256"]),
            str(told.get("encoding", "utf-8")),
            bool(told.get("shuffled", True)),
            tuple(map(str, columns if isinstance(columns, list | tuple) else ())),
            {n: c for n, c in blanks.items() if isinstance(c, int)}
            if isinstance(blanks, Mapping)
            else {},
        )

    def as_dict(self) -> dict[str, Any]:
        """Return what a ledger or recipe tells."""
        told = {**asdict(self), "suppressed": list(self.suppressed)}
        return told if self.blanks else {n: v for n, v in told.items() if n != "blanks"}


def released_form(path: Path) -> ReleasedForm | None:
    """Return how a released file was written, according to what is next to it; else None."""
    digest = ""
    for told in _told_beside(path):
        form = ReleasedForm.from_mapping(told)
        if form is not None:
            digest = digest or digest_of(path)
            if form.sha256 == digest:
                return form
    return None


def digest_of(path: Path) -> str:
    """Return the digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _told_beside(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield what ledgers and recipes in the folder of a file tell about a file of its name."""
    ledger = path.with_name("ledger.json")
    recipes = sorted(path.parent.glob("*.toml"))[:_MOST]
    for beside in (ledger, *recipes):
        try:
            if beside.stat().st_size <= _LARGEST:
                text = beside.read_text(encoding="utf-8")
                content = json.loads(text) if beside == ledger else tomllib.loads(text)
                told = content.get("released") if isinstance(content, dict) else None
                if isinstance(told, Mapping) and str(told.get("file")) == path.name:
                    yield told
        except (OSError, ValueError, RecursionError):  # another file of that name
            continue
