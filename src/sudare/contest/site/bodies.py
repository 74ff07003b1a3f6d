"""How much a request may send: little, except where files are uploaded."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sudare.core import say

SMALL = 64 * 1024  # bytes of a form or of JSON


def too_large(limit: int, *, hang_up: bool = False) -> HTTPException:
    """Return the refusal of a request that sends more than ``limit`` bytes."""
    message = say("the file is larger than {limit} bytes.", limit=f"{limit:,}")
    return HTTPException(413, message, {"Connection": "close"} if hang_up else None)


class SmallBodies:
    """Stops a request that sends more than a form needs, before it fills the memory.

    Uploads are not stopped here: they go to disk, and count their bytes themselves.
    """

    def __init__(self, app: ASGIApp, uploads: tuple[str, ...]) -> None:
        self.app = app
        self.uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and count what it reads."""
        if scope["type"] != "http" or scope["path"].startswith(self.uploads):
            await self.app(scope, receive, send)
            return
        seen = 0

        async def receive_counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > SMALL:
                raise too_large(SMALL, hang_up=True)
            return message

        await self.app(scope, receive_counted, send)
