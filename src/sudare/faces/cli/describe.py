"""``sudare describe``: what stands in a table, in counts."""

from pathlib import Path
from typing import Annotated

import typer

from sudare.core.messages import say
from sudare.describe import profile
from sudare.faces.cli.output import note, print_json, print_rows
from sudare.faces.cli.tables import TableOptions, reads_tables

NAME = "describe"
HELP = "Describe a table without showing a value. Example: sudare describe survey.csv -k age"


@reads_tables
def run(
    *,
    file: Annotated[Path, typer.Argument(help="the table")],
    table: TableOptions,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON")] = False,
) -> None:
    """Describe a table."""
    found = profile(table.read(file))
    if as_json:
        print_json(found.as_dict())
        return
    print_rows(
        [
            {
                say("column"): column.name,
                say("role"): column.role,
                say("scale"): column.scale,
                say("distinct"): column.distinct,
                say("rarest"): column.rarest,
                say("missing"): column.missing,
                say("not applicable"): column.not_applicable,
            }
            for column in found.columns
        ],
        title=say("{count} rows", count=found.rows),
    )
    for column in found.columns:
        if column.guess != column.scale:
            note(
                say(
                    "column '{column}' may be {scale}: {reason}.",
                    column=column.name,
                    scale=column.guess,
                    reason=column.reason,
                )
            )
