"""Recode: merge categories, cut numbers, code the ends, and see who still stands alone."""

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse

from sudare.core import Message, SettingError, say
from sudare.workbench.recoding import (
    ColumnRecoding,
    RecodeView,
    recode_view,
    recoded_steps,
    recoding_of,
)
from sudare.workbench.screens.parameters import CurrentVisit, FieldLists
from sudare.workbench.user_input import finite_number, required
from sudare.workbench.variants import Steps, chosen_variant, steps_of, variant_names, with_steps
from sudare.workbench.visit import Visit, unless_refused

_LONGEST_NAME = 200  # characters of a merged label that is joined from others

routes = APIRouter(prefix="/project/{project_id}")


@routes.get("/recode")
def recode(request: Request, visit: CurrentVisit) -> Response:
    """Show a column, its classes, and who stands alone with all keys as they are now."""
    keys = visit.keys()
    asked = request.query_params.get("column", "")
    variant = chosen_variant(visit.project, request.query_params.get("variant"))
    name = asked if asked in keys else next(iter(keys), "")
    context: dict[str, Any] = {"view": None, "recoding": None}
    if name and visit.counts is not None:
        steps = steps_of(visit.project, variant)
        context["view"] = recode_view(
            visit.counts.column(name), steps, unlocked=visit.session.shows_values
        )
        context["recoding"] = recoding_of(steps, name)
        context |= _left(visit, steps)
    return visit.page(
        "recode.html.j2",
        keys=[(key, visit.project.label(key)) for key in keys],
        column=name,
        title=visit.project.label(name) if name else "",
        variant=variant,
        variants=variant_names(visit.project) or [variant],
        code=visit.code(f"masked = project.apply({variant!r})", "sudare mask -o masked.csv"),
        **{"groups": None, **context},
    )


@routes.get("/recode/preview")
def preview(request: Request, visit: CurrentVisit) -> Response:
    """Say who would stand alone if what is chosen were done."""
    query = request.query_params
    fields = {name: query.getlist(name) for name in query}
    variant, name = _subject(visit, fields)
    steps = steps_of(visit.project, variant)
    told, refused = unless_refused(
        lambda: _left(visit, recoded_steps(steps, name, _asked(visit, fields)))
    )
    shown = {"groups": None, "before": None, "refused": refused, **(told or {})}
    return HTMLResponse(visit.site.part("recode_left.html.j2", is_preview=True, **shown))


@routes.post("/recode")
def change(visit: CurrentVisit, fields: FieldLists) -> Response:
    """Recode a column."""
    variant, name = _subject(visit, fields)
    steps = recoded_steps(steps_of(visit.project, variant), name, _asked(visit, fields))
    _left(visit, steps)  # refused here, before it is in the project
    summary = Message("recoded '{column}' in {variant}", column=name, variant=variant)
    first = {field: values[0] for field, values in fields.items()}
    changes = with_steps(visit.project, variant, steps)
    return visit.edit(first, changes, summary, "recode", column=name, variant=variant)


def _subject(visit: Visit, fields: dict[str, list[str]]) -> tuple[str, str]:
    """Return the variant and the column that a form is about."""
    keys, name = visit.keys(), next(iter(fields.get("column", [])), "")
    if name not in keys or visit.counts is None:
        raise SettingError("only keys are recoded here; give the column that role first.")
    variant = next(iter(fields.get("variant", [])), None)
    return chosen_variant(visit.project, variant), name


def _asked(visit: Visit, fields: dict[str, list[str]]) -> ColumnRecoding:
    """Return the recoding that a form asks for."""
    variant, name = _subject(visit, fields)
    steps = steps_of(visit.project, variant)
    action = next(iter(fields.get("action", [])), "")
    if action == "reset":
        return ColumnRecoding()
    if action == "merge" and visit.counts is not None:
        column = visit.counts.column(name)
        view = recode_view(column, steps)
        texts = view.labels([*fields.get("code", []), *fields.get("onto", [])])
        if len(texts) < 2:
            raise SettingError("choose at least two categories to merge.")
        originals = {str(label) for label in column.coded.labels}
        return recoding_of(steps, name).merged(texts, _name(fields, texts, view), originals)
    if action == "cut":
        stated = next(iter(fields.get("cuts", [])), "").split(",")
        view = recode_view(visit.known_counts().column(name), steps)
        cuts = {_number(cut) for cut in stated if cut.strip()}
        cuts |= set(view.beginnings(fields.get("cut", [])))
        return ColumnRecoding(cuts=tuple(sorted(cuts)))
    if action == "ends":
        ends = {side: next(iter(fields.get(side, [])), "") for side in ("top", "bottom")}
        top, bottom = (_number(text) if text.strip() else None for text in ends.values())
        return ColumnRecoding(top=top, bottom=bottom)
    raise SettingError("choose what to do with the column.")


def _name(fields: dict[str, list[str]], texts: list[str], view: RecodeView) -> str:
    """Return the label of merged categories: as stated, else joined."""
    stated = next(iter(fields.get("name", [])), "").strip()
    if stated:
        return stated
    joined = "・".join(texts)
    if len(joined) > _LONGEST_NAME:
        joined = say("{first} and {count} more", first=texts[0][:80], count=len(texts) - 1)
    others = {shown.label for shown in view.classes} - set(texts)
    if joined in others:
        raise SettingError("another category has this name; state another one.")
    return joined


def _number(text: str) -> float:
    refusal = SettingError("cut points and ends are numbers, separated by commas.")
    return required(finite_number(text), refusal)


def _left(visit: Visit, steps: Steps) -> dict[str, Any]:
    """Return the groups of the keys before and after the steps that recode."""
    return {"before": visit.key_groups(), "groups": visit.key_groups(steps)}
