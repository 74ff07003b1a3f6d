"""The application: pages and API of a contest, in the shell that all sites share."""

from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from starlette.responses import RedirectResponse

from sudare.contest import Contest
from sudare.contest.site import api, leaderboard_pages, public_pages, referee_pages, team_pages
from sudare.contest.site.contest_site import ContestSite, LoginRequired
from sudare.web import RateLimit, create_application

UPLOADS = ("/masks", "/attacks", "/api/masks", "/api/attacks")


def create_app(
    contest: Contest, *, logins: RateLimit | None = None, uploads: RateLimit | None = None
) -> FastAPI:
    """Return the web site and the API of a contest.

    Parameters
    ----------
    contest
        The contest.
    logins, uploads
        How often an address may try to log in, and a team may send files.
    """
    site = ContestSite(contest, logins=logins, uploads=uploads)
    pages = (public_pages, team_pages, leaderboard_pages, referee_pages)
    app = create_application(
        site,
        [*(module.pages(site) for module in pages), api.routes],
        title="sudare contest",
        summary="Mask, attack, and see who won.",
        static=Path(__file__).parent / "static",
        uploads=UPLOADS,
    )

    @app.exception_handler(LoginRequired)
    async def log_in_first(request: Request, error: LoginRequired) -> Response:
        del request
        return RedirectResponse(f"/login?next={quote(error.path)}", 303)

    return app
