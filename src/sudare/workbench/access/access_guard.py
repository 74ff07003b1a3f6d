"""What stands before every page: right host, right origin, right user, a session."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sudare.core import say
from sudare.workbench.access.connected_users import is_loopback, may_connect
from sudare.workbench.access.sessions import Sessions, access_cookie

_OPEN_PATHS = ("/session", "/static/", "/language/")
_READING = {"GET", "HEAD"}
_LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Origins:
    """Where pages of the workbench are served.

    Attributes
    ----------
    hosts
        What a request may name as its host, with the port where it has one. Any other name was
        made to point here by somebody else (DNS rebinding).
    schemes
        How the pages are reached: a proxy may speak HTTPS for the server.
    """

    hosts: frozenset[str]
    schemes: tuple[str, ...] = ("http",)

    @classmethod
    def of_port(cls, port: int) -> "Origins":
        """Return those of a server that only this machine reaches."""
        return cls(frozenset({f"{_LOOPBACK}:{port}", f"localhost:{port}"}))

    def allow(self, request: Request) -> bool:
        """Return whether a request names a host of ours and, to change something, comes from it."""
        host = request.headers.get("host", "")
        if host not in self.hosts:
            return False
        if request.headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
            # The link of another site was followed: it gets no cookie, and no answer.
            is_navigation = request.headers.get("sec-fetch-mode") == "navigate"
            return request.method in _READING and is_navigation
        own = {f"{scheme}://{host}" for scheme in self.schemes}
        return request.method in _READING or request.headers.get("origin") in own


class AccessGuard:
    """Lets nothing pass but requests of our own pages, in a session.

    ``enter_page`` makes the page for a browser without a session.
    """

    def __init__(
        self,
        app: ASGIApp,
        sessions: Sessions,
        origins: Callable[[], Origins],
        enter_page: Callable[[Request], Awaitable[Response]],
    ) -> None:
        self.app, self.sessions, self.origins = app, sessions, origins
        self.enter_page = enter_page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        response: Any = self.app
        if not self.origins().allow(request):
            response = _refusal(say("This address is not served here."))
        elif not is_own_user(scope):
            response = _refusal(say("The workbench belongs to another user of this machine."))
        else:
            session = self.sessions.find(request.cookies.get(access_cookie(request.url.port), ""))
            scope["state"] = {**scope.get("state", {}), "session": session}
            if session is None and not request.url.path.startswith(_OPEN_PATHS):
                response = await self.enter_page(request)
        await response(scope, receive, send)


def is_own_user(scope: Scope) -> bool:
    """Return whether a request is from the user who runs the server.

    The server's end decides: whoever connects chooses the address of his own end.
    """
    client, server = scope.get("client"), scope.get("server")
    if not client or not server:
        return False
    if not is_loopback(server[0]):
        return True  # behind a proxy: who may come is its business, and that of the token
    return may_connect(tuple(client), tuple(server))


def _refusal(message: str) -> Response:
    return PlainTextResponse(message, 403)
