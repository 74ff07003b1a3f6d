"""Variants: the recipes of a project, and how their steps are changed."""

from collections.abc import Mapping, Sequence
from typing import Any

from sudare.release import Project

Steps = list[dict[str, Any]]
FIRST = "variant 1"  # name of the first recipe that the workbench makes


def variant_names(project: Project) -> list[str]:
    """Return the names of the recipes, in their order."""
    return [recipe.name for recipe in project.recipes_as_stated()]


def starred_variant(project: Project) -> str:
    """Return the variant that is chosen for the release; empty for none."""
    stated = project.sections.release.recipe
    return stated if stated in variant_names(project) else ""


def shown_variant(project: Project, asked: str | None) -> str:
    """Return the variant asked for, else the chosen one, else the first; empty for none."""
    names = variant_names(project)
    if asked in names:
        return str(asked)
    return starred_variant(project) or next(iter(names), "")


def chosen_variant(project: Project, asked: str | None) -> str:
    """Return the variant that is shown; where there is none, the name of a new one."""
    return shown_variant(project, asked) or FIRST


def steps_of(project: Project, variant: str) -> Steps:
    """Return the steps of a variant as the project file has them; none where it is new."""
    for name, recipe in zip(variant_names(project), project.sections.recipes, strict=True):
        if name == variant:
            return [dict(step) for step in recipe.get("steps", ())]  # type: ignore[attr-defined]
    return []


def with_steps(
    project: Project, variant: str, steps: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the entries of a project that change so that a variant has other steps.

    Examples
    --------
    >>> import sudare, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "toy.csv")
    >>> project = sudare.Project.create(sudare.write(sudare.datasets.toy(), path))
    >>> changed = project.edited(with_steps(project, "mine", [{"method": "pram"}]))
    >>> steps_of(changed, "mine")
    [{'method': 'pram'}]
    """
    names = variant_names(project)
    recipes = [
        {**recipe, "name": name}
        for name, recipe in zip(names, project.sections.recipes, strict=True)
    ]
    if variant not in names:
        recipes.append({"name": variant})
    changed = [
        {**recipe, "steps": list(steps)} if recipe["name"] == variant else recipe
        for recipe in recipes
    ]
    return {"recipes": changed}
