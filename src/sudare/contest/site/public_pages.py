"""Pages for everybody: the start page, the rules, registration and login."""

from collections.abc import Iterator
from dataclasses import replace

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse

from sudare.contest.errors import ContestError, EntryError
from sudare.contest.rules import ContestRules
from sudare.contest.site import forms
from sudare.contest.site import language as tongues
from sudare.contest.site.error_responses import status_of
from sudare.contest.site.pages import Site, onward, origin
from sudare.contest.site.rules_page import rule_parts, thresholds
from sudare.core import LANGUAGES, say

SESSION_DAYS = 7.0


def pages(site: Site) -> APIRouter:
    """Return the pages that need no account."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    def home(request: Request) -> Response:
        return site.page(
            request,
            "home.html.j2",
            tasks=list(_tasks(site, request)),
            announcements=site.contest.announcements(),
        )

    @router.get("/rules")
    def rules(request: Request) -> Response:
        stated = site.contest.rules
        return site.page(
            request,
            "rules.html.j2",
            parts=rule_parts(stated),
            threshold=thresholds(stated),
            toml=_public(stated),
        )

    @router.get("/rules/contest.toml")
    def rules_file() -> Response:
        attached = {"Content-Disposition": 'attachment; filename="contest.toml"'}
        return Response(
            _public(site.contest.rules), media_type="application/toml", headers=attached
        )

    @router.get("/language/{code}")
    def speak(request: Request, code: str) -> Response:
        if code not in LANGUAGES:
            raise HTTPException(404, say("there is no such page."))
        response = RedirectResponse(forms.own_path(request.query_params.get("next", "/")), 303)
        forms.remember(request, response, tongues.COOKIE, code, days=365)
        return response

    @router.get("/script")
    def script(request: Request) -> Response:
        described = request.app.openapi()["paths"]
        return site.page(
            request,
            "script.html.j2",
            address=str(request.base_url).rstrip("/"),
            round=site.moment(request).phase.round or site.contest.rules.rounds[0],
            operations=[
                (method.upper(), path, operation["description"])
                for path, operations in described.items()
                for method, operation in operations.items()
            ],
        )

    _accounts(site, router)
    return router


def _public(rules: ContestRules) -> str:
    """Return the rules as a file that anybody may have: an address may hold a password."""
    return replace(rules, database="").to_toml()


def _accounts(site: Site, router: APIRouter) -> None:
    @router.get("/login")
    def login_form(request: Request) -> Response:
        target = forms.own_path(request.query_params.get("next", "/"))
        return site.page(request, "login.html.j2", team="", next=target)

    @router.post("/login")
    async def login(request: Request) -> Response:
        sent = await forms.fields(request)
        return await site.hashing(_log_in, site, request, sent)

    @router.get("/register")
    def register_form(request: Request) -> Response:
        return site.page(request, "register.html.j2", team="")

    @router.post("/register")
    async def register(request: Request) -> Response:
        sent = await forms.fields(request)
        return await site.hashing(_enroll, site, request, sent)

    @router.post("/logout")
    async def logout(request: Request) -> Response:
        await forms.fields(request)
        token = request.cookies.get(forms.SESSION)
        if token:
            await run_in_threadpool(site.contest.logout, token)
        response = onward("/")
        response.delete_cookie(forms.SESSION)
        return response


def _log_in(site: Site, request: Request, sent: dict[str, str]) -> Response:
    site.logins.demand(origin(request))
    team, path = sent.get("team", ""), forms.own_path(sent.get("next", "/"))
    try:
        token = site.contest.login(team, sent.get("password", ""), origin(request))
    except ContestError as error:
        facts = {"team": team, "next": path, "trouble": str(error)}
        return site.page(request, "login.html.j2", status=status_of(error), **facts)
    return _welcome(request, token, path)


def _enroll(site: Site, request: Request, sent: dict[str, str]) -> Response:
    """Make a team's account, and log it in unless the referee made it."""
    site.logins.demand(origin(request))
    team, password = sent.get("team", ""), sent.get("password", "")
    try:
        if password != sent.get("again", ""):
            raise EntryError("the two passwords differ.")
        viewer = site.viewer(request)
        site.contest.register(team, password, by=viewer)
        if viewer is not None:
            return onward("/referee", "done")
        token = site.contest.login(team, password, origin(request))
    except ContestError as error:
        return site.page(
            request, "register.html.j2", status=status_of(error), team=team, trouble=str(error)
        )
    return _welcome(request, token, "/")


def _welcome(request: Request, token: str, path: str) -> Response:
    response = onward(path)
    forms.remember(request, response, forms.SESSION, token, days=SESSION_DAYS)
    response.delete_cookie(forms.VISIT)
    return response


def _tasks(site: Site, request: Request) -> Iterator[tuple[str, str, str]]:
    """Yield what whoever is looking can do now: where, what the button says, and why."""
    viewer = site.viewer(request)
    if viewer is None:
        if site.may(request, "register"):
            yield "/register", say("Register your team"), say("Registration is open.")
        yield "/login", say("Log in"), say("Teams that have registered log in to take part.")
    elif viewer.role == "referee":
        yield "/referee", say("Referee"), say("Open and close phases, and tell teams what to know.")
    if site.may(request, "submit-mask"):
        yield (
            "/masks",
            say("Send a masked file"),
            say("Get the data, mask them, and send the file."),
        )
    if site.may(request, "submit-attack"):
        yield "/attacks", say("Attack"), say("Get the other teams' files, and name whom you see.")
    if site.open_rounds(request, "leaderboard"):
        yield "/leaderboard", say("Leaderboard"), say("See which files held, and who hit whom.")
    elif viewer is not None and viewer.role == "team" and not site.may(request, "submit-mask"):
        yield "/rules", say("Rules"), say("Read the rules while you wait for the next phase.")
