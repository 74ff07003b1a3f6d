"""``sudare study membership`` and ``usefulness``: whether synthetic data is safe, and good."""

from pathlib import Path
from typing import Annotated

import typer

from sudare.cli.options import AnyRecipe, AsJson, Force, OriginalFile, Seed, Steps
from sudare.cli.output import finish_study, note, progress
from sudare.cli.table_source import chosen_recipe
from sudare.cli.tables import TableOptions
from sudare.core import say
from sudare.study import membership as study_membership, usefulness as study_usefulness

MEMBERSHIP = """Who was in the data, by attackers who run the recipe on halves of it. Examples:

sudare study membership survey.csv -k age -k sex --sensitive income --step sequential-synthesis

sudare study membership -p survey.sudare.toml --recipe made --rounds 16
"""

USEFULNESS = """Whether a classifier can tell a release from the original, on one page. Examples:

sudare study usefulness survey.csv made.csv --key age --key sex --sensitive income

sudare study usefulness cohort.csv made.csv --time time --event state --state dead
"""

Folder = Annotated[Path, typer.Option(help="where the results go")]


def membership(
    *,
    file: OriginalFile = None,
    table: TableOptions,
    recipe: AnyRecipe = None,
    step: Steps = None,
    rounds: Annotated[
        int, typer.Option(min=4, help="number of runs of the recipe; an even number")
    ] = 8,
    attacks: Annotated[int, typer.Option(min=1, help="largest number of records attacked")] = 2000,
    seed: Seed = None,
    folder: Folder = Path("study"),
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Study membership inference."""
    source = table.at(file)
    chosen = chosen_recipe(recipe, source.project, table.allow_path, steps=step or ())
    data = source.by_recipe(chosen).read()
    with progress(say("attacking")) as advance:
        result = study_membership(
            data, chosen, rounds=rounds, attacks=attacks, seed=seed, on_progress=advance
        )
    finish_study(result, folder, force=force, as_json=as_json)


def usefulness(
    *,
    before: Annotated[Path, typer.Argument(help="the original table")],
    after: Annotated[Path, typer.Argument(help="the masked table")],
    table: TableOptions,
    time: Annotated[str | None, typer.Option(help="column of times until an event")] = None,
    event: Annotated[str | None, typer.Option(help="column of what ended these times")] = None,
    state: Annotated[
        str | None, typer.Option(help="label of the event in that column (default: 1, true or yes)")
    ] = None,
    folder: Folder = Path("study"),
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Study the usefulness of a release."""
    source = table.at(before)
    original = source.read()
    masked = source.released(after, original).read()
    result = study_usefulness(original, masked, time=time, event=event, state=state)
    note(result.title)
    finish_study(result, folder, force=force, as_json=as_json)
