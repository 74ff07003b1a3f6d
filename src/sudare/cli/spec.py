"""What commands share: a recipe from a file, or from steps on the command line."""

from pathlib import Path

from sudare.core import SettingError
from sudare.release import Recipe, parse_masker


def recipe_or_steps(path: Path | None, steps: list[str]) -> Recipe:
    """Return the recipe of a file, or one of the steps on the command line."""
    if (path is None) == (not steps):
        raise SettingError("give either a recipe (--recipe) or steps (--step).")
    if path is not None:
        return Recipe.read(path)
    return Recipe("steps", [parse_masker(text) for text in steps])
