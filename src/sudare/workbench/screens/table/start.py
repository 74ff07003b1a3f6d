"""Start: projects opened lately, a file of this machine, a file that is dropped, samples."""

import secrets
import shutil
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse

from sudare.core import InputError, say
from sudare.engine.formats import check_free
from sudare.web import check_csrf_token, receive_upload, redirect_after_form
from sudare.workbench.opening import (
    ENCODINGS,
    SAMPLES,
    known_project,
    preview,
    read_address,
    reading_from,
)
from sudare.workbench.screens.parameters import CurrentSite, Fields
from sudare.workbench.user_input import user_path
from sudare.workbench.visit import unless_refused

_KEPT_FREE = 10**9  # bytes that an upload leaves on the disk
_OWNER_ONLY = 0o600


routes = APIRouter()


@routes.get("/")
def start(request: Request, site: CurrentSite) -> Response:
    """Show recent projects, and ways to open a table."""
    samples = {name: str(told) for name, (told, _, _) in SAMPLES.items()}
    return site.page(
        request,
        "start.html.j2",
        recent=site.recent.projects(),
        samples=samples,
        folder=site.working_folder,
    )


@routes.get("/read")
def read_options(request: Request, site: CurrentSite) -> Response:
    """Show how a file would be read."""
    return site.page(request, "read.html.j2", **_previewed(dict(request.query_params)))


@routes.post("/open")
def open_path(site: CurrentSite, fields: Fields) -> Response:
    """Open a file of this machine."""
    path = user_path(fields.get("path", ""))
    project = known_project(path)
    if project is not None:
        return redirect_after_form(site.first_screen(site.open_project(project)))
    if fields.get("preview") == "yes":
        return RedirectResponse(read_address(path), 303)
    reading, checked = reading_from(fields), fields.get("names") == "yes"
    address = site.opening(path, reading, names_are_checked=checked)
    if address.startswith("/read"):
        return RedirectResponse(address, 303)
    return redirect_after_form(address)


@routes.post("/sample")
def open_sample(request: Request, site: CurrentSite, fields: Fields) -> Response:
    """Write a sample file, and open it, with an optional guide."""
    site.session(request).is_guided = fields.get("guided") == "yes"
    _, filename, made = SAMPLES.get(fields.get("name", ""), SAMPLES["toy"])
    path = site.working_folder / filename
    if not path.exists():
        made(path)
    return redirect_after_form(site.opening(path, {}))


@routes.post("/upload")
async def upload(request: Request, site: CurrentSite) -> Response:
    """Take a file that was dropped; where it goes, the page says."""
    folder = site.working_folder
    limit = max(0, shutil.disk_usage(folder).free - _KEPT_FREE)
    stated = int(request.headers.get("content-length", "0"))
    if stated > limit:
        raise HTTPException(
            413,
            say(
                "the file does not fit on the disk of this machine; open it by its path "
                "instead, so that no copy is made."
            ),
            {"Connection": "close"},
        )
    draft = folder / f".sudare-upload-{secrets.token_hex(8)}.part"
    draft.touch(_OWNER_ONLY, exist_ok=False)
    async with receive_upload(request, draft, limit) as sent:
        check_csrf_token(request, sent.csrf_token)
        target = folder / sent.filename
        check_free(target, overwrite=False)
        await run_in_threadpool(_keep, sent.path, target)
    return RedirectResponse(read_address(target), 303)


@routes.get("/opening/{job_id}")
def opening(request: Request, site: CurrentSite, job_id: str) -> Response:
    """Show how far the opening of a table has come."""
    job = site.jobs.job(job_id)
    if job.state == "done":
        project_id = site.open_project(Path(str(job.result)))
        return RedirectResponse(site.first_screen(project_id), 303)
    return site.page(request, "opening.html.j2", job=job)


def _previewed(fields: dict[str, str]) -> dict[str, Any]:
    path = user_path(fields.get("path", ""))
    reading, refused = unless_refused(lambda: reading_from(fields))
    shown = None
    if refused is None:
        shown, refused = unless_refused(lambda: preview(path, reading))
    return {
        "path": path,
        "fields": fields,
        "preview": shown,
        "refused": refused,
        "encodings": ENCODINGS,
    }


def _keep(draft: Path, target: Path) -> None:
    """Give an upload its name, for its owner alone; never in place of another file."""
    try:
        target.hardlink_to(draft)
    except FileExistsError:
        raise InputError("there is a file '{path}' already.", path=str(target)) from None
