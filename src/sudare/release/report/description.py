"""The page that describes a table: its variables, their associations, and what has none."""

from collections.abc import Iterator

from sudare.core import say
from sudare.describe import Association, ColumnProfile, Profile
from sudare.release.report.document import Block, Chart, Report, Table, Text


def description_report(profile: Profile, pairs: Association, *, title: str) -> Report:
    """Return the page: variables with scale and why, the heat map, and the obstacles."""
    blocks: list[Block] = [
        Text(" ".join((say("{count} {count:row|rows}", count=profile.rows), *profile.notes)))
    ]
    blocks += [
        Text(heading=say("Variables")),
        Table.of([_full_row(column) for column in profile.columns]),
        Text(
            say("|r| between numbers, V between categories, η between a category and numbers."),
            say("Association"),
        ),
        Chart(pairs.figure()),
    ]
    if pairs.obstacles:
        rows = [
            {
                say("pair"): f"{pair.first} × {pair.second}",
                say("pattern"): pair.obstacle.pattern,
                say("why"): pair.obstacle.reason,
                say("what to do"): pair.obstacle.remedy,
            }
            for pair in pairs.obstacles
            if pair.obstacle is not None
        ]
        blocks += [Text(heading=say("What cannot be computed, and why")), Table.of(rows)]
    return Report(title, blocks)


def column_row(column: ColumnProfile) -> dict[str, object]:
    """Return what a table of the variables says of one of them."""
    return {
        say("column"): column.name,
        say("role"): column.role,
        say("scale"): column.scale,
        say("distinct"): column.distinct,
        say("rarest"): column.rarest,
        say("missing"): column.missing,
        say("not applicable"): column.not_applicable,
    }


def remarks(profile: Profile, pairs: Association) -> Iterator[str]:
    """Yield what a reader should look at: scales that may be wrong, pairs without a value."""
    for column in profile.columns:
        if column.guess != column.scale:
            yield say(
                "column '{column}' may be {scale}: {reason}.",
                column=column.name,
                scale=column.guess,
                reason=column.reason,
            )
    for pair in pairs.obstacles:
        if pair.obstacle is not None:
            yield f"{pair.obstacle.reason} {pair.obstacle.remedy}"


def _full_row(column: ColumnProfile) -> dict[str, object]:
    row = column_row(column)
    row[say("guess")] = column.guess
    row[say("why")] = column.reason
    return row
