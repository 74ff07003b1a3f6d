"""``sudare serve``: the workbench in the browser, on this machine alone."""

from pathlib import Path
from typing import Annotated

import typer

from sudare.cli.command_list import COMMANDS
from sudare.cli.output import note
from sudare.cli.termination import guarded

app = typer.Typer(add_completion=False)


def run(
    *,
    path: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="a project, or a table, to begin with")
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, envvar="SUDARE_PORT", help="0 for any free port")
    ] = 8020,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="print the link and open no browser")
    ] = False,
    host: Annotated[
        str,
        typer.Option(
            envvar="SUDARE_HOST", help="address to listen on; another one only in a container"
        ),
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            envvar="SUDARE_NAMES",
            help="host name under which your own proxy serves it (repeatable)",
        ),
    ] = None,
) -> None:
    """Serve the workbench until it is interrupted."""
    from sudare.workbench import serve

    serve(
        path,
        port=port,
        host=host,
        hosts=tuple(name or ()),
        open_browser=not no_browser,
        tell=note,
    )


app.command("serve", help=COMMANDS["serve"].help)(guarded(run, serves=True))
