"""Pages for teams: what they send, what they can get, and how far the evaluation is."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, HTMLResponse

from sudare.contest.accounts import Account
from sudare.contest.downloads import Download
from sudare.contest.entries import ContestEntry
from sudare.contest.errors import NotFoundError
from sudare.contest.rulebooks import MASK
from sudare.contest.rules import Resource
from sudare.contest.site.contest_site import ContestSite
from sudare.contest.site.rules_page import check_command
from sudare.web import check_csrf_token, form_fields, receive_upload, redirect_after_form

LATEST = 50  # entries on the page of progress


def pages(site: ContestSite) -> APIRouter:
    """Return the pages that need an account."""
    router = APIRouter(include_in_schema=False)
    _masks(site, router)
    _attacks(site, router)

    @router.get("/files/{key:path}")
    def download(request: Request, key: str) -> Response:
        return file_response(site, site.demand_account(request), key)

    @router.get("/progress")
    def progress(request: Request) -> Response:
        site.demand(request, "progress")
        return site.page(request, "progress.html.j2", **_progress(site, request))

    @router.get("/progress/part")
    def progress_part(request: Request) -> Response:
        site.demand(request, "progress")
        return HTMLResponse(site.part("progress_part.html.j2", **_progress(site, request)))

    return router


def file_response(site: ContestSite, account: Account | None, key: str) -> Response:
    """Send a file that the viewer may have; browsers save it, and never show it as a page."""
    file = site.contest.file(account, key)
    return FileResponse(file.path, media_type="application/octet-stream", filename=file.filename)


def _masks(site: ContestSite, router: APIRouter) -> None:
    def context(team: Account) -> dict[str, Any]:
        return {"masks": [entry for entry in site.contest.entries(team) if entry.kind == MASK]}

    def downloads(team: Account) -> list[Download]:
        return [file for file in site.contest.resources(team) if file.resource == Resource.DATA]

    @router.get("/masks")
    def masks(request: Request) -> Response:
        team = site.demand_team(request)
        return site.page(
            request,
            "masks.html.j2",
            downloads=downloads(team),
            command=check_command(site.contest.rules),
            kind=site.contest.book().files[0],
            **context(team),
        )

    @router.get("/masks/part")
    def masks_part(request: Request) -> Response:
        return HTMLResponse(site.part("masks_part.html.j2", **context(site.demand_team(request))))

    @router.post("/masks/choose")
    async def choose(request: Request) -> Response:
        team = await run_in_threadpool(site.demand_team, request)
        number = (await form_fields(request)).get("entry", "")
        if not (number.isascii() and number.isdecimal() and len(number) < 10):
            raise NotFoundError("there is no such file.")
        await run_in_threadpool(site.contest.choose, team, int(number))
        return redirect_after_form("/masks", "done")

    @router.post("/masks")
    async def send_mask(request: Request) -> Response:
        team = await run_in_threadpool(site.demand_team, request)
        await run_in_threadpool(site.demand, request, "submit-mask")
        return await _send(site, request, team, None)


def _attacks(site: ContestSite, router: APIRouter) -> None:
    def context(team: Account) -> dict[str, Any]:
        return {"attacks": _attacks_of(site, team)}

    @router.get("/attacks")
    def attacks_page(request: Request) -> Response:
        team = site.demand_team(request)
        round_ = site.moment(request).phase.round
        files = [
            file
            for file in site.contest.resources(team)
            if file.resource == Resource.PUBLISHED and file.round == round_
        ]
        targets: dict[str, list[Download]] = {}
        for file in files:
            if file.team is not None and file.team != team.name:
                targets.setdefault(file.team, []).append(file)
        attacks = _attacks_of(site, team)
        attacked = {
            attack.target
            for attack in attacks
            if attack.round == round_ and (attack.counts or attack.status in ("waiting", "running"))
        }
        return site.page(
            request,
            "attacks.html.j2",
            round=round_,
            targets=targets,
            kinds=site.contest.book().attacks,
            background=[file for file in files if file.team is None],
            attacks=attacks,
            attacked=attacked,
        )

    @router.get("/attacks/part")
    def attacks_part(request: Request) -> Response:
        return HTMLResponse(site.part("attacks_part.html.j2", **context(site.demand_team(request))))

    @router.post("/attacks/{target}")
    async def send_attack(request: Request, target: str) -> Response:
        team = await run_in_threadpool(site.demand_team, request)
        await run_in_threadpool(site.demand, request, "submit-attack")
        return await _send(site, request, team, target)


async def _send(site: ContestSite, request: Request, team: Account, target: str | None) -> Response:
    """Receive a file from a form, and go back to the page it came from."""
    await receive(site, request, team, target, from_form=True)
    return redirect_after_form("/masks" if target is None else "/attacks", "received")


async def receive(
    site: ContestSite,
    request: Request,
    team: Account,
    target: str | None,
    *,
    from_form: bool = False,
) -> ContestEntry:
    """Receive a masked file, or an attack on a team, and put it into the queue."""
    site.uploads.check(str(team.id))
    limits = site.contest.rules.limits
    limit = limits.mask_bytes if target is None else limits.attack_bytes
    async with receive_upload(request, site.contest.store.draft(), limit) as upload:
        if from_form:
            check_csrf_token(request, upload.csrf_token)
        if target is None:
            return await run_in_threadpool(
                site.contest.accept_mask, team, upload.path, upload.filename
            )
        kind = request.query_params.get("kind")
        accept = partial(site.contest.accept_attack, kind=kind)
        return await run_in_threadpool(accept, team, target, upload.path, upload.filename)


def _attacks_of(site: ContestSite, team: Account) -> list[ContestEntry]:
    return [entry for entry in site.contest.entries(team) if entry.kind != MASK]


def _progress(site: ContestSite, request: Request) -> dict[str, Any]:
    viewer = site.viewer(request)
    return {
        "progress": site.contest.progress(),
        "entries": site.contest.entries(viewer)[:LATEST],
    }
