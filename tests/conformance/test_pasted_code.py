"""Code of the pages runs when pasted into a new interpreter, or a shell in an empty folder."""

import code
import re
import shlex
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import griffe
import pytest
from method_pages import method_page
from pasted_code import Imports, imports, on_page_markdown

import sudare
from sudare.catalog import METHODS, CatalogEntry
from sudare.cli import main
from sudare.core import speaking

pytestmark = pytest.mark.xdist_group("pasted-code")  # docstrings are loaded once for all
DOCS = Path(__file__).parents[2] / "docs"
# Run by no test of the pages: what installs, takes a minute, or needs a cluster or a server.
ELSEWHERE = {
    "guide/start.md": ["sh"],
    "guide/spark.md": ["python", "python", "sh"],
    "guide/contest-rules.md": ["python"],
    "guide/contest-site.md": ["python"],
    "papers/numbers.md": ["sh"],
}
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"^ *::: (\S+)$", re.MULTILINE)


class Interpreter(code.InteractiveConsole):
    """An interpreter that a reader pastes into; it raises what it would show."""

    def showtraceback(self) -> None:
        raise  # noqa: PLE0704 - called while the error is handled

    def showsyntaxerror(self, *_: Any, **__: Any) -> None:
        raise  # noqa: PLE0704 - called while the error is handled

    def paste(self, lines: list[str]) -> None:
        with redirect_stdout(StringIO()):
            waiting = [self.push(line) for line in [*lines, ""]]
        assert not waiting[-1]


def copied(example: str) -> list[str]:
    """Return what the button copies: lines without prompts, empty where output was."""
    return [line[4:] if line.startswith((">>> ", "... ")) else "" for line in example.split("\n")]


@cache
def package() -> griffe.Module:
    """The docstrings as the site shows them."""
    shown = griffe.load("sudare", extensions=griffe.Extensions(Imports()))
    assert isinstance(shown, griffe.Module)
    return shown


def examples(path: str, *, members: bool = False) -> Iterator[str]:
    """Yield the blocks of code in the docstring of a path, and in those of its members."""
    shown = package()[path.removeprefix("sudare.")]
    shown = shown.final_target if shown.is_alias else shown
    for section in shown.docstring.parse("numpy") if shown.docstring else ():
        if section.kind == griffe.DocstringSectionKind.examples:
            yield from (text for kind, text in section.value if kind == section.kind)
    for name, member in shown.members.items() if members else ():
        if not name.startswith("_") and not member.is_alias:
            yield from examples(member.path, members=True)


def docstrings(shown: griffe.Object | griffe.Alias) -> Iterator[str]:
    """Yield all docstrings of a package as the site shows them."""
    if not shown.is_alias:
        yield shown.docstring.value if shown.docstring else ""
        for member in shown.members.values():
            yield from docstrings(member)


def test_no_page_shows_a_role_of_another_documentation_tool() -> None:
    files = [path for end in ("md", "toml") for path in DOCS.rglob(f"*.{end}")]
    pages = [path.read_text(encoding="utf-8") for path in files]
    shown = [*docstrings(package()), *pages]
    assert any("`IterativeBayes`" in text for text in shown)
    assert [text for text in shown if re.search(r":[a-z]+:`", text)] == []


def run_in_shell(script: str) -> None:
    """Run a script that has only our commands, lines of Python and small files."""
    for line in script.replace("\\\n", "").splitlines():
        program, *words = shlex.split(line)
        if program == "python":
            Interpreter().paste([words[1]])
        elif program == "printf":
            text, arrow, path = words
            assert arrow == ">"
            Path(path).write_text(text.replace("\\n", "\n"), encoding="utf-8")
        else:
            with redirect_stdout(StringIO()), pytest.raises(SystemExit) as ended:
                main(words)
            assert ended.value.code in {0, None}


@pytest.mark.parametrize("entry", METHODS, ids=lambda entry: f"{entry.subject}-{entry.slug}")
def test_every_block_of_a_method_page_runs_when_it_is_pasted(
    entry: CatalogEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = method_page(entry)
    with speaking("ja"):
        translated = method_page(entry)
    assert FENCE.findall(translated) == FENCE.findall(page)
    assert SHOWN.findall(translated) == SHOWN.findall(page)
    for path in SHOWN.findall(page):
        for example in examples(path):
            Interpreter().paste(copied(example))
    for kind, text in FENCE.findall(page):
        if kind == "python":
            Interpreter().paste(text.splitlines())
        elif kind == "sh":
            run_in_shell(text)
        else:
            sudare.Recipe.from_mapping(tomllib.loads(text))


def test_a_name_is_imported_from_its_outer_door() -> None:
    pram = package()["mask.randomize.pram"]
    lines = imports({"Microdata", "Pram", "np", "retention_matrix"}, pram)
    assert lines == [
        "import numpy as np",
        "from sudare import Microdata",
        "from sudare.mask import Pram",
        "from sudare.mask.randomize.pram import retention_matrix",
    ]


@pytest.mark.parametrize("room", ["guide", "tutorials", "papers"])
def test_code_of_the_pages_is_run_with_them(room: str) -> None:
    for page in (DOCS / room).glob("*.md"):
        kinds = [kind for kind, _ in FENCE.findall(page.read_text(encoding="utf-8"))]
        name = f"{room}/{page.name}".replace(".ja.md", ".md")
        assert [k for k in kinds if k in {"sh", "python"}] == ELSEWHERE.get(name, [])


@pytest.mark.parametrize("page", sorted((DOCS / "reference").glob("*.md")), ids=lambda p: p.stem)
def test_examples_of_the_reference_run_when_they_are_pasted(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for path in SHOWN.findall(page.read_text(encoding="utf-8")):
        for example in examples(path, members=True):
            Interpreter().paste(copied(example))


class Parser(Interpreter):
    """An interpreter that only reads: the examples of pages run as doctests."""

    def runcode(self, _: object) -> None:
        """Do nothing."""


def test_statements_of_a_page_end_where_an_interpreter_ends_them() -> None:
    for page in DOCS.rglob("*.md"):
        for kind, text in FENCE.findall(on_page_markdown(page.read_text(encoding="utf-8"))):
            Parser().paste(copied(text) if kind == "pycon" else [])
