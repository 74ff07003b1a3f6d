"""A site: its templates, what every page of it knows, and what its errors mean."""

from collections.abc import Mapping
from typing import Any, ClassVar

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from sudare.core import SudareError, language, say
from sudare.web.formatting import byte_size, decimal, time_element
from sudare.web.forms import NOTICE_COOKIE, CsrfField, set_visitor_cookie, shown_page
from sudare.web.language import LANGUAGE_NAMES
from sudare.web.middleware import too_large


class Site:
    """What sites have in common; each has its own subclass for the rest.

    Parameters
    ----------
    package
        The package that has the site's own ``templates``, found before those of this room.
    prefix
        The path under which the site is served, such as ``/spring``; templates begin every link
        with it.

    Attributes
    ----------
    layout
        The template that pages extend, itself an extension of ``base.html.j2``.
    statuses
        The HTTP status of each class of errors that the site explains to its visitors; all
        other errors are answered by :meth:`unexpected_error_message`.
    """

    layout: ClassVar[str] = "base.html.j2"
    statuses: ClassVar[Mapping[type[SudareError], int]] = {SudareError: 400}

    def __init__(self, package: str, prefix: str = "") -> None:
        self.prefix = prefix
        self.environment = Environment(
            loader=ChoiceLoader([PackageLoader(package), PackageLoader("sudare.web")]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.globals.update(
            say=say,
            prefix=prefix,
            layout=self.layout,
            languages=list(LANGUAGE_NAMES.items()),
            time_element=time_element,
            decimal=decimal,
            byte_size=byte_size,
            too_large=lambda limit: too_large(limit).detail,
        )

    def context(self, request: Request) -> dict[str, Any]:
        """Return what the templates of whole pages know besides what a page gives them.

        The layout needs ``title``, the name of the site, and ``navigation``, pairs of path and
        title of its pages.
        """
        return {
            "language": language(),
            "current_path": request.url.path if request.method == "GET" else "/",
            "here": shown_page(request, self.prefix),
            "csrf_field": CsrfField(request),
            "notice": self.notice(request.cookies.get(NOTICE_COOKIE, "")),
            "error": "",
        }

    def page(
        self, request: Request, template: str, *, status: int = 200, **context: Any
    ) -> HTMLResponse:
        """Return a whole page."""
        html = self.part(template, **{**self.context(request), **context})
        response = HTMLResponse(html, status)
        set_visitor_cookie(request, response)
        if NOTICE_COOKIE in request.cookies:
            response.delete_cookie(NOTICE_COOKIE)
        return response

    def part(self, template: str, **context: object) -> str:
        """Return a part of a page."""
        return self.environment.get_template(template).render(**context)

    def error_page(
        self, request: Request, status: int, message: str, back: str = "/"
    ) -> HTMLResponse:
        """Return a page that says why something was refused."""
        return self.page(
            request,
            "error.html.j2",
            status=status,
            heading=error_heading(status),
            message=message,
            back=back,
        )

    def notice(self, name: str) -> str:
        """Return what a page says about the form that led to it, by the name of the notice."""
        return ""

    def status_of(self, error: SudareError) -> int:
        """Return the HTTP status that says what an error says."""
        known = (kind for kind in type(error).__mro__ if kind in self.statuses)
        return self.statuses[next(known)]

    def error_headers(self, error: SudareError) -> Mapping[str, str]:
        """Return the headers that go with an error."""
        return {}

    def unexpected_error_message(self) -> str:
        """Return the message for an unexpected error."""
        return say("The server could not do this. Its log says why.")


def error_heading(status: int) -> str:
    """Return the heading of a page about an error."""
    return {
        403: say("Not allowed"),
        404: say("Not found"),
        413: say("Too large"),
        429: say("Too many requests"),
        500: say("Something went wrong"),
    }.get(status, say("Refused"))
