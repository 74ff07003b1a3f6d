"""``sudare describe``: the contents of a table, as counts."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sudare.cli.options import AsJson, OriginalFile
from sudare.cli.output import note, print_json, print_rows, progress
from sudare.cli.tables import TableOptions, reads_tables
from sudare.core import say
from sudare.describe import association, cards, problems, profile, proposals
from sudare.engine.formats import check_free
from sudare.release.report import column_row, description_report, problem_lines

_LINES = 25  # on a terminal, in addition to the table of columns


@reads_tables
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
    data = source.read()
    described = profile(data)
    with progress(say("associations")) as advance:
        pairs = association(data, on_progress=advance)
    proposed = proposals(data)
    to_settle = problems(data, pairs, proposed)
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
    for line in problem_lines(to_settle, most=_LINES - len(described.notes)):
        note(line)
