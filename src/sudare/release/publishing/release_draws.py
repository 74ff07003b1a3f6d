"""The draws of a release: keyed by the secret seed, the table and the recipe.

Two releases of one table with the same draws would undo each other: twice a table with noise of
0.1 less one with noise of 0.2 is the original. So would those of a table and of the same one with
a record more. The same recipe on the same table with the same seed gives the same release.
"""

from dataclasses import fields, replace
from typing import Any

from sudare.core import (
    Draws,
    LargeTable,
    Masker,
    Microdata,
    Seed,
    content_sum,
    contents,
    draws_from,
    fingerprint,
)
from sudare.mask import HouseholdNumbers
from sudare.release.recipe import Recipe
from sudare.transactions import History, HistoryMasker, Pseudonyms, RowDeletion

_CONTENT_STEP = -2  # no step of a recipe has this number: its draws tell tables apart


def release_draws(before: Any, recipe: Recipe, seed: Seed) -> Draws:
    """Return the draws of a release.

    Parameters
    ----------
    before
        The original, with the roles and scales of the recipe.
    recipe
        How it is masked, with the steps that every release gets.
    seed
        Secret; see :func:`release_seed`.

    Examples
    --------
    >>> import sudare
    >>> data, noise = sudare.datasets.toy(), sudare.mask.Noise
    >>> recipes = [sudare.Recipe("noise", [noise(sd_ratio=ratio)]) for ratio in (0.1, 0.2)]
    >>> first, other = (release_draws(data, recipe, 2**70) for recipe in recipes)
    >>> bool((first.normal("age", 400) == other.normal("age", 400)).any())
    False
    """
    draws = draws_from(seed)
    return draws.of_release(f"{_contents(before, draws)}|{recipe.decisions()}")


def _contents(before: Any, draws: Draws) -> str:
    if isinstance(before, History):
        return fingerprint(getattr(before, part.name) for part in fields(before))
    own = draws.for_step(_CONTENT_STEP)
    is_large = isinstance(before, LargeTable)
    told = before.contents(own) if is_large else contents(before.columns, content_sum(before, own))
    return f"{before.records} {told}"


def draws_for(data: Any, recipe: Recipe, seed: Seed) -> Draws:
    """Return the draws with which data would be released by a recipe; a seed may have a secret."""
    if isinstance(data, History):
        return release_draws(data, renumbering_customers(recipe), seed)
    before = recipe.prepare(data)
    return release_draws(before, renumbering_households(recipe.resolved(before), before), seed)


def renumbering_customers(recipe: Recipe) -> Recipe:
    """Return a recipe that renumbers the customers, so that their order does not reveal them."""
    renumbers = (
        isinstance(masker, HistoryMasker) and "customer" in masker.touches()
        for masker in recipe.maskers
        if not isinstance(masker, RowDeletion)  # which gives nobody another number
    )
    if any(renumbers):
        return recipe
    return replace(recipe, maskers=[*recipe.maskers, Pseudonyms()])


def renumbering_households(recipe: Recipe, data: Microdata | LargeTable) -> Recipe:
    """Return a recipe that renumbers the households, so that their numbers cannot be looked up."""
    numbered = any(isinstance(masker, HouseholdNumbers) for masker in recipe.maskers)
    left = set(data.with_role("household"))
    if isinstance(data, Microdata):
        left.difference_update(
            *(m.leaves_out(data) for m in recipe.maskers if isinstance(m, Masker))
        )
    if numbered or not left:
        return recipe
    return replace(recipe, maskers=[*recipe.maskers, HouseholdNumbers()])
