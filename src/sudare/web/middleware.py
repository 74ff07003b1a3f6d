"""What stands between the network and every page: security headers, HEAD, small bodies."""

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudare.core import say

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
SMALL_BODY_BYTES = 64 * 1024  # of a form or of JSON
_YEAR = 365 * 24 * 3600  # seconds


class SecurityHeadersMiddleware:
    """Adds the security headers to every response; only static files are cached."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add the headers to the response."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                is_static = scope["path"].startswith("/static/")
                headers.setdefault("Cache-Control", "max-age=600" if is_static else "no-store")
                if scope["scheme"] == "https":
                    headers.setdefault("Strict-Transport-Security", f"max-age={_YEAR}")
            await send(message)

        await self.app(scope, receive, send_with_headers)


class HeadMiddleware:
    """Answers HEAD as GET would be answered, without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; HEAD as GET."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return

        async def send_head(message: Message) -> None:
            await send({**message, "body": b""} if "body" in message else message)

        await self.app({**scope, "method": "GET"}, receive, send_head)


class BodySizeMiddleware:
    """Stops a request that sends more than a form needs, before it fills the memory.

    Requests under the paths of ``uploads`` are not stopped here: uploads go to disk and count their
    bytes themselves.
    """

    def __init__(self, app: ASGIApp, uploads: tuple[str, ...] = ()) -> None:
        self.app = app
        self.uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and count what it sends."""
        if scope["type"] != "http" or scope["path"].startswith(self.uploads):
            await self.app(scope, receive, send)
            return
        received_bytes = 0

        async def receive_counted() -> Message:
            nonlocal received_bytes
            message = await receive()
            received_bytes += len(message.get("body", b""))
            if received_bytes > SMALL_BODY_BYTES:
                raise too_large(SMALL_BODY_BYTES, hang_up=True)
            return message

        await self.app(scope, receive_counted, send)


def too_large(limit: int, *, hang_up: bool = False) -> HTTPException:
    """Return the refusal of a request that sends more than ``limit`` bytes."""
    message = say("the file is larger than {limit} bytes.", limit=f"{limit:,}")
    return HTTPException(413, message, {"Connection": "close"} if hang_up else None)
