"""What a team does with its kit: check, score and pack files before it sends them."""

from pathlib import Path
from typing import Annotated, Any

import typer

from sudare.cli.output import note, print_json, print_rows
from sudare.core import say

CHECK = """Check a file as the server does. Examples:

sudare contest check kit masked.csv

sudare contest check kit guess.csv --kind membership --target Saba
"""
SCORE = """Score a masked file with the server's numbers. Example:

sudare contest score kit masked.csv
"""
PACK = """Check files and put them into one package. Example:

sudare contest pack kit submission --output package.zip
"""

KitFolder = Annotated[Path, typer.Argument(help="the folder of the kit")]
TeamFile = Annotated[Path, typer.Argument(help="the file to check")]
Kind = Annotated[str, typer.Option(help="mask, or a kind of attack")]
Target = Annotated[str | None, typer.Option(help="the team that is attacked")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]


def check(*, kit: KitFolder, file: TeamFile, kind: Kind = "mask", target: Target = None) -> None:
    """Check a file."""
    _evaluated(kit, file, kind, target)
    note(say("the file is valid."))


def score(*, kit: KitFolder, file: TeamFile, as_json: AsJson = False) -> None:
    """Score a masked file."""
    result = _evaluated(kit, file, "mask", None)
    numbers = {"score": result["result"]["score"], "parts": result["result"]["parts"]}
    if as_json:
        print_json(numbers)
        return
    rows = [{say("part"): name, say("value"): value} for name, value in numbers["parts"].items()]
    print_rows([{say("part"): say("score"), say("value"): numbers["score"]}, *rows])


def pack(
    *,
    kit: KitFolder,
    source: Annotated[Path, typer.Argument(help="mask.csv, and attacks/TEAM/KIND.csv")],
    output: Annotated[Path, typer.Option("--output", "-o", help="the package, a zip file")],
    force: Annotated[
        bool, typer.Option("--force", "--overwrite", help="replace an existing file")
    ] = False,
) -> None:
    """Check files and put them into one package."""
    from sudare.contest import Kit, write_package

    names = write_package(Kit(kit), source, output, overwrite=force)
    note(say("{path} has {count} {count:file|files}.", path=output, count=len(names)))


def _evaluated(kit: Path, file: Path, kind: str, target: str | None) -> dict[str, Any]:
    """Return what a file is worth; one that is not valid ends the command."""
    from sudare.contest import Kit, problems_of

    result = Kit(kit).evaluate(file, kind=kind, target=target)
    problems = problems_of(result)
    for problem in problems:
        note(problem)
    if problems:
        raise typer.Exit(1)
    return result
