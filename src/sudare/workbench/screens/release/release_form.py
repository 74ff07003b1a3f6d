"""What a person says of a release: findings accepted, texts of the report, format of the table."""

from fastapi import APIRouter, Response

from sudare.core import Message, SettingError
from sudare.release.inspection import KINDS
from sudare.workbench.releasing import (
    draws_depend_on,
    with_confirmation,
    with_form,
    with_texts,
    without_confirmation,
)
from sudare.workbench.screens.parameters import CurrentVisit, FieldLists, Fields
from sudare.workbench.screens.release.release_page import have_checked

routes = APIRouter(prefix="/project/{project_id}/release")


@routes.post("/confirm")
def confirm(visit: CurrentVisit, fields: Fields) -> Response:
    """Accept a finding of the gate, or take that back."""
    kind = fields.get("kind", "")
    columns = [name for name in fields.get("columns", "").splitlines() if name]
    if kind not in KINDS:
        raise SettingError("there is no such finding; load the page again.")
    if fields.get("action") == "withdraw":
        changes = without_confirmation(visit.project, kind, columns)
        summary = Message("took back that '{kind}' was accepted", kind=kind)
        notice = "withdrawn"
    else:
        by, reason = (fields.get(name, "").strip() for name in ("by", "reason"))
        if not by or not reason:
            raise SettingError("say who accepts the finding, and why it is harmless.")
        changes = with_confirmation(visit.project, kind, columns, by, reason)
        summary = Message("accepted the finding '{kind}'", kind=kind)
        notice = "confirmed"
    variant = fields.get("variant", "")
    answer = visit.edit(fields, changes, summary, "release", notice, variant=variant)
    changed = visit.opened.current()
    if variant and draws_depend_on(changed) != draws_depend_on(visit.project):
        have_checked(visit, changed, variant, visit.site.seeds.of(visit.opened.path))
    return answer


@routes.post("/texts")
def texts(visit: CurrentVisit, fields: FieldLists) -> Response:
    """Change the texts of the report."""
    first = {name: values[0] for name, values in fields.items()}
    changes = with_texts(first, fields.get("profile", []))
    summary = Message("changed the texts of the report")
    return visit.edit(first, changes, summary, "release", variant=first.get("variant", ""))


@routes.post("/form")
def form(visit: CurrentVisit, fields: Fields) -> Response:
    """Change how the masked table is written."""
    summary = Message("changed how the table is written")
    variant = fields.get("variant", "")
    return visit.edit(fields, with_form(fields), summary, "release", variant=variant)
