"""Rows of a delimited file that are no records: notes and totals are skipped and counted."""

import re
from dataclasses import replace

import pyarrow as pa
import pyarrow.csv as pa_csv

from sudare.engine.formats.text.file_layout import Layout
from sudare.engine.formats.text.note_lines import (
    continues_note,
    is_note,
    notes_named,
    notes_skipped,
    rows_below,
)
from sudare.engine.formats.text.total_rows import totals_around, totals_skipped
from sudare.engine.frames import Totals, is_total


class SkippedRows:
    """Skips rows that are notes or totals while a file is read, and counts them.

    Attributes
    ----------
    totals
        What was said about totals; by default they are skipped.
    notes, totals_above, totals_below
        How many rows were skipped: notes, and totals above the records and below them.
    """

    def __init__(self, totals: Totals | None) -> None:
        self.totals = totals
        self.notes = self.below = self.totals_above = self.totals_below = 0

    def __call__(self, row: pa_csv.InvalidRow) -> str:
        """Return what becomes of a row with another number of fields than the header."""
        if row.actual_columns > row.expected_columns:
            return "error"
        if is_note(row.text) or (
            self.notes and row.actual_columns == 1 and continues_note(row.text)
        ):
            self.notes += 1
            return "skip"
        if self.totals != "keep" and is_total(re.split(r"[,;\t|]", row.text)):
            self.totals_below += 1
            return "skip"
        return "error"

    def last(self, table: pa.Table) -> pa.Table:
        """Return the last records of a table without what is below them."""
        below = self.below = rows_below(table)
        self.notes += below
        table = table.slice(0, table.num_rows - below)
        totals = totals_around(table)[1] if self.totals != "keep" else 0
        self.totals_below += totals
        return table.slice(0, table.num_rows - totals)

    def first(self, table: pa.Table) -> pa.Table:
        """Return the first records of a table without the totals above them."""
        self.totals_above = totals_around(table)[0] if self.totals != "keep" else 0
        return table.slice(self.totals_above)

    def added_to(self, layout: Layout, records: int) -> Layout:
        """Return the layout of a file of so many records, with what was skipped of it."""
        notes = (
            *layout.notes,
            *notes_skipped(0, self.notes),
            *notes_named(self.totals_above + records + self.totals_below, self.below),
            *totals_skipped(self.totals_above, self.totals_below, records),
        )
        return replace(layout, notes=notes)
