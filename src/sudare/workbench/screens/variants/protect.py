"""Protect: the variants of a project as stacks of steps, and what each step costs and brings."""

import shlex
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Response

from sudare import catalog
from sudare.catalog import CatalogEntry, find, masker
from sudare.core import Message, SettingError, language, say
from sudare.workbench.methods import setting_fields, settings_from
from sudare.workbench.screens.parameters import CurrentVisit, FieldLists, Fields
from sudare.workbench.session_code import hidden_labels
from sudare.workbench.user_input import required, whole_number
from sudare.workbench.variants import (
    FINDING,
    SEED,
    TRYING,
    RecipeEdits,
    TrialState,
    find_recipe,
    shown_variant,
    starred_variant,
    try_variant,
)
from sudare.workbench.visit import Visit

_TRIALS = 40
_MOST_TRIALS = 500
routes = APIRouter(prefix="/project/{project_id}/protect")


@routes.get("")
def protect(visit: CurrentVisit, variant: str = "", add: str = "") -> Response:
    """Show the steps of a variant, and the form of a step to add that needs settings."""
    edits = RecipeEdits.of(visit.project)
    chosen = shown_variant(visit.project, variant)
    trial = visit.trial(TRYING, (chosen,)) if chosen else TrialState()
    search = visit.trial(FINDING)
    return visit.page(
        "protect.html.j2",
        variants=edits.names,
        chosen=chosen,
        starred=starred_variant(visit.project),
        cards=_cards(visit, edits.steps(chosen), trial) if chosen else [],
        methods=[
            (entry.slug, say(entry.title))
            for entry in catalog.METHODS
            if entry.family == "mask" and entry.subject == visit.project.sections.subject
        ],
        addition=_addition(visit, add) if add else None,
        trial=trial,
        search=search,
        limits=visit.project.sections.limits.keep,
        trials=_TRIALS,
        code=visit.code(
            f"masked = project.apply({chosen!r})  # for trials; project.publish() releases",
            f"sudare compare -p {{project}} --recipe {shlex.quote(chosen)} --seed {SEED}"
            if chosen
            else "sudare compare",
        ),
    )


@routes.post("/variant")
def change_variant(visit: CurrentVisit, fields: Fields) -> Response:
    """Add, copy, rename or remove a variant."""
    edits = RecipeEdits.of(visit.project)
    name, new = fields.get("variant", ""), fields.get("name", "").strip()
    match fields.get("action", ""):
        case "add":
            new = edits.free_name(new or say("variant"))
            changes = edits.added({"name": new, "steps": []})
            summary = Message("added the variant '{name}'", name=new)
        case "duplicate":
            new = edits.free_name(new or name)
            changes = edits.duplicated(name, new)
            summary = Message("copied the variant '{name}'", name=name)
        case "rename":
            changes = edits.renamed(name, new)
            summary = Message("renamed the variant '{name}'", name=name)
        case "remove":
            changes, new = edits.removed(name), ""
            summary = Message("removed the variant '{name}'", name=name)
        case _:
            raise SettingError("choose what to do with the variant.")
    return visit.edit(fields, changes, summary, _address(new))


@routes.post("/step/add")
def add_step(visit: CurrentVisit, fields: FieldLists) -> Response:
    """Add a step; one that needs settings is asked for them first."""
    first, edits, name = _of_variant(visit, fields)
    entry = _entry(visit, first.get("method", ""))
    if "asked" not in first and _lacks_settings(entry):
        return visit.go(f"{_address(name)}&add={entry.slug}")
    changes = edits.step_set(name, len(edits.steps(name)), _step(entry, fields))
    summary = Message("added {method} to '{name}'", method=Message(entry.title), name=name)
    return visit.edit(first, changes, summary, _address(name))


@routes.post("/step/settings")
def set_step(visit: CurrentVisit, fields: FieldLists) -> Response:
    """Change the settings of a step."""
    first, edits, name = _of_variant(visit, fields)
    steps, number = edits.steps(name), _number(first)
    if number >= len(steps):
        raise SettingError("there is no such step.")
    entry = _entry(visit, str(steps[number].get("method", "")))
    kept = {  # a field of labels that are hidden is not sent
        setting: steps[number][setting]
        for setting in _settings_of_labels(steps[number])
        if setting not in fields
    }
    changes = edits.step_set(name, number, _step(entry, fields, kept))
    summary = Message("changed {method} of '{name}'", method=Message(entry.title), name=name)
    return visit.edit(first, changes, summary, _address(name))


@routes.post("/step")
def move_step(visit: CurrentVisit, fields: FieldLists) -> Response:
    """Move a step up or down, or remove it."""
    first, edits, name = _of_variant(visit, fields)
    number, action = _number(first), first.get("action", "")
    if action == "remove":
        changes = edits.step_removed(name, number)
        summary = Message("removed a step of '{name}'", name=name)
    else:
        changes = edits.step_moved(name, number, -1 if action == "up" else 1)
        summary = Message("moved a step of '{name}'", name=name)
    return visit.edit(first, changes, summary, _address(name))


