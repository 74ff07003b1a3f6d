"""``sudare bench``: how long the methods take here."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sudare.cli.options import AsJson
from sudare.cli.output import note, print_json, print_rows, progress
from sudare.cli.tables import TableOptions
from sudare.core import say
from sudare.datasets import toy
from sudare.study import speed


def run(
    *,
    file: Annotated[Path | None, typer.Argument(help="the table")] = None,
    table: TableOptions,
    rows: Annotated[
        int, typer.Option(min=100, help="size of the population, without a table")
    ] = 10_000,
    method: Annotated[
        list[str] | None,
        typer.Option("--method", help="a method or measure (repeatable; default: all)"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Time methods with their default settings."""
    data = toy(rows) if file is None and table.project is None else table.read(file)
    with progress(say("timing")) as advance:
        timings = list(speed(data, method, advance))
    if as_json:
        print_json([asdict(timing) for timing in timings])
        return
    print_rows(
        [
            {
                say("method"): timing.method,
                say("seconds"): timing.seconds,
                say("µs per record"): timing.seconds / data.records * 1e6,
                say("passes"): timing.passes,
            }
            for timing in timings
            if timing.seconds is not None
        ]
    )
    for timing in timings:
        if timing.reason:
            note(timing.reason)
    note(say("A pass reads every value of the table once and writes it once."))
