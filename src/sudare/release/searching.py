"""Search: the recipe that loses least among those that keep the limits a custodian states."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sudare.core import (
    AnyMasker,
    Assessment,
    Microdata,
    OnProgress,
    Seed,
    SettingError,
    draws_from,
    fingerprint,
    html_table,
)
from sudare.release.comparing import Runner, labelled
from sudare.release.comparison import Candidate, Comparison
from sudare.release.explorer import Explorer, distance, misses, to_minimize
from sudare.release.limits import Limit
from sudare.release.method_words import measures_from
from sudare.release.recipe import Recipe
from sudare.release.space import moves, suited
from sudare.transactions import History

_BATCH = 4  # candidates that are tried side by side; fixed, so that cores do not change the result
_PATIENCE = 5  # times as many proposals as trials: some have been tried before
_WAYS = 5  # candidates that are confirmed on fresh seeds before the search gives up
_CONFIRMATIONS = 5  # fresh seeds on which the recommended recipe must keep the limits


@dataclass(frozen=True)
class SearchResult:
    """The result of a search.

    Attributes
    ----------
    comparison
        Every recipe that was tried, with its results; random ones as means of their runs.
    limits
        What was demanded.
    losses
        What was to be lost least, the first above all.
    recommended
        The recipe that loses least among those that kept every limit in every run, fresh seeds
        included; None where there is none.
    confirmed
        What the recommended recipe reached on fresh seeds, by measure.
    refused
        Why recipes could not be applied or measured, and how many of them, the most first.
    """

    comparison: Comparison
    limits: tuple[Limit, ...]
    losses: tuple[str, ...]
    recommended: Recipe | None
    confirmed: Mapping[str, tuple[float, ...]]
    refused: Mapping[str, int] = field(default_factory=dict)

    def feasible(self) -> tuple[Candidate, ...]:
        """Return the candidates that kept every limit in every run, least loss first."""
        measures = self.comparison.measures
        kept = [c for c in self.comparison.candidates if not misses(c, self.limits, measures)]
        return tuple(sorted(kept, key=lambda c: to_minimize(c.results[self.losses[0]])))

    def nearest(self) -> tuple[Candidate, ...]:
        """Return the candidates that missed a limit, those first that came near to keeping all."""
        measures = self.comparison.measures
        missed = [c for c in self.comparison.candidates if misses(c, self.limits, measures)]
        return tuple(sorted(missed, key=lambda c: distance(c, self.limits, measures)))

    def frontier(self, risk: str | None = None, loss: str | None = None) -> tuple[str, ...]:
        """Return the recipes that none beats in both a risk and a loss."""
        return self.comparison.frontier(risk, loss)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the recipes that keep the limits, least loss first."""
        kept = {candidate.recipe.name for candidate in self.feasible()}
        rows = [row for row in self.comparison.table() if row["recipe"] in kept]
        return html_table(rows, caption=str(self))

    def __str__(self) -> str:
        name = self.recommended.description if self.recommended else "none"
        return (
            f"{len(self.comparison.candidates)} recipes tried, {len(self.feasible())} keep the "
            f"limits; recommended: {name}"
        )


def search(
    data: Microdata | History,
    limits: Sequence[str | Limit],
    *,
    lose: str | Assessment | Sequence[str | Assessment],
    methods: Sequence[str | AnyMasker] | None = None,
    ranges: Mapping[str, Sequence[Any]] | None = None,
    trials: int = 100,
    repeats: int = 2,
    seed: Seed = None,
    folder: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
) -> SearchResult:
    """Look for the recipe that loses least among those that keep the limits.

    Methods are tried in the order given, each or not, on some of the columns that suit it, with
    settings that a tree-structured Parzen estimator proposes (Optuna). Candidates that draw are run
    several times and must keep the limits every time; the best is confirmed on fresh seeds.

    Parameters
    ----------
    data
        The original table or purchase history.
    limits
        What must be kept, such as ``"k-anonymity >= 5"``.
    lose
        The loss to make small, or several; the first decides what is recommended.
    methods
        The methods allowed, in the order in which they are applied: names, whose strength is
        searched, or maskers as they are. By default the usual ones that suit the data.
    ranges
        By ``"method.setting"``, two ends or the words to choose from.
    trials
        How many different recipes are tried; fewer where there are not so many.
    repeats
        Runs of each recipe that draws.
    seed
        Same seed, same search.
    folder
        Keeps what was measured, so that an interrupted search goes on; as confidential as the data.
    on_progress
        Called after each batch with (done, in all, name of the best recipe so far).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> result = search(data, ["uniques <= 0.02"], lose="total-variation", trials=8, seed=1)
    >>> [limit.met_by(result.feasible()[0].results["Uniques"]) for limit in result.limits]
    [True]
    """
    stated = Limit.all_of(limits)
    wanted = [lose] if isinstance(lose, str | Assessment) else list(lose)
    losses = measures_from(wanted)
    if not stated or not losses or trials < 1 or repeats < 1:
        raise SettingError("search needs a limit, a loss, and at least one trial and repeat.")
    secret = draws_from(seed).seed
    measures = labelled(_distinct([*(limit.measure for limit in stated), *losses]))
    runner = Runner(data, measures, secret, repeats=repeats, folder=folder)
    explorer = Explorer(
        moves(data, suited(data) if methods is None else methods, ranges or {}),
        stated,
        losses,
        secret,
    )
    tried: dict[str, Candidate] = {}
    refused: dict[str, str] = {}
    while len(tried) + len(refused) < trials and explorer.proposed < _PATIENCE * trials:
        batch = explorer.propose(min(_BATCH, trials - len(tried) - len(refused)))
        fresh = {recipe.name: recipe for recipe in batch if recipe.name not in {*tried, *refused}}
        candidates = runner.candidates(list(fresh.values()), refused=refused)
        tried |= {candidate.recipe.name: candidate for candidate in candidates}
        explorer.tell([tried.get(recipe.name) for recipe in batch], measures)
        if on_progress:
            on_progress(len(tried) + len(refused), trials, batch[-1].description)
    reasons = dict(Counter(refused.values()).most_common())
    if not tried:
        raise SettingError(
            "search: none of the recipes could be applied and measured; most often: {reason}",
            reason=next(iter(reasons)),
        )
    comparison = Comparison(tuple(tried.values()), measures)
    names = tuple(label for loss in losses for label, m in measures.items() if m == loss)
    return _confirmed(SearchResult(comparison, stated, names, None, {}, reasons), runner)


def _confirmed(result: SearchResult, runner: Runner) -> SearchResult:
    """Return the result with the best recipe that keeps the limits on fresh seeds too."""
    fresh = replace(
        runner, secret=int(fingerprint([runner.secret, "fresh"]), 16), repeats=_CONFIRMATIONS
    )
    for candidate in result.feasible()[:_WAYS]:
        (again,) = fresh.candidates([candidate.recipe])
        if not misses(again, result.limits, runner.measures):
            return replace(result, recommended=candidate.recipe, confirmed=again.runs)
    return result


def _distinct(measures: Sequence[Assessment]) -> list[Assessment]:
    return [measure for number, measure in enumerate(measures) if measure not in measures[:number]]
