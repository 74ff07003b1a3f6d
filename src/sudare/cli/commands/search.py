"""``sudare search``: the recipe that loses least within stated limits."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from sudare.cli.commands.compare import Folder
from sudare.cli.options import AsJson, Force, Limits as AnyLimits, OriginalFile, ReportTo, Seed
from sudare.cli.output import complain, note, print_json, print_rows, progress
from sudare.cli.tables import TableOptions
from sudare.core import Assessment, Microdata, SettingError, say
from sudare.engine.formats import check_all_free
from sudare.release import Limit, Project, Recipe, SearchResult, search
from sudare.release.report import search_report
from sudare.transactions import History

Limits = Annotated[list[str], typer.Option("--limit", help='"k-anonymity >= 5" (repeatable)')]
Losses = Annotated[list[str], typer.Option("--lose", help="a loss to minimize (repeatable)")]
AnyLosses = Annotated[
    list[str] | None, typer.Option("--lose", help="a loss to minimize (repeatable)")
]
Methods = Annotated[
    list[str] | None, typer.Option("--method", help="a method that may be used (repeatable)")
]
Ranges = Annotated[
    list[str] | None,
    typer.Option("--range", help='"microaggregation.k = [3, 20]" (repeatable)'),
]
Trials = Annotated[int, typer.Option(min=1, help="recipes to try")]
Runs = Annotated[int, typer.Option(min=1, help="number of runs of a recipe that draws at random")]
Output = Annotated[Path | None, typer.Option("-o", "--output", help="where the recipe goes")]
SaveAs = Annotated[
    str | None, typer.Option("--save", help="add the recipe to the project under this name")
]


def run(
    *,
    file: OriginalFile = None,
    limit: AnyLimits = None,
    lose: AnyLosses = None,
    table: TableOptions,
    method: Methods = None,
    setting: Ranges = None,
    trials: Trials = 100,
    repeats: Runs = 2,
    output: Output = None,
    save: SaveAs = None,
    report: ReportTo = None,
    folder: Folder = None,
    seed: Seed = None,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Search for a recipe within limits."""
    source = table.at(file)
    limits = limit or source.limits()
    stated = [measure for measure in source.measures() if measure.kind == "loss"]
    losses: Sequence[str | Assessment] = lose or stated
    if not limits:
        raise SettingError("a search needs a limit (--limit), or a project with one.")
    if save is not None and source.project is None:
        raise SettingError("--save needs a project (-p) for the recipe to go into.")
    saved = None if save is None or source.project is None else Saving(source.project, save)
    files = SearchFiles(output, report, saved, force=force, as_json=as_json)
    return files.of(
        source.read,
        limits,
        setting,
        lose=losses,
        methods=method or None,
        trials=trials,
        repeats=repeats,
        seed=seed,
        folder=folder,
    )


@dataclass(frozen=True)
class Saving:
    """A project, and the name under which a recipe goes into it."""

    project: Project
    name: str

    def save(self, recipe: Recipe) -> None:
        """Write the recipe into the project file."""
        self.project.with_recipe(replace(recipe, name=self.name)).save()
        note(say("recipe '{name}' is in {path}.", name=self.name, path=self.project.path.name))


@dataclass(frozen=True)
class SearchFiles:
    """Where the result of a search goes."""

    recipe: Path | None
    report: Path | None
    saving: Saving | None = None
    _: KW_ONLY
    force: bool
    as_json: bool

    def of(
        self,
        read: Callable[[], Microdata | History],
        limits: Sequence[str | Limit],
        ranges: Sequence[str] | None,
        **settings: Any,
    ) -> int:
        """Search, write and print; exit with 1 when no recipe met the limits."""
        check_all_free(self.recipe, self.report, overwrite=self.force)
        data, allowed = read(), _ranges(ranges or [])
        with progress(say("searching")) as advance:
            result = search(data, limits, ranges=allowed, on_progress=advance, **settings)
        if result.recommended is not None and self.recipe is not None:
            result.recommended.write(self.recipe, overwrite=self.force)
        if result.recommended is not None and self.saving is not None:
            self.saving.save(result.recommended)
        if self.report is not None:
            search_report(result).write(self.report, overwrite=self.force)
        _print_result(result, as_json=self.as_json)
        return 1 if result.recommended is None else 0


def _ranges(texts: Sequence[str]) -> dict[str, list[Any]]:
    ranges: dict[str, list[Any]] = {}
    for text in texts:
        name, _, values = text.partition("=")
        try:
            allowed = tomllib.loads(f"range = {values.strip()}")["range"]
        except (ValueError, RecursionError):
            allowed = None
        if not isinstance(allowed, list):
            raise SettingError("write a range as 'microaggregation.k = [3, 20]'.")
        ranges[name.strip()] = allowed
    return ranges


def _print_result(result: SearchResult, *, as_json: bool) -> None:
    best = (result.feasible() or result.nearest())[:10]
    if as_json:
        print_json(
            {
                "tried": len(result.comparison.candidates),
                "refused": dict(result.refused),
                "ignored": list(result.ignored),
                "interrupted": result.interrupted,
                "feasible": len(result.feasible()),
                "recommended": result.recommended.to_toml() if result.recommended else None,
                "confirmed": {name: list(values) for name, values in result.confirmed.items()},
            }
        )
        return
    print_rows(
        [
            {
                say("recipe"): candidate.recipe.name,
                **{result.comparison.title(n): r.value for n, r in candidate.results.items()},
                say("steps"): candidate.recipe.description,
            }
            for candidate in best
        ]
    )
    note(
        say(
            "{tried} {tried:recipe|recipes} tried; {kept} {kept:meets|meet} the limits.",
            tried=len(result.comparison.candidates),
            kept=len(result.feasible()),
        )
    )
    if result.interrupted:
        note(say("the search was stopped; this is the best so far."))
    if result.ignored:
        note(
            say(
                "the loss does not cover {columns}, which recipes may mask.",
                columns=", ".join(result.ignored),
            )
        )
    for reason, count in result.refused.items():
        note(
            say(
                "{count} {count:recipe|recipes} could not be tried: {reason}",
                count=count,
                reason=reason,
            )
        )
    if result.recommended is None:
        complain(say("no recipe met the limits; allow more methods, more trials or wider limits."))
    else:
        note(
            say(
                "recommended, and confirmed on fresh seeds: {name}",
                name=result.recommended.description or result.recommended.name,
            )
        )
