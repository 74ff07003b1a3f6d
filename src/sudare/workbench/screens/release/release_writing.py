"""The release as files: written, sent for review, and downloaded."""

from collections.abc import Callable
from pathlib import Path

from fastapi import APIRouter, Response
from starlette.responses import FileResponse

from sudare.core import InputError, Message, SettingError, language
from sudare.workbench.releasing import REVIEWING, WRITING, write_release, write_review
from sudare.workbench.screens.parameters import CurrentVisit, Fields
from sudare.workbench.visit import Visit

routes = APIRouter(prefix="/project/{project_id}/release")


@routes.post("/write")
def start_writing(visit: CurrentVisit, fields: Fields) -> Response:
    """Have the release written."""
    visit.project.check_reviewed()
    title = Message("release of '{name}'", name=fields.get("variant", ""))
    return _start(visit, fields, WRITING, write_release, title)


@routes.post("/review")
def start_review(visit: CurrentVisit, fields: Fields) -> Response:
    """Have the report written without the table."""
    visit.project.check_reviewed()
    title = Message("report on '{name}' for review", name=fields.get("variant", ""))
    return _start(visit, fields, REVIEWING, write_review, title)


@routes.get("/file/{kind}/{name}")
def download(visit: CurrentVisit, kind: str, name: str, variant: str = "") -> Response:
    """Return a file that was written."""
    result = visit.trial(kind, (variant,)).result if kind in {WRITING, REVIEWING} else None
    if result is None or name not in dict(result["files"]):
        raise InputError("there is no such file; write the release first.")
    path = Path(result["folder"], name)
    if not path.is_file():
        raise InputError("'{name}' is no longer there.", name=name)
    return FileResponse(path, filename=name, content_disposition_type="attachment")


def _start(
    visit: Visit,
    fields: dict[str, str],
    kind: str,
    work: Callable[..., object],
    title: Message,
) -> Response:
    name = fields.get("variant", "")
    visit.project.recipe(name)
    how = {option: fields.get(option) == "yes" for option in ("pdf", "word", "overwrite")}
    visit.site.trials.start(
        visit.opened,
        kind,
        visit.project,
        work,
        name,
        visit.site.seeds.of(visit.opened.path),
        language(),
        visit.project.folder.resolve() / _folder_name(fields.get("folder", "")),
        how,
        title=title,
        names=(name,),
    )
    return visit.go("release", variant=name)


def _folder_name(text: str) -> str:
    """Return the name of a folder beside the project; refuse one that is elsewhere."""
    name = text.strip()
    if not name or Path(name).name != name or name.startswith("."):
        raise SettingError("state the name of a folder; it is created next to the project.")
    return name
