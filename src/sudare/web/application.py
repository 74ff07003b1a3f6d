"""The shell of an application: routes, static files, error responses, and the middleware."""

from collections.abc import Iterable
from pathlib import Path

from fastapi import APIRouter, FastAPI
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles

from sudare.web.error_responses import install_error_responses
from sudare.web.language import LanguageMiddleware, choose_language
from sudare.web.middleware import BodySizeMiddleware, HeadMiddleware, SecurityHeadersMiddleware
from sudare.web.site import Site


def create_application(
    site: Site,
    routers: Iterable[APIRouter],
    *,
    title: str,
    summary: str,
    static: Path,
    uploads: tuple[str, ...] = (),
    guards: Iterable[Middleware] = (),
) -> FastAPI:
    """Return an application whose every response is safe, and in the visitor's language.

    Parameters
    ----------
    site
        Whose pages they are; routes find it as ``request.app.state.site``.
    routers
        The pages and the API; what is under ``/api/`` is for programs, which get JSON.
    title, summary
        For the description of the API.
    static
        A folder of the site's own files for ``/static``, besides those that all sites share.
    uploads
        Where more than a form may be sent: paths or their beginnings.
    guards
        The site's own middleware; what it answers is in the visitor's language, with all headers.
    """
    app = FastAPI(
        title=title,
        summary=summary,
        version="1",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        servers=[{"url": site.prefix}] if site.prefix else None,
    )
    app.state.site = site
    for router in routers:
        app.include_router(router)
    app.get("/language/{code}", include_in_schema=False)(choose_language)
    files = StaticFiles(directory=static, packages=[("sudare.web", "static")])
    app.mount("/static", files, name="static")
    install_error_responses(app, site)
    for guard in guards:
        app.add_middleware(guard.cls, *guard.args, **guard.kwargs)
    app.add_middleware(BodySizeMiddleware, uploads=uploads)
    app.add_middleware(LanguageMiddleware)
    app.add_middleware(SecurityHeadersMiddleware)
    app.add_middleware(HeadMiddleware)
    return app
