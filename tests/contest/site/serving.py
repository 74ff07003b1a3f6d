"""A contest served over a real socket, and people who look at it."""

import re
import ssl
import threading
import time
from dataclasses import dataclass, field
from typing import Self

import httpx
import uvicorn
from starlette.types import ASGIApp

from sudare.contest import Contest, ContestRules
from sudare.contest.rules.contest_rules import ContestLimits
from sudare.contest.site import create_app
from sudare.web import CSRF_FIELD, SESSION_COOKIE, RateLimit

NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # loading all takes longer than a request
PASSWORD = "correct horse battery"  # noqa: S105
RULES = ContestRules(
    title="Spring contest",
    limits=ContestLimits(
        mask_bytes=200_000,
        attack_bytes=20_000,
        uploads_per_hour=10_000,
        failed_logins=5,
        samples=2,
        seconds=60,
    ),
)


def no_rate_limit() -> RateLimit:
    """A rate limit that stops nobody."""
    return RateLimit(per_minute=1e9, burst=10**9)


@dataclass
class House:
    """A contest on a port of its own."""

    contest: Contest
    app: ASGIApp
    url: str = ""
    clients: list[httpx.Client] = field(default_factory=list)

    @classmethod
    def of(
        cls, contest: Contest, logins: RateLimit | None = None, uploads: RateLimit | None = None
    ) -> Self:
        """Make the application of a contest; nothing is too quick unless said otherwise."""
        app = create_app(
            contest, logins=logins or no_rate_limit(), uploads=uploads or no_rate_limit()
        )
        return cls(contest, app)

    def __enter__(self) -> Self:
        config = uvicorn.Config(self.app, port=0, log_level="error", lifespan="off")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_: object) -> None:
        for client in self.clients:
            client.close()
        self._server.should_exit = True
        self._thread.join()
        self.contest.close()

    def browser(self, token: str | None = None) -> httpx.Client:
        """Somebody's browser, logged in with a token."""
        client = httpx.Client(
            base_url=self.url, headers={"accept-language": "en"}, timeout=60, verify=NO_CERTIFICATES
        )
        if token:
            client.cookies.set(SESSION_COOKIE, token, domain="127.0.0.1")
        self.clients.append(client)
        return client

    def program(self, token: str | None = None) -> httpx.Client:
        """Somebody's program, with a bearer token."""
        client = self.browser()
        if token:
            client.headers["authorization"] = f"Bearer {token}"
        return client

    def token(self, name: str) -> str:
        """Log in as somebody, past the web."""
        return self.contest.login(name, PASSWORD, "tests")


def csrf_token(page: httpx.Response) -> str:
    """The hidden token of a page's forms."""
    token = re.search(rf'name="{CSRF_FIELD}" value="([0-9a-f]+)"', page.text)
    assert token is not None, page.text
    return token[1]


def send(client: httpx.Client, path: str, page: str = "/login", **fields: str) -> httpx.Response:
    """Send a form from one of our pages."""
    return client.post(path, data={CSRF_FIELD: csrf_token(client.get(page)), **fields})


def upload(client: httpx.Client, path: str, content: bytes, name: str = "a.csv") -> httpx.Response:
    """Send a file from one of our pages."""
    hidden = {CSRF_FIELD: csrf_token(client.get("/"))}
    return client.post(path, data=hidden, files={"file": (name, content)})
