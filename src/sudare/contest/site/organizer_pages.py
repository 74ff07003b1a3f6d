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
            request,
            "organizer_page.html.j2",
            title=page_title(path),
            text=page_html(text, site.prefix),
        )

    return router


def page_html(text: str, prefix: str = "") -> Markup:
    """Return Markdown as HTML that can do no harm: no HTML, scripts, pictures or foreign schemes.

    A link such as ``/rules`` leads to a page of the own contest, under its prefix.

    Examples
    --------
    >>> print(page_html("<b>1</b> [go](javascript:alert(1))").strip())
    <p>&lt;b&gt;1&lt;/b&gt; [go](javascript:alert(1))</p>
    >>> print(page_html("[rules](/rules)", "/spring").strip())
    <p><a href="/spring/rules">rules</a></p>
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    tokens = reader.parse(text)
    for token in (inner for block in tokens for inner in block.children or ()):
        target = str(token.attrGet("href") or "")
        if target.startswith("/") and not f"{target}/".startswith(("//", f"{prefix}/")):
            token.attrSet("href", prefix + target)
    return Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704
