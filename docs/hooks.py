"""Pages generated while the site is built: the methods, the project file, the terms."""

import json
from typing import Any

from languages import language_of
from method_pages import FAMILIES, index_page, large_page, method_page, path_of
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from numbers_page import numbers_tables, with_measured_tables
from page_writing import table, told
from project_page import project_page

from sudare.catalog import METHODS
from sudare.core import glossary, language, say, speaking
from sudare.release.project import project_schema


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
        markdown = with_measured_tables(markdown)
        for mark, tables in (
            ("<!-- terms -->", glossary_table),
            ("<!-- numbers -->", numbers_tables),
        ):
            if mark in markdown:
                markdown = markdown.replace(mark, tables())
        return markdown


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
