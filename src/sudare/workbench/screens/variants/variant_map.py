"""Map: all variants by risk and loss, which keep the limits, which none beats, and which is best.

What is brushed in the picture are numbers of a form, so that it can be stated by keys as well.
"""

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import JSONResponse

from sudare.core import InputError, Message, SettingError, language, say
from sudare.workbench.screens.parameters import CurrentVisit, Fields
from sudare.workbench.user_input import finite_number
from sudare.workbench.variants import (
    COMPARING,
    SEED,
    MapView,
    TrialState,
    compare_variants,
    starred_variant,
    variant_names,
)

_ENDS = ("risk_from", "risk_to", "loss_from", "loss_to")
_WIDTH = 800  # pixels, where the page does not tell

routes = APIRouter(prefix="/project/{project_id}/map")


@routes.get("")
def variant_map(request: Request, visit: CurrentVisit) -> Response:
    """Show the map of all variants, with the axes and the part that somebody asks for."""
    trial = visit.trial(COMPARING)
    asked = {name: request.query_params.get(name, "") for name in ("risk", "loss", *_ENDS)}
    return visit.page(
        "variant_map.html.j2",
        trial=trial,
        variants=variant_names(visit.project),
        limits=visit.project.sections.limits.keep,
        starred=starred_variant(visit.project),
        ends={name: asked[name] for name in _ENDS},
        **_shown(trial, asked),
        code=visit.code(
            f"comparison = project.compare(seed={SEED})\ncomparison.figure({{}}, {{}})".format(
                *(repr(asked[axis] or None) for axis in ("risk", "loss"))
            ),
            f"sudare compare -p {{project}} --seed {SEED}",
        ),
    )


@routes.get("/chart")
def chart(visit: CurrentVisit, risk: str = "", loss: str = "", width: int = _WIDTH) -> Response:
    """Return the map as the chart library draws it."""
    result = visit.trial(COMPARING).result
    if result is None:
        raise InputError("the variants have not been compared yet.")
    view = MapView.of(result["comparison"], risk, loss)
    return JSONResponse(view.chart(width, starred_variant(visit.project)))


@routes.post("")
def start(visit: CurrentVisit) -> Response:
    """Have all variants masked and measured."""
    if not visit.project.sections.recipes:
        raise SettingError("there is no variant yet; make one on the screen 'Protect'.")
    title = Message("comparison of all variants")
    visit.site.trials.start(visit.opened, COMPARING, visit.project, compare_variants, title=title)
    return visit.go("map")


@routes.post("/star")
def star(visit: CurrentVisit, fields: Fields) -> Response:
    """Choose the variant to release, or none."""
    name = fields.get("variant", "")
    if name:
        visit.project.recipe(name)
    chosen = None if name == starred_variant(visit.project) else name or None
    summary = (
        Message("chose no variant for the release")
        if chosen is None
        else Message("chose '{name}' for the release", name=chosen)
    )
    query = {name: fields[name] for name in ("risk", "loss", *_ENDS) if fields.get(name)}
    return visit.edit(fields, {"release": {"recipe": chosen}}, summary, "map", **query)


def _shown(trial: TrialState, asked: dict[str, str]) -> dict[str, Any]:
    """Return the axes, and the rows and titles of the table beside the map."""
    if trial.result is None:
        return {"rows": [], "titles": {}, "topics": [], "axes": {}, "axis_topics": []}
    view = MapView.of(trial.result["comparison"], asked["risk"], asked["loss"])
    unmasked = trial.result["rows"][0]["recipe"]
    rows = [
        {
            **row,
            "title": say("as it is") if row["recipe"] == unmasked else row["recipe"],
            "is_unmasked": row["recipe"] == unmasked,
            "keeps": all(row["kept"].values()),
            "frontier": row["recipe"] in view.frontier,
            "risk": row["values"][view.risk],
            "loss": row["values"][view.loss],
            "is_marked": _is_inside(row["values"][view.risk], row["values"][view.loss], asked),
        }
        for row in trial.result["rows"]
    ]
    titles = trial.result["titles"][language()]
    return {
        "rows": rows,
        "remarks": view.comparison.remarks(),
        "titles": titles,
        "topics": list(dict.fromkeys(trial.result["topics"].values())),
        "axis_topics": [trial.result["topics"][name] for name in (view.risk, view.loss)],
        "axes": {
            axis: (getattr(view, axis), [(name, titles[name]) for name in trial.result[axis]])
            for axis in ("risk", "loss")
        },
    }


def _is_inside(risk: float, loss: float, asked: dict[str, str]) -> bool:
    """Return whether a variant is in the requested part of the map; there must be one."""
    stated = {name: finite_number(asked[name]) for name in _ENDS}
    sides = (
        (number, risk if name.startswith("risk") else loss, name.endswith("_to"))
        for name, number in stated.items()
        if number is not None
    )
    inside = [value <= number if is_end else value >= number for number, value, is_end in sides]
    return bool(inside) and all(inside)
