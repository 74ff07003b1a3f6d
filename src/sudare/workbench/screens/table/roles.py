"""Roles: which columns point at people, which others may know, which nobody should learn."""

from typing import Any, get_args

from fastapi import APIRouter, Response

from sudare.core import ROLES, Message, Role, SettingError
from sudare.describe import Proposal
from sudare.release import Project
from sudare.release.project import unconfirmed
from sudare.workbench.screens.parameters import CurrentVisit, Fields
from sudare.workbench.visit import Visit
from sudare.workbench.words import ROLE_TITLES, role_meaning, role_title

_LINKS = {"twin", "filter", "derived"}
_ONE_ONLY = {"weight", "household"}


routes = APIRouter(prefix="/project/{project_id}")


@routes.get("/roles")
def roles(visit: CurrentVisit) -> Response:
    """Show the columns by role, with proposals and their reasons."""
    keys = visit.keys()
    return visit.page(
        "roles.html.j2",
        lanes=_lanes(visit),
        roles=[(role, role_title(role)) for role in ROLES],
        waiting=sum(map(len, unconfirmed(visit.project.text).values())),
        code=visit.code(f"project.data().keys  # {len(keys)}", "sudare describe"),
    )


@routes.post("/roles")
def set_role(visit: CurrentVisit, fields: Fields) -> Response:
    """Give a column a role."""
    column = fields.get("column", "")
    role = next((role for role in ROLES if role == fields.get("role")), None)
    if role is None or column not in visit.project.sections.columns:
        raise SettingError("choose a column and a role.")
    changes: dict[str, dict[str, str]] = {column: {"role": role}}
    if role in _ONE_ONLY:  # the column that had it gives it up
        holders = visit.project.sections.columns.items()
        changes = {n: {"role": "other"} for n, told in holders if told.role == role} | changes
    summary = Message("role of '{column}': {role}", column=column, role=ROLE_TITLES[role])
    return visit.edit(fields, {"columns": changes}, summary, "roles")


@routes.post("/roles/accept")
def accept(visit: CurrentVisit, fields: Fields) -> Response:
    """Accept what is proposed for a column, or for all."""
    column = fields.get("column", "")
    if column:
        summary = Message("accepted what is proposed for '{column}'", column=column)
        return visit.edit(fields, lambda p: _accepted(p, column), summary, "roles")
    summary = Message("accepted all proposals, and reviewed the project")
    return visit.edit(fields, lambda p: _accepted(p).edited({"reviewed": True}), summary, "roles")


@routes.post("/roles/review")
def review(visit: CurrentVisit, fields: Fields) -> Response:
    """State that a person has checked the project, or take that back."""
    reviewed = fields.get("reviewed") == "yes"
    summary = Message("reviewed the project") if reviewed else Message("reopened the review")
    return visit.edit(fields, {"reviewed": reviewed}, summary, "roles")


def _accepted(project: Project, column: str | None = None) -> Project:
    """Return the project with the reasons of proposals gone, so that their entries are stated."""
    columns = project.sections.columns
    stated = {
        name: {entry: _plain(getattr(columns[name], entry)) for entry in entries}
        for name, entries in unconfirmed(project.text).items()
        if column in (None, name)
    }
    return project.edited({"columns": stated})


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _lanes(visit: Visit) -> list[dict[str, Any]]:
    """Return the columns by role, each with what is proposed for it and why."""
    proposed: dict[str, list[Proposal]] = {}
    if visit.counts is not None:
        for proposal in visit.counts.description.proposals:
            proposed.setdefault(proposal.column, []).append(proposal)
    waiting = unconfirmed(visit.project.text)
    lanes: dict[Role, list[dict[str, Any]]] = {role: [] for role in get_args(Role)}
    for name, section in visit.project.sections.columns.items():
        own = proposed.get(name, [])
        lanes[section.role].append(
            {
                "name": name,
                "title": visit.project.label(name),
                "role": section.role,
                "reason": next((p.reason for p in own if p.what == "role"), ""),
                "proposed": next((p.value for p in own if p.what == "role"), section.role),
                "links": [p.reason for p in own if p.what in _LINKS],
                "waits": name in waiting,
            }
        )
    return [
        {"role": role, "title": role_title(role), "meaning": role_meaning(role), "columns": held}
        for role, held in lanes.items()
    ]
