"""Reports as PDF: the same blocks, set by Typst."""

import json
import re
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from sudare.core import MissingPartError, language
from sudare.describe import Card
from sudare.engine.formats import Folder
from sudare.release.report.document import (
    Block,
    Cards,
    Chart,
    Code,
    Report,
    Table,
    Text,
    figure_svg,
    footer,
    shown,
)

_JAPANESE = (
    *("Noto Sans CJK JP", "Noto Sans JP", "IPAexGothic", "IPAGothic"),
    *("Hiragino Sans", "Yu Gothic", "Meiryo"),
)
_PREAMBLE = """
#set page(paper: "a4", margin: 20mm, numbering: "1")
#set text(size: 10pt, lang: {language}, font: ({fonts}))
#set par(leading: 0.8em)
#show heading: set text(fill: rgb("#3a6b5c"))
#show heading: set block(above: 1.8em, below: 0.9em)
"""
_FONT_PACKAGE = "noto_cjk_sans_jp_regular"
_PIXEL = 0.7  # points; a chart is as wide as a screen shows it, up to the width of the page


def pdf(report: Report) -> bytes:
    """Return a report as a PDF file.

    Japanese needs a Japanese font: that of the extra ``japanese``, or one of the machine.
    """
    try:
        import typst
    except ImportError:
        raise MissingPartError(
            "PDF needs Typst; install it with: pip install 'sudare[pdf]'."
        ) from None
    folders = _font_folders()
    families = {font.family for font in typst.Fonts(font_paths=folders).fonts()}
    fonts = [name for name in _JAPANESE if name in families]
    if language() == "ja" and not fonts:
        raise MissingPartError(
            "a PDF in Japanese needs a Japanese font; install one with: pip install "
            "'sudare[japanese]', or write HTML."
        )
    with Folder() as folder:
        source = folder / "report.typ"
        source.write_text("\n".join(_source(report, fonts, folder)), encoding="utf-8")
        made: bytes = typst.compile(str(source), root=str(folder), font_paths=folders)
    return made


def _font_folders() -> list[str]:
    """Return the folder of the font that comes as a package, if it is installed."""
    spec = find_spec(_FONT_PACKAGE)
    return list(spec.submodule_search_locations or ()) if spec else []


def _source(report: Report, fonts: Sequence[str], folder: Path) -> Iterator[str]:
    chosen = "".join(f"{_text(name)}, " for name in (*fonts, "Libertinus Serif"))
    yield _PREAMBLE.format(language=_text(language()), fonts=chosen)
    yield f"#align(center, text(18pt, weight: 700, {_text(report.title)}))"
    for number, block in enumerate(report.blocks):
        yield from _block(block, folder / f"{number}.svg")
    yield f"#line(length: 100%) #text(8pt, {_text(report.footer or footer())})"


def _block(block: Block, picture: Path) -> Iterator[str]:
    if isinstance(block, Text):
        if block.heading:
            yield f"#heading(level: 2, {_text(block.heading)})"
        if block.body:
            sticky = "true" if block.heading else "false"
            yield f"#block(sticky: {sticky}, {_text(block.body)})"
    elif isinstance(block, Code):
        yield f"#block(fill: luma(245), inset: 6pt, raw(block: true, {_text(block.body)}))"
    elif isinstance(block, Table):
        cells = "".join(f"{_cell(cell)}, " for row in block.rows for cell in row)
        header = "".join(f"strong({_text(name)}), " for name in block.header)
        yield (
            f"#block(sticky: {_captioned(block)}, text(8pt, table(columns: {len(block.header)}, "
            f"stroke: none, table.header({header}), table.hline(), {cells})))"
        )
    elif isinstance(block, Cards):
        for card in block.cards:
            yield from _card(card)
    else:
        drawn = figure_svg(block.figure)
        picture.write_text(drawn, encoding="utf-8")
        image = f"image({_text(picture.name)}, width: {_width(drawn)})"
        yield f"#block(width: 100%, sticky: {_captioned(block)}, align(center, {image}))"
    if isinstance(block, Table | Chart) and block.caption:
        yield f"#text(8pt, {_text(block.caption)})"


def _card(card: Card) -> Iterator[str]:
    """Yield a card: its name, what is said of it, and its distribution."""
    yield f"#heading(level: 3, {_text(card.name)})"
    for line in (card.facts(), *card.notes, card.going_with()):
        if line:
            yield f"#block(text(8pt, {_text(line)}))"
    if card.bars:
        cells = "".join(
            f"{_text(bar.label)}, align(right, {_text(bar.count)}), " for bar in card.bars
        )
        yield f"#text(8pt, table(columns: 2, stroke: none, inset: 2pt, {cells}))"


def _captioned(block: Table | Chart) -> str:
    """Return whether a block must stay with what follows it, its caption."""
    return "true" if block.caption else "false"


def _cell(content: object) -> str:
    """Return a cell of a table; numbers are aligned right."""
    number = isinstance(content, int | float) and not isinstance(content, bool)
    return f"align(right, {_text(shown(content))})" if number else _text(shown(content))


def _width(drawn: str) -> str:
    """Return how wide a chart is on the page."""
    match = re.search(r'width="([\d.]+)"', drawn)
    return f"calc.min({float(match[1]) * _PIXEL if match else 480:.0f}pt, 480pt)"


def _text(content: str) -> str:
    """Return a text as a string of Typst, in which nothing is markup."""
    return json.dumps(content, ensure_ascii=False).replace("\\/", "/")
