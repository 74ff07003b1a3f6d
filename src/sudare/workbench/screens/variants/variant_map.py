"""Map: all variants by risk and loss, which keep the limits, and which none beats."""

from typing import Any

from fastapi import APIRouter, Response
from starlette.responses import JSONResponse

from sudare.core import InputError, Message, SettingError, language, say
from sudare.workbench.screens.parameters import CurrentVisit
from sudare.workbench.variants import COMPARING, TrialState, compare_variants

routes = APIRouter(prefix="/project/{project_id}/map")


@routes.get("")
def variant_map(visit: CurrentVisit) -> Response:
    """Show the map of all variants."""
    trial = visit.trial(COMPARING)
    return visit.page(
        "variant_map.html.j2",
        trial=trial,
        variants=[recipe.name for recipe in visit.project.recipes_as_stated()],
        limits=visit.project.sections.limits.keep,
        **_table(trial),
        code=visit.code("comparison = project.compare()\ncomparison.figure()", "sudare compare"),
    )


@routes.get("/chart")
def chart(visit: CurrentVisit) -> Response:
    """Return the map as the chart library draws it."""
    result = visit.trial(COMPARING).result
    if result is None:
        raise InputError("the variants have not been compared yet.")
    below = {"config": {"legend": {"orient": "bottom"}}}  # beside the chart it would be cut off
    return JSONResponse({**below, **result["charts"][language()], "width": "container"})


@routes.post("")
def start(visit: CurrentVisit) -> Response:
    """Have all variants masked and measured."""
    if not visit.project.sections.recipes:
        raise SettingError("there is no variant yet; make one on the screen 'Protect'.")
    title = Message("comparison of all variants")
    visit.site.trials.start(visit.opened, COMPARING, visit.project, compare_variants, title=title)
    return visit.go("map")


def _table(trial: TrialState) -> dict[str, Any]:
    """Return the rows and titles of the table beside the map."""
    if trial.result is None:
        return {"rows": [], "titles": {}, "topics": []}
    unmasked = trial.result["rows"][0]["recipe"]
    rows = [
        {
            **row,
            "title": say("as it is") if row["recipe"] == unmasked else row["recipe"],
            "is_unmasked": row["recipe"] == unmasked,
            "keeps": all(row["kept"].values()),
        }
        for row in trial.result["rows"]
    ]
    topics = list(dict.fromkeys(trial.result["topics"].values()))
    return {"rows": rows, "titles": trial.result["titles"][language()], "topics": topics}
