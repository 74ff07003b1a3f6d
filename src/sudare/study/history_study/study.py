"""The history study: whether the utility U tells what analysts will find in a masked history.

Hamada et al., section 6 and tables 6 to 10, as one call on any history and masked files.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sudare.core import Draws, OnProgress, Seed, SettingError, apply, draws_from, fingerprint, say
from sudare.engine.formats import ResultCache
from sudare.study.history_study.pages import history_blocks, presented
from sudare.study.history_study.paper import SIZE
from sudare.study.history_study.tables import FileOutcome, correlation_table, error_tables
from sudare.study.result import Row, StudyResult
from sudare.transactions import (
    AMOUNTS,
    CellDeletion,
    CoarseDates,
    CustomerAnonymity,
    History,
    HistoryMasker,
    ItemFamilies,
    MaskedHistory,
    PriceBands,
    QuantityBands,
    RowDeletion,
    read_masked,
    utility,
)
from sudare.transactions.loss import MIN_SUPPORT, Possible, Reference, mean_errors, sample_errors

File = MaskedHistory | str | os.PathLike[str]

# What the study masks by itself, from mild to strong.
RECIPES: Mapping[str, Sequence[HistoryMasker]] = {
    "weeks": [CoarseDates(period="week")],
    "months": [CoarseDates(period="month")],
    "bands": [PriceBands(width=0.5), QuantityBands(width=6)],
    "rows-10": [RowDeletion(share=0.1)],
    "families-2": [ItemFamilies(size=2)],
    "months-families-3": [CoarseDates(period="month"), ItemFamilies(size=3)],
    "families-10": [ItemFamilies(size=10)],
    "2-anonymous": [CustomerAnonymity(k=2)],
    "no-quantities": [CellDeletion(columns=("quantity",))],
    "mixed": [
        CoarseDates(period="month"),
        ItemFamilies(size=10),
        PriceBands(width=1.0),
        QuantityBands(width=12),
        RowDeletion(share=0.1),
    ],
    "mixed-strong": [
        CoarseDates(period="quarter"),
        ItemFamilies(size=20),
        PriceBands(width=5.0),
        QuantityBands(width=48),
        RowDeletion(share=0.3),
    ],
}


@dataclass(frozen=True, eq=False)
class HistoryStudy(StudyResult):
    """The tables of the study, with what they were made from.

    Attributes
    ----------
    outcomes
        By file, its U and the mean errors over samples.
    like_the_paper
        Whether the history has the size of the contest's, so that the paper's tables compare.
    """

    outcomes: Mapping[str, FileOutcome]
    like_the_paper: bool

    def presented(self) -> Mapping[str, Sequence[Row]]:
        """Return the tables as people read them, with the paper's correlations if they compare."""
        return presented(self.tables, beside_paper=self.like_the_paper)


