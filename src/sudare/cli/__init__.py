"""The command line: ``sudare`` and how it starts its commands."""

import os
import sys
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from functools import partial
from importlib import import_module
from io import StringIO
from traceback import print_exception
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from sudare.cli.command_list import COMMANDS
from sudare.cli.help_language import SectionedCommand, first_sentence, translated
from sudare.cli.termination import guarded, leaving, run_program
from sudare.core import LANGUAGES, Language, language, say, speaking

HELP = {"-h", "--help"}


class Commands(TyperGroup):
    """The commands, each imported when it is run; their list needs only their summaries."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names, in order."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; only its summary while the list is shown."""
        if cmd_name not in COMMANDS:
            return None
        command = COMMANDS[cmd_name]
        if ctx.meta.get("listing"):
            return typer.core.TyperCommand(cmd_name, short_help=first_sentence(command.help))
        module = import_module(f"sudare.cli.commands.{command.module}")
        if hasattr(module, "app"):
            made: typer.Typer = module.app
        else:
            made = typer.Typer(add_completion=False, rich_markup_mode=None)
            made.command(cmd_name, cls=SectionedCommand, help=command.help)(guarded(module.run))
        loaded = typer.main.get_command(made)
        loaded.name = cmd_name
        return translated(loaded, ctx)

    def get_help(self, ctx: Any) -> str:
        """Return the list of commands without importing them."""
        ctx.meta["listing"] = True
        translated(self, ctx)
        return super().get_help(ctx)


app = typer.Typer(
    cls=Commands,
    name="sudare",
    help="Statistical disclosure control: mask a table, attack it, measure what was lost, choose.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # frames around the list cost more time than all the rest of it
    context_settings={"help_option_names": sorted(HELP)},
)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        from importlib.metadata import version

        typer.echo(f"sudare {version('sudare')}")
        raise typer.Exit


@app.callback()
def _before_the_command(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="print the version"),
    ] = False,
    lang: Annotated[
        Language | None,
        typer.Option("--lang", help="en or ja (default: the language of the terminal)"),
    ] = None,
    debug: Annotated[
        bool, typer.Option("--debug", help="show where an unexpected error occurred")
    ] = False,
) -> None:
    """Take options that may stand anywhere on the line; ``main`` has read them already."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with code 0, 1 (a limit is not met) or 2 (bad input).

    A command that a signal ends exits with 128 plus its number. Without arguments this is the
    program: it takes those of the process, and ends it.
    """
    if arguments is None:
        run_program(lambda: _run_program(sys.argv[1:]))
    words = list(arguments)
    debugging = "--debug" in words
    words = [word for word in words if word != "--debug"]
    with speaking(_language(words)):
        try:
            _run(words)
        except Exception as error:
            if debugging:
                print_exception(error)
                raise leaving(error) from error
            raise leaving(error) from None


def _run_program(words: list[str]) -> None:
    """Run the line of the process, in which no command needs pandas."""
    if not COMMANDS.keys().isdisjoint(words) and HELP.isdisjoint(words):
        from sudare.engine.frames import leave_pandas_out

        leave_pandas_out()
    main(words)


def _install_completion(words: list[str]) -> None:
    """Have typer install completion, and say in the language of the line what became of it."""
    code: object = 1
    with redirect_stdout(StringIO()), suppress(typer.Exit):
        try:
            app(words, prog_name="sudare", standalone_mode=False)
        except SystemExit as ended:
            code = ended.code
    if code:
        typer.echo(say("Completion can be installed for bash, zsh, fish and PowerShell."), err=True)
        sys.exit(2)
    typer.echo(say("Completion is installed; it works in the terminals that you open from now on."))
    sys.exit(0)


def _run(words: list[str]) -> None:
    """Run a command; what is wrong with the line is said in the language of the line."""
    if words[:1] == ["--install-completion"]:
        _install_completion(words)
    program: Callable[..., Any] = partial(app, words, prog_name="sudare")
    if words and words[0] in COMMANDS and not HELP.isdisjoint(words):
        program = _explanation(*words)
    if language() == "en":
        program()
    try:
        ended = program(standalone_mode=False)
    except typer.Abort:
        ended = 1
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        from sudare.cli.usage_errors import shown_usage_error

        typer.echo(shown_usage_error(error), err=True)
        ended = getattr(error, "exit_code", 2)
    sys.exit(ended if isinstance(ended, int) else 0)


def _explanation(name: str, *words: str) -> Callable[..., Any]:
    """Return a command that explains itself, without what would check the options before it."""
    group: Any = typer.main.get_command(app)
    context = group.context_class(group, info_name="sudare", **group.context_settings)
    command = group.get_command(context, name)
    return partial(command.main, list(words), prog_name=name, parent=context)


def _language(words: list[str]) -> Language:
    """Take ``--lang en`` or ``--lang ja`` off the line; else the language is the terminal's."""
    for known in LANGUAGES:
        for spelled in (["--lang", known], [f"--lang={known}"]):
            for start in range(len(words)):
                if words[start : start + len(spelled)] == spelled:
                    del words[start : start + len(spelled)]
                    return known
    wanted = os.environ.get("SUDARE_LANG") or os.environ.get("LC_ALL") or os.environ.get("LANG", "")
    return "ja" if wanted.startswith("ja") else "en"
