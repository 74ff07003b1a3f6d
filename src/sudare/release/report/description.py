"""The page that describes a table: its problems, a card for each column, and associations."""

from collections.abc import Iterator, Sequence

from sudare.core import paragraph, role_word, say, scale_word
from sudare.describe import Association, Card, ColumnProfile, Problem, Profile
from sudare.release.report.document import (
    Block,
    CardGrid,
    Chart,
    Report,
    Table,
    Text,
    exact_numbers_warning,
)

_NAMES = 6  # columns that a line on the terminal names
_LEAST = 10


def description_report(
    profile: Profile,
    pairs: Association,
    problems: Sequence[Problem],
    cards: Sequence[Card],
    *,
    title: str,
    unlocked: bool = False,
) -> Report:
    """Return the page: problems with their remedies, columns and their cards, the heat map."""
    count = say("{count} {count:row|rows}", count=profile.rows)
    blocks: list[Block] = [Text(paragraph(count, *profile.notes))]
    if problems:
        blocks += [
            Text(heading=say("What to settle before masking")),
            Table.of([_problem_row(problem) for problem in problems]),
        ]
    rows = [_page_row(column, unlocked=unlocked) for column in profile.columns]
    blocks += [
        Text(heading=say("Columns")),
        Table.of(rows),
        Text(
            ""
            if unlocked
            else say(
                "Counts below 10 are shown as <10, and then the smallest other count as a range."
            ),
            say("One by one"),
        ),
        CardGrid(cards),
        Text(
            say("|r| between numbers, V between categories, η between a category and numbers."),
            say("Association"),
        ),
        Chart(pairs.figure()),
    ]
    footer = exact_numbers_warning() if unlocked else ""
    return Report(title, blocks, footer=footer, confidential=unlocked)


def column_row(column: ColumnProfile) -> dict[str, object]:
    """Return what a table of the columns says of one of them."""
    return {
        say("column"): column.name,
        say("role"): role_word(column.role),
        say("scale"): scale_word(column.scale),
        say("distinct"): _told(column.distinct),
        say("rarest"): _told(column.rarest),
        say("missing"): column.missing,
        say("not applicable"): column.not_applicable,
    }


def _told(count: int | None) -> int | str:
    return say("too many to count") if count is None else count


def problem_lines(problems: Sequence[Problem], most: int) -> Iterator[str]:
    """Yield problems as lines for a terminal, two each; the last says how many were left out."""
    fits = len(problems) * 2 <= most
    told = problems if fits else problems[: max((most - 1) // 2, 0)]
    for problem in told:
        yield f"{', '.join(_some(problem.columns))}: {problem.cause}"
        yield f"  → {problem.remedy}" + (f" {_shortened(problem)}" if problem.command else "")
    if not fits and most > 0:
        yield say(
            "{count} more {count:problem|problems}: write the page with --report.",
            count=len(problems) - len(told),
        )


def _some(names: Sequence[str]) -> list[str]:
    if len(names) <= _NAMES:
        return list(names)
    left = len(names) - _NAMES + 1
    return [*names[: _NAMES - 1], say("{count} more {count:column|columns}", count=left)]


def _shortened(problem: Problem) -> str:
    """Return the command with as many options as columns are named; it works as it stands."""
    option, _, _ = problem.command.partition(" ")
    parts = problem.command.split(f" {option} ")
    if len(parts) <= _NAMES:
        return problem.command
    left = say("({count} more on the page: --report)", count=len(parts) - _NAMES + 1)
    return f"{f' {option} '.join(parts[: _NAMES - 1])}  {left}"


def _problem_row(problem: Problem) -> dict[str, object]:
    return {
        say("columns"): ", ".join(problem.columns),
        say("why"): problem.cause,
        say("what to do"): problem.remedy,
        say("command"): problem.command,
    }


def _page_row(column: ColumnProfile, *, unlocked: bool) -> dict[str, object]:
    row = column_row(column)
    if column.rarest is not None and 0 < column.rarest < _LEAST and not unlocked:
        row[say("rarest")] = "<10"
    return row
