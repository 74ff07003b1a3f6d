"""``sudare demo``: a population masked by several recipes, mapped and reported."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from sudare.cli.commands.compare import print_comparison
from sudare.cli.options import AsJson, Force
from sudare.cli.output import note, progress
from sudare.core import Masker, OutputError, say
from sudare.datasets import toy
from sudare.engine import write
from sudare.mask import GlobalRecode, Mondrian, Noise, Pram
from sudare.release import Comparison, Recipe, compare
from sudare.release.report import comparison_report, write_figure


def _merge(min_share: float, *columns: str) -> GlobalRecode:
    return GlobalRecode(min_share=min_share, ranges=True, columns=columns or None)


RECIPES: Mapping[str, Sequence[Masker]] = {
    "as it is": [],
    "merge below 1 %": [_merge(0.01)],
    "merge below 3 %": [_merge(0.03)],
    "merge below 10 %": [_merge(0.10)],
    "coarse ages": [_merge(0.06, "age")],
    "coarse regions + noise": [_merge(0.2, "region"), Noise(sd_ratio=0.2, columns=("income",))],
    "coarse ages + PRAM": [_merge(0.06, "age"), Pram(retain=0.9, columns=("occupation",))],
    "groups of 5": [Mondrian(k=5)],
    "groups of 10": [Mondrian(k=10)],
    "groups of 50": [Mondrian(k=50)],
}
LIMITS = ("reidentification <= 0.2", "k-anonymity >= 5")


def run(
    *,
    folder: Annotated[Path, typer.Option(help="where the files go")] = Path("demo"),
    rows: Annotated[int, typer.Option(min=100, help="size of the population")] = 20_000,
    seed: Annotated[int, typer.Option(help="same seed, same demo")] = 1,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make a population, try recipes, print the table, draw the map, write the report."""
    if folder.exists() and any(folder.iterdir()) and not force:
        raise OutputError("'{path}' holds files; choose another folder, or --force.", path=folder)
    folder.mkdir(parents=True, exist_ok=True)
    data = toy(rows, seed=seed).assigning(scales={"age": "ordinal"})
    recipes = [
        Recipe(name, maskers, scales={"age": "ordinal"}) for name, maskers in RECIPES.items()
    ]
    with progress(say("comparing")) as advance:
        comparison = compare(data, recipes, limits=LIMITS, seed=seed, on_progress=advance)
    chosen = _least_loss(comparison)
    page = comparison_report(
        comparison,
        title=say("sudare demo"),
        introduction=say(
            "A made-up population of {rows} people with {keys} key columns, masked by {recipes} "
            "recipes.",
            rows=rows,
            keys=len(data.keys),
            recipes=len(recipes),
        ),
    )
    page.write(folder / "report.html", overwrite=force)
    write_figure(comparison.figure(), folder / "map.svg", overwrite=force)
    chosen.write(folder / "recipe.toml", overwrite=force)
    masked = chosen.apply(data, seed=seed).data
    write(masked.without(masked.with_role("identifier")), folder / "masked.csv", overwrite=force)
    print_comparison(comparison, as_json=as_json)
    note(say("map, report, masked table and its recipe are in {path}.", path=folder))


def _least_loss(comparison: Comparison) -> Recipe:
    """Return the recipe that loses least among those that keep the limits."""
    kept = [
        candidate
        for candidate in comparison.candidates
        if all(
            limit.met_by(candidate.results[type(limit.measure).__name__])
            for limit in comparison.limits
        )
    ]
    return min(kept, key=lambda candidate: candidate.results["DistanceLoss"].value).recipe
