"""A project for a table that has none yet, and one whose table has other columns now."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import tomlkit

from sudare.core import Microdata
from sudare.describe import proposals
from sudare.engine import found_options
from sudare.engine.frames import LAYOUT
from sudare.release.project.drafting import Draft
from sudare.release.project.editing import edited
from sudare.release.project.finding import ENDING
from sudare.release.project.reading_options import fingerprint_of

_BY_COLUMN = {
    "roles": "role",
    "scales": "scale",
    "orders": "order",
    "types": "type",
    "missing": "missing",
    "not_applicable": "not_applicable",
}
_SINGLE = {"weights": "weight", "household": "household"}


def default_path(source: Path) -> Path:
    """Return where the project of a table goes: beside it, under its name."""
    return source.with_name(source.stem + ENDING)


def updated_text(text: str, draft: Draft, known: Collection[str]) -> str:
    """Return the text of a project for the columns that its table has now.

    New columns come with proposals, and with them the project is no longer reviewed; columns that
    are gone are taken away.
    """
    new = {name: told for name, told in draft.column_texts().items() if name not in known}
    changes: dict[str, Any] = {
        "data": {"fingerprint": draft.fingerprint},
        "columns": {name: None for name in known if name not in draft.columns},
    }
    if new:
        changes["reviewed"] = False
    for name, told in new.items():
        changes["columns"][name] = tomlkit.parse(told + "\n\n")["columns"][name]
    return edited(text, changes)


def draft_of(data: Microdata, source: Path, path: Path, reading: Mapping[str, Any]) -> Draft:
    """Return what the text of a project is made of."""
    given = {name: reading[name] for name in LAYOUT if reading.get(name) is not None}
    words = {setting: _words(reading.get(setting)) for setting in ("missing", "not_applicable")}
    everywhere = {setting: told["*"] for setting, told in words.items() if "*" in told}
    relative = Path(os.path.relpath(source.resolve(), path.parent.resolve()))
    return Draft(
        source=relative.as_posix(),
        file={**found_options(source, **given), **_found(data), **everywhere},
        columns=data.names,
        fingerprint=fingerprint_of(data.names),
        proposals=proposals(data),
        stated=_stated({**reading, **words}),
    )


def _found(data: Microdata) -> dict[str, Any]:
    """Return what only shows when the whole file is read: the header of a workbook."""
    reading = {} if data.origin is None else data.origin.reading
    return {name: reading[name] for name in ("header_rows",) if name in reading}


def _stated(reading: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what is stated, by column and entry."""
    stated: dict[str, dict[str, Any]] = {}
    for setting, entry in _BY_COLUMN.items():
        for name, value in (reading.get(setting) or {}).items():
            if name != "*":
                stated.setdefault(name, {})[entry] = value
    for setting, role in _SINGLE.items():
        if reading.get(setting) is not None:
            stated.setdefault(reading[setting], {})["role"] = role
    return stated


def _words(given: Any) -> dict[str, list[str]]:
    """Return words for absent values by column; "*" has those of all columns."""
    by_column = given if isinstance(given, Mapping) else {"*": given or ()}
    return {name: list(words) for name, words in by_column.items() if words}
