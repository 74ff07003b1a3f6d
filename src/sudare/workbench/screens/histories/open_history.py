"""A purchase history is opened: a file of the contest, or a table whose columns are named."""

from datetime import date
from typing import Any

from fastapi import APIRouter, Request, Response

from sudare.core import SettingError, say
from sudare.transactions import COLUMNS
from sudare.web import redirect_after_form
from sudare.workbench.histories import (
    HISTORY_OPENING,
    create_history_project,
    guessed_columns,
    is_contest_format,
)
from sudare.workbench.opening import known_project, preview
from sudare.workbench.screens.parameters import CurrentSite, Fields
from sudare.workbench.user_input import user_path
from sudare.workbench.visit import unless_refused

routes = APIRouter()


@routes.get("/histories")
def options(request: Request, site: CurrentSite, path: str = "") -> Response:
    """Ask which column of a table is which; a file of the contest needs no answer."""
    file = user_path(path)
    context: dict[str, Any] = {
        "path": file,
        "is_contest": False,
        "names": (),
        "guessed": {},
        "is_doubtful": False,
    }
    refused = None
    if path.strip():
        context["is_contest"], refused = unless_refused(lambda: is_contest_format(file))
        if refused is None and not context["is_contest"]:
            shown, refused = unless_refused(lambda: preview(file, {}))
            context["is_doubtful"] = (
                shown is not None and shown.is_doubtful and not site.session(request).shows_values
            )
            context["names"] = () if shown is None or context["is_doubtful"] else shown.names
            context["guessed"] = guessed_columns(context["names"])
    wanted = [(name, say(name)) for name in COLUMNS]
    return site.page(request, "open_history.html.j2", wanted=wanted, refused=refused, **context)


@routes.post("/histories")
def open_history(site: CurrentSite, fields: Fields) -> Response:
    """Make the project of a history, or open the one that is there."""
    path = user_path(fields.get("path", ""))
    project = known_project(path)
    if project is not None:
        return redirect_after_form(site.first_screen(site.open_project(project)))
    columns = None
    if fields.get("format") != "contest":
        columns = {name: fields.get(name, "").strip() for name in COLUMNS}
        if not all(columns.values()) or len(set(columns.values())) < len(COLUMNS):
            raise SettingError("name a column of the table for each of the five, each once.")
    days = (_day(fields.get("first_date", "")), _day(fields.get("last_date", "")))
    job = site.jobs.submit(HISTORY_OPENING, create_history_project, path, columns, days)
    return redirect_after_form(f"/opening/{job.id}")


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text.strip() else None
    except ValueError:
        raise SettingError("write days as 2024-04-01.") from None
