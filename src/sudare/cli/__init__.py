"""The command line: ``sudare`` and how it starts its commands."""

import os
import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from sudare.cli.command_list import COMMANDS
from sudare.core import Language, speaking


class Commands(TyperGroup):
    """The commands, each imported when it is run; their list needs only their summaries."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names, in order."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; only its summary while the list is shown."""
        if cmd_name not in COMMANDS:
            return None
        if ctx.meta.get("listing"):
            return typer.core.TyperCommand(cmd_name, help=COMMANDS[cmd_name].summary)
        return _loaded(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Show the list of commands without importing them."""
        ctx.meta["listing"] = True
        super().format_help(ctx, formatter)


def _loaded(name: str) -> Any:
    from sudare.cli.guard import guarded

    command = COMMANDS[name]
    module = import_module(f"sudare.cli.commands.{command.module}")
    if hasattr(module, "app"):
        app: typer.Typer = module.app
    else:
        app = typer.Typer(add_completion=False)
        app.command(name, help=command.help)(guarded(module.run))
    loaded = typer.main.get_command(app)
    loaded.name = name
    return loaded


app = typer.Typer(
    cls=Commands,
    name="sudare",
    help="Statistical disclosure control: mask a table, attack it, measure what was lost, choose.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _no_options() -> None:
    """Take no option before the command."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with code 0, 1 (a limit is not met) or 2 (bad input).

    A command that a signal ends exits with 128 plus its number.
    """
    words = sys.argv[1:] if arguments is None else arguments
    debugging = "--debug" in words
    with speaking(_language()):
        try:
            app([word for word in words if word != "--debug"], prog_name="sudare")
        except Exception as error:
            if debugging:
                raise
            from sudare.cli.guard import leaving

            raise leaving(error) from None


def _language() -> Language:
    wanted = os.environ.get("SUDARE_LANG") or os.environ.get("LC_ALL") or os.environ.get("LANG", "")
    return "ja" if wanted.startswith("ja") else "en"
