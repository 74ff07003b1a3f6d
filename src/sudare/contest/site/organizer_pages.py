"""Pages of the organizers' own: Markdown files in the folder of the contest."""

from fastapi import APIRouter, Request, Response
from markdown_it import MarkdownIt
from markupsafe import Markup

from sudare.contest.errors import NotFoundError
from sudare.contest.site.contest_site import ContestSite, page_files, page_title


def pages(site: ContestSite) -> APIRouter:
    """Return the pages that the organizers wrote."""
    router = APIRouter(include_in_schema=False)

    @router.get("/pages/{name}")
    def organizer_page(request: Request, name: str) -> Response:
        path = page_files(site.contest.folder).get(name)
        if path is None:
            raise NotFoundError("there is no such page.")
        text = path.read_text(encoding="utf-8", errors="replace")
        return site.page(
            request, "organizer_page.html.j2", title=page_title(path), text=page_html(text)
        )

    return router


def page_html(text: str) -> Markup:
    """Return Markdown as HTML that can do no harm: no HTML, scripts, pictures or foreign schemes.

    Examples
    --------
    >>> print(page_html("<b>1</b> [go](javascript:alert(1))").strip())
    <p>&lt;b&gt;1&lt;/b&gt; [go](javascript:alert(1))</p>
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    return Markup(reader.render(text))  # noqa: S704
