"""Release: what the gate says, what is promised and on which conditions, and how it is written."""

import shlex
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, get_args

from fastapi import APIRouter, Response

from sudare.catalog import find
from sudare.core import Message, language, say
from sudare.release import Findings, Format, LegalProfile, Project, legal_profiles
from sudare.workbench.opening import ENCODINGS
from sudare.workbench.releasing import (
    CHECKING,
    REVIEWING,
    TEXTS,
    WRITING,
    ReleaseSeed,
    check_release,
    draws_depend_on,
)
from sudare.workbench.screens.parameters import CurrentVisit, Fields
from sudare.workbench.user_input import seed_number
from sudare.workbench.variants import TrialState, shown_variant, variant_names
from sudare.workbench.visit import Visit

routes = APIRouter(prefix="/project/{project_id}/release")


@routes.get("")
def release(visit: CurrentVisit, variant: str = "") -> Response:
    """Show what stands between a variant and its release."""
    names = variant_names(visit.project)
    chosen = shown_variant(visit.project, variant)
    check = visit.trial(CHECKING, (chosen,), draws_depend_on(visit.project))
    written = visit.trial(WRITING, (chosen,))
    review = visit.trial(REVIEWING, (chosen,))
    stem = visit.project.path.name.removesuffix(".sudare.toml")
    folder = f"{stem}-release"
    return visit.page(
        "release.html.j2",
        variants=names,
        chosen=chosen,
        check=check,
        written=written,
        review=review,
        is_busy=any(state.job for state in (check, written, review)),
        has_seed=visit.site.seeds.of(visit.opened.path).is_stated,
        folder=folder,
        review_folder=f"{stem}-review",
        **_checklist(visit, check),
        **_form(visit),
        code=visit.code(
            f"release = project.publish({chosen!r})\nrelease.write({folder!r})",
            f"sudare report -p {{project}} --recipe {shlex.quote(chosen)}"
            f" --folder {shlex.quote(folder)}",
        ),
    )


@routes.post("/check")
def start_check(visit: CurrentVisit, fields: Fields) -> Response:
    """Have the gate look at a variant."""
    name = fields.get("variant", "")
    visit.project.recipe(name)
    seed = visit.site.seeds.state(visit.opened.path, seed_number(fields.get("seed", "")))
    have_checked(visit, visit.project, name, seed)
    return visit.go("release", variant=name)


def have_checked(visit: Visit, project: Project, name: str, seed: ReleaseSeed) -> None:
    """Have the gate look at a variant, as a project has it now."""
    title = Message("check of the release of '{name}'", name=name)
    about = draws_depend_on(project)
    visit.site.trials.start(
        visit.opened,
        CHECKING,
        project,
        check_release,
        name,
        seed,
        title=title,
        names=(name,),
        about=about,
    )


def _checklist(visit: Visit, check: TrialState) -> dict[str, Any]:
    """Return what the gate found, with what a person has accepted by now."""
    result = check.result
    if result is None:
        return {"findings": [], "results": [], "may_leave": False}
    findings: Findings = result["findings"].confirmed_by(visit.project.confirmations)
    entries = [find(row["measure"]) for row in result["results"]]
    results = [
        {**row, "title": say(entry.title), "topic": entry.slug}
        for row, entry in zip(result["results"], entries, strict=True)
    ]
    kept = all(kept for _, kept in result["limits"])
    return {
        "findings": sorted(findings, key=lambda finding: not finding.stops),
        "results": results,
        "summary": result["summary"][language()],
        "may_leave": kept and not findings.stops and visit.project.sections.reviewed,
    }


def _form(visit: Visit) -> dict[str, Any]:
    """Return the texts of the report and how the table is written, as the project says them."""
    sections = visit.project.sections
    stated = asdict(sections.report)
    profiles: str | Sequence[str] = stated["profile"]
    accepted = sections.release.confirmations
    return {
        "texts": [(name, _text_title(name), str(stated[name])) for name in TEXTS],
        "profiles": [(name, _profile_title(name)) for name in legal_profiles()],
        "chosen_profiles": [profiles] if isinstance(profiles, str) else profiles,
        "formats": get_args(Format),
        "encodings": ENCODINGS,
        "release": sections.release,
        "accepted_by": accepted[-1].by if accepted else "",
    }


def _profile_title(name: str) -> str:
    return str(getattr(LegalProfile.read(name).title, language()))


def _text_title(name: str) -> str:
    return {
        "title": say("Title"),
        "office": say("Who releases the table"),
        "contact": say("Contact for users"),
        "date": say("Date"),
        "population": say("Whom the table is about"),
        "audience": say("Who may use the table"),
        "purpose": say("What it is released for"),
        "decision": say("Who decided on the release, and why"),
    }[name]
