"""The referee's page: phases, announcements, teams."""

import json
from collections import Counter
from collections.abc import Callable

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from sudare.contest.accounts import Account
from sudare.contest.administration import csv_text
from sudare.contest.errors import ChangedError, NotFoundError
from sudare.contest.rulebooks import MASK
from sudare.contest.rules import ROUNDS, Phase, Round
from sudare.contest.site.contest_site import ContestSite
from sudare.web import form_fields, redirect_after_form

PATH = "/referee"


def pages(site: ContestSite) -> APIRouter:
    """Return the pages for the referee."""
    router = APIRouter(include_in_schema=False)

    @router.get(PATH)
    def referee(request: Request) -> Response:
        site.demand(request, "control")
        phases = site.contest.rules.phases
        current = phases.index(site.moment(request).phase)
        return site.page(
            request,
            "referee.html.j2",
            is_last=current == len(phases) - 1,
            next_phase=phases[min(current + 1, len(phases) - 1)],
            teams=_teams(site, request),
            files=site.contest.resources(site.viewer(request)),
            frozen={name: site.contest.frozen(name) for name in site.contest.rules.rounds},
            mail=site.contest.mail.progress(),
        )

    @router.get(PATH + "/export.json")
    def export_json(request: Request) -> Response:
        site.demand(request, "control")
        content = json.dumps(site.contest.export(site.viewer(request)), ensure_ascii=False)
        return _attachment(content, "application/json", "contest.json")

    @router.get(PATH + "/export/{table}.csv")
    def export_csv(request: Request, table: str) -> Response:
        site.demand(request, "control")
        tables = site.contest.export(site.viewer(request))
        if table not in tables:
            raise NotFoundError("there is no such page.")
        return _attachment(csv_text(tables[table]), "text/csv", f"{table}.csv")

    actions: dict[str, Callable[[Account, dict[str, str]], object]] = {
        "close": lambda _by, fields: site.contest.close_phase(_phase(fields.get("phase", ""))),
        "open": lambda _by, fields: site.contest.open_phase(_phase(fields.get("phase", ""))),
        "announce": lambda by, fields: site.contest.announce(by, fields.get("text", "")),
        "register": lambda by, fields: site.contest.register(
            fields.get("team", ""),
            fields.get("password", ""),
            by=by,
            address=fields.get("address", ""),
        ),
        "approve": lambda by, fields: site.contest.set_team_status(
            by, fields.get("team", ""), "active"
        ),
        "remove": lambda by, fields: site.contest.set_team_status(
            by, fields.get("team", ""), "removed"
        ),
        "freeze": lambda by, fields: site.contest.freeze(by, _round(fields)),
        "unfreeze": lambda by, fields: site.contest.unfreeze(by, _round(fields)),
        "rescore": lambda by, fields: site.contest.rescore(by, fields.get("reason", "")),
        "password": lambda by, fields: site.contest.set_password(
            by, fields.get("team", ""), fields.get("password", "")
        ),
    }

    @router.post(PATH + "/{action}")
    async def act(request: Request, action: str) -> Response:
        await run_in_threadpool(site.demand, request, "control")
        fields = await form_fields(request)
        viewer = site.viewer(request)
        if action not in actions or viewer is None:
            raise NotFoundError("there is no such page.")
        try:
            await site.hashing(actions[action], viewer, fields)
        except ChangedError:  # by a second click, the clock or another window: look again
            return redirect_after_form(PATH, "changed")
        return redirect_after_form(PATH, "done")

    return router


def _attachment(content: str, media_type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)


def _phase(name: str) -> Phase:
    try:
        return Phase(name)
    except ValueError:
        raise NotFoundError("the contest has no such phase.") from None


def _round(fields: dict[str, str]) -> Round:
    name = next((round_ for round_ in ROUNDS if round_ == fields.get("round")), None)
    if name is None:
        raise NotFoundError("there is no such page.")
    return name


def _teams(site: ContestSite, request: Request) -> list[dict[str, object]]:
    """Return the teams, and how many files of each kind they have sent."""
    counts: Counter[tuple[str, str]] = Counter()
    for entry in site.contest.entries(site.viewer(request)):
        counts[entry.team, "mask" if entry.kind == MASK else "attack"] += 1
        counts[entry.team, "refused"] += entry.status == "refused"
    return [
        {
            "name": team.name,
            "masks": counts[team.name, "mask"],
            "attacks": counts[team.name, "attack"],
            "status": team.status,
            "refused": counts[team.name, "refused"],
        }
        for team in site.contest.teams()
    ]
