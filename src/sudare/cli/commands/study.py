"""``sudare study``: the papers' experiments, and studies of synthetic data."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from sudare import datasets
from sudare.cli.command_list import COMMANDS
from sudare.cli.commands.history import STUDY_HELP, run_study
from sudare.cli.commands.synthetic_studies import MEMBERSHIP, USEFULNESS, membership, usefulness
from sudare.cli.options import AsJson
from sudare.cli.output import finish_study, progress
from sudare.cli.tables import TableOptions, by_column
from sudare.cli.termination import guarded
from sudare.core import Microdata, SettingError, say
from sudare.study import (
    distance as study_distance,
    papers as study_papers,
    randomization as study_randomization,
    recoding as study_recoding,
    synthesis as study_synthesis,
)
from sudare.transactions import read_history

app = typer.Typer(help=COMMANDS["study"].help, no_args_is_help=True, add_completion=False)

RECODING = """What a minimum share costs, by model-based loss (Sano and Hattori). Examples:

sudare study recoding survey.csv --share 0.01 --share 0.05

sudare study recoding --dataset census-like --folder census
"""
SYNTHESIS = """Error and linkage risk of synthetic data: DRI, SRI, OT (Sano). Examples:

sudare study synthesis spending.csv --loss 0.05 --loss 0.2

sudare study synthesis --dataset expenditure-like --folder synthesis
"""

DISTANCE = """What microaggregation loses, by one distance and another (Akiyama and Wada). Examples:

sudare study distance

sudare study distance survey.csv --at-least 3 --at-least 10 --tree region=regions.csv
"""

RANDOMIZATION = """Analyses of randomized and of k-anonymous data (Hasegawa et al.). Examples:

sudare study randomization adult.csv --missing '?' --folder adult

sudare study randomization --dataset adult-like --method randomized --method sampling
"""

PAPERS = """Every number that the five papers print, beside ours. Examples:

sudare study papers --folder papers

sudare study papers --history T.csv --adult adult.csv --folder papers
"""

File = Annotated[Path | None, typer.Argument(help="the table")]
Rows = Annotated[int | None, typer.Option(min=1, help="size of the generated data set")]
Folder = Annotated[Path, typer.Option(help="where the results go")]
ResumedFolder = Annotated[
    Path, typer.Option(help="where the results go; a second run resumes there")
]
Force = Annotated[bool, typer.Option("--force", help="replace existing results")]

STUDY = Path("study")

Maker = Callable[..., Microdata]


def recoding(
    *,
    file: File = None,
    table: TableOptions,
    dataset: Annotated[str | None, typer.Option(help="census-like, instead of a file")] = None,
    rows: Rows = None,
    seed: Annotated[int, typer.Option(help="seed of the generated data set")] = 2010,
    column: Annotated[
        list[str] | None,
        typer.Option(help="a variable (repeatable; default: all categorical ones)"),
    ] = None,
    share: Annotated[
        list[float] | None,
        typer.Option(help="a minimum share (repeatable; default: 0.01, 0.03, 0.05)"),
    ] = None,
    max_inputs: Annotated[
        int | None, typer.Option(min=1, help="largest number of inputs of a model")
    ] = None,
    folder: ResumedFolder = STUDY,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Study global recoding."""
    data = _data({"census-like": datasets.census_like}, table, file, dataset, rows, seed)
    with progress(say("fitting models")) as advance:
        result = study_recoding(
            data,
            columns=column or None,
            shares=share or (0.01, 0.03, 0.05),
            max_inputs=max_inputs,
            folder=folder,
            on_progress=advance,
        )
    where = say("report, tables and the models fitted are in {path}.", path=folder)
    finish_study(result, folder, where, force=force, as_json=as_json)


