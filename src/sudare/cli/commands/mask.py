"""``sudare mask``: a table in, a masked table out, through the gate."""

from pathlib import Path
from typing import Annotated

import typer

from sudare.cli.options import (
    AnyRecipe,
    AsJson,
    Confirm,
    Force,
    Limits,
    OriginalFile,
    OutEncoding,
    SecretFile,
    Seed,
    Steps,
)
from sudare.cli.output import note, progress
from sudare.cli.tables import TableOptions
from sudare.core import say


def run(
    *,
    file: OriginalFile = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="where the masked table goes")],
    table: TableOptions,
    recipe: AnyRecipe = None,
    step: Steps = None,
    save_recipe: Annotated[
        Path | None, typer.Option("--save-recipe", help="write what was done as a recipe")
    ] = None,
    internal: Annotated[
        bool,
        typer.Option(
            "--internal",
            help=("for internal use: rows in the original order, no gate, not for release"),
        ),
    ] = False,
    limit: Limits = None,
    confirm: Confirm = None,
    seed: Seed = None,
    secret: SecretFile = None,
    out_encoding: OutEncoding = None,
    force: Force = False,
    as_json: AsJson = False,
) -> int:
    """Mask a table by a recipe or by steps, through the gate and within the limits."""
    from sudare.cli.masked_files import MaskedFiles  # help should not wait for what does the work
    from sudare.cli.table_source import chosen_recipe
    from sudare.core import guessable
    from sudare.release import Limit, outgoing, trial_warning

    source = table.at(file)
    chosen = chosen_recipe(recipe, source.project, table.allow_path, steps=step or ())
    source = source.by_recipe(chosen)
    outputs = _outputs(output, max((masker.versions for masker in chosen.maskers), default=1))
    files = MaskedFiles(
        outputs,
        save_recipe,
        out_encoding or source.release_section().encoding,
        on_spark=table.on_spark,
        force=force,
        as_json=as_json,
    )
    files.check()
    drawn_with = source.release_seed(seed, secret)
    data = source.read_or_open()
    if internal:
        from sudare.release.publishing import draws_for

        with progress(say("masking")) as advance:
            draws = draws_for(data, chosen, drawn_with)
            versions = chosen.versions(data, seed=draws.seed, on_progress=advance)
        return files.keep(data, versions, chosen if save_recipe is None else chosen.complete(data))
    limits = Limit.all_of(limit or source.limits())
    accepted = source.confirmations(confirm)
    with progress(say("masking")) as advance:
        leaving = outgoing(
            data,
            chosen,
            seed=drawn_with,
            confirmations=accepted,
            file_format=output.suffix.lower().lstrip("."),
            limits=limits,
            on_progress=advance,
        )
    if guessable(drawn_with):
        note(trial_warning())
    return files.release(leaving, leaving.verdicts(limits))


def _outputs(output: Path, versions: int) -> list[Path]:
    """Return a path for every version: the one given, or several numbered ones next to it."""
    if versions == 1:
        return [output]
    return [
        output.with_name(f"{output.stem}-{number}{output.suffix}")
        for number in range(1, versions + 1)
    ]
