"""What routes take: the workbench, a visit of a project, and forms of our own pages."""

from typing import Annotated

from fastapi import Depends, Request

from sudare.web import form_fields, form_pairs
from sudare.workbench.visit import Visit
from sudare.workbench.workbench_site import WorkbenchSite

_MANY_FIELDS = 5000


def _site(request: Request) -> WorkbenchSite:
    site: WorkbenchSite = request.app.state.site
    return site


CurrentSite = Annotated[WorkbenchSite, Depends(_site)]
"""The workbench."""


def _visit(request: Request, site: CurrentSite, project_id: str) -> Visit:
    return site.visit(request, project_id)


CurrentVisit = Annotated[Visit, Depends(_visit)]
"""A visit of the project that the address names."""

Fields = Annotated[dict[str, str], Depends(form_fields)]
"""The fields of a small form, by name."""


async def _many(request: Request) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in await form_pairs(request, most=_MANY_FIELDS):
        values.setdefault(name, []).append(value)
    return values


FieldLists = Annotated[dict[str, list[str]], Depends(_many)]
"""The fields of a form by name, each with all its values."""
