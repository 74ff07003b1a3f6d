"""Every sentence that a user may see has a translation, with the same placeholders."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from jinja2 import Environment, nodes

import sudare
from sudare.catalog import METHODS
from sudare.cli import app
from sudare.cli.command_list import COMMANDS
from sudare.cli.help_language import EXAMPLE, KINDS, PANELS, members, paragraphs
from sudare.core import Assessment
from sudare.core.messages import catalogue, say, speaking
from sudare.core.settings import Checked, settings_of
from sudare.release.project.sections import project_sections as sections
from sudare.study.result import TITLES

SOURCE = Path(sudare.__file__).parent


def spoken() -> Iterator[str]:
    """Yield the templates that the code gives to ``say`` and to errors, and the catalog's texts."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and _speaks(node.func):
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield first.value
    yield from said_in_templates()
    for entry in METHODS:
        yield entry.title
        yield (entry.method.__doc__ or "").strip().splitlines()[0]
        yield from (setting.help for setting in entry.settings)
        if issubclass(entry.method, Assessment):
            texts = (entry.method.formula, entry.method.counted, entry.method.improved_by)
            yield from filter(None, texts)
    yield from said_in_projects()
    yield from said_in_help()
    yield from TITLES
    yield from (
        "categories",
        "numbers",
        "numbers or ordered categories",
        "column",
        "method",
        "phase",
        "time zone",
        "recipe",
        "legal profile",
        "entry",
        "risk",
        "loss",
    )
    yield from ("customer", "pseudonym", "date", "item", "price", "quantity", "U")
    yield from ("a number", "a whole number", "true or false", "text", "a date", "nothing")


def said_in_projects() -> Iterator[str]:
    """Yield what a project file and its schema say about sections and entries."""
    for section in vars(sections).values():
        if isinstance(section, type) and issubclass(section, Checked) and section is not Checked:
            yield (section.__doc__ or "").strip().splitlines()[0]
            yield from (setting.help for setting in settings_of(section) if setting.help)


def said_in_help() -> Iterator[str]:
    """Yield what commands and options say of themselves; examples are the same in any language."""
    yield from (*PANELS, *filter(None, KINDS.values()))
    group: Any = typer.main.get_command(app)
    context = typer.Context(group)
    for command in (group, *(group.get_command(context, name) for name in COMMANDS)):
        for member in members(command, context):
            texts = paragraphs(member.help)
            yield from (text for text in texts if not text.startswith(EXAMPLE))
            if getattr(member, "rich_help_panel", None):
                yield member.rich_help_panel


def said_in_templates() -> Iterator[str]:
    """Yield the sentences that pages give to ``say``."""
    for path in SOURCE.rglob("*.j2"):
        page = Environment(autoescape=True).parse(path.read_text(encoding="utf-8"))
        for call in page.find_all(nodes.Call):
            if isinstance(call.node, nodes.Name) and call.node.name == "say":
                yield call.args[0].as_const()


def _speaks(function: ast.expr) -> bool:
    name = getattr(function, "id", getattr(function, "attr", ""))
    return name in {"say", "report", "Message"} or (
        name.endswith("Error") and name not in {"TypeError", "ValueError"}
    )


def placeholders(template: str) -> set[str | None]:
    return {field for _, field, _, _ in string.Formatter().parse(template) if field is not None}


@pytest.mark.parametrize("language", ["ja"])
def test_every_sentence_is_translated_with_the_same_placeholders(language: str) -> None:
    known = catalogue("ja")
    spoken_now = set(spoken())
    lacking = sorted(text for text in spoken_now if text not in known)
    assert lacking == []
    for text, translated in known.items():
        assert placeholders(text) == placeholders(translated), text
    assert sorted(set(known) - spoken_now) == [], "translations of sentences nobody says"


def test_a_sentence_without_translation_falls_back_to_english() -> None:
    with speaking("ja"):
        assert say("nobody ever says {this}", this="this") == "nobody ever says this"


def test_japanese_quotes_names_in_corner_brackets_and_puts_no_space_after_a_sentence() -> None:
    typed = re.compile(r"--[\w-]+ '[^']*'|\w='[^']*'|\['\{\w+\}'\]")  # as it is typed
    for told in catalogue("ja").values():
        assert not re.search(r"'\{\w+\}'|。 ", typed.sub("", told)), told


def test_japanese_has_one_colon() -> None:
    """The half-width one: the other would stand beside those that programs print."""
    for told in catalogue("ja").values():
        assert "：" not in told, told
