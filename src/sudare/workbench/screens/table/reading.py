"""How the file of a project is read, with a preview that changes along."""

from fastapi import APIRouter, Request, Response

from sudare.core import Message
from sudare.engine.frames import LAYOUT
from sudare.workbench.opening import ENCODINGS, preview, reading_from
from sudare.workbench.screens.parameters import CurrentVisit, Fields
from sudare.workbench.visit import Visit, unless_refused

routes = APIRouter(prefix="/project/{project_id}")


@routes.get("/reading")
def reading(request: Request, visit: CurrentVisit) -> Response:
    """Show how the file is read, or would be with other options."""
    fields = dict(request.query_params) or _stated(visit)
    sample, refused = unless_refused(lambda: preview(visit.project.source, reading_from(fields)))
    return visit.page(
        "reading.html.j2", fields=fields, preview=sample, refused=refused, encodings=ENCODINGS
    )


@routes.post("/reading")
def change_reading(visit: CurrentVisit, fields: Fields) -> Response:
    """Read the file with other options."""
    read = reading_from(fields)
    changes = {"data": {name: read.get(name) for name in LAYOUT}}
    return visit.edit(fields, changes, Message("changed how the file is read"), "columns")


def _stated(visit: Visit) -> dict[str, str]:
    """Return what the project says, as the fields of the form."""
    stated = visit.project.file_options()
    fields = {name: str(value) for name, value in stated.items()}
    if fields.get("separator") == "\t":
        fields["separator"] = "tab"
    return fields
