"""Several sites on one server, each under a path of its own."""

from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class PrefixMiddleware:
    """Serves a site under a path such as ``/spring``.

    The site itself knows addresses from ``/`` on: requests lose the prefix on the way in, and
    redirections and cookies get it on the way out, so that a browser never sends the session of one
    site to another. Links in pages are made by the templates, see ``Site.prefix``.
    """

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self.app, self.prefix = app, prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on as if the site were alone."""
        path = scope["path"].removeprefix(self.prefix) or "/"
        inner = {**scope, "path": path, "raw_path": path.encode()}

        async def send_prefixed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                target = headers.get("location", "")
                if target.startswith("/"):
                    headers["location"] = self.prefix + target
                cookies = headers.getlist("set-cookie")
                del headers["set-cookie"]
                for cookie in cookies:
                    headers.append("set-cookie", cookie.replace("Path=/", f"Path={self.prefix}"))
            await send(message)

        await self.app(inner, receive, send_prefixed)


class SitesByPath:
    """Gives a request to the site whose name its path begins with, else to the site of the rest."""

    def __init__(self, sites: Mapping[str, ASGIApp], rest: ASGIApp) -> None:
        self.sites = {name: PrefixMiddleware(app, f"/{name}") for name, app in sites.items()}
        self.rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to its site."""
        name = scope["path"].split("/")[1] if scope["type"] == "http" else ""
        await self.sites.get(name, self.rest)(scope, receive, send)
