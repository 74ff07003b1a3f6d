"""Which language a visitor reads: the one chosen on the site, else the browser's."""

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sudare.core import LANGUAGES, Language, say, speaking
from sudare.web.forms import local_path, set_cookie

LANGUAGE_COOKIE = "sudare_language"
LANGUAGE_NAMES: dict[Language, str] = {"en": "English", "ja": "日本語"}


def preferred_language(connection: HTTPConnection) -> Language:
    """Return the language of a request, English when it names none that there is."""
    chosen = connection.cookies.get(LANGUAGE_COOKIE)
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


def choose_language(request: Request, code: str) -> Response:
    """Remember the language that a visitor chose, and go back to where it was chosen."""
    if code not in LANGUAGES:
        raise HTTPException(404, say("there is no such page."))
    response = RedirectResponse(local_path(request.query_params.get("next", "/")), 303)
    set_cookie(request, response, LANGUAGE_COOKIE, code, days=365)
    return response


class LanguageMiddleware:
    """Lets every sentence of a response be in the visitor's language."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, speaking its language."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        with speaking(preferred_language(HTTPConnection(scope))):
            await self.app(scope, receive, send)
