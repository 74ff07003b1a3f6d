"""What a page is headed, without the page: HEAD is answered like GET."""

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Heads:
    """Answers HEAD as GET would be answered, and keeps the body back."""

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
