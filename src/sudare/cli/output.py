"""Writing to the terminal: tables and progress for people, JSON for programs."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Literal

import typer

from sudare.core import paragraph, say, shown

if TYPE_CHECKING:
    from sudare.core import OnProgress, Step
    from sudare.release import Finding, Findings, Guarantee
    from sudare.study import StudyResult

_SILENCE = 30  # seconds after which long work says how far it is where no bar is shown
_MANY = 500  # rows from which a table is written without lines


def complain(message: str) -> None:
    """Write one line to standard error."""
    typer.echo(f"sudare: {message}", err=True)


def complain_of_limits(missed: Sequence[Mapping[str, object]]) -> None:
    """Write which limits are not met, and by which value."""
    for verdict in missed:
        complain(
            say(
                "the limit {limit} is not met; the value is {value}.",
                limit=verdict["limit"],
                value=shown(verdict["value"]),
            )
        )


def note(message: str) -> None:
    """Write a remark to standard error, so that standard output stays clean for programs."""
    typer.echo(message, err=True)


@contextmanager
def telling_of_files() -> Iterator[None]:
    """Where what is told of written files cannot be, as on a full disk, say that they are there."""
    try:
        yield
    except OSError:
        complain(say("the files are written and complete; only this account of them is not."))
        raise


def print_json(content: object) -> None:
    """Write JSON to standard output."""
    import json

    from sudare.release import plain

    typer.echo(json.dumps(plain(content), ensure_ascii=False, indent=2, allow_nan=False))


def print_rows(rows: Sequence[Mapping[str, object]], title: str = "") -> None:
    """Write rows as a table to standard output, numbers to the right."""
    from rich.cells import cell_len  # help does without
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if not rows:
        return
    if len(rows) > _MANY:
        _print_many(rows, title)
        return
    heading = Text(title, style="table.title") if title else None
    table = Table(title=heading, title_justify="left", header_style="bold")
    console = Console()
    for number, (name, value) in enumerate(rows[0].items()):
        justify: Literal["left", "right"] = "right" if isinstance(value, int | float) else "left"
        longest = max(cell_len(shown(row[name])) for row in rows)
        least = 10 if number else 30  # long names leave room for what is said of them
        table.add_column(
            Text(name),
            justify=justify,
            no_wrap=number == 0 and longest * 2 <= console.width,
            overflow="fold",
            min_width=min(longest, least),
        )
    for row in rows:
        table.add_row(*(Text(shown(value)) for value in row.values()))  # [kana] is not markup
    console.print(table)


def _print_many(rows: Sequence[Mapping[str, object]], title: str) -> None:
    """Write a long table in plain columns: drawing its lines would take longer than the work."""
    from rich.cells import cell_len, set_cell_size

    lines = [tuple(rows[0]), *(tuple(map(shown, row.values())) for row in rows)]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    right = [isinstance(value, int | float) for value in rows[0].values()]
    if title:
        typer.echo(title)
    for line in lines:
        cells = [
            set_cell_size(" " * (width - cell_len(text)) * leads + text, width)
            for text, width, leads in zip(line, widths, right, strict=True)
        ]
        typer.echo("  ".join(cells).rstrip())


def print_steps(steps: "Sequence[Step]") -> None:
    """Write what was done as a table: methods, columns and settings."""
    print_rows(
        [
            {
                say("method"): step.method,
                say("columns"): ", ".join(step.columns),
                say("settings"): ", ".join(
                    f"{k}={v}" for k, v in step.settings.items() if v is not None
                ),
            }
            for step in steps
        ]
    )


def print_findings(findings: "Findings") -> None:
    """Write what the gate found: what stops the release first, then what it did and accepted."""
    stops = findings.stops
    if stops:
        from sudare.release.inspection import kind_title

        complain(
            say("the gate stops the release: {count} {count:finding|findings}.", count=len(stops))
        )
        for kind in dict.fromkeys(finding.kind for finding in stops):
            typer.echo(f"\n{kind_title(kind)} [{kind}]", err=True)
            for finding in stops:
                if finding.kind == kind:
                    _print_stop(finding)
        typer.echo("", err=True)
    for finding in findings:
        if finding.confirmed:
            note(say("accepted by name: {finding}", finding=finding))
        elif not finding.stops:
            note(f"{finding.title}: {paragraph(str(finding), str(finding.remedy))}")


def _print_stop(finding: "Finding") -> None:
    typer.echo(f"  {finding}", err=True)
    typer.echo(f"    {say('remedy')}: {finding.remedy}", err=True)
    if finding.is_acceptable:
        typer.echo(f"    {say('or accept it')}: {finding.confirmation}", err=True)


def print_guarantees(guarantees: "Sequence[Guarantee]") -> None:
    """Write what a release promises, never without what the promise needs."""
    for guarantee in guarantees:
        title = guarantee.heading
        if guarantee.value != guarantee.stated:
            title += say(" (not {stated}, as the method states)", stated=shown(guarantee.stated))
        typer.echo(title)
        for condition in guarantee.conditions:
            typer.echo(f"  {condition.text} → {condition.answer}")
        for why in guarantee.why_not:
            complain(say("{name} does not hold: {why}", name=guarantee.title, why=why))


@contextmanager
def progress(doing: str) -> "Iterator[OnProgress]":
    """Show a progress bar on standard error while the block runs; now and then a line if piped."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(doing, total=None)
        told = monotonic()

        def advance(done: int, total: int, what: str) -> None:
            nonlocal told
            bar.update(task, completed=done, total=total, description=f"{doing}: {what}")
            if not console.is_terminal and monotonic() - told > _SILENCE:
                told = monotonic()
                note(f"{doing}: {done} / {total}")

        yield advance


def finish_study(
    result: "StudyResult", folder: Path, where: str = "", *, force: bool, as_json: bool
) -> None:
    """Save a study and print its tables; the long list of models stays in the files.

    ``where`` says what else is in the folder than report and tables.
    """
    result.save(folder, overwrite=force)
    if as_json:
        print_json({name: list(rows) for name, rows in result.tables.items() if name != "models"})
    else:
        for title, rows in result.titled():
            print_rows(rows, title=title)
    note(where or say("report and tables are in {path}.", path=folder))
