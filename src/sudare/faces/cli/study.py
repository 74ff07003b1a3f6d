"""``sudare study``: the papers' experiments on your data or on data like theirs."""

from pathlib import Path
from typing import Annotated

import typer

from sudare import datasets
from sudare.core.errors import SettingError
from sudare.core.messages import say
from sudare.core.microdata import Microdata
from sudare.faces.cli.guard import guarded
from sudare.faces.cli.output import note, print_json, print_rows, progress
from sudare.faces.cli.tables import TableOptions, reads_tables
from sudare.study import recoding as study_recoding
from sudare.study.recoding import RecodingStudy

app = typer.Typer(help="Run a paper's experiment. Example: sudare study recoding survey.csv")

HELP = """What a minimum share costs, by model-based loss (Sano and Hattori). Examples:

sudare study recoding survey.csv --share 0.01 --share 0.05

sudare study recoding --dataset census-like --folder census
"""


@reads_tables
def recoding(
    *,
    file: Annotated[Path | None, typer.Argument(help="the table")] = None,
    table: TableOptions,
    dataset: Annotated[str | None, typer.Option(help="census-like, in place of a file")] = None,
    rows: Annotated[int | None, typer.Option(min=1, help="size of the data set made")] = None,
    seed: Annotated[int, typer.Option(help="of the data set made")] = 2010,
    column: Annotated[
        list[str] | None, typer.Option(help="a variable (repeatable; default all categorical)")
    ] = None,
    share: Annotated[
        list[float] | None, typer.Option(help="a minimum share (repeatable; 0.01, 0.03, 0.05)")
    ] = None,
    max_inputs: Annotated[int | None, typer.Option(min=1, help="most inputs of a model")] = None,
    folder: Annotated[Path, typer.Option(help="results, and where to resume")] = Path("study"),
    force: Annotated[bool, typer.Option("--force", help="replace existing results")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
) -> None:
    """Study global recoding."""
    data = _data(table, file, dataset, rows, seed)
    with progress(say("fitting models")) as advance:
        found = study_recoding(
            data,
            columns=column or None,
            shares=share or (0.01, 0.03, 0.05),
            max_inputs=max_inputs,
            folder=folder,
            on_progress=advance,
        )
    found.save(folder, overwrite=force)
    _print(found, as_json=as_json)
    note(say("report, tables and the models fitted are in {path}.", path=folder))


def _data(
    table: TableOptions, file: Path | None, dataset: str | None, rows: int | None, seed: int
) -> Microdata:
    if (file is None) == (dataset is None):
        raise SettingError("give either a file or a data set (--dataset census-like).")
    if file is not None:
        return table.read(file)
    if dataset != "census-like":
        raise SettingError("there is no data set '{name}'; there is census-like.", name=dataset)
    return (
        datasets.census_like(seed=seed) if rows is None else datasets.census_like(rows, seed=seed)
    )


def _print(found: RecodingStudy, *, as_json: bool) -> None:
    if as_json:
        print_json({name: list(rows) for name, rows in found.tables.items() if name != "models"})
        return
    for name, rows in found.presented().items():
        print_rows(rows, title=name)


app.command("recoding", help=HELP)(guarded(recoding))
