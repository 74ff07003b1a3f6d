"""The application: the screens of the workbench, in the shell that all sites share."""

from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware

from sudare.web import create_application
from sudare.workbench import screens
from sudare.workbench.access import AccessGuard
from sudare.workbench.workbench_site import WorkbenchSite

UPLOADS = ("/upload",)


def create_app(site: WorkbenchSite) -> FastAPI:
    """Return the application of a workbench."""

    async def enter_page(request: Request) -> Response:
        return await run_in_threadpool(site.page, request, "enter.html.j2", status=401)

    guard = Middleware(
        AccessGuard,
        sessions=site.sessions,
        origins=lambda: site.origins,
        enter_page=enter_page,
    )
    return create_application(
        site,
        screens.ROUTES,
        title="sudare workbench",
        summary="From a file to its release, on your own machine.",
        static=Path(__file__).parent / "static",
        uploads=UPLOADS,
        guards=[guard],
    )
