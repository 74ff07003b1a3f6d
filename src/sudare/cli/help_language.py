"""Help in the reader's language: the texts of commands and options, paragraph by paragraph."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from typer.core import TyperCommand

from sudare.core import language, say

EXAMPLE = "sudare "
PANELS = ("Arguments", "Options", "Commands")
KINDS = {"str": "text", "int": "number", "float": "number", "path": "path", "bool": ""}


class SectionedCommand(TyperCommand):
    """A command whose help has a section for each panel, without the frames that take time."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, by section."""
        sections = dict[str, list[tuple[str, str]]]()
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                own = f"{parameter.param_type_name}s".capitalize()
                panel = getattr(parameter, "rich_help_panel", None) or own
                sections.setdefault(panel, []).append(record)
        for name, records in sections.items():
            with formatter.section(name):
                formatter.write_dl(records)


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a help text, each on one line."""
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def in_language(text: str) -> str:
    """Return a help text in the current language; examples stay as they are."""
    if language() == "en":
        return text
    parts = paragraphs(text)
    return "\n\n".join(part if part.startswith(EXAMPLE) else say(part) for part in parts)


def first_sentence(text: str) -> str:
    """Return the first sentence of a help text, in the current language."""
    if language() == "en":
        return paragraphs(text)[0].split(". ")[0].rstrip(".") + "."
    return in_language(text).split("。")[0] + "。"


def translated(command: Any, context: Any) -> Any:
    """Return a command whose help, and that of its options and subcommands, is in the language.

    The context is that in which the command is asked for help. Lists of subcommands show the first
    sentence about each.
    """
    _summarize(command)
    is_english = language() == "en"
    if not is_english:
        command.rich_markup_mode = "rich"  # lines of Japanese break only within its frames
        _prepare_panels()
        _prepare_formatter(type(context))
    for member in members(command, context):
        if hasattr(member, "display_type"):  # newer versions of typer show types of Python
            member.display_type = _worded(member.display_type)
        if is_english:
            continue
        if hasattr(member, "options_metavar"):
            member.options_metavar = f"[{say('Options')}]"
        if hasattr(member, "subcommand_metavar"):
            member.subcommand_metavar = f"{say('Commands')} [{say('Arguments')}]..."
        member.help = in_language(member.help)
        if getattr(member, "rich_help_panel", None):
            member.rich_help_panel = say(member.rich_help_panel)
    return command


def members(command: Any, context: Any) -> Iterator[Any]:
    """Yield a command, its options and its subcommands, where they have a help text."""
    about_help = command.get_help_option(type(context)(command, parent=context))
    for member in (command, about_help, *command.params):
        if getattr(member, "help", None):
            yield member
    for inner in getattr(command, "commands", {}).values():
        yield from members(inner, context)


def _worded(display_type: Callable[[Any], str]) -> Callable[[Any], str]:
    """Return a function that says what kind of value an option takes; a flag takes none."""

    def worded(context: Any) -> str:
        shown = display_type(context)
        kind = re.fullmatch(r"<(?:list\[)?(\w+?)(?: range)?\]?>", shown)
        word = KINDS.get(kind[1].lower()) if kind else "date" if "%" in shown else None
        return shown if word is None else word and f"<{say(word)}>"

    return worded


def _summarize(command: Any) -> None:
    for inner in getattr(command, "commands", {}).values():
        inner.short_help = first_sentence(inner.help) if inner.help else None
        _summarize(inner)


def _prepare_panels() -> None:
    """Give panels their titles, and let lines break anywhere: Japanese has no blanks in between."""
    from rich.table import Table
    from rich.text import Text
    from typer import rich_utils

    class Folding(Table):
        def add_row(self, *cells: Any, **about: Any) -> None:
            super().add_row(*cells, **about)
            for column in self.columns:
                column.overflow = "fold"

    def folding(parts: list[Text]) -> Text:
        return Text(" ", overflow="fold").join(parts)

    rich_utils.REQUIRED_LONG_STRING = f"[{say('required')}]"
    rich_utils.ENVVAR_STRING = f"[{say('environment variable')}: {{}}]"
    rich_utils.DEFAULT_STRING = f"[{say('default: {value}', value='{}')}]"
    for panel in PANELS:
        setattr(rich_utils, f"{panel.upper()}_PANEL_TITLE", say(panel))
    for name, folded in (("Table", Folding), ("Columns", folding)):
        setattr(rich_utils, name, folded)


def _prepare_formatter(context_class: Any) -> None:
    """Let what is formatted without panels say its headings in the language."""
    plain = context_class.formatter_class
    if plain.__name__ == "Speaking":
        return

    class Speaking(plain):  # type: ignore[misc, valid-type]
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            super().write_usage(prog, args, prefix or say("Usage: {usage}", usage=""))

        def section(self, name: str) -> Any:
            return super().section(say(name))

    context_class.formatter_class = Speaking
