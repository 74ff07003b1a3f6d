"""Whether a recipe does anything: without steps, it would release the original."""

from sudare.core import SettingError
from sudare.release.recipe import Recipe


def refuse_empty(recipe: Recipe) -> None:
    """Refuse to release the result of a recipe without steps."""
    if not recipe.maskers:
        raise SettingError(
            "the recipe '{name}' has no steps: the original would be released as it is. Nothing "
            "was written.",
            name=recipe.name,
        )
