"""Reports as PDF: the same blocks, set by Typst."""

import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from sudare.core.errors import MissingPartError
from sudare.core.messages import language
from sudare.release.report import Block, Chart, Code, Report, Table, Text, figure_svg, footer, shown

_JAPANESE = (
    *("Noto Sans CJK JP", "Noto Sans JP", "IPAexGothic", "IPAGothic"),
    *("Hiragino Sans", "Yu Gothic", "Meiryo"),
)
_PREAMBLE = """
#set page(paper: "a4", margin: 20mm, numbering: "1")
#set text(size: 10pt, lang: {language}, font: ({fonts}))
#set par(leading: 0.8em)
#show heading: set text(fill: rgb("#3a6b5c"))
"""


def pdf(report: Report) -> bytes:
    """Return a report as a PDF file.

    Japanese needs a Japanese font on the machine, such as Noto Sans CJK.
    """
    try:
        import typst
    except ImportError:
        raise MissingPartError(
            "PDF needs Typst; install it with: pip install 'sudare[pdf]'."
        ) from None
    families = {font.family for font in typst.Fonts().fonts()}
    fonts = [name for name in _JAPANESE if name in families]
    if language() == "ja" and not fonts:
        raise MissingPartError(
            "a PDF in Japanese needs a Japanese font, such as Noto Sans CJK; install one, or "
            "write HTML."
        )
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "report.typ"
        source.write_text("\n".join(_source(report, fonts, Path(folder))), encoding="utf-8")
        made: bytes = typst.compile(str(source), root=folder)
    return made


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
            yield f"#par({_text(block.body)})"
    elif isinstance(block, Code):
        yield f"#block(fill: luma(245), inset: 6pt, raw(block: true, {_text(block.body)}))"
    elif isinstance(block, Table):
        cells = "".join(f"{_text(shown(cell))}, " for row in block.rows for cell in row)
        header = "".join(f"strong({_text(name)}), " for name in block.header)
        yield (
            f"#text(8pt, table(columns: {len(block.header)}, stroke: none, "
            f"table.header({header}), table.hline(), {cells}))"
        )
    else:
        picture.write_text(figure_svg(block.figure), encoding="utf-8")
        yield f"#align(center, image({_text(picture.name)}, width: 85%))"
    if isinstance(block, Table | Chart) and block.caption:
        yield f"#text(8pt, {_text(block.caption)})"


def _text(content: str) -> str:
    """Return a text as a string of Typst, in which nothing is markup."""
    return json.dumps(content, ensure_ascii=False).replace("\\/", "/")
