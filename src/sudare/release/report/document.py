"""Reports: blocks in their order, written as HTML, PDF or Word, in English or Japanese."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from itertools import compress
from pathlib import Path
from typing import Any

from sudare.core import Figure, language, picture_format, say, shown
from sudare.describe import Card
from sudare.engine.formats import writing

_BY_HAND = 20  # characters that a blank column has room for


@dataclass(frozen=True)
class Text:
    """A paragraph with a heading above it, if one is given: of a section (2) or a part (3)."""

    body: str = ""
    heading: str = ""
    level: int = 2
    kind: str = field(default="text", init=False)


@dataclass(frozen=True)
class Items:
    """Sentences, one below the other."""

    sentences: Sequence[str]
    kind: str = field(default="items", init=False)


@dataclass(frozen=True)
class FactTable:
    """Names with a text about each, such as an office and its contact; no column titles."""

    pairs: Sequence[tuple[str, str]]
    kind: str = field(default="facts", init=False)


@dataclass(frozen=True)
class Approval:
    """A page of its own on which people sign.

    Attributes
    ----------
    heading
        Its title.
    question
        What they are asked.
    facts
        What they decide on; blank where somebody writes by hand.
    signers, lines
        Titles of the columns and rows of the boxes; the last row is the highest.
    choices
        What they may decide, each with a box to tick.
    remarks
        Title of the box for what they add.
    """

    heading: str
    question: str
    facts: Sequence[tuple[str, str]]
    signers: Sequence[str]
    lines: Sequence[str]
    choices: Sequence[str]
    remarks: str
    kind: str = field(default="approval", init=False)


@dataclass(frozen=True)
class Table:
    """Rows under column titles; numbers are shown with four digits."""

    header: Sequence[str]
    rows: Sequence[Sequence[object]]
    caption: str = ""
    kind: str = field(default="table", init=False)

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, object]], caption: str = "") -> "Table":
        """Return a table of rows that name their cells."""
        header = list(rows[0]) if rows else []
        return cls(header, [[row.get(name, "") for name in header] for row in rows], caption)

    @classmethod
    def of_filled(
        cls, header: Sequence[str], rows: Sequence[Sequence[object]], caption: str = ""
    ) -> "Table":
        """Return a table without the columns in which no row has anything."""
        filled = [any(cell != "" for cell in column) for column in zip(*rows, strict=True)]
        shown_rows = [list(compress(row, filled)) for row in rows]
        return cls(list(compress(header, filled)), shown_rows, caption)

    @property
    def titles(self) -> list[tuple[str, bool]]:
        """The title of each column, and whether numbers stand below it."""
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.header)
        return [
            (name, any(map(is_number, cells)))
            for name, cells in zip(self.header, columns, strict=True)
        ]


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite chart; a plain dictionary is one too."""

    figure: Figure
    caption: str = ""
    kind: str = field(default="chart", init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "figure", Figure(self.figure))

    @property
    def spec(self) -> str:
        """The chart as JSON that is safe inside a script element."""
        return json.dumps(self.figure.spec, ensure_ascii=False).replace("<", "\\u003c")


@dataclass(frozen=True)
class Code:
    """Lines that are shown as they are; ``language`` says of what they are."""

    body: str
    language: str = ""
    kind: str = field(default="code", init=False)


@dataclass(frozen=True)
class CardGrid:
    """A card for each column of a table, as notebooks show them."""

    cards: Sequence[Card]
    kind: str = field(default="cards", init=False)


Block = Text | Items | FactTable | Approval | Table | Chart | Code | CardGrid


def exact_numbers_warning() -> str:
    """Return the warning on pages with exact numbers of an original."""
    return say("Confidential: exact numbers of the original. Do not hand this out.")


@dataclass(frozen=True)
class Report:
    """A title and blocks in their order.

    Examples
    --------
    >>> page = Report("Masked", [Text("Nobody was harmed.")]).html()
    >>> "<h1>Masked</h1>" in page
    True
    """

    title: str
    blocks: Sequence[Block]
    footer: str = ""
    confidential: bool = False

    def html(self) -> str:
        """Return the report as one HTML page that needs no network."""
        from jinja2 import Environment, PackageLoader, StrictUndefined

        environment = Environment(
            loader=PackageLoader("sudare.release.report"),
            autoescape=True,
            undefined=StrictUndefined,
        )
        environment.filters["shown"] = shown
        has_charts = any(isinstance(block, Chart) for block in self.blocks)
        return environment.get_template("report.html.j2").render(
            title=self.title,
            blocks=self.blocks,
            language=language(),
            script=_chart_script() if has_charts else "",
            footer=self.footer or footer(),
            confidential=self.confidential,
        )

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the report as HTML, PDF or Word, by the ending; whole or not at all.

        Only its owner can read a confidential one.
        """
        content = self._content(Path(path).suffix.lower())
        with writing(path, overwrite=overwrite, private=self.confidential) as draft:
            draft.write_bytes(content)
        return Path(path)

    def _content(self, ending: str) -> bytes:
        if ending == ".pdf":
            from sudare.release.report.pdf import pdf

            return pdf(self)
        if ending == ".docx":
            from sudare.release.report.word import word

            return word(self)
        return self.html().encode()

    def _repr_html_(self) -> str:
        """Return the report as a notebook shows it: in a separate frame."""
        page = escape(self.html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:40em;border:0"></iframe>'


def footer() -> str:
    """Return the footer of a page that may be released."""
    return say("Made with sudare. This page holds no record, seed or value map.")


def write_figure(
    figure: Mapping[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False
) -> Path:
    """Write a chart as SVG, PNG, PDF, HTML or JSON, by the ending of the path."""
    target = Path(path)
    content = Figure(figure).render(picture_format(target))
    with writing(target, overwrite=overwrite) as draft:
        draft.write_bytes(content)
    return target


def is_number(value: object) -> bool:
    """Return whether a cell is aligned like a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def shown_widths(table: Table) -> list[int]:
    """Return how many characters the longest cell of each column has; Japanese ones count twice.

    A column whose cells are all blank has room for somebody's hand.
    """
    return [
        max(sum(1 + (ord(mark) > 0x2E7F) for mark in shown(cell)) for cell in (title, *cells))
        if any(cell != "" for cell in cells) or not cells
        else _BY_HAND
        for title, *cells in zip(table.header, *table.rows, strict=True)
    ]


@cache
def _chart_script() -> str:
    """Return the chart library, so that a report needs no network."""
    import vl_convert

    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle.replace("</script", "<\\/script")