@routes.post("/try")
def start_trial(visit: CurrentVisit, fields: Fields) -> Response:
    """Have a variant masked and measured, step by step."""
    name = fields.get("variant", "")
    visit.project.recipe(name)
    title = Message("trial of the variant '{name}'", name=name)
    visit.site.trials.start(
        visit.opened, TRYING, visit.project, try_variant, name, title=title, names=(name,)
    )
    return visit.go(_address(name))


@routes.post("/find")
def start_search(visit: CurrentVisit, fields: Fields) -> Response:
    """Have a recipe searched for that keeps the limits and loses least."""
    if not visit.project.sections.limits.keep:
        raise SettingError("state a limit first, on the screen 'Risk before'.")
    trials = whole_number(fields.get("trials", ""), largest=_MOST_TRIALS)
    if not trials:
        raise SettingError(
            "the number of recipes must be between {low} and {high}.", low=1, high=_MOST_TRIALS
        )
    title = Message("search for a recipe")
    visit.site.trials.start(visit.opened, FINDING, visit.project, find_recipe, trials, title=title)
    return visit.go(_address(fields.get("variant", "")))


@routes.post("/found")
def add_found(visit: CurrentVisit, fields: Fields) -> Response:
    """Make what a search has found a variant of the project."""
    result = visit.trial(FINDING).result
    if result is None or result["recipe"] is None:
        raise SettingError("there is nothing to add; search first.")
    edits = RecipeEdits.of(visit.project)
    name = edits.free_name(say("found"))
    changes = edits.added({**result["recipe"], "name": name})
    summary = Message("added what was found as '{name}'", name=name)
    return visit.edit(fields, changes, summary, _address(name))


def _of_variant(
    visit: Visit, fields: dict[str, list[str]]
) -> tuple[dict[str, str], RecipeEdits, str]:
    """Return the first values of a form, the recipes, and the variant that the form is about."""
    first = {name: values[0] for name, values in fields.items()}
    return first, RecipeEdits.of(visit.project), first.get("variant", "")


def _number(fields: dict[str, str]) -> int:
    return required(whole_number(fields.get("step", "")), SettingError("there is no such step."))


def _step(
    entry: CatalogEntry, fields: dict[str, list[str]], kept: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return a step as the project file has it; refuse settings that the method does not take."""
    settings = settings_from(entry.method, fields) | dict(kept or {})
    masker(entry.slug, settings)
    return {"method": entry.slug, **settings}


def _settings_of_labels(step: dict[str, Any]) -> tuple[str, ...]:
    """Return the settings of a step that hold labels of the data."""
    return tuple(name for name, value in hidden_labels(step).items() if value != step[name])


def _address(variant: str) -> str:
    return f"protect?variant={quote(variant)}" if variant else "protect"


def _entry(visit: Visit, name: str) -> CatalogEntry:
    entry = find(name)
    if entry.family != "mask" or entry.subject != visit.project.sections.subject:
        raise SettingError("choose a method that masks data of this kind.")
    return entry


def _lacks_settings(entry: CatalogEntry) -> bool:
    """Return whether a method cannot do without settings of the user."""
    try:
        masker(entry.slug, {})
    except SettingError:
        return True
    return False


def _addition(visit: Visit, slug: str) -> dict[str, Any]:
    """Return the form for adding a step."""
    entry = _entry(visit, slug)
    names = tuple(visit.project.sections.columns)
    return {
        "slug": entry.slug,
        "title": say(entry.title),
        "fields": setting_fields(entry.method, {}, names),
    }


def _cards(visit: Visit, steps: list[dict[str, Any]], trial: TrialState) -> list[dict[str, Any]]:
    """Return what is shown of every step."""
    names = tuple(visit.project.sections.columns)
    cards = []
    for number, step in enumerate(steps):
        entry = find(str(step.get("method", "")))
        settings = {name: value for name, value in step.items() if name != "method"}
        hidden = () if visit.session.shows_values else _settings_of_labels(step)
        told = hidden_labels(step) if hidden else step
        cards.append(
            {
                "number": number,
                "title": say(entry.title),
                "summary": entry.summary,
                "fields": setting_fields(entry.method, settings, names, hidden),
                "stated": ", ".join(f"{name} = {told[name]}" for name in settings),
                "effect": _effect(trial, number),
                "has_solutions": hasattr(entry.method, "solutions"),
            }
        )
    return cards


def _effect(trial: TrialState, number: int) -> list[dict[str, Any]]:
    """Return what a step changed in the first risk and the first loss, where it was tried."""
    if trial.result is None:
        return []
    rows, titles = trial.result["rows"], trial.result["titles"][language()]
    wanted = [*trial.result["risk"][:1], *trial.result["loss"][:1]]
    return [
        {
            "title": titles[name],
            "topic": trial.result["topics"][name],
            "before": rows[number]["values"][name],
            "after": rows[number + 1]["values"][name],
        }
        for name in wanted
    ]
