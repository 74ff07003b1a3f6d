"""What routes take: the workbench, a visit of a project, and forms of our own pages."""

from collections.abc import Iterator
from typing import Annotated

from fastapi import Depends, Request

from sudare.core import SudareError
from sudare.web import form_fields, form_pairs
from sudare.workbench.visit import REVISION_FIELD, Visit
from sudare.workbench.workbench_site import WorkbenchSite

_MANY_FIELDS = 5000


def _site(request: Request) -> WorkbenchSite:
    return request.app.state.site


CurrentSite = Annotated[WorkbenchSite, Depends(_site)]
"""The workbench."""


def _visit(request: Request, site: CurrentSite, project_id: str) -> Iterator[Visit]:
    """Give a visit; a form is refused first because its page is out of date, if it is."""
    visit = site.visit(request, project_id)
    try:
        yield visit
    except SudareError:
        if hasattr(request.state, REVISION_FIELD):
            visit.opened.check(request.state.revision)
        raise


CurrentVisit = Annotated[Visit, Depends(_visit)]
"""A visit of the project that the address names."""


async def _few(request: Request) -> dict[str, str]:
    fields = await form_fields(request)
    if REVISION_FIELD in fields:
        request.state.revision = fields[REVISION_FIELD]
    return fields


Fields = Annotated[dict[str, str], Depends(_few)]
"""The fields of a small form, by name."""


async def _many(request: Request) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in await form_pairs(request, most=_MANY_FIELDS):
        values.setdefault(name, []).append(value)
    if REVISION_FIELD in values:
        request.state.revision = values[REVISION_FIELD][0]
    return values


FieldLists = Annotated[dict[str, list[str]], Depends(_many)]
"""The fields of a form by name, each with all its values."""
