"""The glossary: every term and every method, in both languages."""

from fastapi import APIRouter, Request, Response

from sudare import catalog
from sudare.catalog import CatalogEntry
from sudare.core import LANGUAGES, glossary, language, say, speaking
from sudare.workbench.screens.parameters import CurrentSite

routes = APIRouter()


@routes.get("/glossary")
def glossary_page(request: Request, site: CurrentSite) -> Response:
    """Show what the words of all screens mean."""
    spoken = language()
    terms = [(term.names, term.meaning[spoken]) for term in glossary().values()]
    methods = [(_titles(entry), entry.summary) for entry in catalog.METHODS]
    return site.page(request, "glossary.html.j2", terms=terms, methods=methods)


def _titles(entry: CatalogEntry) -> dict[str, str]:
    titles: dict[str, str] = {}
    for name in LANGUAGES:
        with speaking(name):
            titles[name] = say(entry.title)
    return titles
