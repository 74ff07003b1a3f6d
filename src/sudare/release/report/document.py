"""Reports: one self-contained HTML file made of texts, tables and charts, English or Japanese."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path

from sudare.core import Figure, language, say
from sudare.describe import Card
from sudare.engine.formats import writing

_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"


@dataclass(frozen=True)
class Text:
    """A paragraph, with a heading above it if one is given."""

    body: str = ""
    heading: str = ""
    kind: str = field(default="text", init=False)


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


@dataclass(frozen=True)
class Chart:
    """A Vega-Lite chart."""

    figure: Figure
    caption: str = ""
    kind: str = field(default="chart", init=False)

    @property
    def spec(self) -> str:
        """The chart as JSON that is safe inside a script element."""
        shown = {"$schema": _SCHEMA, **self.figure}
        return json.dumps(shown, ensure_ascii=False).replace("<", "\\u003c")


@dataclass(frozen=True)
class Code:
    """Lines that are shown as they are."""

    body: str
    kind: str = field(default="code", init=False)


@dataclass(frozen=True)
class Cards:
    """A card for each column of a table, as notebooks show them."""

    cards: Sequence[Card]
    kind: str = field(default="cards", init=False)


Block = Text | Table | Chart | Code | Cards


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
        )

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the report to an HTML or a PDF file, by the ending; whole or not at all.

        Only its owner can read a confidential one.
        """
        with writing(path, overwrite=overwrite, private=self.confidential) as draft:
            if Path(path).suffix.lower() == ".pdf":
                from sudare.release.report.pdf import pdf

                draft.write_bytes(pdf(self))
            else:
                draft.write_text(self.html(), encoding="utf-8")
        return Path(path)

    def _repr_html_(self) -> str:
        """Return the report as a notebook shows it: in a separate frame."""
        page = escape(self.html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:40em;border:0"></iframe>'


def footer() -> str:
    """Return the footer of a page that may be released."""
    return say("Made with sudare. This page holds no record, seed or value map.")


def figure_svg(figure: Figure) -> str:
    """Return a chart as SVG."""
    import vl_convert

    made: str = vl_convert.vegalite_to_svg({**figure, "background": "white"})
    return made


def write_figure(figure: Figure, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Write a chart as SVG, PNG or PDF, by the ending of the path."""
    import vl_convert

    target = Path(path)
    figure = {**figure, "background": "white"}
    makers = {
        ".svg": lambda: figure_svg(figure).encode(),
        ".png": lambda: vl_convert.vegalite_to_png(figure, scale=2),
        ".pdf": lambda: vl_convert.vegalite_to_pdf(figure),
    }
    with writing(target, overwrite=overwrite) as draft:
        draft.write_bytes(makers[target.suffix.lower()]())
    return target


def shown(value: object) -> str:
    """Return a cell of a table as people read it.

    Examples
    --------
    >>> shown(20000.0), shown(0.123456), shown("a")
    ('20000', '0.1235', 'a')
    """
    if not isinstance(value, float):
        return str(value)
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.4g}"


@cache
def _chart_script() -> str:
    """Return the chart library, so that a report needs no network."""
    import vl_convert

    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle.replace("</script", "<\\/script")
