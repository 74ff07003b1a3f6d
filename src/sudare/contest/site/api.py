"""The API: what the pages do, for programs; described in OpenAPI under ``/api/openapi.json``."""

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from sudare.contest.contest import Announcement
from sudare.contest.contest_state import refusal
from sudare.contest.rules import Resource, Round
from sudare.contest.scoring import EvaluationProgress
from sudare.contest.site import schemas
from sudare.contest.site.api_callers import BearerToken, LoggedIn, OptionalAccount, TheSite
from sudare.contest.site.contest_site import client_address
from sudare.contest.site.team_pages import file_response, receive

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.Refusal, "description": text}
    for status, text in {
        400: "Not understood",
        401: "Not logged in",
        403: "Not allowed in this phase",
        404: "Not found",
        405: "No such method",
        408: "Did not arrive in time",
        409: "Taken, or changed meanwhile",
        413: "Too large",
        415: "Not of a kind that is taken",
        422: "Invalid input",
        429: "Too often",
    }.items()
}
BINARY = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
FILE: dict[str, Any] = {"requestBody": {"required": True, "content": BINARY}}
OPTIONAL_LOGIN: dict[str, Any] = {"security": [{}]}  # in addition to the declared bearer token
Filename = Annotated[
    str, Query(max_length=200, description="What the team calls the file; only shown")
]
AttackKind = Annotated[
    str | None, Query(max_length=10, description="Where the rules have several kinds of attacks")
]
RoundName = Annotated[Round, Path(alias="round")]
EntryId = Annotated[int, Path(ge=1, le=2**31 - 1)]
Target = Annotated[str, Path(min_length=1, max_length=40, description="Whose file is attacked")]

routes = APIRouter(prefix="/api", responses=REFUSALS)


@routes.get("/contest")
def contest(site: TheSite) -> schemas.MomentSchema:
    """Say where the contest stands."""
    rules, moment = site.contest.rules, site.contest.phase()
    return schemas.MomentSchema(
        title=rules.title,
        subject=rules.shown_subject,
        rounds=list(rules.rounds),
        time_zone=rules.time_zone,
        phase=moment.phase,
        is_open=moment.is_open,
        opens=moment.opens,
        closes=moment.closes,
    )


@routes.get("/announcements")
def announcements(site: TheSite) -> list[Announcement]:
    """Return the referee's announcements, the latest first."""
    return site.contest.announcements()


@routes.post("/teams", status_code=201, openapi_extra=OPTIONAL_LOGIN)
async def register(
    site: TheSite, request: Request, account: OptionalAccount, wanted: schemas.NewTeam
) -> schemas.AccountSchema:
    """Register a team."""
    site.logins.check(client_address(request))
    make = partial(
        site.contest.register, wanted.team, wanted.password, by=account, address=wanted.address
    )
    team = await site.hashing(make)
    return schemas.AccountSchema(name=team.name, role=team.role)


@routes.post("/sessions", status_code=201)
async def login(site: TheSite, request: Request, given: schemas.Credentials) -> schemas.Token:
    """Log in: get the token to send with every request."""
    site.logins.check(client_address(request))
    token = await site.hashing(
        site.contest.login, given.team, given.password, client_address(request)
    )
    return schemas.Token(token=token)


@routes.get("/sessions/current")
def current_account(account: LoggedIn) -> schemas.AccountSchema:
    """Say who is logged in."""
    return schemas.AccountSchema(name=account.name, role=account.role)


@routes.delete("/sessions/current", status_code=204)
def logout(site: TheSite, account: LoggedIn, bearer: BearerToken) -> None:
    """Log out."""
    if account and bearer:
        site.contest.logout(bearer.credentials)


@routes.get("/files")
def files(site: TheSite, account: LoggedIn) -> list[schemas.DownloadSchema]:
    """List the files that can be had now."""
    return [
        schemas.DownloadSchema(key=file.key, filename=file.filename, size=file.size)
        for file in site.contest.resources(account)
    ]


@routes.get(
    "/files/{key:path}",
    response_class=Response,
    responses={200: {"content": BINARY, "description": "The file"}},
)
def file(site: TheSite, account: LoggedIn, key: str) -> Response:
    """Get a file."""
    return file_response(site, account, key)


@routes.post("/masks", status_code=202, openapi_extra=FILE)
async def submit_mask(
    site: TheSite, request: Request, account: LoggedIn, filename: Filename = "masked.csv"
) -> schemas.EntrySchema:
    """Send a masked file; it is scored later."""
    del filename  # read where the file is received
    await run_in_threadpool(_demand, site, account, Resource.SUBMIT_MASK)
    return schemas.EntrySchema.of(await receive(site, request, account, None))


