"""``sudare compare``: recipes by measures, the map and the frontier."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from sudare.cli.options import (
    AnyRecipes,
    AsJson,
    Force,
    Limits,
    Measures,
    OriginalFile,
    ReportTo,
    Seed,
)
from sudare.cli.output import note, print_json, print_rows, progress
from sudare.cli.table_source import Data, chosen_recipe
from sudare.cli.tables import TableOptions
from sudare.core import Assessment, SettingError, say
from sudare.engine.formats import check_free
from sudare.release import FOR_TABLES, Comparison, Limit, Project, Recipe, compare
from sudare.release.report import comparison_report
from sudare.transactions import History

Repeats = Annotated[
    int,
    typer.Option(
        min=1, help="number of runs of a recipe that draws at random; several give intervals"
    ),
]
Workers = Annotated[
    int | None, typer.Option(min=1, help="runs at the same time (default: one per core)")
]
Folder = Annotated[
    Path | None,
    typer.Option(help="where results are kept, to resume; as confidential as the data"),
]


def run(
    *,
    file: OriginalFile = None,
    recipe: AnyRecipes = None,
    table: TableOptions,
    measure: Measures = None,
    limit: Limits = None,
    repeats: Repeats = 1,
    workers: Workers = None,
    folder: Folder = None,
    report: ReportTo = None,
    seed: Seed = None,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Mask a table by every recipe and measure every result."""
    source = table.at(file)
    measures = measure or source.measures() or FOR_TABLES
    recipes = _recipes(recipe, source.project, table.allow_path)
    limits = Limit.all_of(limit or source.limits())
    if report is not None:
        check_free(report, overwrite=force)
    comparison = compared(
        source.read_or_open(),
        recipes,
        measures,
        seed=seed,
        repeats=repeats,
        workers=workers,
        folder=folder,
        limits=limits,
    )
    print_comparison(comparison, as_json=as_json)
    write_report(comparison, report, force=force)
    return 0 if comparison.within_limits().candidates else 1


def _recipes(
    given: list[Path] | None, project: Project | None, allow_paths: list[Path]
) -> list[Recipe]:
    if given:
        return [chosen_recipe(path, project, allow_paths) for path in given]
    if project is None or not project.recipes:
        raise SettingError("give recipes (--recipe), or a project that has some (-p).")
    return list(project.recipes)


def compared(
    data: Data | History,
    recipes: Sequence[Recipe],
    measures: Sequence[str | Assessment],
    **settings: Any,
) -> Comparison:
    """Compare recipes on a table or a purchase history, and show how far it is."""
    with progress(say("comparing")) as advance:
        return compare(data, recipes, measures, on_progress=advance, **settings)


def write_report(comparison: Comparison, path: Path | None, *, force: bool) -> None:
    """Write the report of a comparison, if one is wanted."""
    if path is not None:
        comparison_report(comparison, title=say("Comparison of recipes")).write(
            path, overwrite=force
        )
        note(say("report written to {path}.", path=path))


def print_comparison(comparison: Comparison, *, as_json: bool) -> None:
    """Print the table of a comparison, what keeps the limits, and the frontier of the map."""
    has_map = bool(comparison.of_kind("risk") and comparison.of_kind("loss"))
    best = comparison.frontier() if has_map else ()
    kept = [candidate.recipe.name for candidate in comparison.within_limits().candidates]
    if as_json:
        shown = {"recipes": comparison.table(), "frontier": list(best), "within_limits": kept}
        print_json({**shown, "remarks": list(comparison.remarks())})
        return
    titles = {
        "recipe": say("recipe"),
        **{name: comparison.title(name) for name in comparison.measures},
    }
    print_rows(
        [
            {titles[name]: v if isinstance(v, str) else float(v) for name, v in row.items()}
            for row in comparison.table()
        ]
    )
    for remark in comparison.remarks():
        note(remark)
    if comparison.limits and kept:
        note(say("within the limits: {recipes}", recipes=say(", ").join(kept)))
    elif comparison.limits:
        note(say("no recipe keeps the limits."))
    if best:
        note(say("on the frontier: {recipes}", recipes=say(", ").join(best)))
    if missed := [name for name in best if name not in kept]:
        note(say("of these, a limit is missed by: {recipes}", recipes=say(", ").join(missed)))
