"""Forms that only our own pages can send: a hidden token against cross-site requests (CSRF).

The token is derived from a cookie that scripts cannot read, that of the session or, before login,
one of the visitor. A page of another site can make a browser send the cookie, not the token.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote

from markupsafe import Markup
from starlette.datastructures import URL
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from sudare.core import say

SESSION_COOKIE = "sudare_session"
VISITOR_COOKIE = "sudare_visitor"
NOTICE_COOKIE = "sudare_notice"
CSRF_FIELD = "csrf_token"
_FEW_FIELDS = 20


def csrf_token(request: Request) -> str:
    """Return the hidden token of the forms on a page."""
    return hmac.new(_browser_secret(request).encode(), b"form", hashlib.sha256).hexdigest()


def _browser_secret(request: Request) -> str:
    """Return what the tokens of a browser are derived from; made up on a first visit."""
    known = request.cookies.get(SESSION_COOKIE) or request.cookies.get(VISITOR_COOKIE)
    if known:
        return known
    if not hasattr(request.state, "visitor_cookie"):
        request.state.visitor_cookie = secrets.token_urlsafe(32)
    return str(request.state.visitor_cookie)


def set_visitor_cookie(request: Request, response: Response) -> None:
    """Send the cookie of a first visit along, if a form on the page was derived from it."""
    if hasattr(request.state, "visitor_cookie"):
        set_cookie(request, response, VISITOR_COOKIE, request.state.visitor_cookie, days=1)


def check_csrf_token(request: Request, token: str) -> None:
    """Refuse a form that one of our own pages did not send."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    expected = csrf_token(request).encode()
    if site not in {"same-origin", "none"} or not hmac.compare_digest(expected, token.encode()):
        raise HTTPException(
            403, say("this form is out of date or came from another site; load the page again.")
        )


@dataclass(frozen=True)
class CsrfField:
    """The hidden field of a form; a page without a form makes up no token, and sets no cookie."""

    request: Request

    def __html__(self) -> str:
        field = Markup('<input type="hidden" name="{}" value="{}">')
        return field.format(CSRF_FIELD, csrf_token(self.request))


async def form_fields(request: Request) -> dict[str, str]:
    """Return the fields of a small form that one of our own pages sent."""
    return dict(await form_pairs(request, most=_FEW_FIELDS))


async def form_pairs(request: Request, *, most: int) -> list[tuple[str, str]]:
    """Return names and values of a form that one of our own pages sent, up to a limit.

    A name may occur more than once, as that of boxes which are ticked.
    """
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        raise HTTPException(415, say("this address accepts a form only."))
    try:
        text = (await request.body()).decode()
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=most)
    except ValueError:
        raise HTTPException(400, say("the form cannot be read.")) from None
    check_csrf_token(request, dict(pairs).get(CSRF_FIELD, ""))
    return pairs


def redirect_after_form(path: str, notice: str = "") -> Response:
    """Send a browser on after a form, so that loading the page again sends nothing twice.

    The next page shows the notice of that name.
    """
    response = RedirectResponse(quote(path, safe="/?=&%"), 303)
    if notice:
        response.set_cookie(NOTICE_COOKIE, notice, max_age=30, httponly=True, samesite="lax")
    return response


def set_cookie(request: Request, response: Response, name: str, value: str, *, days: float) -> None:
    """Set a cookie that scripts cannot read and other sites' forms do not send."""
    response.set_cookie(
        name,
        value,
        max_age=round(days * 24 * 3600),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def sending_page(request: Request, prefix: str = "") -> str:
    """Return the page of this site, under its prefix, that a request comes from; empty if none."""
    page = URL(request.headers.get("referer", ""))
    if page.netloc != request.headers.get("host") or page.path == prefix + request.url.path:
        return ""
    return local_path(_with_query(page.path.removeprefix(prefix) or "/", page.query))


def shown_page(request: Request, prefix: str = "") -> str:
    """Return where a reader is, with what the page was asked for; after a form, where it was."""
    if request.method in {"GET", "HEAD"}:
        return _with_query(request.url.path, request.url.query)
    return sending_page(request, prefix) or "/"


def _with_query(path: str, query: str) -> str:
    return f"{path}?{query}" if query else path


def local_path(path: str) -> str:
    """Return a path of this site to go to next; ``/`` for anything else.

    Examples
    --------
    >>> local_path("/leaderboard"), local_path("//elsewhere.example"), local_path("https://x")
    ('/leaderboard', '/', '/')
    """
    safe = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if safe else "/"
