"""Publish: mask a table or a purchase history by a recipe and measure it, ready for release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import overload

from sudare.core import Assessment, LargeTable, Microdata, OnProgress, Result, Seed, SettingError
from sudare.mask import HouseholdNumbers
from sudare.release.comparison import Comparison
from sudare.release.effect import refuse_empty, refuse_unchanged
from sudare.release.limits import Limit
from sudare.release.method_words import measures_from
from sudare.release.publication import HistoryPublication, Publication, Table, TablePublication
from sudare.release.recipe import Recipe
from sudare.transactions import (
    Attacks,
    History,
    HistoryMasker,
    MaskedHistory,
    Pseudonyms,
    Reidentification,
    published,
)

FOR_TABLES = ("k-anonymity", "uniques", "direct-comparison")
FOR_HISTORIES = ("reidentification", "cell-error")


@overload
def publish(
    data: Table,
    recipe: Recipe,
    *,
    measures: Sequence[str | Assessment] | None = None,
    limits: Sequence[str | Limit] = (),
    comparison: Comparison | None = None,
    texts: Mapping[str, str] | None = None,
    seed: Seed = None,
    on_progress: OnProgress | None = None,
) -> TablePublication[Table]: ...


@overload
def publish(
    data: History,
    recipe: Recipe,
    *,
    measures: Sequence[str | Assessment] | None = None,
    limits: Sequence[str | Limit] = (),
    comparison: Comparison | None = None,
    texts: Mapping[str, str] | None = None,
    seed: Seed = None,
    on_progress: OnProgress | None = None,
) -> HistoryPublication: ...


def publish(
    data: Microdata | LargeTable | History,
    recipe: Recipe,
    *,
    measures: Sequence[str | Assessment] | None = None,
    limits: Sequence[str | Limit] = (),
    comparison: Comparison | None = None,
    texts: Mapping[str, str] | None = None,
    seed: Seed = None,
    on_progress: OnProgress | None = None,
) -> Publication:
    """Mask a table or a purchase history by a recipe and measure it, ready to be released.

    The identifiers of a table are left out. Households get new numbers, and the customers of a
    history new pseudonyms: a recipe that does not deal them out gets a last step that does. The
    recipe that is released says all roles and scales. A recipe without steps, and one that leaves
    a table as it is, are refused: that would release the original.

    Parameters
    ----------
    data
        The original.
    recipe
        How to mask it.
    measures
        What the report tells. By default k-anonymity, sample uniques and direct comparison of a
        table; re-identification and the mean error of the cells of a history.
    limits
        What must be kept; a release that misses one cannot be written.
    comparison
        The recipes that were considered; the report maps them.
    texts
        What the report says beside the numbers, as in the section ``[report]`` of a project:
        "title", "office", "contact", "date", "purpose" and "decision".
    seed
        Same seed, same release. It is kept nowhere; keep it as secret as the data.
    on_progress
        Called before each step with (done, in all, name).

    Examples
    --------
    >>> import sudare
    >>> recipe = sudare.Recipe("coarse", [sudare.mask.GlobalRecode(min_share=0.2)])
    >>> release = publish(sudare.datasets.toy(), recipe, limits=["uniques < 1"], seed=1)
    >>> release.keeps_limits
    True

    >>> history = sudare.datasets.purchases_like(20, seed=1)
    >>> pairs = sudare.Recipe("pairs", [sudare.transactions.CustomerAnonymity(k=2)])
    >>> release = publish(history, pairs, limits=["reidentification < 1"], seed=1)
    >>> release.keeps_limits
    True
    """
    if not isinstance(recipe, Recipe):
        raise SettingError("publish takes a recipe: sudare.Recipe(name, maskers).")
    refuse_empty(recipe)
    stated = Limit.all_of(limits)
    if measures is None:
        measures = FOR_HISTORIES if isinstance(data, History) else FOR_TABLES
    wanted = measures_from(measures)
    wanted += [limit.measure for limit in stated if limit.measure not in wanted]
    request = _PublicationRequest(
        recipe, wanted, stated, comparison, texts or {}, seed, on_progress
    )
    return request.of_history(data) if isinstance(data, History) else request.of_table(data)


@dataclass(frozen=True)
class _PublicationRequest:
    """What is to be published of data, whatever their kind."""

    recipe: Recipe
    measures: Sequence[Assessment]
    limits: tuple[Limit, ...]
    comparison: Comparison | None
    texts: Mapping[str, str]
    seed: Seed
    on_progress: OnProgress | None

    def of_table(self, data: Table) -> TablePublication[Table]:
        before: Table = self.recipe.prepare(data)
        recipe = _renumbering(self.recipe.complete(data), before)
        masked = recipe.apply(data, seed=self.seed, on_progress=self.on_progress)
        refuse_unchanged(before, masked)
        return TablePublication(
            recipe=recipe,
            steps=masked.steps,
            measured=tuple((m, m(before, masked.data, steps=masked.steps)) for m in self.measures),
            limits=self.limits,
            comparison=self.comparison,
            texts=self.texts,
            before=before,
            released=masked.data.without(masked.data.with_role("identifier")),
        )

    def of_history(self, history: History) -> HistoryPublication:
        recipe = _renaming(self.recipe)
        made = recipe.apply(history, seed=self.seed, on_progress=self.on_progress)
        masked: MaskedHistory = made.data
        attacks: Attacks | None = None
        measured: list[tuple[Assessment, Result]] = []
        for measure in self.measures:
            if isinstance(measure, Reidentification):
                attacks = measure.attacks(history, masked)
                measured.append((measure, measure.judged(attacks)))
            else:
                measured.append((measure, measure(history, masked, steps=made.steps)))
        return HistoryPublication(
            recipe=recipe,
            steps=made.steps,
            measured=tuple(measured),
            limits=self.limits,
            comparison=self.comparison,
            texts=self.texts,
            before=history,
            masked=masked,
            released=published(masked),
            attacks=attacks,
        )


def _renumbering(recipe: Recipe, data: Microdata | LargeTable) -> Recipe:
    """Return a recipe that renumbers the households, so that their numbers cannot be looked up."""
    numbered = any(isinstance(masker, HouseholdNumbers) for masker in recipe.maskers)
    if numbered or not data.with_role("household"):
        return recipe
    return replace(recipe, maskers=[*recipe.maskers, HouseholdNumbers()])


def _renaming(recipe: Recipe) -> Recipe:
    """Return a recipe that renumbers the customers, so that their order does not reveal them."""
    touched: set[str] = set()
    for masker in recipe.maskers:
        touched |= set(masker.touches()) if isinstance(masker, HistoryMasker) else set()
    if "customer" in touched:
        return recipe
    return replace(recipe, maskers=[*recipe.maskers, Pseudonyms()])
