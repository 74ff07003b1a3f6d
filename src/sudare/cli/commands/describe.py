"""``sudare describe``: the contents of a table, as counts."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from sudare.cli.options import AsJson, OriginalFile
from sudare.cli.output import note, print_json, print_rows, progress
from sudare.cli.table_source import MOST_REMARKS, TableSource, sampled
from sudare.cli.tables import TableOptions
from sudare.core import LargeTable, Microdata, say
from sudare.describe import (
    Problem,
    association,
    cards,
    large_profile,
    problems,
    profile,
    proposals,
    variables,
)
from sudare.engine.formats import check_free
from sudare.release.report import column_row, description_report, problem_lines

_LINES = 25  # beyond the table of columns
_VARIABLES = 200  # that are compared with one another


def run(
    *,
    file: OriginalFile = None,
    table: TableOptions,
    report: Annotated[Path | None, typer.Option("--report", help="write an HTML page")] = None,
    force: Annotated[bool, typer.Option("--force", help="replace an existing page")] = False,
    unlock: Annotated[
        bool, typer.Option("--unlock", help="show counts below 10 on the page")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Describe a table: its columns, what to settle before masking, and how they are related."""
    source = table.at(file)
    if report is not None:
        check_free(report, overwrite=force)
    whole = source.read_or_open()
    data = sampled(whole)
    described = large_profile(whole, data) if isinstance(whole, LargeTable) else profile(data)
    chosen = variables(data, _VARIABLES)
    described = replace(described, notes=(*described.notes, *_left_out(data, chosen)))
    for line in described.notes[len(whole.notes) :]:
        note(line)
    with progress(say("associations")) as advance:
        pairs = association(data, columns=chosen, on_progress=advance)
    proposed = proposals(data)
    to_settle = [_pasted(p, source) for p in problems(data, pairs, proposed)]
    if report is not None:
        shown = cards(data, pairs, proposed, unlocked=unlock)
        description_report(
            described, pairs, to_settle, shown, title=source.path.name, unlocked=unlock
        ).write(report, overwrite=force)
    if as_json:
        print_json(
            {
                **described.as_dict(),
                "associations": [asdict(pair) for pair in pairs.pairs],
                "problems": [asdict(problem) for problem in to_settle],
            }
        )
        return
    print_rows(
        [column_row(column) for column in described.columns],
        title=say("{count} {count:row|rows}", count=described.rows),
    )
    told = min(len(described.notes), MOST_REMARKS + 2) + (0 if source.project is None else 2)
    for line in problem_lines(to_settle, most=_LINES - told):
        note(line)


def _pasted(problem: Problem, source: TableSource) -> Problem:
    """Return a problem whose command works as it stands: a project is made once, of this file."""
    if problem.kind != "order":
        return problem
    init = f"sudare init {shlex.quote(str(source.path))}"
    return replace(problem, command=init if source.project is None else "")


def _left_out(data: Microdata, chosen: Sequence[str]) -> Iterator[str]:
    """Say that only some columns are compared with one another, where that is so."""
    count = len(variables(data))
    if count > len(chosen):
        yield say(
            "associations are of {chosen} of {count} columns, keys and sensitive columns first",
            chosen=len(chosen),
            count=count,
        )
