"""Compare recipes: mask by every recipe, measure every result, several times where chance plays."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from sudare.core import (
    AnyMasker,
    Assessment,
    LargeTable,
    Microdata,
    OnProgress,
    Result,
    Seed,
    SettingError,
    Step,
    SudareError,
    apply,
    chain_of,
    draws_from,
    fingerprint,
)
from sudare.engine.counting import as_they_end
from sudare.release.comparing.comparison import Candidate, Comparison
from sudare.release.comparing.kept_results import KeptResults
from sudare.release.default_measures import FOR_HISTORIES, FOR_TABLES
from sudare.release.limits import FacetOf, Limit
from sudare.release.method_words import measures_from, subject_of
from sudare.release.recipe import Recipe
from sudare.transactions import History

Recipes = Sequence[Recipe] | Mapping[str, AnyMasker | Sequence[AnyMasker]]


def compare(
    data: Microdata | LargeTable | History,
    recipes: Recipes,
    measures: Sequence[str | Assessment] | None = None,
    *,
    seed: Seed = None,
    repeats: int = 1,
    workers: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    limits: Sequence[str | Limit] = (),
    on_progress: OnProgress | None = None,
) -> Comparison:
    """Mask a table or a purchase history by every recipe and measure every result.

    Parameters
    ----------
    data
        The original. A table that is not in memory is compared by measures that count or sum.
    recipes
        Recipes, or maskers by name.
    measures
        What to measure: risks and losses, as objects or in words ("uniques"). By default those
        that are fair to every method: re-identification, and the distance-based loss over all
        columns; k-anonymity and the total variation of all pairs of columns beside them.
    seed
        Same seed, same comparison.
    repeats
        How often a recipe that draws is run, each time with other draws; the comparison then has
        means with intervals. A recipe without chance is run once.
    workers
        How many runs go on at a time; by default as many as there are cores. On a table that is not
        in memory they take turns, as each takes all cores.
    folder
        Where to keep what was measured; a comparison that was interrupted, or that is asked again
        with more recipes or measures, takes it from there. As confidential as the data.
    limits
        What must be kept: measured too, and shown on the map as what is forbidden.
    on_progress
        Called after each run with (done, in all, name of the recipe).

    Examples
    --------
    >>> import sudare
    >>> comparison = compare(
    ...     sudare.datasets.toy(),
    ...     {"as it is": [], "coarse": sudare.mask.GlobalRecode(min_share=0.2)},
    ...     [sudare.risk.Uniques(), sudare.loss.TotalVariation()],
    ... )
    >>> comparison.frontier()
    ('coarse', 'as it is')
    """
    subject = subject_of(data)
    if measures is None:
        measures = FOR_HISTORIES if subject == "history" else FOR_TABLES
    wanted = measures_from(measures, subject)
    stated = () if limits == () else Limit.all_of(limits, subject)
    wanted += [limit.quantity for limit in stated if limit.quantity not in wanted]
    chosen = _checked(list(_recipes(recipes)), wanted, repeats)
    named = labelled(wanted)
    runner = Runner(
        data, named, draws_from(seed).seed, repeats=repeats, workers=workers, folder=folder
    )
    return Comparison(tuple(runner.candidates(chosen, on_progress=on_progress)), named, stated)


@dataclass(frozen=True, eq=False, repr=False)
class Trial:
    """One recipe on one table: what all runs of it share."""

    recipe: Recipe
    data: Any
    kept: KeptResults | None

    @cached_property
    def before(self) -> Any:
        """The original with the roles and scales of the recipe."""
        return self.recipe.prepare(self.data)

    @cached_property
    def digest(self) -> str:
        """What the results of all runs are kept by."""
        return "" if self.kept is None else self.kept.digest(self.recipe)


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """A trial with one seed."""

    trial: Trial
    seed: int

    def carry_out(self, measures: Mapping[str, Assessment]) -> "Done":
        """Return the steps and results; what a folder keeps is not done again."""
        trial = self.trial
        kept = trial.kept and trial.kept.run(trial.digest, self.seed)
        results = kept.results(measures) if kept else {}
        steps = kept.steps() if kept else None
        if steps is not None and len(results) == len(measures):
            return steps, results
        masked = apply(trial.before, trial.recipe.maskers_for(trial.before), seed=self.seed)
        measured: list[tuple[Assessment, Result]] = []  # once for all facets of a measure
        for label, measure in measures.items():
            if label in results:
                continue
            whole = measure.measure if isinstance(measure, FacetOf) else measure
            result = next((result for other, result in measured if other == whole), None)
            if result is None:
                result = whole(trial.before, masked.data, steps=masked.steps)
                measured.append((whole, result))
            results[label] = measure.of(result) if isinstance(measure, FacetOf) else result
            if kept:
                kept.add(measure, results[label])
        if kept:
            kept.end(masked.steps)
        return masked.steps, results


Done = tuple[tuple[Step, ...], dict[str, Result]]
RunOutcome = Done | SudareError  # why the recipe was refused


@dataclass(frozen=True, repr=False)
class Runner:
    """Runs recipes on one table and measures what comes out, several runs at a time."""

    data: Any
    measures: Mapping[str, Assessment]
    secret: int
    _: KW_ONLY
    repeats: int = 1
    workers: int | None = None
    folder: str | os.PathLike[str] | None = None

    def candidates(
        self,
        recipes: Sequence[Recipe],
        *,
        refused: dict[str, str] | None = None,
        on_progress: OnProgress | None = None,
    ) -> Iterator[Candidate]:
        """Yield the recipes with their results.

        Where ``refused`` is given, recipes that cannot be applied or measured are left out, and the
        reason is noted there by their name.
        """
        runs = [
            Run(trial, self.secret if repeat == 0 else int(fingerprint([self.secret, repeat]), 16))
            for trial in (Trial(recipe, self.data, self._kept) for recipe in recipes)
            for repeat in range(self.repeats if any(m.random for m in trial.recipe.maskers) else 1)
        ]
        done: dict[Run, RunOutcome] = {}
        for run, outcome in self._in_parallel(runs, tolerant=refused is not None):
            done[run] = outcome
            if on_progress:
                on_progress(len(done), len(runs), run.trial.recipe.name)
        for recipe in recipes:
            mine = [done[run] for run in runs if run.trial.recipe is recipe]
            ended = [outcome for outcome in mine if not isinstance(outcome, SudareError)]
            if refused is not None and len(ended) < len(mine):
                refused[recipe.name] = next(str(o) for o in mine if isinstance(o, SudareError))
            else:
                yield _candidate(recipe, ended, self.measures)

    def _in_parallel(
        self, runs: Sequence[Run], *, tolerant: bool
    ) -> Iterator[tuple[Run, RunOutcome]]:
        """Yield runs as they end; an interrupt lets those that have begun end, and no others."""

        def work(run: Run) -> tuple[Run, RunOutcome]:
            try:
                return run, run.carry_out(self.measures)
            except SudareError as refusal:
                if tolerant:
                    return run, refusal
                raise

        workers = 1 if isinstance(self.data, LargeTable) else self.workers
        yield from as_they_end(work, runs, workers)

    @cached_property
    def _kept(self) -> KeptResults | None:
        return None if self.folder is None else KeptResults.of(self.data, self.folder)


def _candidate(
    recipe: Recipe, runs: Sequence[Done], measures: Mapping[str, Assessment]
) -> Candidate:
    results = {label: _merged([measured[label] for _, measured in runs]) for label in measures}
    values = {label: tuple(measured[label].judged for _, measured in runs) for label in measures}
    return Candidate(recipe, runs[0][0], results, values)


def _merged(results: Sequence[Result]) -> Result:
    """Return the mean of repeated results, with an interval of 95 % for it (Student's t)."""
    first = results[0]
    if len(results) == 1:
        return first
    from scipy.special import stdtrit

    values = np.array([result.value for result in results])
    reach = stdtrit(len(values) - 1, 0.975) * values.std(ddof=1) / np.sqrt(len(values))
    middle = float(values.mean())
    parts = {
        name: float(np.mean([result.parts[name] for result in results if name in result.parts]))
        for name in first.parts
    }
    told = [result.informed for result in results if result.informed is not None]
    worst = max if first.lower_is_better else min
    return replace(
        first,
        value=middle,
        parts=parts,
        interval=(middle - reach, middle + reach),
        informed=worst(told) if told else None,
        by_record=None,
        informed_by_record=None,
    )


def _checked(
    recipes: Sequence[Recipe], measures: Sequence[Assessment], repeats: int
) -> Sequence[Recipe]:
    if not recipes or not measures:
        raise SettingError("compare needs at least one recipe and one measure.")
    names = [recipe.name for recipe in recipes]
    if len(set(names)) < len(names):
        raise SettingError("two recipes have the same name; give each its own.")
    if repeats < 1:
        raise SettingError("compare: repeats must be at least 1, got {repeats}.", repeats=repeats)
    return recipes


def labelled(measures: Sequence[Assessment]) -> dict[str, Assessment]:
    """Return measures by name; those of the same method have their settings in the name."""
    names = Counter(map(_short_name, measures))
    named = {m.label() if names[_short_name(m)] > 1 else _short_name(m): m for m in measures}
    if len(named) < len(measures):
        raise SettingError("a measure is given twice.")
    return named


def _short_name(measure: Assessment) -> str:
    if isinstance(measure, FacetOf):
        return f"{_short_name(measure.measure)}{measure.facet}"
    return type(measure).__name__


def _recipes(recipes: Recipes) -> Iterator[Recipe]:
    if not isinstance(recipes, Mapping):
        listed = isinstance(recipes, Iterable)
        if not listed or not all(isinstance(recipe, Recipe) for recipe in recipes):
            raise SettingError(
                "compare takes recipes, as sudare.Recipe(name, maskers), or maskers by name."
            )
        yield from recipes
        return
    for name, maskers in recipes.items():
        yield Recipe(name, chain_of(maskers))
