"""Tutorials as notebooks: every one that has Python can be downloaded, with its outputs.

Where a page draws figures, its code runs while the site is built, and the page shows them.
"""

import ast
import doctest
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

from languages import language_of
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from page_writing import told

from sudare.core import language, speaking

BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FIGURE = re.compile(r"^<Figure: (.*)>$\n?", re.MULTILINE)
LINK = re.compile(r"\]\((?!http)([^)#]*)\.md(#[^)]*)?\)")
FOLDER = "tutorials/"
SITE = "https://sudare.readthedocs.io/"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the notebook of every tutorial that has Python, and the pictures that it draws."""
    with speaking(language_of(config)):
        for file in list(files):
            if file.src_uri.startswith(FOLDER) and file.src_uri.endswith(".md"):
                for name, content in made_from(file.content_string, stem_of(file.src_uri)):
                    files.append(File.generated(config, FOLDER + name, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: Any) -> str:
    """Offer the notebook below the heading, and show the pictures in place of their names."""
    if not page.file.src_uri.startswith(FOLDER) or not BLOCK.search(markdown):
        return markdown
    stem = stem_of(page.file.src_uri)
    with speaking(language_of(config)):
        link = f"[{told('Download as a notebook')}]({stem}.ipynb){{ .notebook download }}"
    numbers = iter(range(1, 1 + len(FIGURE.findall(markdown))))

    def shown(block: re.Match[str]) -> str:
        titles = FIGURE.findall(block[0])
        figures = [f"![{title}]({stem}-{next(numbers)}.svg)" for title in titles]
        return "\n\n".join([FIGURE.sub("", block[0]), *figures])

    return re.sub(r"^(# .*)$", rf"\1\n\n{link}", BLOCK.sub(shown, markdown), count=1, flags=re.M)


def stem_of(uri: str) -> str:
    """Return the name of a page without folder and ending."""
    return uri.removeprefix(FOLDER).removesuffix(".md")


def made_from(markdown: str, stem: str) -> Iterator[tuple[str, str]]:
    """Yield name and content of a page's notebook, and of the pictures in it."""
    if BLOCK.search(markdown):
        book = notebook(markdown)
        yield f"{stem}.ipynb", json.dumps(book, ensure_ascii=False, indent=1)
        outputs = [output for cell in book["cells"] for output in cell.get("outputs", ())]
        shown = [output.get("data", {}) for output in outputs]
        pictures = [data["image/svg+xml"] for data in shown if "image/svg+xml" in data]
        for number, picture in enumerate(pictures, 1):
            yield f"{stem}-{number}.svg", "".join(picture)


def notebook(markdown: str) -> dict[str, Any]:
    """Return a page as a notebook; it runs if the page draws figures.

    Examples
    --------
    >>> book = notebook("# One\\n\\n```pycon\\n>>> 1 + 1\\n2\\n\\n```\\n\\nEnd.")
    >>> [cell["cell_type"] for cell in book["cells"]]
    ['markdown', 'code', 'markdown']
    >>> book["cells"][1]["outputs"][0]["data"]
    {'text/plain': ['2']}
    """
    names: dict[str, Any] | None = {} if FIGURE.search(markdown) else None
    parts = BLOCK.split(LINK.sub(_address, markdown))
    cells: list[dict[str, Any]] = []
    for number, part in enumerate(parts):
        if number % 2:
            for source, shown in statements(part):
                cells.append(_code_cell(source, _outputs(source, shown, names)))
        elif part.strip():
            cells.append({"cell_type": "markdown", "metadata": {}, "source": _lines(part.strip())})
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _address(link: re.Match[str]) -> str:
    """Return a link between pages as one to the site, since a notebook travels alone."""
    site = SITE + ("ja/" if language() == "ja" else "")
    return f"]({urljoin(site + FOLDER, link[1])}/{link[2] or ''})"


def statements(block: str) -> Iterator[tuple[str, str]]:
    """Yield the code of each cell and what it shows: a cell ends where something is shown."""
    source = ""
    for example in doctest.DocTestParser().get_examples(block):
        source += example.source
        if example.want:
            yield source.rstrip("\n"), example.want.rstrip("\n")
            source = ""
    if source:
        yield source.rstrip("\n"), ""


def _outputs(source: str, shown: str, names: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Return what a cell shows: as the page says, or by running it."""
    data: dict[str, Any] = {"text/plain": _lines(shown)}
    if names is not None:
        tree = ast.parse(source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<page>", "exec"), names)  # noqa: S102 - a page of our own
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "<page>", "eval"), names)  # noqa: S307
            data = {"text/plain": _lines(repr(value))}
            if hasattr(value, "_repr_mimebundle_"):
                data = {**value._repr_mimebundle_(), **data}
            elif hasattr(value, "_repr_html_"):
                data["text/html"] = _lines(value._repr_html_())
    if not shown:
        return []
    if shown.startswith("Traceback"):
        name, _, message = shown.splitlines()[-1].partition(": ")
        error = {"ename": name.rpartition(".")[2], "evalue": message}
        return [{"output_type": "error", **error, "traceback": shown.splitlines()}]
    output: dict[str, Any] = {
        "output_type": "execute_result",
        "execution_count": None,
        "metadata": {},
    }
    return [{**output, "data": data}]


def _code_cell(source: str, outputs: list[dict[str, Any]]) -> dict[str, Any]:
    raises = any(output["output_type"] == "error" for output in outputs)
    metadata = {"tags": ["raises-exception"]} if raises else {}  # "Run all" goes on after it
    cell: dict[str, Any] = {"cell_type": "code", "metadata": metadata, "execution_count": None}
    return {**cell, "source": _lines(source), "outputs": outputs}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