def history(
    history: History,
    masked_files: Mapping[str, File] | Sequence[str | os.PathLike[str]] | None = None,
    *,
    samples: int = 100,
    min_support: float = MIN_SUPPORT,
    seed: Seed = None,
    workers: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
) -> HistoryStudy:
    """Study whether the utility U of masked files correlates with the errors of analyses on them.

    From every masked file histories are drawn that it allows; each is analyzed like the original:
    frequent itemsets, the RFM table, three matrices of item similarity, and statistics. The mean
    errors are correlated with U over the files.

    Parameters
    ----------
    history
        The original.
    masked_files
        Masked files in the order of the original, by name, or their paths; without them the study
        masks the history itself, in ten ways from mild to strong.
    samples
        How many histories are drawn from each file.
    min_support
        Share of the original's receipts that a frequent itemset needs.
    seed
        Of the samples and of the study's own masked files. Same seed, same tables.
    workers
        Number of threads; by default one for each core.
    folder
        Where finished samples are noted, so that an interrupted study goes on from there.
    on_progress
        Called after each sample with (done, in all, name of the file).

    Examples
    --------
    >>> import sudare
    >>> result = history(sudare.datasets.purchases_like(30, seed=1), samples=1, seed=1)
    >>> [row["file"] for row in result.tables["table_7_items"]][:3]
    ['weeks', 'months', 'bands']
    """
    if samples < 1:
        raise SettingError("samples must be at least 1, got {n}.", n=samples)
    if not 0 < min_support <= 1:
        raise SettingError("min_support must be above 0 and at most 1.")
    draws = draws_from(seed)
    files = _files(history, masked_files, draws)
    path = None if folder is None else Path(folder) / "samples.jsonl"
    settings = (min_support, None if seed is None else draws.seed)
    cache = ResultCache(path, fingerprint(_parts(history, files, settings)))
    by_file = _errors(history, files, cache, draws, samples, min_support, workers, on_progress)
    outcomes = {
        name: FileOutcome(utility(history, masked), mean_errors(by_file[name]))
        for name, masked in files.items()
    }
    tables: dict[str, Sequence[Row]] = {
        **error_tables(outcomes),
        "correlations": correlation_table(outcomes),
    }
    alike = (history.rows, len(history.customer_ids), len(history.item_ids)) == SIZE
    blocks = history_blocks(tables, outcomes, samples, beside_paper=alike)
    title = say("Masked histories: utility and use cases")
    return HistoryStudy(title, tables, blocks, outcomes, alike)


def _files(
    history: History,
    given: Mapping[str, File] | Sequence[str | os.PathLike[str]] | None,
    draws: Draws,
) -> dict[str, MaskedHistory]:
    if given is None:
        seed = draws.seed
        return {
            name: apply(history, [_allowed(step, history) for step in steps], seed=seed).data
            for name, steps in RECIPES.items()
        }
    if not isinstance(given, Mapping):
        stems = [Path(path).stem for path in given]
        names = stems if len(set(stems)) == len(stems) else [str(path) for path in given]
        given = dict(zip(names, given, strict=True))
    if not given:
        raise SettingError("the study needs at least one masked file.")
    return {
        name: file if isinstance(file, MaskedHistory) else read_masked(file, rules=history.rules)
        for name, file in given.items()
    }


def _allowed(step: HistoryMasker, history: History) -> HistoryMasker:
    """Return a step of the study, with families no larger than the sets that the rules allow."""
    if isinstance(step, ItemFamilies) and step.size > history.rules.set_size:
        return ItemFamilies(size=history.rules.set_size)
    return step


def _errors(
    history: History,
    files: Mapping[str, MaskedHistory],
    cache: ResultCache,
    draws: Draws,
    samples: int,
    min_support: float,
    workers: int | None,
    on_progress: OnProgress | None,
) -> dict[str, list[Mapping[str, float]]]:
    """Return the errors of every sample by file; what was noted before is taken from there."""
    reference = Reference.of(history, min_support=min_support)
    done = sum(_key(name, number) in cache for name in files for number in range(samples))
    for name, masked in files.items():
        lacking = [number for number in range(samples) if _key(name, number) not in cache]
        possible = Possible.of(history, masked)
        for number, errors in sample_errors(reference, possible, draws, lacking, workers=workers):
            cache.add(_key(name, number), errors)
            done += 1
            if on_progress:
                on_progress(done, samples * len(files), name)
    return {name: [cache[_key(name, number)] for number in range(samples)] for name in files}


def _key(name: str, number: int) -> str:
    return f"{name} {number}"


def _parts(
    history: History, files: Mapping[str, MaskedHistory], settings: Sequence[object]
) -> Iterator[object]:
    """Yield data and settings, to know a study again."""
    yield from settings
    yield from (history.customers, history.items, *(history.amounts(name) for name in AMOUNTS))
    for name, masked in files.items():
        yield from (name, masked.pseudonyms)
        yield from (masked.items.cells, masked.items.starts, masked.items.members)
        for column in AMOUNTS:
            yield from (masked.amounts(column).low, masked.amounts(column).high)
