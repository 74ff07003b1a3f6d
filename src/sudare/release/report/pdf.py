"""Reports as PDF: the same blocks, set by Typst."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from sudare.core import MissingPartError, font_folders, language, shown
from sudare.describe import Card
from sudare.engine.formats import Folder
from sudare.release.report.document import (
    Approval,
    Block,
    CardGrid,
    Chart,
    Code,
    FactTable,
    Items,
    Report,
    Table,
    Text,
    footer,
    is_number,
    shown_widths,
)

_JAPANESE = (
    *("Noto Sans CJK JP", "Noto Sans JP", "IPAexGothic", "IPAGothic"),
    *("Hiragino Sans", "Yu Gothic", "Meiryo"),
)
_PREAMBLE = """
#set page(paper: "a4", margin: 20mm, numbering: "1", footer-descent: 40%)
#set text(size: 10pt, lang: {language}, font: ({fonts}))
#set par(leading: 0.8em)
#show heading: set text(fill: rgb("#3a6b5c"))
#show heading.where(level: 2): set block(above: 2em, below: 1em)
#show heading.where(level: 3): set block(above: 1.5em, below: 0.8em)
"""
_PIXEL = 0.7  # points; a chart is as wide as a screen shows it, up to the width of the page
_PAGE = 1_000  # characters of a cell that surely has room on one page
_LONG = 18  # characters from which a column of a table takes its share of the width


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
    folders = font_folders()
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


def _source(report: Report, fonts: Sequence[str], folder: Path) -> Iterator[str]:
    chosen = "".join(f"{_text(name)}, " for name in (*fonts, "Libertinus Serif"))
    yield _PREAMBLE.format(language=_text(language()), fonts=chosen)
    yield f"#set document(title: {_text(report.title)})"
    if report.confidential:
        warning = f'text(8pt, weight: 700, fill: rgb("#a3262a"), {_text(report.footer)})'
        yield f"#set page(header: align(right, {warning}))"
    yield f"#align(center, text(18pt, weight: 700, {_text(report.title)}))"
    yield '#line(length: 100%, stroke: 1.5pt + rgb("#3a6b5c"))'
    for number, block in enumerate(report.blocks):
        yield from _block(block, folder / f"{number}.svg")
    yield f"#line(length: 100%, stroke: 0.5pt) #text(8pt, {_text(report.footer or footer())})"


def _block(block: Block, picture: Path) -> Iterator[str]:
    match block:
        case Text():
            if block.heading:
                yield f"#heading(level: {block.level}, {_text(block.heading)})"
            if block.body:
                sticky = "true" if block.heading else "false"
                yield f"#block(sticky: {sticky}, {_text(block.body)})"
        case Items():
            yield f"#list({''.join(f'{_text(text)}, ' for text in block.sentences)})"
        case FactTable():
            yield _facts(block.pairs)
        case Approval():
            yield from _approval(block)
        case Code():
            yield (
                "#block(fill: luma(245), inset: 6pt, width: 100%, breakable: true, "
                f"text(8pt, raw(block: true, {_text(block.body)})))"
            )
        case Table():
            yield from _table(block)
        case CardGrid():
            for card in block.cards:
                yield from _card(card)
        case Chart():
            yield from _chart(block, picture)


def _facts(pairs: Sequence[tuple[str, str]]) -> str:
    cells = "".join(f"strong({_text(name)}), {_text(told)}, " for name, told in pairs)
    return (
        "#table(columns: (auto, 1fr), stroke: (x: none, y: 0.5pt + luma(200)), "
        f"inset: (x: 4pt, y: 5pt), {cells})"
    )


def _approval(block: Approval) -> Iterator[str]:
    """Yield a page with boxes to sign in."""
    yield "#pagebreak(weak: true)"
    yield f"#heading(level: 2, {_text(block.heading)})"
    yield f"#block(spacing: 1.5em, {_text(block.question)})"
    yield _facts(block.facts)
    heights = ", ".join(["auto", *["9mm"] * (len(block.lines) - 1), "22mm"])
    header = "".join(f"align(center, strong({_text(name)})), " for name in block.signers)
    rows = "".join(f"{_text(line)}, " + "[], " * len(block.signers) for line in block.lines)
    yield (
        f"#v(1em) #table(columns: (auto, {'1fr, ' * len(block.signers)}), rows: ({heights}), "
        f"align: horizon, stroke: 0.6pt, [], {header} {rows})"
    )
    tick = "#box(width: 0.8em, height: 0.8em, stroke: 0.6pt)"
    choices = " #h(2em) ".join(f"{tick} #{_text(choice)}" for choice in block.choices)
    yield f"#v(0.5em) #block(spacing: 1.2em)[{choices}]"
    yield f"#rect(width: 100%, height: 35mm, stroke: 0.6pt, text(8pt, {_text(block.remarks)}))"
    yield "#pagebreak(weak: true)"


def _table(block: Table) -> Iterator[str]:
    cells = "".join(f"{_cell(cell)}, " for row in block.rows for cell in row)
    header = "".join(
        f"align({'right' if numbers else 'left'}, strong({_text(name)})), "
        for name, numbers in block.titles
    )
    widths = "".join(
        f"{min(width, 4 * _LONG)}fr, " if width > _LONG else "auto, "
        for width in shown_widths(block)
    )
    fits = all(len(shown(cell)) < _PAGE for row in block.rows for cell in row)
    whole = "set table.cell(breakable: false);" if fits else ""
    yield (
        f"#block(sticky: {_captioned(block)}, text(8pt, {{ {whole} table(columns: ({widths}), "
        f"stroke: none, table.header({header}), table.hline(), {cells}) }}))"
    )
    yield from _caption(block)


def _chart(block: Chart, picture: Path) -> Iterator[str]:
    drawn = block.figure.render("svg").decode()
    picture.write_text(drawn, encoding="utf-8")
    image = f"image({_text(picture.name)}, width: {_width(drawn)})"
    yield f"#block(width: 100%, sticky: {_captioned(block)}, align(center, {image}))"
    yield from _caption(block)


def _card(card: Card) -> Iterator[str]:
    """Yield a card: its name, its description, and its distribution."""
    yield f"#heading(level: 3, {_text(card.name)})"
    for line in (card.facts(), *card.notes, card.going_with()):
        if line:
            yield f"#block(text(8pt, {_text(line)}))"
    if card.bars:
        cells = "".join(
            f"{_text(bar.label)}, align(right, {_text(bar.count)}), " for bar in card.bars
        )
        yield f"#text(8pt, table(columns: 2, stroke: none, inset: 2pt, {cells}))"


def _caption(block: Table | Chart) -> Iterator[str]:
    if block.caption:
        yield f"#text(8pt, {_text(block.caption)})"


def _captioned(block: Table | Chart) -> str:
    """Return whether a block must stay with what follows it, its caption."""
    return "true" if block.caption else "false"


def _cell(content: object) -> str:
    """Return a cell of a table; numbers are aligned right."""
    text = _text(shown(content))
    return f"align(right, {text})" if is_number(content) else text


def _width(drawn: str) -> str:
    """Return how wide a chart is on the page."""
    match = re.search(r'width="([\d.]+)"', drawn)
    return f"calc.min({float(match[1]) * _PIXEL if match else 480:.0f}pt, 480pt)"


def _text(content: str) -> str:
    """Return a text as a string of Typst, in which nothing is markup."""
    return json.dumps(content, ensure_ascii=False).replace("\\/", "/")
