"""``sudare measure``: risks and losses of a masked table, with limits."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from sudare.catalog import METHODS, find
from sudare.cli.options import AsJson, Limits, measure_names
from sudare.cli.output import complain_of_limits, note, print_json, print_rows
from sudare.cli.table_source import Data, TableSource, sampled
from sudare.cli.tables import TableOptions
from sudare.core import Assessment, Column, Microdata, Result, Step, SudareError, in_same_order, say
from sudare.engine.formats import released_form
from sudare.release import Ledger, Limit, Project, parse_measure
from sudare.release.project import projects_in


def run(
    *,
    before: Annotated[
        Path | None, typer.Argument(help="the original table; without it, that of the project")
    ] = None,
    after: Annotated[Path | None, typer.Argument(help="the masked table")] = None,
    table: TableOptions,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            help="a measure (repeatable; default: all)",
            autocompletion=measure_names,
        ),
    ] = None,
    limit: Limits = None,
    suppressed: Annotated[
        list[str] | None,
        typer.Option("--suppressed", help="a column whose new blanks were suppressed (repeatable)"),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Measure a masked table against the original."""
    source = _alone(table.at(before)) if after is None else table.at(before)
    limits = [Limit.parse(text) for text in limit or []]
    if limit is None and after is not None:
        limits = list(source.limits())
    wanted = [parse_measure(text) for text in measure or []] or list(source.measures())
    everything = not wanted and not limit
    wanted += _of_limits(limits, wanted)
    original = source.read_or_open(beside=after)
    released = _released(original, source, after)
    stated = _as_suppressed(original, released, suppressed or ())
    steps = stated or _public_steps(after or source.path)
    results = _measured(
        original, released, wanted, everything=everything, alone=after is None, steps=steps
    )
    if after is None and not steps:
        _tell_of_blanks(original)
    verdicts = [kept.judged(results[kept.measure.label()]) for kept in limits]
    missed = [verdict for verdict in verdicts if not verdict["kept"]]
    if as_json:
        print_json(
            {
                "results": [r.as_dict() for r in results.values()],
                "limits": verdicts,
                "limits_missed": [verdict["limit"] for verdict in missed],
            }
        )
    else:
        _print(list(results.values()))
        for kept, verdict in zip(limits, verdicts, strict=True):
            if kept.facet is not None and verdict["kept"]:
                value = f"{verdict['value']:.4g}"
                note(
                    say("the limit {limit} is met; the value is {value}.", limit=kept, value=value)
                )
        complain_of_limits(missed)
    return 1 if missed else 0


def _print(results: list[Result]) -> None:
    bounded = any(result.interval for result in results)
    print_rows([_row(result, bounded=bounded) for result in results])
    measures: dict[str, list[str]] = {}  # by remark, which several may share
    for result in results:
        baseline = f"{say('baseline')} {result.baseline:.4g}" if result.baseline else None
        for remark in filter(None, (baseline, result.judged_note(), *result.notes)):
            measures.setdefault(remark, []).append(say(find(result.measure).title))
    for remark, titles in measures.items():
        note(f"{say(', ').join(dict.fromkeys(titles))}: {remark}")


def _of_limits(limits: Sequence[Limit], wanted: Sequence[Assessment]) -> list[Assessment]:
    """Return what else limits are on; say where it is asked for with other settings."""
    others = [kept for kept in limits if kept.measure not in wanted]
    for kept in others:
        for asked in wanted:
            if type(asked) is type(kept.measure):
                note(
                    say(
                        "the limit {limit} is not about {measure}: write these settings into the "
                        "limit too, behind a colon.",
                        limit=str(kept),
                        measure=asked.label(),
                    )
                )
    return [kept.measure for kept in others]


def _released(original: Data, source: TableSource, path: Path | None) -> Data:
    """Return the masked table; without one, the table itself."""
    if path is None:
        _tell_of_originals(original, source)
        return original
    masked = source.released(path, original).read_or_open(beside=source.path)
    return _ordered(original, masked)


