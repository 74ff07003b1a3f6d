"""The page of the tree, made while the site is built: every room and file, by its docstring."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

SOURCE = Path(__file__).parents[1] / "src" / "sudare"
ORDER = (  # from the top floor down
    *("cli", "workbench", "contest", "web", "study", "release", "datasets"),
    *("mask", "risk", "loss", "reconstruct", "transactions", "describe", "engine", "core"),
)
OPENING = """# The tree

Where everything lives, as every file says of itself. A room may use the rooms below it, never its
neighbors, and is entered through its door; see [note 8](0008-layers.md). Compiled loops are
in files named `_kernels`.
"""
BESIDE = """
## Beside the package

```text
tests/            mirrors src/sudare, and beside that:
  conformance/      promises over the whole catalog, and over these pages
  golden/           numbers from papers and reference systems
  engines/          one result on every engine, with a real Spark cluster
benchmarks/       every hot path, as a ratio
docs/             this site; its hooks make the pages of the methods and this one
examples/         scripts that run as they stand
```
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page."""
    files.append(File.generated(config, "design/tree.md", content=tree_page(SOURCE)))
    return files


def tree_page(source: Path) -> str:
    """Return the page: the files at the top, then one part per room, from the top floor down."""
    rooms = [path.name for path in source.iterdir() if (path / "__init__.py").is_file()]
    parts = [OPENING, "```text", *_lines(source, files_only=True), "```", ""]
    for name in sorted(rooms, key=_floor):
        lines = _lines(source / name)
        parts += [f"## {name}", "", first_line(source / name / "__init__.py"), ""]
        parts += ["```text", *lines, "```", ""]
    return "\n".join([*parts, BESIDE])


def _floor(name: str) -> tuple[int, str]:
    return (ORDER.index(name) if name in ORDER else -1, name)


def _lines(folder: Path, depth: int = 0, *, files_only: bool = False) -> Iterator[str]:
    """Yield a line for every file and room in a folder, rooms last."""
    for path in sorted(folder.glob("*.py")):
        if path.name != "__init__.py":
            yield _line(depth, path.name, path)
    for room in () if files_only else sorted(folder.iterdir()):
        if (room / "__init__.py").is_file():
            yield _line(depth, f"{room.name}/", room / "__init__.py")
            yield from _lines(room, depth + 1)


def _line(depth: int, name: str, path: Path) -> str:
    return f"{'  ' * depth + name:<34}{first_line(path)}".rstrip()


@cache
def first_line(path: Path) -> str:
    """Return what a file says of itself, in its first line."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return docstring.split("\n", 1)[0].replace("``", "").rstrip(".")
