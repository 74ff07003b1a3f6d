"""The randomization study: what an analysis is worth on randomized and on k-anonymous data.

Figure 1 of Hasegawa, Hamada and Kikuchi as one call on any data set.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sudare.core import (
    Categorical,
    ColumnError,
    Microdata,
    Numeric,
    OnProgress,
    SettingError,
    check_known,
    fingerprint,
    say,
)
from sudare.describe import Hierarchy
from sudare.describe.hierarchies import Declaration, declared
from sudare.engine.formats import ResultCache
from sudare.study.randomization_study.methods import (
    METHODS,
    WITHOUT_K,
    StudyTrial,
    area_under_curve,
)
from sudare.study.randomization_study.pages import (
    budget_rows,
    figure_rows,
    findings,
    interval_rows,
    presented,
    randomization_blocks,
)
from sudare.study.result import Row, StudyResult, ascending

# Table 2 of the paper: its inputs, which of the numbers it takes by category, and its target.
PAPER_INPUTS = (
    *("age", "workclass", "education-num", "marital-status", "occupation"),
    *("relationship", "sex", "capital-gain", "capital-loss", "hours-per-week"),
)
PAPER_CATEGORIES = ("age",)
PAPER_TARGET = "income"

Areas = Mapping[tuple[str, int], Sequence[float]]


@dataclass(frozen=True, eq=False)
class RandomizationStudy(StudyResult):
    """The tables of the study, with what they were made from.

    Attributes
    ----------
    areas
        By method and k, the area under the curve of each repeat.
    """

    areas: Areas

    def presented(self) -> Mapping[str, Sequence[Row]]:
        """Return the tables as people read them."""
        return presented(self.tables)


def randomization(
    data: Microdata,
    *,
    k: Sequence[int] = (3, 5, 10, 50),
    target: str | None = None,
    columns: Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    repeats: int = 5,
    hierarchies: Mapping[str, Declaration] | None = None,
    seed: int = 1,
    folder: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
) -> RandomizationStudy:
    """Study how well a target is predicted after Pk-anonymization and after k-anonymization.

    A third of the records, drawn at random, is masked with each method at each k, a classifier is
    trained on it, and the area under its ROC curve is taken on the other records, not masked.
    Every repeat draws another third and other noise.

    Parameters
    ----------
    data
        The table.
    k
        Of Pk-anonymity and of k-anonymity.
    target
        The column to predict, with two classes; by default ``income`` if the paper's columns are
        there, else the only sensitive column of two classes.
    columns
        The inputs, which are masked; by default the paper's ten if they are there, else the keys.
    methods
        Names of the methods, by default all: original, randomized, kernel, linear, naive-bayes,
        sampling, generalization, suppression, both.
    repeats
        How many splits.
    hierarchies
        By input, its hierarchy for generalization; automatic where none is given.
    seed
        Of splits and noise.
    folder
        Where finished runs are noted, so that an interrupted study goes on from there.
    on_progress
        Called after each run with (done, in all, what was done).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.adult_like(3000)
    >>> result = randomization(data, k=[3, 20], methods=["randomized", "sampling"], repeats=2)
    >>> [row["sampling"] > row["randomized"] for row in result.tables["figure_1"]]
    [True, True]
    """
    inputs = _inputs(data, columns)
    chosen = _target(data, target, inputs)
    named = _methods(methods)
    counts = ascending(k, 2)
    if repeats < 1:
        raise SettingError("repeats must be 1 or more.")
    table = _with_roles(data, inputs, chosen)
    given = hierarchies or {}
    along = {name: declared(data[name], given.get(name)) for name in inputs}
    trials = Trials(table, chosen, along, seed)
    path = None if folder is None else Path(folder) / "runs.jsonl"
    cache = ResultCache(path, trials.digest())
    areas = _areas(trials, named, counts, repeats, cache, on_progress)
    rows = trials.rows
    tables: dict[str, Sequence[Row]] = {
        "figure_1": figure_rows(areas, counts),
        "intervals": interval_rows(areas),
        "findings": findings(areas, counts),
        "budget": budget_rows(counts, rows, len(inputs)),
    }
    blocks = randomization_blocks(tables, areas, rows, data.rows - rows, len(inputs))
    return RandomizationStudy(say("Randomization and reconstruction"), tables, blocks, areas)


@dataclass(frozen=True, eq=False)
class Trials:
    """What all runs of a study share; a run is a repeat at one k."""

    data: Microdata
    target: str
    hierarchies: Mapping[str, Hierarchy]
    seed: int

    @property
    def rows(self) -> int:
        """Number of training records."""
        return self.data.rows // 3

    def at(self, k: int, repeat: int) -> StudyTrial:
        """Return one split with its noise; the same for every method."""
        rng = np.random.default_rng([self.seed, repeat])
        order = rng.permutation(self.data.rows)
        numbers = {n for n in self.data.keys if isinstance(self.data[n], Numeric)}
        return StudyTrial(
            training=self.data.take(order[: self.rows]),
            test=self.data.take(order[self.rows :]),
            target=self.target,
            categories=tuple(n for n in PAPER_CATEGORIES if n in numbers),
            hierarchies=self.hierarchies,
            k=k,
            seed=int(rng.integers(2**31)),
        )

    def digest(self) -> str:
        """Return a digest of the data and of what does not vary between runs."""
        ways = [part for name in self.data.keys for part in (name, self.hierarchies[name].groups)]
        return fingerprint([self.data.fingerprint(), self.seed, *ways])


def _areas(
    trials: Trials,
    methods: Sequence[str],
    counts: Sequence[int],
    repeats: int,
    cache: ResultCache,
    on_progress: OnProgress | None,
) -> Areas:
    runs = list(_runs(methods, counts, repeats))
    areas: dict[tuple[str, int], list[float]] = {}
    for number, (repeat, k, method) in enumerate(runs, 1):
        key = json.dumps([method, 0 if method in WITHOUT_K else k, repeat])
        if key not in cache:
            trial = trials.at(k, repeat)
            target = trial.test[trials.target].coded.codes
            known = target >= 0
            cache.add(key, area_under_curve(METHODS[method](trial)[known], target[known] == 1))
        areas.setdefault((method, k), []).append(cache[key])
        if on_progress:
            on_progress(number, len(runs), f"{method}, k = {k}")
    return areas


def _runs(
    methods: Sequence[str], counts: Sequence[int], repeats: int
) -> Iterator[tuple[int, int, str]]:
    """Yield all runs, repeat by repeat, so that an interrupted study has something of all."""
    for repeat in range(repeats):
        for k in counts:
            for method in methods:
                yield repeat, k, method


def _inputs(data: Microdata, columns: Sequence[str] | None) -> tuple[str, ...]:
    if columns is None:
        columns = PAPER_INPUTS if all(name in data for name in PAPER_INPUTS) else data.keys
    for name in columns:
        data[name]  # refuses a name that is not there
    if len(columns) < 2 or len(set(columns)) < len(columns):
        raise SettingError("the study needs at least two different inputs; name them, or keys.")
    return tuple(columns)


def _target(data: Microdata, target: str | None, inputs: Sequence[str]) -> str:
    if target is None:
        fits = [n for n in data.sensitive if _has_two_classes(data, n) and n not in inputs]
        if tuple(inputs) == PAPER_INPUTS and PAPER_TARGET in data:
            fits = [PAPER_TARGET]
        if len(fits) != 1:
            raise SettingError(
                "{count} sensitive {count:column has|columns have} two classes; name the target.",
                count=len(fits),
            )
        target = fits[0]
    if target in inputs or not _has_two_classes(data, target):
        raise ColumnError(
            "the target '{column}' must have two classes and must not be an input.", column=target
        )
    return target


def _has_two_classes(data: Microdata, name: str) -> bool:
    column = data[name]
    return isinstance(column, Categorical) and len(column.labels) == 2


def _with_roles(data: Microdata, inputs: Sequence[str], target: str) -> Microdata:
    """Return the inputs as keys and the target as sensitive, and nothing else."""
    kept = Microdata(tuple(data[name] for name in (*inputs, target)), data.origin)
    return kept.assigning(roles={**dict.fromkeys(inputs, "key"), target: "sensitive"})


def _methods(methods: Sequence[str] | None) -> tuple[str, ...]:
    check_known("method", methods or (), METHODS)
    return tuple(METHODS) if not methods else tuple(name for name in METHODS if name in methods)
