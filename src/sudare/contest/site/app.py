"""The application: pages and API of a contest, in the shell that all sites share."""

from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from sqlalchemy.exc import OperationalError
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse

from sudare.contest import Contest
from sudare.contest.site import (
    api,
    leaderboard_pages,
    organizer_pages,
    public_pages,
    referee_pages,
    team_pages,
)
from sudare.contest.site.contest_site import ContestSite, LoginRequired
from sudare.core import say
from sudare.web import RateLimit, create_application, log_error

RETRY_SECONDS = 10  # after which a page asks again whether the database is there
UPLOADS = ("/masks", "/attacks", "/api/masks", "/api/attacks")


def create_app(
    contest: Contest,
    *,
    logins: RateLimit | None = None,
    uploads: RateLimit | None = None,
    prefix: str = "",
) -> FastAPI:
    """Return the web site and the API of a contest.

    For the parameters see :class:`ContestSite`.
    """
    site = ContestSite(contest, logins=logins, uploads=uploads, prefix=prefix)
    pages = (public_pages, organizer_pages, team_pages, leaderboard_pages, referee_pages)
    app = create_application(
        site,
        [*(module.pages(site) for module in pages), api.routes],
        title="sudare contest",
        summary="Mask, attack, and see who won.",
        static=Path(__file__).parent / "static",
        uploads=UPLOADS,
    )

    @app.exception_handler(OperationalError)
    async def database_down(request: Request, error: OperationalError) -> Response:
        log_error(error)
        headers = {"Retry-After": str(RETRY_SECONDS)}
        message = say("The database of the contest does not answer. What was received is safe.")
        if request.url.path.startswith("/api/"):
            return JSONResponse({"message": message}, 503, headers)
        again = request.url.path if request.method == "GET" else "/"
        page = site.part(
            "database_down.html.j2", message=message, again=again, seconds=RETRY_SECONDS
        )
        return HTMLResponse(page, 503, headers)

    @app.exception_handler(LoginRequired)
    async def log_in_first(request: Request, error: LoginRequired) -> Response:
        return RedirectResponse(f"/login?next={quote(error.path)}", 303)

    return app
