"""How a table is read, from what its project says."""

from collections.abc import Iterable
from typing import Any

from sudare.core import MismatchError, fingerprint
from sudare.engine.frames import LAYOUT
from sudare.release.project.sections import DataSection, ProjectSections

_BY_COLUMN = {"roles": "role", "scales": "scale", "orders": "order", "types": "type"}
_EVERY_COLUMN = "*"


def reading_of(sections: ProjectSections) -> dict[str, Any]:
    """Return what a project says to :func:`sudare.read`."""
    reading: dict[str, Any] = file_options(sections.data)
    for setting, entry in _BY_COLUMN.items():
        stated = {name: getattr(column, entry) for name, column in sections.columns.items()}
        reading[setting] = {n: v for n, v in stated.items() if v is not None and v != "other"}
    for setting in ("missing", "not_applicable"):
        reading[setting] = _words(sections, setting)
    return {name: told for name, told in reading.items() if told or name in LAYOUT}


def file_options(data: DataSection) -> dict[str, Any]:
    """Return what a project says about the file alone."""
    return {name: told for name in LAYOUT if (told := getattr(data, name)) is not None}


def of_released(reading: dict[str, Any]) -> dict[str, Any]:
    """Return how a masked table is read: its identifiers may be gone, its values be intervals."""
    roles = reading.get("roles", {})
    kept: dict[str, Any] = {
        "types": {n: t for n, t in reading.get("types", {}).items() if t == "text"},
        "scales": {n: s for n, s in reading.get("scales", {}).items() if s in _OF_LABELS},
    }
    masked = {name: told for name, told in reading.items() if name not in ("orders", *LAYOUT)}
    masked.update(kept)
    for name, told in masked.items():
        if isinstance(told, dict):
            masked[name] = {n: v for n, v in told.items() if roles.get(n) != "identifier"}
    return {name: told for name, told in masked.items() if told}


_OF_LABELS = ("nominal", "ordinal")


def fingerprint_of(names: Iterable[str]) -> str:
    """Return a digest of the names of columns, in whatever order they come."""
    return fingerprint(sorted(names))


def check_columns(sections: ProjectSections, names: Iterable[str], project: str) -> None:
    """Refuse a table whose columns are not those of the project, by name.

    Without a fingerprint, a project may leave columns out.
    """
    present = list(names)
    known = sections.columns
    if sections.data.fingerprint == fingerprint_of(present):
        return
    gone = [name for name in known if name not in present]
    new = [name for name in present if name not in known] if sections.data.fingerprint else []
    if gone and new:
        raise MismatchError(
            "the table no longer has the columns of {project} (gone: {gone}; new: {new}). Bring "
            "the project up to date: sudare init --update.",
            project=project,
            gone=_listed(gone),
            new=_listed(new),
        )
    if gone:
        raise MismatchError(
            "the table no longer has columns of {project}: {gone}. Bring the project up to date: "
            "sudare init --update.",
            project=project,
            gone=_listed(gone),
        )
    if new:
        raise MismatchError(
            "the table has columns that {project} does not know: {new}. Bring the project up to "
            "date: sudare init --update.",
            project=project,
            new=_listed(new),
        )


def _listed(names: list[str], most: int = 20) -> str:
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")


def _words(sections: ProjectSections, setting: str) -> dict[str, tuple[str, ...]]:
    everywhere = getattr(sections.data, setting)
    words = {_EVERY_COLUMN: everywhere} if everywhere else {}
    for name, column in sections.columns.items():
        if own := getattr(column, setting):
            words[name] = own
    return words
