"""The referee's page: phases, announcements, teams."""

from collections import Counter
from collections.abc import Callable

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from sudare.contest.accounts import Account
from sudare.contest.errors import ChangedError, NotFoundError
from sudare.contest.phases import Phase
from sudare.contest.site import forms
from sudare.contest.site.pages import Site, onward

PLACE = "/referee"


def pages(site: Site) -> APIRouter:
    """Return the pages for the referee."""
    router = APIRouter(include_in_schema=False)

    @router.get(PLACE)
    def referee(request: Request) -> Response:
        site.demand(request, "control")
        phases = site.contest.rules.phases
        at = phases.index(site.moment(request).phase)
        return site.page(
            request,
            "referee.html.j2",
            is_last=at == len(phases) - 1,
            next_phase=phases[min(at + 1, len(phases) - 1)],
            teams=_teams(site, request),
        )

    acts: dict[str, Callable[[Account, dict[str, str]], object]] = {
        "close": lambda _by, sent: site.contest.close_phase(_phase(sent.get("phase", ""))),
        "open": lambda _by, sent: site.contest.open_phase(_phase(sent.get("phase", ""))),
        "announce": lambda by, sent: site.contest.announce(by, sent.get("text", "")),
        "register": lambda by, sent: site.contest.register(
            sent.get("team", ""), sent.get("password", ""), by=by
        ),
        "password": lambda by, sent: site.contest.set_password(
            by, sent.get("team", ""), sent.get("password", "")
        ),
    }

    @router.post(PLACE + "/{act}")
    async def do(request: Request, act: str) -> Response:
        await run_in_threadpool(site.demand, request, "control")
        sent = await forms.fields(request)
        viewer = site.viewer(request)
        if act not in acts or viewer is None:
            raise NotFoundError("there is no such page.")
        try:
            await site.hashing(acts[act], viewer, sent)
        except ChangedError:  # by a second click, the clock or another window: look again
            return onward(PLACE, "changed")
        return onward(PLACE, "done")

    return router


def _phase(name: str) -> Phase:
    try:
        return Phase(name)
    except ValueError:
        raise NotFoundError("the contest has no such phase.") from None


def _teams(site: Site, request: Request) -> list[dict[str, object]]:
    """Return the teams, and how many files of each kind they have sent."""
    sent: Counter[tuple[str, str]] = Counter()
    for entry in site.contest.entries(site.viewer(request)):
        sent[entry.team, entry.kind] += 1
        sent[entry.team, "refused"] += entry.status == "refused"
    return [
        {
            "name": team.name,
            "masks": sent[team.name, "mask"],
            "attacks": sent[team.name, "attack"],
            "refused": sent[team.name, "refused"],
        }
        for team in site.contest.teams()
    ]
