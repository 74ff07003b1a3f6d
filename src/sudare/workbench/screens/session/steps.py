"""Steps: what was done, with undo and redo without end, and a way to any step."""

from datetime import UTC, datetime

from fastapi import APIRouter, Response

from sudare.core import SettingError
from sudare.web import local_path, redirect_after_form, time_element
from sudare.workbench.screens.parameters import CurrentVisit, Fields
from sudare.workbench.user_input import required, whole_number
from sudare.workbench.visit import REVISION_FIELD, Visit

routes = APIRouter(prefix="/project/{project_id}")


@routes.get("/steps")
def steps(visit: CurrentVisit) -> Response:
    """Show all steps."""
    journal, zone = visit.opened.journal, datetime.now().astimezone().tzinfo or UTC
    rows = [
        {
            "number": step.number,
            "summary": str(step.summary),
            "kind": step.kind,
            "at": time_element(datetime.fromtimestamp(step.at, UTC), zone),
            "is_current": step.number == journal.position,
            "is_undone": step.number > journal.position,
        }
        for step in journal.line()
    ]
    return visit.page("steps.html.j2", rows=rows[::-1])


@routes.post("/undo")
def undo(visit: CurrentVisit, fields: Fields) -> Response:
    """Go back one step."""
    visit.opened.undo(fields.get(REVISION_FIELD, ""))
    return _back(visit, fields, "undone")


@routes.post("/redo")
def redo(visit: CurrentVisit, fields: Fields) -> Response:
    """Make the step again that was undone."""
    visit.opened.redo(fields.get(REVISION_FIELD, ""))
    return _back(visit, fields, "redone")


@routes.post("/jump")
def jump(visit: CurrentVisit, fields: Fields) -> Response:
    """Go to any step."""
    refusal = SettingError("there is no such step.")
    number = required(whole_number(fields.get("step", "")), refusal)
    visit.opened.jump(fields.get(REVISION_FIELD, ""), number)
    return redirect_after_form(visit.path("steps"), "saved")


@routes.post("/restore")
def restore(visit: CurrentVisit, fields: Fields) -> Response:
    """Write the last sound text in place of one that cannot be read."""
    visit.opened.restore()
    return _back(visit, fields, "restored")


def _back(visit: Visit, fields: dict[str, str], notice: str) -> Response:
    """Go back to the page on which the button was."""
    path = local_path(fields.get("next", ""))
    return redirect_after_form(visit.path("columns") if path == "/" else path, notice)
