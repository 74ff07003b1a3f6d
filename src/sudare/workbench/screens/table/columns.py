"""Columns: a card for each, and what should be settled, each problem with its fix."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from fastapi import APIRouter, Response

from sudare.core import SCALES, InputError, Message, say
from sudare.describe import Card, Problem
from sudare.engine.frames import ColumnType
from sudare.workbench.problem_fixes import fix_of
from sudare.workbench.screens.parameters import CurrentVisit, Fields
from sudare.workbench.visit import Visit

TYPES = get_args(ColumnType)
_LONGEST_LABEL = 120  # characters of a label on a page


routes = APIRouter(prefix="/project/{project_id}")


@routes.get("/columns")
def columns(visit: CurrentVisit) -> Response:
    """Show a card for each column, and what should be settled."""
    return visit.page(
        "columns.html.j2",
        cards=_cards(visit),
        problems=_problems(visit),
        scales=SCALES,
        types=TYPES,
        code=visit.code(
            "data = project.data()\nsudare.describe.cards(data)\nsudare.describe.problems(data)",
            "sudare describe",
        ),
    )


@routes.post("/columns/fix")
def fix(visit: CurrentVisit, fields: Fields) -> Response:
    """Settle a problem by what was proposed."""
    problem = _problem(visit, fields.get("kind", ""), fields.get("columns", ""))
    counts = visit.counts
    changes = {} if counts is None else fix_of(problem, counts.description.proposals)
    summary = Message(
        "fixed what was said about {count} {count:column|columns} ({kind})",
        count=len(problem.columns),
        kind=problem.kind,
    )
    return visit.edit(fields, {"columns": changes}, summary, "columns")


@routes.post("/columns/change")
def change(visit: CurrentVisit, fields: Fields) -> Response:
    """Read a column on another scale, or as another type."""
    column = fields.get("column", "")
    changes = {name: fields[name] or None for name in ("scale", "type") if name in fields}
    summary = Message("changed how '{column}' is read", column=column)
    return visit.edit(fields, {"columns": {column: changes}}, summary, "columns")


@routes.post("/count-again")
def count_again(visit: CurrentVisit, fields: Fields) -> Response:
    """Have the table counted again after it could not be."""
    visit.site.tables.retry(visit.project)
    return visit.go("columns")


@routes.post("/update")
def update(visit: CurrentVisit, fields: Fields) -> Response:
    """Take new columns into the project, and old ones out."""
    summary = Message("brought up to date with the columns of the table")
    return visit.edit(fields, lambda project: project.updated(), summary, "columns")


def _cards(visit: Visit) -> list[dict[str, Any]]:
    counts = visit.counts
    if counts is None:
        return []
    shows = visit.session.shows_values
    description = counts.description
    cards = description.unlocked_cards if shows else description.cards
    return [_shown(visit, card, shows=shows) for card in cards]


def _shown(visit: Visit, card: Card, *, shows: bool) -> dict[str, Any]:
    """Return a card for the page: without the labels of the data, unless they are shown."""
    section = visit.project.sections.columns.get(card.name)
    bars = [
        replace(bar, label=_shortened(bar.label) if shows else say("no. {number}", number=number))
        for number, bar in enumerate(card.bars, 1)
    ]
    return {
        "card": card,
        "title": visit.project.label(card.name),
        "role": card.role if section is None else section.role,
        "scale": card.scale,
        "type": section.type if section is not None else None,
        "bars": bars,
    }


def _shortened(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else f"{label[:_LONGEST_LABEL]}…"


def _problems(visit: Visit) -> list[Mapping[str, Any]]:
    counts = visit.counts
    if counts is None:
        return []
    described = counts.description
    return [
        {"problem": problem, "can_fix": bool(fix_of(problem, described.proposals))}
        for problem in described.problems
    ]


def _problem(visit: Visit, kind: str, columns: str) -> Problem:
    known = visit.counts.description.problems if visit.counts is not None else ()
    for problem in known:
        if problem.kind == kind and "\n".join(problem.columns) == columns.replace("\r\n", "\n"):
            return problem
    raise InputError("this problem no longer exists; reload the page.")
