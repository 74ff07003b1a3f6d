"""What commands share: recipes by name or file, or from steps on the command line."""

from collections.abc import Sequence
from pathlib import Path

from sudare.core import SettingError
from sudare.release import Project, Recipe, parse_masker


def recipe_or_steps(
    given: Path | None,
    steps: Sequence[str],
    project: Project | None = None,
    allow_paths: Sequence[Path] = (),
) -> Recipe:
    """Return the recipe of a file or of the project, or one of the steps on the command line."""
    if given is not None and steps:
        raise SettingError("give either a recipe (--recipe) or steps (--step).")
    if steps:
        recipe = Recipe("steps", [parse_masker(text) for text in steps])
        return recipe if project is None else project.informed(recipe)
    return chosen_recipe(given, project, allow_paths)


def chosen_recipe(
    given: Path | None, project: Project | None = None, allow_paths: Sequence[Path] = ()
) -> Recipe:
    """Return a recipe by its name in the project or by its file; else the project's only one."""
    if project is None:
        if given is None:
            raise SettingError("give either a recipe (--recipe) or steps (--step).")
        return Recipe.read(given, allow_paths=allow_paths)
    if given is None:
        return project.recipe()
    by_name = {recipe.name: recipe for recipe in project.recipes}
    if str(given) in by_name:
        return by_name[str(given)]
    return project.informed(Recipe.read(given, allow_paths=allow_paths))
