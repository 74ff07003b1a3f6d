"""The application: pages, API, and what stands before both."""

from pathlib import Path

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from sudare.contest import Contest
from sudare.contest.server import answers, api, referee, standings, teamwork, visits
from sudare.contest.server.bodies import SmallBodies
from sudare.contest.server.headers import SecureHeaders
from sudare.contest.server.heads import Heads
from sudare.contest.server.pace import Pace
from sudare.contest.server.site import Site
from sudare.contest.server.tongues import Speaking

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
