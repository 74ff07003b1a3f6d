"""Trials in a process of their own: a variant step by step, all variants, and the search for one.

A trial draws with a seed that everybody knows; nothing that is released is made here.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sudare.catalog import entry_of
from sudare.core import LANGUAGES, Assessment, LargeTable, Microdata, SettingError, speaking
from sudare.engine import read_or_open
from sudare.release import (
    FOR_TABLES,
    Comparison,
    Limit,
    Project,
    Recipe,
    compare,
    parse_measure,
    search,
)
from sudare.release.comparing import Candidate
from sudare.release.project import history_limits, history_measures, project_history
from sudare.transactions import History
from sudare.web import ReportProgress

TRYING, COMPARING, FINDING = "try", "compare", "find"  # what jobs call the work
SEED = 1
UNMASKED = "—"  # the table as it is, among the variants

ProjectText = tuple[Path, str, tuple[Path, ...]]
"""Path and text of a project, and the paths that it may name."""
AnyData = Microdata | LargeTable | History


def try_variant(report: ReportProgress, told: ProjectText, name: str) -> dict[str, Any]:
    """Measure a variant after none, one, two … of its steps; a job."""
    project, data = _read(report, told)
    recipe = project.recipe(name)
    prefixes = [
        replace(recipe, name=str(number), maskers=recipe.maskers[:number])
        for number in range(len(recipe.maskers) + 1)
    ]
    return _told(_compared(report, project, data, prefixes), project)


def compare_variants(report: ReportProgress, told: ProjectText) -> dict[str, Any]:
    """Measure every variant, and the table as it is; a job."""
    project, data = _read(report, told)
    comparison = _compared(report, project, data, [Recipe(UNMASKED, []), *project.recipes])
    return _told(comparison, project)


def find_recipe(report: ReportProgress, told: ProjectText, trials: int) -> dict[str, Any]:
    """Search for the recipe that loses least within the limits of the project; a job."""
    project, data = _read(report, told)
    if isinstance(data, LargeTable):
        raise SettingError("a search needs a table that fits in memory; search on a sample.")
    result = search(
        data,
        _limits(project),
        lose="cell-error" if isinstance(data, History) else (),
        trials=trials,
        seed=SEED,
        on_progress=lambda done, of, _: report("Trying recipes", _share(done, of)),
    )
    recommended = result.recommended
    return {
        "recipe": None if recommended is None else tomllib.loads(recommended.to_toml()),
        "tried": len(result.comparison.candidates),
        "kept": len(result.feasible()),
    }


def _read(report: ReportProgress, told: ProjectText) -> tuple[Project, AnyData]:
    """Return the project of a job, and its table or history."""
    path, text, allow_paths = told
    project = Project.from_text(text, path, allow_paths=allow_paths)
    if project.sections.subject == "history":
        report("Reading the purchases", 0.05)
        return project, project_history(project).history
    return read_table(report, told)


def read_table(report: ReportProgress, told: ProjectText) -> tuple[Project, Microdata | LargeTable]:
    """Return the project of a job and its table."""
    path, text, allow_paths = told
    project = Project.from_text(text, path, allow_paths=allow_paths)
    report("Reading the table", 0.05)
    return project, project.read_by(read_or_open, project.source, project.reading())


def _compared(
    report: ReportProgress,
    project: Project,
    data: AnyData,
    recipes: Sequence[Recipe],
) -> Comparison:
    return compare(
        data,
        recipes,
        _measures(project),
        limits=_limits(project),
        seed=SEED,
        on_progress=lambda done, of, _: report("Masking and measuring", _share(done, of)),
    )


def _measures(project: Project) -> tuple[Assessment, ...]:
    if project.sections.subject == "history":
        return tuple(parse_measure(text, "history") for text in history_measures(project))
    return project.measures or tuple(map(parse_measure, FOR_TABLES))


def _limits(project: Project) -> tuple[Limit, ...]:
    is_history = project.sections.subject == "history"
    return history_limits(project) if is_history else project.limits


def _share(done: int, of: int) -> float:
    return 0.1 + 0.9 * done / max(of, 1)


def _told(comparison: Comparison, project: Project) -> dict[str, Any]:
    """Return what pages show of a comparison, in all languages; nothing by record."""
    rows = [
        {
            "recipe": candidate.recipe.name,
            "values": {name: result.value for name, result in candidate.results.items()},
            "kept": _kept(candidate.results, comparison, project),
        }
        for candidate in comparison.candidates
    ]
    return {
        "rows": rows,
        "risk": comparison.of_kind("risk"),
        "loss": comparison.of_kind("loss"),
        "topics": {name: _topic(m) for name, m in comparison.measures.items()},
        "titles": {language: _titles(comparison, language) for language in LANGUAGES},
        "comparison": replace(comparison, candidates=tuple(map(_shown, comparison.candidates))),
    }


def _shown(candidate: Candidate) -> Candidate:
    """Return what a map is drawn from."""
    results = {
        name: replace(result, by_record=None, parts={})
        for name, result in candidate.results.items()
    }
    return Candidate(Recipe(candidate.recipe.name, []), (), results, {})


def _topic(measure: Assessment) -> str:
    return entry_of(getattr(measure, "measure", measure)).slug  # of a facet, its measure


def _kept(results: Mapping[str, Any], comparison: Comparison, project: Project) -> dict[str, bool]:
    """Return for every limit of the project whether it is kept."""
    by_measure = {measure: results[name].judged for name, measure in comparison.measures.items()}
    return {str(limit): limit.met_at(by_measure[limit.quantity]) for limit in _limits(project)}


def _titles(comparison: Comparison, language: Any) -> dict[str, str]:
    with speaking(language):
        return {name: comparison.title(name) for name in comparison.measures}
