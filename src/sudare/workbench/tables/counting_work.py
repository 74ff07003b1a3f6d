"""The first count of a table: read, described and counted in a process of its own."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from sudare.core import LANGUAGES, Language, LargeTable, Microdata, speaking
from sudare.describe import Association, association, cards, problems, proposals
from sudare.engine import read_or_open
from sudare.release import Project
from sudare.web import ReportProgress
from sudare.workbench.tables.table_counts import Description, TableCounts, combined

_SAMPLE = 100_000  # records from which a table is described that is not in memory
_MOST_ENTRIES = 0.8  # share of the records: more combinations than that save nothing


def count_table(
    report: ReportProgress, path: Path, text: str, allow_paths: tuple[Path, ...], output: Path
) -> None:
    """Read the table of a project and write its counts.

    The project is given as it was when the job was submitted.
    """
    project = Project.from_text(text, path, allow_paths=allow_paths)
    report("Reading the table", 0.05)
    data = project.read_by(partial(read_or_open), project.source, project.reading())
    if isinstance(data, LargeTable):
        report("Drawing a sample to describe the columns", 0.3)
        sampled = data.sample(min(_SAMPLE, data.records), seed=0)
    else:
        sampled = data
    report("Describing the columns", 0.5)
    pairs = association(sampled)
    described = {name: _description(sampled, pairs, data.notes, name) for name in LANGUAGES}
    report("Counting combinations of keys", 0.8)
    keys = data.keys or _first_columns(data)
    if isinstance(data, LargeTable):
        counts = TableCounts(
            data.records, data.head, None, data.counted(keys), described, sampled.records
        )
    else:
        table = Microdata(tuple(replace(column, written=None) for column in data.columns))
        counts = TableCounts(
            data.records,
            table.take(np.arange(0)),
            table,
            _entries(table, described["en"]),
            described,
        )
    report("Writing the counts", 0.95)
    counts.save(output)


def _description(
    data: Microdata, pairs: Association, notes: tuple[str, ...], language: Language
) -> Description:
    with speaking(language):
        proposed = proposals(data)
        return Description(
            notes=notes,
            proposals=proposed,
            problems=problems(data, pairs, proposed),
            cards=cards(data, pairs, proposed),
            unlocked_cards=cards(data, pairs, proposed, unlocked=True),
        )


def _entries(table: Microdata, described: Description) -> Microdata:
    """Return the combinations of all columns that are keys or may be, unless they are too many."""
    likely = {p.column for p in described.proposals if p.what == "role" and p.value == "key"}
    names = [name for name in table.names if name in likely or name in table.keys]
    entries = combined(table, names or _first_columns(table))
    if entries.rows <= _MOST_ENTRIES * table.rows or not table.keys:
        return entries
    return combined(table, table.keys)


def _first_columns(table: Microdata | LargeTable) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns[:1])
