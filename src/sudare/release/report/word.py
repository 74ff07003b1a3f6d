"""Reports as Word files, which offices edit: real headings, tables and pictures."""

import re
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any

from sudare.core import MissingPartError, language, shown
from sudare.describe import Card
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

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import Table as Grid, _Cell as Cell

_FONTS = {"en": ("Calibri", "Yu Gothic"), "ja": ("Yu Gothic", "Yu Gothic")}
_LANGUAGES = {"en": "en-US", "ja": "ja-JP"}
_LEAF = "3A6B5C"
_WIDE = 165.0  # millimetres between the margins
_SCALE = 2.0  # pixels of a picture for one on the screen
_NARROW = 10  # characters that a column of a table has room for at least
_BROAD = 42
_PADDING = 5  # characters that the margins of a cell take


def word(report: Report) -> bytes:
    """Return a report as a Word file (Office Open XML)."""
    try:
        import docx
    except ImportError:
        raise MissingPartError(
            "Word files need python-docx; install it with: pip install 'sudare[word]'."
        ) from None
    page = _Page(docx.Document())
    page.prepare(report)
    for block in report.blocks:
        page.add(block)
    content = BytesIO()
    page.document.save(content)
    return content.getvalue()


class _Page:
    """A Word file in the making."""

    def __init__(self, document: "Document") -> None:
        self.document = document
        self._new_page = False

    def prepare(self, report: Report) -> None:
        """Set paper, fonts and properties; write title, header and footer."""
        from docx.enum.text import WD_ALIGN_PARAGRAPH
        from docx.shared import Mm, Pt

        section = self.document.sections[0]
        section.page_width, section.page_height = Mm(210), Mm(297)
        section.left_margin = section.right_margin = Mm((210 - _WIDE) / 2)
        section.top_margin = section.bottom_margin = Mm(20)
        for name, size in (("Normal", 10.5), ("Title", 20), ("Heading 1", 14), ("Heading 2", 12)):
            _set_font(self.document.styles[name], size)
        self.document.styles["Normal"].paragraph_format.space_after = Pt(6)
        facts = self.document.core_properties
        facts.title, facts.author, facts.comments = report.title, "sudare", ""
        facts.language = _LANGUAGES[language()]
        self.document.add_heading(report.title, level=0)
        bottom = section.footer.paragraphs[0]
        bottom.alignment = WD_ALIGN_PARAGRAPH.CENTER
        bottom.add_run(f"{report.footer or footer()}  ").font.size = Pt(8)
        _add_page_number(bottom)

    def add(self, block: Block) -> None:
        """Add a block."""
        match block:
            case Text():
                if block.heading:
                    self._add_heading(block.heading, block.level - 1)
                if block.body:
                    self.document.add_paragraph(block.body)
            case Items():
                for sentence in block.sentences:
                    self.document.add_paragraph(sentence, style="List Bullet")
            case FactTable():
                self._add_facts(block.pairs)
            case Approval():
                self._add_approval(block)
            case Code():
                self._add_code(block.body)
            case Table():
                self._add_table(block)
            case CardGrid():
                for card in block.cards:
                    self._add_card(card)
            case Chart():
                self._add_chart(block)

    def _add_heading(self, text: str, level: int) -> None:
        heading = self.document.add_heading(text, level=level)
        heading.paragraph_format.page_break_before = self._new_page
        self._new_page = False

    def _add_facts(self, pairs: Sequence[tuple[str, str]]) -> None:
        grid = self._grid(len(pairs), [0.27, 0.73])
        for row, (name, told) in zip(grid.rows, pairs, strict=True):
            _write(row.cells[0], name, bold=True)
            _write(row.cells[1], told)
        self.document.add_paragraph()

    def _add_approval(self, block: Approval) -> None:
        from docx.enum.table import WD_ROW_HEIGHT_RULE
        from docx.shared import Mm

        self._new_page = True
        self._add_heading(block.heading, 1)
        self.document.add_paragraph(block.question)
        self._add_facts(block.facts)
        first = 0.15
        share = (1 - first) / len(block.signers)
        grid = self._grid(len(block.lines) + 1, [first, *[share] * len(block.signers)])
        for cell, name in zip(grid.rows[0].cells[1:], block.signers, strict=True):
            _write(cell, name, bold=True)
        for row, line in zip(grid.rows[1:], block.lines, strict=True):
            _write(row.cells[0], line)
            row.height, row.height_rule = Mm(9), WD_ROW_HEIGHT_RULE.AT_LEAST
        grid.rows[-1].height = Mm(22)
        self.document.add_paragraph()
        self.document.add_paragraph("    ".join(f"☐ {choice}" for choice in block.choices))
        box = self._grid(1, [1.0])
        box.rows[0].height = Mm(35)
        _write(box.rows[0].cells[0], block.remarks)
        self._new_page = True

    def _add_code(self, body: str) -> None:
        from docx.shared import Pt

        run = self.document.add_paragraph().add_run(body)
        run.font.name, run.font.size = "Consolas", Pt(8.5)

    def _add_table(self, block: Table) -> None:
        if not block.header:
            return
        words = [_longest_word(cells) for cells in zip(block.header, *block.rows, strict=True)]
        widths = [
            min(max(width + 2, word + _PADDING, _NARROW), _BROAD)
            for width, word in zip(shown_widths(block), words, strict=True)
        ]
        grid = self._grid(len(block.rows) + 1, [width / sum(widths) for width in widths])
        for cell, (name, numbers) in zip(grid.rows[0].cells, block.titles, strict=True):
            _write(cell, name, right=numbers, bold=True, small=True)
            _shade(cell)
        _keep_whole(grid)
        for row, cells in zip(grid.rows[1:], block.rows, strict=True):
            for cell, content in zip(row.cells, cells, strict=True):
                _write(cell, shown(content), right=is_number(content), small=True)
        self._add_caption(block.caption)

    def _add_chart(self, block: Chart) -> None:
        from docx.enum.text import WD_ALIGN_PARAGRAPH
        from docx.image.image import Image
        from docx.shared import Mm

        picture = block.figure.render("png", scale=_SCALE)
        pixels = Image.from_blob(picture).px_width / _SCALE
        paragraph = self.document.add_paragraph()
        paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
        width = Mm(min(pixels * 25.4 / 96, _WIDE))
        paragraph.add_run().add_picture(BytesIO(picture), width=width)
        _describe(paragraph, block.caption or str(block.figure.get("title", "")))
        self._add_caption(block.caption)

    def _add_card(self, card: Card) -> None:
        self.document.add_heading(card.name, level=2)
        for line in (card.facts(), *card.notes, card.going_with()):
            if line:
                self.document.add_paragraph(line)
        if card.bars:
            grid = self._grid(len(card.bars), [0.7, 0.3])
            for row, bar in zip(grid.rows, card.bars, strict=True):
                _write(row.cells[0], bar.label, small=True)
                _write(row.cells[1], bar.count, small=True, right=True)

    def _add_caption(self, caption: str) -> None:
        from docx.shared import Pt

        run = self.document.add_paragraph().add_run(caption)
        run.italic, run.font.size = True, Pt(9)

    def _grid(self, rows: int, shares: Sequence[float]) -> "Grid":
        """Return a table whose columns have shares of the width of the page."""
        from docx.shared import Mm

        grid: Grid = self.document.add_table(rows=rows, cols=len(shares))
        grid.style, grid.autofit = self.document.styles["Table Grid"], False
        for column, share in zip(grid.columns, shares, strict=True):
            column.width = Mm(share * _WIDE)
            for cell in column.cells:
                cell.width = Mm(share * _WIDE)
        return grid


