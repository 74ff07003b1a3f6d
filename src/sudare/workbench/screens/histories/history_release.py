"""The release of a purchase history: masked file, report, recipe and ledger."""

import shlex
from pathlib import Path

from fastapi import APIRouter, Response

from sudare.core import Message, SettingError, language
from sudare.engine.formats import check_apart
from sudare.workbench.histories import RELEASING, release_history
from sudare.workbench.screens.parameters import CurrentVisit, Fields
from sudare.workbench.user_input import seed_number
from sudare.workbench.variants import TrialState, shown_variant, variant_names
from sudare.workbench.visit import Visit

_SAFE = "reidentification < 1"  # no attack is effective

routes = APIRouter(prefix="/project/{project_id}/publish")


@routes.get("")
def publish(visit: CurrentVisit, variant: str = "") -> Response:
    """Show what would be released, and what was."""
    names = variant_names(visit.project)
    chosen = shown_variant(visit.project, variant)
    return visit.page(
        "history_release.html.j2",
        variants=names,
        chosen=chosen,
        trial=visit.trial(RELEASING, (chosen,)) if chosen else TrialState(),
        limits=visit.project.sections.limits.keep,
        folder=_folder(visit, chosen).name,
        safe=_SAFE,
        code=visit.code(
            "from sudare.release.project import publish_history\n"
            f"publish_history(project, {chosen!r}).write('release')",
            f"sudare history report {{project}} --recipe {shlex.quote(chosen)} --folder release",
        ),
    )


@routes.post("/limit")
def keep_safe(visit: CurrentVisit, fields: Fields) -> Response:
    """Make it a limit that no attack is effective."""
    kept = [limit for limit in visit.project.sections.limits.keep if limit != _SAFE]
    changes = {"limits": {"keep": [*kept, _SAFE]}}
    summary = Message("no attack on the release may be effective")
    return visit.edit(fields, changes, summary, "publish")


@routes.post("")
def start(visit: CurrentVisit, fields: Fields) -> Response:
    """Have the release made and written."""
    name = fields.get("variant", "")
    visit.project.recipe(name)
    visit.project.check_reviewed()
    stated = fields.get("folder", "").strip() or _folder(visit, name).name
    if Path(stated).name != stated:
        raise SettingError("the release goes to a folder beside the project: give its name only.")
    folder = visit.opened.path.parent / stated
    check_apart(folder)
    if folder.exists():
        raise SettingError("there is a folder of this name already; choose another.")
    seed = seed_number(fields.get("seed", ""))
    title = Message("release of the variant '{name}'", name=name)
    work = (release_history, name, folder, seed, language())
    visit.site.trials.start(
        visit.opened, RELEASING, visit.project, *work, title=title, names=(name,)
    )
    return visit.go("publish", variant=name)


def _folder(visit: Visit, name: str) -> Path:
    """Return a folder beside the project that is not there yet."""
    stem = "".join(letter if letter.isalnum() else "-" for letter in name).strip("-") or "release"
    folder, number = visit.opened.path.parent / f"release-{stem}", 2
    while folder.exists():
        folder, number = visit.opened.path.parent / f"release-{stem}-{number}", number + 1
    return folder
