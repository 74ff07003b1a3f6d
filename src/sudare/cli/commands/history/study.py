"""``sudare study history``, also ``sudare history study``: U, use cases and statistics."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from sudare import datasets
from sudare.cli.commands.history.rules import RulesFile, rules_of
from sudare.cli.options import AsJson
from sudare.cli.output import finish_study, progress
from sudare.core import SettingError, say
from sudare.study import history as study_history
from sudare.transactions import History, read_history
from sudare.transactions.loss import MIN_SUPPORT

STUDY_HELP = """Utility, use cases and statistics of masked histories (Hamada et al.). Examples:

sudare study history T.csv A1.csv A2.csv A3.csv --folder out

sudare study history T.csv

sudare study history --dataset purchases-like --customers 200 --samples 10
"""


def run_study(
    *,
    file: Annotated[Path | None, typer.Argument(help="the purchase history T")] = None,
    masked: Annotated[
        list[Path] | None,
        typer.Argument(help="masked files A, in the order of T (default: the study's own)"),
    ] = None,
    dataset: Annotated[str | None, typer.Option(help="purchases-like, instead of files")] = None,
    customers: Annotated[int, typer.Option(min=1, help="size of the generated data set")] = 1000,
    samples: Annotated[int, typer.Option(min=1, help="histories drawn from each file")] = 100,
    min_support: Annotated[
        float, typer.Option(help="share of receipts that a frequent itemset needs")
    ] = MIN_SUPPORT,
    rules: RulesFile = None,
    seed: Annotated[
        int, typer.Option(help="seed of the generated data set and of the samples")
    ] = 2018,
    workers: Annotated[
        int | None, typer.Option(min=1, help="number of threads (default: one for each core)")
    ] = None,
    folder: Annotated[
        Path, typer.Option(help="where the results go; a second run resumes there")
    ] = Path("study"),
    force: Annotated[bool, typer.Option("--force", help="replace existing results")] = False,
    as_json: AsJson = False,
) -> None:
    """Study masked histories."""
    history = _history(file, rules, dataset, customers, seed)
    with progress(say("drawing and analyzing")) as advance:
        result = study_history(
            history,
            masked or None,
            samples=samples,
            min_support=min_support,
            seed=seed,
            workers=workers,
            folder=folder,
            on_progress=advance,
        )
    where = say("report, tables and the errors of all samples are in {path}.", path=folder)
    finish_study(result, folder, where, force=force, as_json=as_json)


def _history(
    file: Path | None, rules: Path | None, dataset: str | None, customers: int, seed: int
) -> History:
    if (file is None) == (dataset is None):
        raise SettingError(
            "give either a file or a data set (--dataset {names}).", names="purchases-like"
        )
    if file is not None:
        return read_history(file, rules=rules_of(rules).history)
    if dataset != "purchases-like":
        raise SettingError(
            "there is no data set '{name}'; available: {names}.",
            name=dataset,
            names="purchases-like",
        )
    return replace(datasets.purchases_like(customers, seed=seed), rules=rules_of(rules).history)