def _alone(source: TableSource) -> TableSource:
    """Return a table that is measured by itself; one that is not its project's, as a masked one."""
    project = source.project
    if project is None or project.source.resolve() == source.path.resolve():
        return source
    note(
        say(
            "{file} is not the table of {project}: it is measured on its own, as a masked table; "
            "to compare it with the original: sudare measure -p {project} {original} {file}.",
            file=source.path,
            project=project.path,
            original=project.source,
        )
    )
    return source.released(source.path)


def _tell_of_originals(data: Data, source: TableSource) -> None:
    """Say where a table that has no project has the columns of one: it may be a masked file."""
    path = source.path
    for other in projects_in(path.parent) if source.project is None else ():
        with suppress(SudareError):  # a project that cannot be opened says nothing here
            project = Project.open(other)
            if {column.name for column in data.columns} <= project.sections.columns.keys():
                note(
                    say(
                        "{file} has the columns of {project} and may be its masked file: then this "
                        "is not the risk of the original, and both are measured by sudare measure "
                        "-p {project} {original} {file}.",
                        file=path,
                        project=other,
                        original=project.source,
                    )
                )


def _ordered(before: Data, after: Data) -> Data:
    """Return a masked table, marked as shuffled where its records do not agree with the original.

    So keys that are blank in it are not taken for those of the record in the same row.
    """
    if before.records != after.records or in_same_order(sampled(before), sampled(after)):
        return after
    if isinstance(after, Microdata):
        origin: Any = after.origin
        return replace(after, origin=replace(origin, is_shuffled=True))
    shuffled: Any = after
    return replace(shuffled, is_shuffled=True)


def _public_steps(released: Path) -> tuple[Step, ...]:
    """Return what was done to a released file, according to the ledger or recipe next to it."""
    path = released.with_name("ledger.json")
    ledger = Ledger.read(path) if path.is_file() else None
    if ledger is not None and ledger.seals(released):
        return ledger.steps()
    form = released_form(released)
    return () if form is None else form.steps


def _as_suppressed(before: Data, after: Data, columns: Sequence[str]) -> tuple[Step, ...]:
    """Return a step that suppressed all blanks that some columns have and had not before."""
    public = {}
    for name in columns:
        blanks = 0 if before is after else _column(before, name).gaps
        public[name] = {"suppressed": _column(after, name).gaps - blanks}
    return (Step("suppression", tuple(columns), {}, public, "hides"),) if public else ()


def _column(data: Data, name: str) -> Column:
    return data[name] if isinstance(data, Microdata) else data.outlined(name)


def _tell_of_blanks(data: Data) -> None:
    """Say how blank keys of a table that is measured by itself count."""
    blank = [name for name in data.with_role("key") if _column(data, name).gaps]
    if blank:
        note(
            say(
                "every blank counts as a value of its own in {columns}; if masking suppressed "
                "values, name their columns (--suppressed).",
                columns=", ".join(blank),
            )
        )


def _measured(
    before: Data,
    after: Data,
    wanted: list[Assessment],
    *,
    everything: bool,
    alone: bool,
    steps: Sequence[Step],
) -> Mapping[str, Result]:
    results = {measure.label(): measure(before, after, steps=steps) for measure in wanted}
    refusals: dict[str, None] = {}  # each once
    for entry in METHODS if everything else ():
        measures = {"risk"} if alone else {"risk", "loss"}
        if entry.subject != "table" or entry.family not in measures or entry.name in results:
            continue
        try:
            results[entry.name] = parse_measure(entry.slug)(before, after, steps=steps)
        except SudareError as error:  # of all measures, those that suit the tables
            refusals.setdefault(str(error).replace(entry.name, say(entry.title)))
    for refusal in refusals:
        note(refusal)
    return results


def _row(result: Result, *, bounded: bool) -> dict[str, object]:
    ends = [f"{end:.4g}" for end in result.interval or ()]
    return {
        say("measure"): say(find(result.measure).title),
        say("value"): float(result.value),
        **({say("interval"): " – ".join(ends)} if bounded else {}),
        say("best"): float(result.best),
        say("worst"): float(result.worst),
    }