def _write(
    cell: "Cell", text: str, *, bold: bool = False, right: bool = False, small: bool = False
) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Pt

    paragraph = cell.paragraphs[0]
    paragraph.paragraph_format.space_before = paragraph.paragraph_format.space_after = Pt(2)
    run = paragraph.add_run(text)
    run.bold = bold
    if small:
        run.font.size = Pt(8.5)
    if right:
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT


def _set_font(style: Any, size: float) -> None:
    """Give a style its fonts, one for Latin letters and one for Japanese, and its language."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import Pt, RGBColor

    latin, japanese = _FONTS[language()]
    style.font.name, style.font.size = latin, Pt(size)
    if style.name != "Normal":
        style.font.color.rgb = RGBColor.from_string(_LEAF)
    properties = style.element.get_or_add_rPr()
    fonts = properties.get_or_add_rFonts()
    for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{theme}"), None)
    fonts.set(qn("w:eastAsia"), japanese)
    for spoken in properties.findall(qn("w:lang")):
        properties.remove(spoken)
    spoken = OxmlElement("w:lang")  # else a reader may draw Chinese forms of Japanese letters
    spoken.set(qn("w:val"), _LANGUAGES["en"])  # of Latin letters, whose words are not broken
    spoken.set(qn("w:eastAsia"), "ja-JP")
    properties.append(spoken)


def _add_page_number(paragraph: Any) -> None:
    """Add a field that Word fills with the number of the page."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    run = paragraph.add_run()
    for kind in ("begin", "end"):
        mark = OxmlElement("w:fldChar")
        mark.set(qn("w:fldCharType"), kind)
        run._r.append(mark)
        if kind == "begin":
            asked = OxmlElement("w:instrText")
            asked.text = "PAGE"
            run._r.append(asked)


def _shade(cell: "Cell") -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    shade = OxmlElement("w:shd")
    shade.set(qn("w:val"), "clear")
    shade.set(qn("w:fill"), "E8EFEB")
    cell._tc.get_or_add_tcPr().append(shade)


def _longest_word(cells: Iterable[Any]) -> int:
    """Return the letters of the longest word, which would else be broken."""
    return max(len(part) for cell in cells for part in re.findall(r"[!-~]*", shown(cell)))


def _keep_whole(grid: "Grid") -> None:
    """Have the first row of a table stand on every page it reaches, and no row on two."""
    from docx.oxml import OxmlElement

    for row in grid.rows:
        row._tr.get_or_add_trPr().append(OxmlElement("w:cantSplit"))
    grid.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def _describe(paragraph: Any, text: str) -> None:
    """Give a picture the text that is read aloud."""
    from docx.oxml.ns import qn

    for properties in paragraph._p.iter(qn("wp:docPr")):
        properties.set("descr", text)