@routes.post("/attacks/{target}", status_code=202, openapi_extra=FILE)
async def submit_attack(
    site: TheSite,
    request: Request,
    account: LoggedIn,
    target: Target,
    filename: Filename = "attack.csv",
    kind: AttackKind = None,
) -> schemas.EntrySchema:
    """Send an attack on a team's file; the latest valid one of its kind counts."""
    del filename, kind  # read where the file is received
    await run_in_threadpool(_demand, site, account, Resource.SUBMIT_ATTACK)
    return schemas.EntrySchema.of(await receive(site, request, account, target))


@routes.get("/entries")
def entries(site: TheSite, account: LoggedIn) -> list[schemas.EntrySchema]:
    """List what the team has sent, the latest first; for the referee, what everybody has."""
    return [schemas.EntrySchema.of(entry) for entry in site.contest.entries(account)]


@routes.post("/entries/{entry_id}/choose")
def choose(site: TheSite, account: LoggedIn, entry_id: EntryId) -> schemas.EntrySchema:
    """Let an accepted masked file of the team count instead of its latest."""
    site.contest.choose(account, entry_id)
    return schemas.EntrySchema.of(site.contest.entry(account, entry_id))


@routes.get("/export")
def export(site: TheSite, account: LoggedIn) -> dict[str, list[dict[str, Any]]]:
    """Give everything as tables; for the referee."""
    return site.contest.export(account)


@routes.get("/entries/{entry_id}")
def entry(site: TheSite, account: LoggedIn, entry_id: EntryId) -> schemas.EntrySchema:
    """Return the state of one file."""
    return schemas.EntrySchema.of(site.contest.entry(account, entry_id))


@routes.get("/progress")
def progress(site: TheSite, account: LoggedIn) -> EvaluationProgress:
    """Say how far the evaluation of all files is."""
    _demand(site, account, Resource.PROGRESS)
    return site.contest.progress()


@routes.get("/results/{round}", openapi_extra=OPTIONAL_LOGIN)
def results(site: TheSite, account: OptionalAccount, round_: RoundName) -> schemas.StandingsSchema:
    """Give the leaderboard, the attackers and who hit whom."""
    standings = site.contest.standings(account, round_)
    return schemas.StandingsSchema(
        leaderboard=standings.leaderboard(),
        attackers=standings.attackers(),
        hits=standings.hits(),
        waiting=standings.waiting,
        frozen=standings.frozen,
    )


@routes.post("/results/{round}/freeze", status_code=204)
def freeze(site: TheSite, account: LoggedIn, round_: RoundName) -> None:
    """Show the leaderboard from now on as it is now; for the referee."""
    site.contest.freeze(account, round_)


@routes.delete("/results/{round}/freeze", status_code=204)
def unfreeze(site: TheSite, account: LoggedIn, round_: RoundName) -> None:
    """Show the leaderboard as it is again; for the referee."""
    site.contest.unfreeze(account, round_)


@routes.get("/statistics/{round}", openapi_extra=OPTIONAL_LOGIN)
def statistics(
    site: TheSite, account: OptionalAccount, round_: RoundName
) -> schemas.StatisticsSchema:
    """Give the errors of analyses of the masked files."""
    return schemas.StatisticsSchema.model_validate(site.contest.statistics(account, round_))


@routes.post("/announcements", status_code=201)
def announce(
    site: TheSite, account: LoggedIn, announcement: schemas.AnnouncementText
) -> list[Announcement]:
    """Tell everybody something; for the referee."""
    site.contest.announce(account, announcement.text)
    return announcements(site)


@routes.post("/phases/close")
def close_phase(
    site: TheSite, account: LoggedIn, wanted: schemas.PhaseToClose | None = None
) -> schemas.MomentSchema:
    """Close the phase, or the one that is named if it is still open; for the referee."""
    _demand(site, account, Resource.CONTROL)
    site.contest.close_phase(wanted.phase if wanted else None)
    return contest(site)


@routes.post("/phases/open")
def open_phase(
    site: TheSite, account: LoggedIn, wanted: schemas.PhaseToOpen
) -> schemas.MomentSchema:
    """Open a phase; for the referee."""
    _demand(site, account, Resource.CONTROL)
    site.contest.open_phase(wanted.phase)
    return contest(site)


def _demand(site: TheSite, account: LoggedIn, resource: Resource) -> None:
    """Refuse before a file is received what would be refused afterwards."""
    round_ = site.contest.phase().phase.round
    if not any(site.contest.may(account, resource, which) for which in (None, round_)):
        raise refusal(account.role, resource)
