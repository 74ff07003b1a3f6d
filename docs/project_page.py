"""The page of the project file: its class, and every entry of every section."""

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_origin

from page_writing import block, table, told

from sudare.core import say
from sudare.core.settings import Checked, settings_of
from sudare.release.project import ProjectSections


def project_page() -> str:
    """Return the reference of the project file: its class, and every entry of every section.

    Examples
    --------
    >>> "`skip_rows`" in project_page()
    True
    """
    lines = [
        told("# Project file"),
        "",
        *block("sudare.release.project.project.Project", inherited_members="true"),
    ]
    same = told("The same as a [JSON Schema](project.schema.json).")
    lines += [told("## Entries"), "", same, ""]
    for heading, section in section_headings(ProjectSections):
        text = say((section.__doc__ or "").splitlines()[0])
        rows = [
            [
                f"`{entry.name}`",
                entry.kind_words(),
                told("*required*") if entry.required else f"`{entry.default!r}`",
                say(entry.help),
            ]
            for entry in settings_of(section)
            if not section_of(entry.kind)
        ]
        lines += [f"### `{heading}`", "", text, ""]
        lines += [*table(["entry", "kind", "default", "meaning"], rows), ""]
    return "\n".join(lines)


def section_headings(section: type[Checked], name: str = "") -> Iterator[tuple[str, type[Checked]]]:
    """Yield a section and those inside it, each with its heading in the file."""
    yield (name and f"[{name}]") or told("top of the file"), section
    for entry in settings_of(section):
        inner = section_of(entry.kind)
        if inner is not None:
            path = f"{name}.{entry.name}" if name else entry.name
            path += {Mapping: ".<name>"}.get(get_origin(entry.kind), "")
            yield from section_headings(inner, path)


def section_of(kind: Any) -> type[Checked] | None:
    """Return the section that a kind of entry consists of, if it does."""
    for part in (kind, *get_args(kind)):
        if isinstance(part, type) and issubclass(part, Checked):
            return part
    return None
