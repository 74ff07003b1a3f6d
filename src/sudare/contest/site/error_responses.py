"""From errors to answers: a page for people, JSON for programs."""

from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Match, Mount

from sudare.contest.errors import (
    ChangedError,
    ContestError,
    EntryError,
    LoginError,
    NotAllowedError,
    NotFoundError,
    TakenError,
    ThrottledError,
)
from sudare.contest.site.forms import own_path
from sudare.contest.site.headers import ALWAYS
from sudare.contest.site.pages import NeedsLogin, Site
from sudare.contest.site.request_errors import complaint
from sudare.core import say

STATUS: dict[type[ContestError], int] = {
    NotAllowedError: 403,
    NotFoundError: 404,
    LoginError: 401,
    ThrottledError: 429,
    TakenError: 409,
    ChangedError: 409,
    EntryError: 422,
}
API = "/api/"
METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")


def status_of(error: ContestError) -> int:
    """Return the HTTP status that says what an error says."""
    return STATUS.get(type(error), 400)


def headers_of(error: ContestError) -> dict[str, str]:
    """Return the headers that go with an error."""
    if isinstance(error, ThrottledError):
        return {"Retry-After": str(error.seconds)}
    return {"WWW-Authenticate": "Bearer"} if isinstance(error, LoginError) else {}


def heading(status: int) -> str:
    """Return what a page about a refusal is headed."""
    return {
        403: say("Not allowed"),
        404: say("Not found"),
        413: say("Too large"),
        429: say("Too many at once"),
        500: say("Something went wrong"),
    }.get(status, say("Refused"))


def methods(request: Request) -> list[str]:
    """Return all methods that the address of a request takes."""
    routes = [route for route in request.app.routes if not isinstance(route, Mount)]
    taken = [
        method
        for method in METHODS
        if any(
            route.matches({**request.scope, "method": method})[0] == Match.FULL for route in routes
        )
    ] or ["GET"]  # of what is mounted, which is files
    return ["HEAD", *taken] if "GET" in taken else taken


def install(app: FastAPI, site: Site) -> None:
    """Let the application answer every error in a way that its reader understands."""

    async def answer(
        request: Request, status: int, message: str, headers: dict[str, str] | None = None
    ) -> Response:
        if request.url.path.startswith(API):
            return JSONResponse({"message": message}, status, headers)
        back = own_path("/" + "/".join(request.url.path.split("/")[1:2]))
        response = await run_in_threadpool(
            site.refusal, request, status, heading(status), message, back
        )
        response.headers.update(headers or {})
        return response

    @app.exception_handler(ContestError)
    async def contest_error(request: Request, error: ContestError) -> Response:
        return await answer(request, status_of(error), str(error), headers_of(error))

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            told = {"Allow": ", ".join(methods(request))}
            return await answer(request, 405, say("this address does not take that."), told)
        message = say("there is no such page.") if error.status_code == 404 else error.detail
        if error.__cause__ is not None:  # from FastAPI, about a body that is not even text
            message = say("the request is not JSON.")
        return await answer(request, error.status_code, message, dict(error.headers or {}))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        if not request.url.path.startswith(API):
            return await answer(request, 404, say("there is no such page."))
        return await answer(request, 422, complaint(error.errors()))

    @app.exception_handler(NeedsLogin)
    async def needs_login(request: Request, error: NeedsLogin) -> Response:
        del request
        return RedirectResponse(f"/login?next={quote(error.path)}", 303)

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        del error  # the server's log has it; what it says may be about anybody
        message = say("The server could not do this. The referee can find out why.")
        if request.url.path.startswith(API):
            return JSONResponse({"message": message}, 500, ALWAYS)
        return PlainTextResponse(message, 500, ALWAYS)
