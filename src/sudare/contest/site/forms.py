"""Forms that only our own pages can send: a hidden word that another site cannot know.

The word is derived from a cookie that scripts cannot read, that of the session or, before login,
one of the visit. A page of another site can make a browser send the cookie, not the word.
"""

import hashlib
import hmac
import secrets
from urllib.parse import parse_qsl

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from sudare.core import say

SESSION = "sudare_session"
VISIT = "sudare_visit"
FIELD = "form_word"


def visit(request: Request) -> str:
    """Return what the words of this browser's forms are derived from; made up on a first visit."""
    known = request.cookies.get(SESSION) or request.cookies.get(VISIT)
    if known:
        return known
    if not hasattr(request.state, "visit"):
        request.state.visit = secrets.token_urlsafe(32)
    return str(request.state.visit)


def form_word(request: Request) -> str:
    """Return the hidden word of the forms on a page."""
    return hmac.new(visit(request).encode(), b"form", hashlib.sha256).hexdigest()


def demand_own_form(request: Request, word: str) -> None:
    """Refuse a form that one of our own pages did not send."""
    if request.headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
        raise _foreign()
    if not hmac.compare_digest(form_word(request).encode(), word.encode()):
        raise _foreign()


def _foreign() -> HTTPException:
    return HTTPException(
        403, say("this form is out of date or came from another site; load the page again.")
    )


async def fields(request: Request) -> dict[str, str]:
    """Return the fields of a small form that one of our own pages sent."""
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        raise HTTPException(415, say("this address takes a form."))
    try:
        sent = dict(parse_qsl((await request.body()).decode(), max_num_fields=20))
    except ValueError:
        raise HTTPException(400, say("the form cannot be read.")) from None
    demand_own_form(request, sent.get(FIELD, ""))
    return sent


def remember(request: Request, response: Response, name: str, value: str, *, days: float) -> None:
    """Set a cookie that scripts cannot read and other sites' forms do not send."""
    response.set_cookie(
        name,
        value,
        max_age=round(days * 24 * 3600),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def own_path(path: str) -> str:
    """Return a path of this site to go to next; ``/`` for anything else.

    Examples
    --------
    >>> own_path("/leaderboard"), own_path("//elsewhere.example"), own_path("https://x")
    ('/leaderboard', '/', '/')
    """
    safe = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if safe else "/"
