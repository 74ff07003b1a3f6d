"""``sudare search``: the recipe that loses least within stated limits."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from sudare.core.errors import SettingError
from sudare.core.messages import say
from sudare.engine.atomic import check_free
from sudare.faces.cli.compare import Folder
from sudare.faces.cli.output import complain, note, print_json, print_rows, progress
from sudare.faces.cli.tables import TableOptions, reads_tables
from sudare.release.pages import search_report
from sudare.release.search import Found, search

NAME = "search"
HELP = """Find the recipe that loses least within limits. Leaves with 1 when none is found. Example:

sudare search survey.csv -k sex -k age --limit "k-anonymity >= 5" --lose direct-comparison
"""


@reads_tables
def run(
    *,
    file: Annotated[Path, typer.Argument(help="the table")],
    limit: Annotated[list[str], typer.Option("--limit", help='"k-anonymity >= 5" (repeatable)')],
    lose: Annotated[list[str], typer.Option("--lose", help="a loss to make small (repeatable)")],
    table: TableOptions,
    method: Annotated[
        list[str] | None, typer.Option("--method", help="a method allowed (repeatable)")
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option("--range", help='"microaggregation.k = [3, 20]" (repeatable)'),
    ] = None,
    trials: Annotated[int, typer.Option(min=1, help="recipes to try")] = 100,
    repeats: Annotated[int, typer.Option(min=1, help="runs of a recipe that draws")] = 2,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="where the recipe goes")
    ] = None,
    report: Annotated[Path | None, typer.Option("--report", help="write an HTML report")] = None,
    folder: Folder = None,
    seed: Annotated[int | None, typer.Option(help="same seed, same result; keep it secret")] = None,
    force: Annotated[bool, typer.Option("--force", help="replace existing files")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
) -> int:
    """Search for a recipe within limits."""
    for path in filter(None, (output, report)):
        check_free(path, overwrite=force)
    data = table.read(file)
    with progress(say("searching")) as advance:
        found = search(
            data,
            limit,
            lose=lose,
            methods=method or None,
            ranges=_ranges(setting or []),
            trials=trials,
            repeats=repeats,
            seed=seed,
            folder=folder,
            on_progress=advance,
        )
    if found.recommended is not None and output is not None:
        found.recommended.write(output, overwrite=force)
    if report is not None:
        search_report(found).write(report, overwrite=force)
    _tell(found, as_json=as_json)
    return 1 if found.recommended is None else 0


def _ranges(texts: Sequence[str]) -> dict[str, list[Any]]:
    ranges: dict[str, list[Any]] = {}
    for text in texts:
        name, _, values = text.partition("=")
        try:
            found = tomllib.loads(f"range = {values.strip()}")["range"]
        except tomllib.TOMLDecodeError:
            found = None
        if not isinstance(found, list):
            raise SettingError("write a range as 'microaggregation.k = [3, 20]'.")
        ranges[name.strip()] = found
    return ranges


def _tell(found: Found, *, as_json: bool) -> None:
    best = found.feasible()[:10]
    if as_json:
        print_json(
            {
                "tried": len(found.comparison.candidates),
                "feasible": len(found.feasible()),
                "recommended": found.recommended.to_toml() if found.recommended else None,
                "confirmed": {name: list(values) for name, values in found.confirmed.items()},
            }
        )
        return
    print_rows(
        [
            {
                say("recipe"): candidate.recipe.name,
                **{found.comparison.title(n): r.value for n, r in candidate.results.items()},
                say("steps"): candidate.recipe.description,
            }
            for candidate in best
        ]
    )
    note(
        say(
            "{tried} recipes tried, {kept} keep the limits.",
            tried=len(found.comparison.candidates),
            kept=len(found.feasible()),
        )
    )
    if found.recommended is None:
        complain(say("no recipe kept the limits; allow more methods, more trials or wider limits."))
    else:
        note(say("recommended, and confirmed on fresh seeds: {name}", name=found.recommended.name))
