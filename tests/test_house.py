"""Names and sizes of the house: what a stranger who searches the source may rely on."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "sudare"
PUBLIC_TWICE = {
    "Reidentification"
}  # one risk, of tables and of purchase histories: sudare.risk, sudare.transactions
SAY_NOTHING = {"found", "place", "one"}  # a variable is called by what it holds
CLASS = re.compile(r"^\s*class\s", re.MULTILINE)
SAID = re.compile(rf"\b({'|'.join(SAY_NOTHING)})\b")


def bound_names(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield every name that a module gives to something, with its line."""
    for node in ast.walk(module):
        match node:
            case ast.Name(id=name, ctx=ast.Store(), lineno=line) | ast.arg(arg=name, lineno=line):
                yield line, name
            case ast.FunctionDef(name=name, lineno=line) | ast.ClassDef(name=name, lineno=line):
                yield line, name


def test_variables_are_called_by_what_they_hold() -> None:
    folders = [SOURCE, *(ROOT / name for name in ("tests", "benchmarks", "examples"))]
    nameless = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
        if SAID.search(path.read_text(encoding="utf-8"))
        for line, name in bound_names(ast.parse(path.read_text(encoding="utf-8")))
        if name in SAY_NOTHING
    ]
    assert not nameless


def test_a_class_name_means_one_thing() -> None:
    homes = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)) if CLASS.search(source) else ():
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(str(path.relative_to(SOURCE)))
    assert not {
        name: files for name, files in homes.items() if len(files) > 1 and name not in PUBLIC_TWICE
    }


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    lengths = {
        path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCE.rglob("*.py")
    }
    assert not [f"{path.relative_to(SOURCE)}: {n} lines" for path, n in lengths.items() if n > 400]
