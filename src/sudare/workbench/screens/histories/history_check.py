"""A purchase history before masking: what was read, what each k promises, and a masked file."""

from typing import Any

from fastapi import APIRouter, Response

from sudare.core import Message, SettingError, language, say
from sudare.workbench.histories import CHECKING, DESCRIBING, check_masked, describe_history
from sudare.workbench.screens.parameters import CurrentVisit, Fields
from sudare.workbench.user_input import whole_number
from sudare.workbench.variants import RecipeEdits

_METHOD = "customer-anonymity"

routes = APIRouter(prefix="/project/{project_id}/history")


@routes.get("")
def history(visit: CurrentVisit, checked: str = "") -> Response:
    """Show what was read of the history; it is read by a job, at the first visit."""
    trial = visit.trial(DESCRIBING)
    if trial.result is None and trial.job is None and trial.trouble is None:
        title = Message("reading of the purchases")
        visit.site.trials.start(
            visit.opened, DESCRIBING, visit.project, describe_history, title=title
        )
        trial = visit.trial(DESCRIBING)
    return visit.page(
        "history.html.j2",
        trial=trial,
        facts=_facts(trial.result),
        check=visit.trial(CHECKING, about=checked) if checked else None,
        checked=checked,
        language=language(),
        code=visit.code(
            "from sudare.release.project import project_history\n"
            "history = project_history(project).history",
            "sudare history check {project} masked.csv",
        ),
    )


@routes.post("/again")
def read_again(visit: CurrentVisit, fields: Fields) -> Response:
    """Read the history again after it could not be read."""
    title = Message("reading of the purchases")
    visit.site.trials.start(visit.opened, DESCRIBING, visit.project, describe_history, title=title)
    return visit.go("history")


@routes.post("/check")
def check(visit: CurrentVisit, fields: Fields) -> Response:
    """Check a masked file that somebody made of the history."""
    path = fields.get("path", "").strip()
    if not path:
        raise SettingError("give the path of a masked file.")
    title = Message("check of a masked file")
    visit.site.trials.start(
        visit.opened, CHECKING, visit.project, check_masked, path, title=title, about=path
    )
    return visit.go("history", checked=path)


@routes.post("/review")
def review(visit: CurrentVisit, fields: Fields) -> Response:
    """State that a person has checked how the history is read, or take that back."""
    reviewed = fields.get("reviewed") == "yes"
    summary = Message("reviewed the project") if reviewed else Message("reopened the review")
    return visit.edit(fields, {"reviewed": reviewed}, summary, "history")


@routes.post("/k")
def choose_k(visit: CurrentVisit, fields: Fields) -> Response:
    """Add a variant in which customers are alike in groups of k."""
    k = whole_number(fields.get("k", ""))
    if k is None or k < 2:
        raise SettingError("k must be a whole number of at least 2.")
    edits = RecipeEdits.of(visit.project)
    name = edits.free_name(f"k = {k}")
    step = {"method": _METHOD, "k": k}
    summary = Message("added the variant '{name}'", name=name)
    return visit.edit(fields, edits.added({"name": name, "steps": [step]}), summary, "protect")


def _facts(result: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return what the page shows, with words in the language of the reader."""
    if result is None:
        return None
    largest = max(line["customers"] for line in result["classes"]) or 1
    return {
        **result,
        "left_out": [(say(reason), count) for reason, count in result["left_out"].items()],
        "classes": [{**line, "length": line["customers"] / largest} for line in result["classes"]],
    }
