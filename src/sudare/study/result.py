"""What a study returns: named tables and charts that print, save and make a report."""

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sudare.core import Figure, OutputError, say, shown
from sudare.engine.formats import refuse_inputs, writing
from sudare.release import Chart, Report
from sudare.release.report import Block

Row = dict[str, object]
Rows = Sequence[Row]


@dataclass(frozen=True, eq=False)
class StudyResult:
    """A title, tables by name, and the report they make.

    Attributes
    ----------
    tables
        Rows by the name of the table; the name becomes that of a CSV file.
    blocks
        The report: texts, tables and charts in their order.
    """

    title: str
    tables: Mapping[str, Sequence[Row]]
    blocks: Sequence[Block]

    def presented(self) -> Mapping[str, Sequence[Row]]:
        """Return the tables as people read them."""
        return self.tables

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The charts of the report, each of which draws and saves itself."""
        return tuple(block.figure for block in self.blocks if isinstance(block, Chart))

    def report(self) -> Report:
        """Return the study as one HTML report."""
        return Report(self.title, self.blocks)

    def save(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write report.html, results.json and one CSV file per table into a folder."""
        target = Path(folder)
        texts = {"results.json": json.dumps(dict(self.tables), ensure_ascii=False, indent=1)}
        texts |= {f"{name}.csv": _csv(rows) for name, rows in self.tables.items()}
        texts["report.html"] = self.report().html()
        taken = [name for name in texts if (target / name).exists()]
        refuse_inputs(*(target / name for name in texts))
        if taken and not overwrite:
            raise OutputError(
                "'{path}' holds results of a study; choose another folder, or allow overwriting "
                "(overwrite=True, --force).",
                path=str(target),
            )
        target.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            with writing(target / name, overwrite=True) as draft:
                draft.write_text(text, encoding="utf-8")
        return target

    def __str__(self) -> str:
        parts = [self.title]
        for name, rows in self.tables.items():
            parts += ["", name, *_lines(rows)]
        return "\n".join(parts)


def yes_and_no(row: Row) -> Row:
    """Return a row with truth values in words."""
    words = {True: say("yes"), False: say("no")}
    return {k: words[v] if isinstance(v, bool) else v for k, v in row.items()}


def rounded(row: Row) -> Row:
    """Return a row with numbers to three decimals."""
    return {k: round(v, 3) if isinstance(v, float) else v for k, v in row.items()}


def _csv(rows: Rows) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _lines(rows: Rows) -> Sequence[str]:
    if not rows:
        return []
    cells = [list(rows[0]), *([shown(value) for value in row.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
