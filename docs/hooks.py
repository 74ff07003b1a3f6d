"""Pages generated while the site is built: the methods, the project file, the terms."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from languages import language_of
from method_pages import FAMILIES, index_page, large_page, method_page, path_of
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from page_writing import table, told
from project_page import project_page

from sudare.catalog import METHODS
from sudare.core import glossary, language, say, speaking
from sudare.release.project import project_schema

NUMBERS = Path(__file__).parent / "papers" / "published.csv"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill the Methods part of the navigation from the catalog."""
    with speaking(language_of(config)):
        pages: list[Any] = ["methods/index.md", {told("Gallery"): "methods/gallery.md"}]
        pages.append({told("On large tables"): "methods/large.md"})
        for family, (title, _) in FAMILIES.items():
            members = [{say(e.title): path_of(e)} for e in METHODS if e.family == family]
            pages.append({told(title): members})
    for part in config.nav or []:
        if "Methods" in part:
            part["Methods"] = pages
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page of every method, and their index."""
    with speaking(language_of(config)):
        made = {path_of(entry): method_page(entry) for entry in METHODS}
        made["methods/index.md"] = index_page()
        made["methods/large.md"] = large_page()
        made["reference/project.md"] = project_page()
    made["reference/project.schema.json"] = json.dumps(project_schema(), indent=2)
    for path, content in made.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, config: MkDocsConfig, **_: Any) -> str:
    """Put the terms into the glossary, and the papers' numbers into their page."""
    with speaking(language_of(config)):
        markdown = markdown.replace("<!-- terms -->", glossary_table())
        return markdown.replace("<!-- numbers -->", numbers_tables() if NUMBERS.exists() else "")


def numbers_tables() -> str:
    """Return the numbers of the papers beside ours, as `sudare study papers` wrote them."""
    with NUMBERS.open(encoding="utf-8", newline="") as file:
        numbers = list(csv.DictReader(file))
    lines = []
    for paper in dict.fromkeys(number["paper"] for number in numbers):
        those = [number for number in numbers if number["paper"] == paper]
        lines += [f"## {paper}", "", *_numbers_table(n for n in those if n["ours"]), ""]
        rest = [number for number in those if not number["ours"]]
        if rest:
            title = told("{count} numbers without one of ours").format(count=len(rest))
            table_lines = [f"    {line}" for line in _numbers_table(rest)]
            lines += [f'??? note "{title}"', "", *table_lines, ""]
    return "\n".join(lines)


def _numbers_table(numbers: Iterable[dict[str, str]]) -> list[str]:
    rows = [
        [
            n["source"],
            n["figure"],
            n["published"],
            n["ours"] and f"{float(n['ours']):.6g}",
            say(n["note"]),
        ]
        for n in numbers
    ]
    return table(["source", "figure", "published", "ours", "note"], rows)


def glossary_table() -> str:
    """Return the terms of both languages as a table.

    Examples
    --------
    >>> "| key | キー |" in glossary_table()
    True
    """
    rows = [
        [term.names["en"], term.names["ja"], term.meaning[language()], "、".join(term.avoided)]
        for term in glossary().values()
    ]
    return "\n".join(table(["English", "日本語", "meaning", "not"], rows))
