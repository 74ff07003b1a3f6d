"""From errors to responses: a page for people, JSON for programs, nothing secret for either."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Match, Mount

from sudare.core import SudareError, paragraph, say
from sudare.web.forms import local_path, sending_page
from sudare.web.middleware import SECURITY_HEADERS
from sudare.web.site import Site

API = "/api/"
METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
_PARTS_OF_A_REQUEST = ("body", "path", "query", "header")


def install_error_responses(app: FastAPI, site: Site) -> None:
    """Let the application answer every error in a way that its reader understands."""

    async def respond(
        request: Request, status: int, message: str, headers: Mapping[str, str] | None = None
    ) -> Response:
        if request.url.path.startswith(API):
            return JSONResponse({"message": message}, status, headers)
        above = local_path("/" + "/".join(request.url.path.split("/")[1:2]))
        back = sending_page(request, site.prefix) or above
        response = await run_in_threadpool(site.error_page, request, status, message, back)
        response.headers.update(headers or {})
        return response

    async def known_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, SudareError)  # noqa: S101
        return await respond(request, site.status_of(error), str(error), site.error_headers(error))

    for kind in site.statuses:
        app.add_exception_handler(kind, known_error)

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code == 405:
            allow = {"Allow": ", ".join(allowed_methods(request))}
            return await respond(
                request, 405, say("this address does not accept that method."), allow
            )
        message = say("there is no such page.") if error.status_code == 404 else error.detail
        if error.__cause__ is not None:  # from FastAPI, about a body that is not even text
            message = say("the request is not JSON.")
        return await respond(request, error.status_code, message, error.headers)

    @app.exception_handler(RequestValidationError)
    async def invalid_request(request: Request, error: RequestValidationError) -> Response:
        if not request.url.path.startswith(API):
            return await respond(request, 404, say("there is no such page."))
        return await respond(request, 422, validation_message(error.errors()))

    @app.exception_handler(Exception)
    async def unexpected_error(request: Request, error: Exception) -> Response:
        del error  # the server's log has it; what it says may be about anybody
        message = site.unexpected_error_message()
        if request.url.path.startswith(API):
            return JSONResponse({"message": message}, 500, SECURITY_HEADERS)
        return PlainTextResponse(message, 500, SECURITY_HEADERS)


def allowed_methods(request: Request) -> list[str]:
    """Return all methods that the address of a request takes."""
    routes = [route for route in request.app.routes if not isinstance(route, Mount)]
    methods = [
        method
        for method in METHODS
        if any(
            route.matches({**request.scope, "method": method})[0] == Match.FULL for route in routes
        )
    ] or ["GET"]  # of what is mounted, which is files
    return ["HEAD", *methods] if "GET" in methods else methods


def validation_message(errors: Iterable[Mapping[str, Any]]) -> str:
    """Return one sentence for each error that pydantic reports, without what was sent.

    Examples
    --------
    >>> error = {"type": "missing", "loc": ("body", "team"), "input": {"password": "…"}}
    >>> validation_message([error])
    "'team' is missing."
    """
    return paragraph(*dict.fromkeys(_validation_sentence(error) for error in errors))


def _validation_sentence(error: Mapping[str, Any]) -> str:
    name, limits = _field_name(error["loc"]), error.get("ctx", {})
    limit = limits.get("min_length", limits.get("max_length"))
    words = ", ".join(re.findall(r"'([^']*)'", str(limits.get("expected"))))
    one_of = say("'{name}' must be one of {words}.", name=name, words=words)
    number = say("'{name}' must be a whole number within its limits.", name=name)
    return {
        "missing": say("'{name}' is missing.", name=name),
        "string_too_short": say(
            "'{name}' is shorter than {limit} characters.", name=name, limit=limit
        ),
        "string_too_long": say(
            "'{name}' is longer than {limit} characters.", name=name, limit=limit
        ),
        "enum": one_of,
        "literal_error": one_of,
        "int_parsing": number,
        "greater_than_equal": number,
        "less_than_equal": number,
        "json_invalid": say("the request is not JSON."),
        # The name of a field that is not known was made up by the sender.
        "extra_forbidden": say("the request contains an unknown field."),
    }.get(error["type"], say("'{name}' is invalid.", name=name))


def _field_name(location: Iterable[str | int]) -> str:
    """Return the name of a field without the part of the request that holds it."""
    first, *rest = [str(part) for part in location]
    return ".".join(rest if rest and first in _PARTS_OF_A_REQUEST else [first, *rest])
