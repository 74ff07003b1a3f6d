"""Edits of what a project says of its release: texts, format, and findings that were accepted."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sudare.release import Project

TEXTS = ("title", "office", "contact", "date", "population", "audience", "purpose", "decision")


def with_texts(fields: Mapping[str, str], profiles: Sequence[str]) -> dict[str, Any]:
    """Return the changes that give a report other texts; an empty one is taken away."""
    texts = {name: fields[name].strip() or None for name in TEXTS if name in fields}
    return {"report": {**texts, "profile": list(profiles) or None}}


def with_form(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the changes that have the masked table written in another way."""
    stated = {name: fields[name] for name in ("format", "encoding") if fields.get(name)}
    return {"release": {**stated, "keep_order": fields.get("keep_order") == "yes"}}


def with_confirmation(
    project: Project, kind: str, columns: Sequence[str], by: str, reason: str
) -> dict[str, Any]:
    """Return the changes that accept a finding, today."""
    told: dict[str, Any] = {"kind": kind, "columns": list(columns), "by": by, "reason": reason}
    stated = {name: value for name, value in told.items() if value}
    stated["date"] = datetime.datetime.now().astimezone().date()
    return {"release": {"confirmations": [*_others(project, kind, columns), stated]}}


def without_confirmation(project: Project, kind: str, columns: Sequence[str]) -> dict[str, Any]:
    """Return the changes that take it back that a finding was accepted."""
    return {"release": {"confirmations": _others(project, kind, columns) or None}}


def draws_depend_on(project: Project) -> dict[str, Any]:
    """Return what of a release changes the released table; other confirmations do not."""
    release = project.sections.release
    effective = [
        [confirmation.kind, list(confirmation.columns)]
        for confirmation in release.confirmations
        if confirmation.kind in {"order", "weights"}
    ]
    return {
        "format": release.format,
        "keep_order": release.keep_order,
        "confirmations": effective,
    }


def _others(project: Project, kind: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {name: _plain(value) for name, value in asdict(confirmation).items() if value}
        for confirmation in project.sections.release.confirmations
        if (confirmation.kind, confirmation.columns) != (kind, tuple(columns))
    ]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
