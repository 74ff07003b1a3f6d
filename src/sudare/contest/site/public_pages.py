"""Pages for everybody: the start page, the rules, registration and login."""

from collections.abc import Iterator

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from sudare.contest.errors import ContestError, EntryError
from sudare.contest.site.contest_site import ContestSite, client_address
from sudare.contest.site.rules_page import rule_sections
from sudare.core import say
from sudare.web import (
    SESSION_COOKIE,
    VISITOR_COOKIE,
    form_fields,
    local_path,
    redirect_after_form,
    set_cookie,
)

SESSION_DAYS = 7.0


def pages(site: ContestSite) -> APIRouter:
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
    def rules_page(request: Request) -> Response:
        rules = site.contest.rules
        return site.page(
            request,
            "rules.html.j2",
            book=site.contest.book(),
            sections=rule_sections(site.contest),
            toml=rules.public_toml(),
        )

    @router.get("/rules/contest.toml")
    def rules_file() -> Response:
        toml = site.contest.rules.public_toml()
        attachment = {"Content-Disposition": 'attachment; filename="contest.toml"'}
        return Response(toml, media_type="application/toml", headers=attachment)

    @router.get("/script")
    def script(request: Request) -> Response:
        paths = request.app.openapi()["paths"]
        return site.page(
            request,
            "script.html.j2",
            address=str(request.base_url).rstrip("/") + site.prefix,
            round=site.moment(request).phase.round or site.contest.rules.rounds[0],
            operations=[
                (method.upper(), path, operation["description"])
                for path, operations in paths.items()
                for method, operation in operations.items()
            ],
        )

    _accounts(site, router)
    return router


def _accounts(site: ContestSite, router: APIRouter) -> None:
    @router.get("/login")
    def login_form(request: Request) -> Response:
        target = local_path(request.query_params.get("next", "/"))
        return site.page(request, "login.html.j2", team="", next=target)

    @router.post("/login")
    async def login(request: Request) -> Response:
        fields = await form_fields(request)
        return await site.hashing(_log_in, site, request, fields)

    @router.get("/register")
    def register_form(request: Request) -> Response:
        return site.page(request, "register.html.j2", team="")

    @router.post("/register")
    async def register(request: Request) -> Response:
        fields = await form_fields(request)
        return await site.hashing(_register, site, request, fields)

    @router.post("/logout")
    async def logout(request: Request) -> Response:
        await form_fields(request)
        token = request.cookies.get(SESSION_COOKIE)
        if token:
            await run_in_threadpool(site.contest.logout, token)
        response = redirect_after_form("/")
        response.delete_cookie(SESSION_COOKIE)
        return response


def _log_in(site: ContestSite, request: Request, fields: dict[str, str]) -> Response:
    site.logins.check(client_address(request))
    team, path = fields.get("team", ""), local_path(fields.get("next", "/"))
    try:
        token = site.contest.login(team, fields.get("password", ""), client_address(request))
    except ContestError as error:
        context = {"team": team, "next": path, "error": str(error)}
        return site.page(request, "login.html.j2", status=site.status_of(error), **context)
    return _logged_in(request, token, path)


def _register(site: ContestSite, request: Request, fields: dict[str, str]) -> Response:
    """Make a team's account, and log it in unless the referee made it."""
    site.logins.check(client_address(request))
    team, password = fields.get("team", ""), fields.get("password", "")
    try:
        if password != fields.get("again", ""):
            raise EntryError("the two passwords differ.")
        viewer = site.viewer(request)
        site.contest.register(team, password, by=viewer, address=fields.get("address", ""))
        if viewer is not None:
            return redirect_after_form("/referee", "done")
        token = site.contest.login(team, password, client_address(request))
    except ContestError as error:
        return site.page(
            request, "register.html.j2", status=site.status_of(error), team=team, error=str(error)
        )
    return _logged_in(request, token, "/")


def _logged_in(request: Request, token: str, path: str) -> Response:
    response = redirect_after_form(path)
    set_cookie(request, response, SESSION_COOKIE, token, days=SESSION_DAYS)
    response.delete_cookie(VISITOR_COOKIE)
    return response


def _tasks(site: ContestSite, request: Request) -> Iterator[tuple[str, str, str]]:
    """Yield what the viewer can do now: where, what the button says, and why."""
    viewer = site.viewer(request)
    if viewer is None:
        if site.may(request, "register"):
            yield "/register", say("Register your team"), say("Registration is open.")
        yield "/login", say("Log in"), say("Teams that have registered log in to take part.")
    elif viewer.role == "referee":
        yield "/referee", say("Referee"), say("Open and close phases, and inform the teams.")
    if site.may(request, "submit-mask"):
        yield (
            "/masks",
            say("Send a masked file"),
            say("Get the data, mask them, and send the file."),
        )
    if site.may(request, "submit-attack"):
        yield (
            "/attacks",
            say("Attack"),
            say("Get the other teams' files, and name the people you recognize."),
        )
    if site.open_rounds(request, "leaderboard"):
        yield "/leaderboard", say("Leaderboard"), say("See which files held, and who hit whom.")
    elif viewer is not None and viewer.role == "team" and not site.may(request, "submit-mask"):
        yield "/rules", say("Rules"), say("Read the rules while you wait for the next phase.")
