"""``sudare report``: a release, that is masked table, report, recipe and ledger."""

from pathlib import Path
from typing import Annotated

import typer

from sudare.core.messages import say
from sudare.engine.atomic import check_free
from sudare.faces.cli.output import complain, note, print_json, print_rows, progress
from sudare.faces.cli.tables import TableOptions, reads_tables
from sudare.release.dossier import release_report
from sudare.release.publication import Format, Publication, publish
from sudare.release.recipe import Recipe

NAME = "report"
HELP = """Make a release: masked table, report, recipe and ledger. Leaves with 1 when a limit is not
met, and then writes nothing. Examples:

sudare report survey.csv --recipe best.toml --folder release --limit "k-anonymity >= 5" --seed 7

sudare report survey.csv --recipe best.toml --folder release --internal confidential.html
"""
DEFAULT_MEASURES = ["k-anonymity", "uniques", "direct-comparison"]


@reads_tables
def run(
    *,
    file: Annotated[Path, typer.Argument(help="the original table")],
    recipe: Annotated[Path, typer.Option("--recipe", help="a recipe in TOML")],
    folder: Annotated[Path, typer.Option(help="where the release goes")],
    table: TableOptions,
    measure: Annotated[
        list[str] | None, typer.Option("--measure", "-m", help="a measure (repeatable)")
    ] = None,
    limit: Annotated[
        list[str] | None, typer.Option("--limit", help='e.g. "uniques <= 0.05" (repeatable)')
    ] = None,
    internal: Annotated[
        Path | None, typer.Option(help="where the confidential edition goes (.html or .pdf)")
    ] = None,
    kind: Annotated[Format, typer.Option("--format", help="of the masked table")] = "csv",
    pdf: Annotated[bool, typer.Option("--pdf", help="the public report as PDF too")] = False,
    seed: Annotated[int | None, typer.Option(help="same seed, same result; keep it secret")] = None,
    force: Annotated[bool, typer.Option("--force", help="replace existing files")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
) -> int:
    """Make a release."""
    if internal is not None:
        check_free(internal, overwrite=force)
    chosen, data = Recipe.read(recipe), table.read_or_open(file)
    with progress(say("masking")) as advance:
        found = publish(
            data,
            chosen,
            measures=measure or DEFAULT_MEASURES,
            limits=limit or [],
            seed=seed,
            on_progress=advance,
        )
    if found.keeps_limits:
        found.write(folder, kind=kind, pdf=pdf, overwrite=force)
    if internal is not None:
        release_report(found, edition="internal").write(internal, overwrite=force)
    _tell(found, folder, as_json=as_json)
    return 0 if found.keeps_limits else 1


def _tell(found: Publication, folder: Path, *, as_json: bool) -> None:
    missed = [str(limit) for limit, kept in found.verdicts() if not kept]
    if as_json:
        results = [result.as_dict() for _, result in found.measured]
        print_json({"results": results, "limits_missed": missed, "folder": str(folder)})
        return
    print_rows(
        [{say("measure"): r.measure, say("value"): float(r.value)} for _, r in found.measured]
    )
    for text in missed:
        complain(say("the limit {limit} is not met.", limit=text))
    if missed:
        note(say("nothing was released."))
    else:
        note(say("released to {path}.", path=folder))
