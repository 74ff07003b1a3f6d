"""Search: the recipe that loses least among those that keep the limits a custodian states."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sudare.core import (
    AnyMasker,
    Assessment,
    Measure,
    Microdata,
    OnProgress,
    Seed,
    SettingError,
    draws_from,
    fingerprint,
    html_table,
)
from sudare.release.comparing import Candidate, Comparison, Runner, labelled
from sudare.release.default_measures import LOSS
from sudare.release.limits import Limit
from sudare.release.method_words import measures_from, subject_of
from sudare.release.recipe import Recipe
from sudare.release.searching.explorer import Explorer, distance, misses, to_minimize
from sudare.release.searching.space import Move, moves, suited
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
    ignored
        Columns that recipes may mask and that the first loss does not look at.
    interrupted
        Whether somebody stopped the search: the result is the best so far.
    """

    comparison: Comparison
    limits: tuple[Limit, ...]
    losses: tuple[str, ...]
    recommended: Recipe | None
    confirmed: Mapping[str, tuple[float, ...]]
    refused: Mapping[str, int] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    interrupted: bool = False

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
    lose: str | Assessment | Sequence[str | Assessment] = (),
    methods: Sequence[str | AnyMasker] | None = None,
    ranges: Mapping[str, Sequence[Any]] | None = None,
    trials: int = 100,
    repeats: int = 2,
    seed: Seed = None,
    folder: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
) -> SearchResult:
    """Look for the recipe that loses least among those that keep the limits.

    Limits on k, l, t and on risks that follow from k are handed to the methods that can promise
    them (:class:`sudare.mask.Mondrian` and the like); these are tried first. Then methods are tried
    in the order given, each or not, on some of the columns that suit it, with settings that a
    tree-structured Parzen estimator proposes (Optuna). Candidates that draw are run several times
    and must keep the limits every time; the best is confirmed on fresh seeds. An interrupt
    (Ctrl+C) ends the search with the best so far.

    Parameters
    ----------
    data
        The original table or purchase history.
    limits
        What must be kept, such as ``"k-anonymity >= 5"``.
    lose
        The loss to make small, or several; the first decides what is recommended. By default, of a
        table, the distance-based loss over all columns that may be masked.
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
    stated = Limit.all_of(limits, subject_of(data))
    losses = _losses(data, lose)
    if not stated or not losses or trials < 1 or repeats < 1:
        raise SettingError("search needs a limit, a loss, and at least one trial and repeat.")
    secret = draws_from(seed).seed
    measures = labelled(_distinct([*(limit.quantity for limit in stated), *losses]))
    runner = Runner(data, measures, secret, repeats=repeats, folder=folder)
    allowed = suited(data, stated) if methods is None else methods
    space = moves(data, allowed, ranges or {}, stated)
    exploration = _Exploration(runner, Explorer(space, stated, losses, secret), trials)
    exploration.go_on(on_progress)
    return _confirmed(replace(exploration.result(), ignored=_ignored(data, space, losses)), runner)


@dataclass(eq=False)
class _Exploration:
    """What was tried so far; it can be interrupted, and keeps what it has."""

    runner: Runner
    explorer: Explorer
    trials: int
    tried: dict[str, Candidate] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    interrupted: bool = False

    def go_on(self, on_progress: OnProgress | None) -> None:
        """Try recipes until there are enough of them, or somebody interrupts."""
        try:
            while self._done < self.trials and self.explorer.proposed < _PATIENCE * self.trials:
                self._try_some()
                if on_progress:
                    on_progress(self._done, self.trials, self._best())
        except KeyboardInterrupt as stop:
            if not self.tried or type(stop) is not KeyboardInterrupt:  # asked to end, not to stop
                raise
            self.interrupted = True

    def result(self) -> SearchResult:
        """Return what was found so far, not yet confirmed."""
        reasons = dict(Counter(self.refused.values()).most_common())
        if not self.tried:
            raise SettingError(
                "search: none of the recipes could be applied and measured; most often: {reason}",
                reason=next(iter(reasons)),
            )
        measures, losses = self.runner.measures, self.explorer.losses
        names = tuple(label for loss in losses for label, m in measures.items() if m == loss)
        comparison = Comparison(tuple(self.tried.values()), measures, limits=self.explorer.limits)
        return SearchResult(
            comparison,
            tuple(self.explorer.limits),
            names,
            None,
            {},
            reasons,
            interrupted=self.interrupted,
        )

    @property
    def _done(self) -> int:
        return len(self.tried) + len(self.refused)

    def _try_some(self) -> None:
        batch = self.explorer.propose(min(_BATCH, self.trials - self._done))
        known = {*self.tried, *self.refused}
        fresh = {recipe.name: recipe for recipe in batch if recipe.name not in known}
        candidates = self.runner.candidates(list(fresh.values()), refused=self.refused)
        self.tried |= {candidate.recipe.name: candidate for candidate in candidates}
        self.explorer.tell([self.tried.get(r.name) for r in batch], self.runner.measures)

    def _best(self) -> str:
        """Return the best recipe so far, in words; nothing while none keeps the limits."""
        feasible = self.result().feasible() if self.tried else ()
        return feasible[0].recipe.description if feasible else ""


def _ignored(data: object, space: Sequence[Move], losses: Sequence[Assessment]) -> tuple[str, ...]:
    """Return the columns that may be masked and that the first loss does not look at."""
    if not isinstance(data, Microdata) or not isinstance(losses[0], Measure):
        return ()
    masked = {name for move in space for name in move.masks(data)}
    counted = set(losses[0].chosen(data))
    return tuple(name for name in data.names if name in masked - counted)


def _losses(data: object, lose: str | Assessment | Sequence[str | Assessment]) -> list[Assessment]:
    """Return the losses asked for, or the usual one."""
    subject = subject_of(data)
    wanted = [lose] if isinstance(lose, str | Assessment) else list(lose)
    return measures_from(wanted or [LOSS if subject == "table" else "cell-error"], subject)


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