def synthesis(
    *,
    file: File = None,
    table: TableOptions,
    dataset: Annotated[str | None, typer.Option(help="expenditure-like, instead of a file")] = None,
    rows: Rows = None,
    seed: Annotated[
        int, typer.Option(help="seed of the generated data set and of the noise")
    ] = 2004,
    column: Annotated[
        list[str] | None, typer.Option(help="a variable (repeatable; default: all numeric ones)")
    ] = None,
    loss: Annotated[
        list[float] | None,
        typer.Option(help="an ILOT to reach (repeatable; default: 0.01, 0.05, 0.1, 0.2)"),
    ] = None,
    nearest: Annotated[
        list[int] | None,
        typer.Option(
            min=1,
            help="nearest originals that the attacker takes (repeatable; default: 1, 3, 5)",
        ),
    ] = None,
    basis: Annotated[str, typer.Option(help="correlation or covariance")] = "correlation",
    attack_scale: Annotated[
        str, typer.Option(help="scale of the distances: none, sd, robust or rank")
    ] = "none",
    folder: Folder = STUDY,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Study synthetic data."""
    data = _data({"expenditure-like": datasets.expenditure_like}, table, file, dataset, rows, seed)
    with progress(say("attacking")) as advance:
        result = study_synthesis(
            data,
            columns=column or None,
            losses=loss or (0.01, 0.05, 0.10, 0.20),
            k=nearest or (1, 3, 5),
            basis=basis,  # type: ignore[arg-type]  # checked with the settings of the method
            scale=attack_scale,  # type: ignore[arg-type]
            seed=seed,
            on_progress=advance,
        )
    finish_study(result, folder, force=force, as_json=as_json)


def distance(
    *,
    file: File = None,
    table: TableOptions,
    column: Annotated[
        list[str] | None,
        typer.Option(help="a variable (repeatable; default: all that are suitable)"),
    ] = None,
    at_least: Annotated[
        list[int] | None,
        typer.Option(
            min=2, help="smallest number of records in a group (repeatable; default: 3, 5, 10)"
        ),
    ] = None,
    tree: Annotated[
        list[str] | None,
        typer.Option(help="column=file with lines child,parent (repeatable)"),
    ] = None,
    folder: Folder = STUDY,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Study loss based on distances."""
    has_table = file is not None or table.project is not None
    with progress(say("grouping")) as advance:
        result = study_distance(
            table.read(file) if has_table else None,
            k=at_least or (3, 5, 10),
            columns=column or None,
            trees=by_column(
                tree or [], SettingError("write column=file, for example region=regions.csv.")
            ),
            on_progress=advance,
        )
    finish_study(result, folder, force=force, as_json=as_json)


def randomization(
    *,
    file: File = None,
    table: TableOptions,
    dataset: Annotated[str | None, typer.Option(help="adult-like, instead of a file")] = None,
    rows: Rows = None,
    seed: Annotated[
        int, typer.Option(help="seed of the generated data set, of splits and of noise")
    ] = 1,
    column: Annotated[
        list[str] | None,
        typer.Option(help="an input (repeatable; default: the paper's, or the keys)"),
    ] = None,
    target: Annotated[str | None, typer.Option(help="the column to predict")] = None,
    anonymity: Annotated[
        list[int] | None,
        typer.Option(min=2, help="a value of k (repeatable; default: 3, 5, 10, 50)"),
    ] = None,
    method: Annotated[
        list[str] | None, typer.Option(help="a method (repeatable; default: all)")
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="number of splits")] = 5,
    folder: ResumedFolder = STUDY,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Study randomization and reconstruction."""
    data = _data({"adult-like": datasets.adult_like}, table, file, dataset, rows, seed)
    with progress(say("training")) as advance:
        result = study_randomization(
            data,
            k=anonymity or (3, 5, 10, 50),
            target=target,
            columns=column or None,
            methods=method or None,
            repeats=repeats,
            seed=seed,
            folder=folder,
            on_progress=advance,
        )
    where = say("report, tables and the runs done are in {path}.", path=folder)
    finish_study(result, folder, where, force=force, as_json=as_json)


def papers(
    *,
    history: Annotated[
        Path | None, typer.Option(help="T of the final of PWSCUP 2018, for its numbers")
    ] = None,
    adult: Annotated[Path | None, typer.Option(help="UCI Adult as CSV, for its numbers")] = None,
    rows: Rows = None,
    samples: Annotated[int, typer.Option(min=1, help="histories drawn from each masked file")] = 10,
    folder: ResumedFolder = STUDY,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Put the papers' numbers beside ours."""
    given = None if history is None else read_history(history)
    people = None if adult is None else datasets.adult(adult)
    with progress(say("computing")) as advance:
        result = study_papers(
            given, adult=people, rows=rows, samples=samples, folder=folder, on_progress=advance
        )
    finish_study(result, folder, force=force, as_json=as_json)


def _data(
    makers: Mapping[str, Maker],
    table: TableOptions,
    file: Path | None,
    dataset: str | None,
    rows: int | None,
    seed: int,
) -> Microdata:
    names = ", ".join(makers)
    has_table = file is not None or table.project is not None
    if has_table == (dataset is not None):
        raise SettingError("give either a file or a data set (--dataset {names}).", names=names)
    if dataset is None:
        return table.read(file)
    if dataset not in makers:
        raise SettingError(
            "there is no data set '{name}'; available: {names}.", name=dataset, names=names
        )
    make = makers[dataset]
    return make(seed=seed) if rows is None else make(rows, seed=seed)


app.command("recoding", help=RECODING)(guarded(recoding))
app.command("synthesis", help=SYNTHESIS)(guarded(synthesis))
app.command("distance", help=DISTANCE)(guarded(distance))
app.command("randomization", help=RANDOMIZATION)(guarded(randomization))
app.command("history", help=STUDY_HELP)(guarded(run_study))
app.command("membership", help=MEMBERSHIP)(guarded(membership))
app.command("usefulness", help=USEFULNESS)(guarded(usefulness))
app.command("papers", help=PAPERS)(guarded(papers))
