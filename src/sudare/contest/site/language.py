"""Which language a visitor reads: the one chosen on the site, else the browser's."""

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from sudare.core import LANGUAGES, Language, speaking

COOKIE = "sudare_language"
NAMES: dict[Language, str] = {"en": "English", "ja": "日本語"}


def preferred(connection: HTTPConnection) -> Language:
    """Return the language of a request, English when it names none that there is."""
    chosen = connection.cookies.get(COOKIE)
    accepted = connection.headers.get("accept-language", "")
    ranked = sorted((-_quality(part), at, part) for at, part in enumerate(accepted.split(",")))
    for wanted in (chosen or "", *(part.strip()[:2].lower() for _, _, part in ranked)):
        for language in LANGUAGES:
            if wanted == language:
                return language
    return "en"


def _quality(part: str) -> float:
    _, _, weight = part.partition(";q=")
    try:
        return float(weight) if weight else 1.0
    except ValueError:
        return 0.0


class Speaking:
    """Lets everything said during a request be said in the visitor's language."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, speaking its language."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        with speaking(preferred(HTTPConnection(scope))):
            await self.app(scope, receive, send)
