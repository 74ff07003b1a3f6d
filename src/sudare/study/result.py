"""What a study returns: named tables and charts that print, save and make a report."""

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sudare.core import Figure, OutputError, SettingError, say, shown
from sudare.engine.formats import refuse_inputs, writing
from sudare.release import Chart, Report, Table
from sudare.release.report import Block

Row = dict[str, Any]
Rows = Sequence[Row]

# Titles of tables and columns, and names of scores, shown in the language of the reader.
_TITLES = """
    variable; original; score; inputs; targets; models; model; target; rank; loss; group;
    variables; records; missing; not applicable; column; reason; with; method; components; risk;
    measure; from; to; finding; holds; use case; file; source; distance; attacker; value;
    largest_part; sees; misses; paper; precision; recall; f; accuracy; area; repeats;
    properties; left_out; dependent; groups; table_4_categories; table_5_association;
    table_6_mean_loss; table_7_correlation; table_8_largest_loss; table_1_error; table_2_risk;
    methods; findings; losses; attackers; intervals; budget; figure_1; I (paper); I' (paper);
    ILD (paper); (a) positive; (b) grows with p; (c) grows with inputs; (d) follows quality;
    (d) without dominated; randomized; one key per record; ε of each key, shared;
    ε of one key per record
"""
TITLES = frozenset(title.strip() for title in _TITLES.split(";"))


def title_of(name: object) -> object:
    """Return a title in the current language; anything else, such as names of the data, stays."""
    return say(name) if isinstance(name, str) and name in TITLES else name


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

    def titled(self) -> list[tuple[str, list[Row]]]:
        """Return titles and tables as people read them, in their language."""
        return [
            (
                str(title_of(name)),
                [{str(title_of(k)): title_of(v) for k, v in row.items()} for row in rows],
            )
            for name, rows in self.presented().items()
        ]

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The charts of the report, each of which draws and saves itself."""
        return tuple(block.figure for block in self.blocks if isinstance(block, Chart))

    def report(self) -> Report:
        """Return the study as one HTML report."""
        return Report(self.title, [_titled_block(block) for block in self.blocks])

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


def _titled_block(block: Block) -> Block:
    if not isinstance(block, Table):
        return block
    rows = [[title_of(cell) for cell in row] for row in block.rows]
    return replace(block, header=[str(title_of(name)) for name in block.header], rows=rows)


def yes_and_no(row: Row) -> Row:
    """Return a row with truth values in words."""
    words = {True: say("yes"), False: say("no")}
    return {k: words[v] if isinstance(v, bool) else v for k, v in row.items()}


def finding_rows(held: Mapping[str, bool]) -> list[Row]:
    """Return findings, and whether they hold here, one row each."""
    return [{"finding": finding, "holds": holds} for finding, holds in held.items()]


def ascending(k: Sequence[int], least: int) -> tuple[int, ...]:
    """Return the values of k in order, each once; refuse any below the least."""
    ordered = tuple(sorted(set(k)))
    if not ordered or ordered[0] < least:
        raise SettingError("k must be whole numbers, {least} or more.", least=least)
    return ordered


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
