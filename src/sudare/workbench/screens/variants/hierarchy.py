"""The hierarchy of a column: its tree, what it lacks; groups made, pasted, imported, applied."""

from typing import Any

from fastapi import APIRouter, Request, Response

from sudare.core import Column, Message, SettingError
from sudare.describe import Hierarchy
from sudare.describe.hierarchies import declared
from sudare.engine.frames import written_labels
from sudare.release import Project
from sudare.workbench.recoding import at_level, grouped, hierarchy_view, pasted, recoded_steps
from sudare.workbench.screens.parameters import CurrentVisit, FieldLists
from sudare.workbench.user_input import finite_number, required, whole_number
from sudare.workbench.variants import chosen_variant, steps_of, with_steps
from sudare.workbench.visit import Visit, unless_refused

_MOST_LEAVES = 2000  # that a page shows as a tree

routes = APIRouter(prefix="/project/{project_id}")


@routes.get("/hierarchy")
def hierarchy(request: Request, visit: CurrentVisit) -> Response:
    """Show the hierarchy of a column, and how to change it."""
    name = _name(visit, request.query_params.get("column", ""))
    variant = chosen_variant(visit.project, request.query_params.get("variant"))
    declaration = visit.project.sections.columns[name].hierarchy
    column = _column(visit, name)
    view, refused = (None, None)
    if column is not None:
        view, refused = unless_refused(
            lambda: hierarchy_view(column, _read(visit.project, declaration))
        )
    return visit.page(
        "hierarchy.html.j2",
        column=name,
        title=visit.project.label(name),
        variant=variant,
        view=view,
        refused=refused,
        is_declared=declaration is not None,
        file=declaration if isinstance(declaration, str) else "",
        is_large=view is not None and view.levels[0] > _MOST_LEAVES,
        code=visit.code(
            f"project.sections.columns[{name!r}].hierarchy", "sudare mask -o masked.csv"
        ),
    )


@routes.post("/hierarchy")
def change(visit: CurrentVisit, fields: FieldLists) -> Response:
    """Change the hierarchy of a column."""
    first = {field: values[0] for field, values in fields.items()}
    name = _name(visit, first.get("column", ""))
    declaration = _asked(visit, name, first, fields)
    column = _column(visit, name)
    if declaration is not None and column is not None:
        declared(column, _read(visit.project, declaration))  # refused before it is saved
    summary = Message("changed the hierarchy of '{column}'", column=name)
    changes = {"columns": {name: {"hierarchy": declaration}}}
    variant = first.get("variant", "")
    return visit.edit(first, changes, summary, "hierarchy", column=name, variant=variant)


@routes.post("/hierarchy/apply")
def apply_level(visit: CurrentVisit, fields: FieldLists) -> Response:
    """Recode a column to a level of its hierarchy, in a variant."""
    first = {field: values[0] for field, values in fields.items()}
    name = _name(visit, first.get("column", ""))
    variant = chosen_variant(visit.project, first.get("variant"))
    column = _column(visit, name)
    if column is None:
        raise SettingError("the table is not counted yet.")
    made = declared(column, _read(visit.project, visit.project.sections.columns[name].hierarchy))
    level = whole_number(first.get("level", ""))
    recoding = at_level(column, made, -1 if level is None else level)
    steps = recoded_steps(steps_of(visit.project, variant), name, recoding)
    summary = Message(
        "generalized '{column}' to level {level} in {variant}",
        column=name,
        level=level,
        variant=variant,
    )
    changes = with_steps(visit.project, variant, steps)
    return visit.edit(first, changes, summary, "recode", column=name, variant=variant)


def _asked(visit: Visit, name: str, first: dict[str, str], fields: dict[str, list[str]]) -> Any:
    """Return the hierarchy that a form asks for, as the project file has it; None for none."""
    action, column = first.get("action", ""), _column(visit, name)
    if action == "remove":
        return None
    if action == "file":
        return first.get("file", "").strip() or None
    if action == "paste":
        return pasted(first.get("text", ""))
    if action == "widths":
        widths = [part for part in first.get("widths", "").split(",") if part.strip()]
        refusal = SettingError("widths are numbers, separated by commas.")
        return {"widths": [required(finite_number(part), refusal) for part in widths]}
    if action == "group" and column is not None:
        declaration = _read(visit.project, visit.project.sections.columns[name].hierarchy)
        ways = hierarchy_view(column, declaration).ways
        labels = [str(label) for label in written_labels(column)]
        codes = [whole_number(code) for code in fields.get("leaf", [])]
        leaves = [labels[code] for code in codes if code is not None and code < len(labels)]
        level = whole_number(first.get("level", "1"))
        return grouped(ways, leaves, first.get("group", ""), level or 0)
    raise SettingError("choose what to do with the hierarchy.")


def _read(project: Project, declaration: Any) -> Any:
    return (
        Hierarchy.read(project.find(declaration)) if isinstance(declaration, str) else declaration
    )


def _name(visit: Visit, name: str) -> str:
    if name not in visit.project.sections.columns:
        raise SettingError("there is no such column; go back and choose one.")
    return name


def _column(visit: Visit, name: str) -> Column | None:
    counts = visit.counts
    return None if counts is None or name not in counts.head else counts.column(name)
