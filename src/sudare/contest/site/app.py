"""The application: pages, API, and what stands before both."""

from pathlib import Path

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from sudare.contest import Contest
from sudare.contest.site import (
    api,
)
from sudare.contest.site import (
    error_responses as answers,
)
from sudare.contest.site import (
    leaderboard_pages as standings,
)
from sudare.contest.site import (
    public_pages as visits,
)
from sudare.contest.site import (
    referee_pages as referee,
)
from sudare.contest.site import (
    team_pages as teamwork,
)
from sudare.contest.site.bodies import SmallBodies
from sudare.contest.site.headers import SecureHeaders
from sudare.contest.site.heads import Heads
from sudare.contest.site.language import Speaking
from sudare.contest.site.pages import Site
from sudare.contest.site.rate_limit import Pace

UPLOADS = ("/masks", "/attacks", "/api/masks", "/api/attacks")


def create_app(
    contest: Contest, *, logins: Pace | None = None, uploads: Pace | None = None
) -> FastAPI:
    """Return the web site and the API of a contest.

    Parameters
    ----------
    contest
        The contest.
    logins, uploads
        How often an address may try to log in, and a team may send files.
    """
    site = Site(contest)
    site.logins, site.uploads = logins or site.logins, uploads or site.uploads
    app = FastAPI(
        title="sudare contest",
        summary="Mask, attack, and see who won.",
        version="1",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
    )
    app.state.site = site
    for pages in (visits, teamwork, standings, referee):
        app.include_router(pages.pages(site))
    app.include_router(api.routes)
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"), name="static")
    answers.install(app, site)
    app.add_middleware(SmallBodies, uploads=UPLOADS)
    app.add_middleware(Speaking)
    app.add_middleware(SecureHeaders)
    app.add_middleware(Heads)
    return app
