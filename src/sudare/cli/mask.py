"""``sudare mask``: a table in, a masked table out."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from sudare.cli.options import AnyRecipe, AsJson, Force, OriginalFile, OutEncoding, Seed
from sudare.cli.output import note, print_json, print_privacy, print_steps, progress
from sudare.cli.spec import recipe_or_steps
from sudare.cli.tables import TableOptions, reads_tables
from sudare.core import LargeTable, Masked, Microdata, say
from sudare.engine import write
from sudare.engine.formats import check_free, refuse_inputs
from sudare.mask import privacy
from sudare.release import refuse_empty, refuse_unchanged


@reads_tables
def run(
    *,
    file: OriginalFile = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="where the masked table goes")],
    table: TableOptions,
    recipe: AnyRecipe = None,
    step: Annotated[
        list[str] | None, typer.Option("--step", help="a method with its settings (repeatable)")
    ] = None,
    save_recipe: Annotated[
        Path | None, typer.Option("--save-recipe", help="write what was done as a recipe")
    ] = None,
    seed: Seed = None,
    out_encoding: OutEncoding = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Mask a table by a recipe or by steps; identifiers are left out."""
    source = table.at(file)
    release = source.release_section()
    chosen = recipe_or_steps(recipe, step or [], source.project)
    outputs = _outputs(output, max((masker.versions for masker in chosen.maskers), default=1))
    for path in filter(None, (*outputs, save_recipe)):
        check_free(path, overwrite=force)
    refuse_empty(chosen)
    data = source.read_or_open()
    with progress(say("masking")) as advance:
        versions = chosen.versions(data, seed=seed, on_progress=advance)
    for masked in versions:
        refuse_unchanged(chosen.prepare(data), masked)
    refuse_inputs(*filter(None, (*outputs, save_recipe)))  # also what was read while masking
    for masked, path in zip(versions, outputs, strict=True):
        released = masked.data.without(masked.data.with_role("identifier"))
        with progress(say("writing")) as advance:
            if table.on_spark:
                _write_on_spark(released, path)
                continue
            write(
                released,
                path,
                overwrite=force,
                encoding=out_encoding or release.encoding,
                on_records=lambda done, of: advance(done, of, say("records")),
            )
    if save_recipe is not None:
        kept = replace(chosen.complete(data), name=save_recipe.stem)
        kept.write(save_recipe, overwrite=force)
    _print_masked(masked, released, outputs, as_json=as_json)


def _write_on_spark(released: Any, path: Path) -> None:
    from sudare.engine.spark import write_parts

    write_parts(released, path)


def _outputs(output: Path, versions: int) -> list[Path]:
    """Return a path for every version: the one given, or several numbered ones next to it."""
    if versions == 1:
        return [output]
    return [
        output.with_name(f"{output.stem}-{number}{output.suffix}")
        for number in range(1, versions + 1)
    ]


def _print_masked(
    masked: Masked[Any], released: Microdata | LargeTable, outputs: list[Path], *, as_json: bool
) -> None:
    steps = [
        {"method": step.method, "columns": list(step.columns), "settings": dict(step.settings)}
        for step in masked.steps
    ]
    if as_json:
        written = [str(path) for path in outputs]
        files = {"output": written[0]} if len(written) == 1 else {"outputs": written}
        known = privacy(masked.steps, rows=masked.data.records)
        guarantees = {"privacy": asdict(known)} if known.by_column else {}
        print_json({"rows": released.records, **files, "steps": steps, **guarantees})
        return
    print_steps(masked.steps)
    print_privacy(masked.steps, masked.data.records)
    dropped = len(masked.data.columns) - len(released.columns)
    if dropped:
        note(say("{count} identifier {count:column was|columns were} left out.", count=dropped))
    for path in outputs:
        note(say("{count} {count:row|rows} written to {path}.", count=released.records, path=path))
