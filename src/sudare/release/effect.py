"""Whether a recipe did anything: what it left as it was is the original, and is not released."""

from collections.abc import Sequence
from typing import Any

from sudare.core import LargeTable, Masked, Microdata, SettingError, same_values
from sudare.release.recipe import Recipe


def refuse_empty(recipe: Recipe) -> None:
    """Refuse a recipe without steps where its result is to leave the house."""
    if not recipe.maskers:
        raise SettingError(
            "the recipe '{name}' has no steps: the original would be released as it is. Nothing "
            "was written.",
            name=recipe.name,
        )


def refuse_unchanged(before: Microdata | LargeTable, masked: Masked[Any]) -> None:
    """Refuse a masked table that has the values of the original.

    New household numbers alone count for nothing, and so does leaving out identifiers. A large
    table is read until the first block that differs.
    """
    spared = {*before.with_role("identifier"), *before.with_role("household")}
    touched = dict.fromkeys(name for step in masked.steps for name in step.columns)
    names = [name for name in touched if name not in spared]
    if names and not _unchanged(before, masked.data, names):
        return
    raise SettingError(
        "the steps changed no value of the table: the original would be released as it is. "
        "Nothing was written."
    )


def _unchanged(before: Microdata | LargeTable, after: Any, names: Sequence[str]) -> bool:
    if isinstance(before, LargeTable):
        return before.unchanged_in(after, names)
    return all(same_values(before[name], after[name]) for name in names)
