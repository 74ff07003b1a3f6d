"""A profile of a table: the contents of each column as counts, never as values."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from sudare.core import (
    Column,
    Extremes,
    Integers,
    LargeTable,
    Microdata,
    Role,
    Scale,
    TooLargeError,
    html_table,
    paragraph,
    role_word,
    say,
    scale_word,
)
from sudare.describe.scale_guesses import guess
from sudare.engine.counting import group_sizes


@dataclass(frozen=True)
class ColumnProfile:
    """Counts of one column.

    Attributes
    ----------
    distinct
        Number of different values; None where a large table has too many labels to count.
    rarest
        Number of records that have the rarest value; 0 when the column has no values.
    guess, reason
        The scale the data suggest, and why.
    """

    name: str
    role: Role
    scale: Scale
    guess: Scale
    reason: str
    distinct: int | None
    rarest: int | None
    missing: int
    not_applicable: int


@dataclass(frozen=True)
class Profile:
    """Counts of a table and of each of its columns."""

    rows: int
    columns: tuple[ColumnProfile, ...]
    notes: tuple[str, ...] = ()

    def as_dict(self) -> Mapping[str, object]:
        """Return the profile for JSON."""
        return asdict(self)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: counts of every column."""
        rows = [
            {
                say("column"): column.name,
                say("role"): role_word(column.role),
                say("scale"): scale_word(column.scale),
                say("distinct"): "–" if column.distinct is None else column.distinct,
                say("rarest"): "–" if column.rarest is None else column.rarest,
                say("missing"): column.missing,
                say("not applicable"): column.not_applicable,
            }
            for column in self.columns
        ]
        counted = say("{count} {count:row|rows}", count=self.rows)
        return html_table(rows, caption=paragraph(counted, *self.notes))


def profile(data: Microdata) -> Profile:
    """Return the profile of a table.

    Examples
    --------
    >>> import sudare
    >>> table = profile(sudare.datasets.toy())
    >>> table.rows, [column.name for column in table.columns if column.missing]
    (400, ['occupation', 'income'])
    """
    columns = []
    for column in data.columns:
        known = column.take(column.known)
        sizes = group_sizes([known]) if known.rows else np.zeros(0, np.int64)
        gaps = int(column.missing.sum()), int(column.not_applicable.sum())
        columns.append(_profile_of(column, _counts_of(sizes), gaps))
    return Profile(data.rows, tuple(columns), data.notes)


def large_profile(table: LargeTable, sample: Microdata) -> Profile:
    """Return the profile of a large table: counts of all records, scales guessed from a sample."""
    gaps = np.sum(list(table.in_blocks(sample.names, _gaps_of)), axis=0)
    columns = [
        _profile_of(column, _large_counts(table, column.name, own), own)
        for column, own in zip(sample.columns, map(tuple, gaps.tolist()), strict=True)
    ]
    note = say(
        "counts of columns are of all records; the rest is from a sample of {count} records",
        count=sample.rows,
    )
    return Profile(table.records, tuple(columns), (*table.notes, note))


def _gaps_of(block: Microdata) -> list[tuple[int, int]]:
    """Return by column how many records lack a value, and to how many it does not apply."""
    return [(int(c.missing.sum()), int(c.not_applicable.sum())) for c in block.columns]


def _profile_of(
    column: Column, counts: tuple[int | None, int | None], gaps: tuple[int, int]
) -> ColumnProfile:
    guessed = guess(column)
    return ColumnProfile(
        name=column.name,
        role=column.role,
        scale=column.scale,
        guess=guessed.scale,
        reason=guessed.reason,
        distinct=counts[0],
        rarest=counts[1],
        missing=gaps[0],
        not_applicable=gaps[1],
    )


def _counts_of(sizes: Integers) -> tuple[int, int]:
    """Return how many values there are, and how often the rarest occurs."""
    return len(sizes), int(sizes.min()) if len(sizes) else 0


def _large_counts(
    table: LargeTable, name: str, gaps: tuple[int, int]
) -> tuple[int | None, int | None]:
    """Return the same of a column of a large table; None where labels are too many to count."""
    try:
        outline = table.outlined(name)
        if not isinstance(outline, Extremes) and outline.copies is not None:
            return _counts_of(outline.copies[outline.known & (outline.copies > 0)])
        counted = table.group_sizes([(name,)])
    except TooLargeError:
        counted = None
    if counted is None:
        return None, None
    sizes, groups = counted[0]
    for gap in gaps:
        groups = groups - (sizes == gap)  # records without a value are a group of their own
    return int(groups.sum()), _counts_of(sizes[groups > 0])[1]
