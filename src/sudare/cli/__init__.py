"""The command line: one module per command of ``sudare``."""

import os
import sys

import typer

from sudare.cli import (
    bench,
    compare,
    contest,
    demo,
    describe,
    history,
    init,
    mask,
    measure,
    methods,
    report,
    search,
    study,
)
from sudare.cli.guard import debugging, guarded
from sudare.core import Language, speaking

app = typer.Typer(
    name="sudare",
    help="Statistical disclosure control: mask a table, attack it, measure what was lost, choose.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (init, methods, describe, mask, measure, compare, search, report, demo, bench):
    summary = module.HELP.split(". ")[0] + "."
    app.command(module.NAME, help=module.HELP, short_help=summary)(guarded(module.run))
app.add_typer(study.app, name="study", no_args_is_help=True)
app.add_typer(history.app, name="history", no_args_is_help=True)
app.add_typer(contest.app, name="contest", no_args_is_help=True)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with exit code 0, 1 (a limit is not met) or 2 (bad input)."""
    words = sys.argv[1:] if arguments is None else arguments
    debugging.set("--debug" in words)
    with speaking(_language()):
        app([word for word in words if word != "--debug"], prog_name="sudare")


def _language() -> Language:
    wanted = os.environ.get("SUDARE_LANG") or os.environ.get("LC_ALL") or os.environ.get("LANG", "")
    return "ja" if wanted.startswith("ja") else "en"
