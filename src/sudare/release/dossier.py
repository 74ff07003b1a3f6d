"""The report of a release: a public edition, and an internal one with confidential detail."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np

from sudare.catalog import find
from sudare.core.large import LargeTable
from sudare.core.masker import Step
from sudare.core.messages import say
from sudare.core.microdata import Microdata
from sudare.describe.association import association, strength
from sudare.release.comparison import Comparison
from sudare.release.pages import map_blocks
from sudare.release.pictures import distribution, group_size_classes, risk_classes
from sudare.release.report import Block, Chart, Code, Report, Table, Text

if TYPE_CHECKING:
    from sudare.release.publication import Publication

Edition = Literal["public", "internal"]

_SHOWN = 100_000  # records of a large table that are drawn


def release_report(
    found: "Publication", *, edition: Edition = "public", comparison: Comparison | None = None
) -> Report:
    """Return the report of a release.

    The public edition shows the released table and what was measured. The internal one also shows
    the original beside it, and how the measures spread over the records; it is confidential.

    Parameters
    ----------
    found
        What is to be released.
    edition
        "public" or "internal".
    comparison
        The recipes that were considered; the internal edition maps them.
    """
    blocks: list[Block] = [*_summary(found), *_methods(found.steps)]
    blocks += _pictures(found, edition)
    if edition == "internal":
        blocks += _record_detail(found)
        if comparison is not None:
            blocks += map_blocks(comparison)
    blocks += _appendix(found)
    confidential = say("Confidential: this edition shows the original. Do not release it.")
    footer = confidential if edition == "internal" else ""
    return Report(say("Report on a release"), blocks, footer=footer)


def _summary(found: "Publication") -> Iterator[Block]:
    yield Text(
        say(
            "{rows} records; {masked} of {columns} columns were masked.",
            rows=found.released.records,
            masked=len({name for step in found.steps for name in step.columns}),
            columns=len(found.released.columns),
        )
    )
    yield Text(heading=say("Risk and loss"))
    yield Table(
        [*(say(word) for word in ("measure", "kind", "value", "best", "worst", "meaning"))],
        [
            [
                say(find(result.measure).title),
                say(measure.kind),
                float(result.value),
                float(result.best),
                float(result.worst),
                find(result.measure).summary,
            ]
            for measure, result in found.measured
        ],
    )
    if found.limits:
        yield Table(
            [say("limit"), say("kept")],
            [[str(limit), say("yes") if kept else say("no")] for limit, kept in found.verdicts()],
        )


def _methods(steps: tuple[Step, ...]) -> Iterator[Block]:
    yield Text("" if steps else say("Nothing is masked."), say("What was done"))
    for number, step in enumerate(steps, 1):
        entry = find(step.method)
        yield Text(f"{number}. {say(entry.title)}: {entry.summary}")
        rows = [[say("columns"), ", ".join(step.columns)]]
        rows += [[name, str(value)] for name, value in step.settings.items() if value is not None]
        yield Table([say("setting"), say("value")], rows)
        if entry.references:
            yield Text(entry.references)


def _pictures(found: "Publication", edition: Edition) -> Iterator[Block]:
    versions: dict[str, Microdata | LargeTable] = {say("after"): found.released}
    if edition == "internal":
        versions = {say("before"): found.before, **versions}
    shown = {word: _in_memory(data) for word, data in versions.items()}
    yield Text(heading=say("Variables"))
    if isinstance(found.released, LargeTable) and found.released.records > _SHOWN:
        yield Text(
            say(
                "Pictures of variables and associations are of {count} random records.",
                count=_SHOWN,
            )
        )
    masked = {name for step in found.steps for name in step.columns}
    for name in found.released.names:
        if name in masked:
            yield Chart(distribution({word: data[name] for word, data in shown.items()}))
    yield from _association_blocks(shown)
    keys = found.before.keys
    if keys:
        classes = {word: group_size_classes(data, keys) for word, data in versions.items()}
        yield Text(heading=say("Who could be singled out"))
        yield Chart(risk_classes(classes), say("Keys: {keys}.", keys=", ".join(keys)))


def _in_memory(data: Microdata | LargeTable) -> Microdata:
    """Return the table, or some records of a large one: the same ones before and after."""
    if isinstance(data, Microdata):
        return data
    return data.sample(min(_SHOWN, data.records), seed=0)


def _association_blocks(versions: Mapping[str, Microdata]) -> Iterator[Block]:
    first = next(iter(versions.values()))
    names = [c.name for c in first.columns if c.role not in {"identifier", "weight", "household"}]
    if len(names) < 2:
        return
    yield Text(heading=say("Association"))
    found = {word: association(data, columns=names) for word, data in versions.items()}
    for word, pairs in found.items():
        yield Chart({**pairs.figure(), "title": f"{say('Association')}: {word}"})
    if len(found) == 2:
        one, other = ({(p.first, p.second): p for p in pairs.pairs} for pairs in found.values())
        both = [
            (f"{a} × {b}", strength(one[a, b]), strength(other[a, b]))
            for a, b in one
            if (a, b) in other and one[a, b].obstacle is None and other[a, b].obstacle is None
        ]
        rows = sorted(both, key=lambda row: -abs(row[1] - row[2]))
        header = [say("pair"), *found]
        yield Table(header, rows[:10], say("The ten associations that changed most."))


def _record_detail(found: "Publication") -> Iterator[Block]:
    """Yield how a measure spreads over the records, in classes; never a single record."""
    for measure, result in found.measured:
        if result.by_record is None:
            continue
        values = np.asarray(result.by_record, dtype=np.float64)
        marks = np.quantile(values[~np.isnan(values)], [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1])
        yield Text(heading=say("{measure}, by record", measure=say(find(result.measure).title)))
        yield Table(
            ["0 %", "25 %", "50 %", "75 %", "90 %", "99 %", "100 %"],
            [[float(mark) for mark in marks]],
            say("Quantiles over the records; kind: {kind}.", kind=say(measure.kind)),
        )


def _appendix(found: "Publication") -> Iterator[Block]:
    yield Text(
        say(
            "The recipe below masks the original in the same way. With the seed, which the "
            "custodian keeps, it gives the same file."
        ),
        say("Appendix: how to replay it"),
    )
    yield Code(found.recipe.to_toml())
    made_with: Mapping[str, str] = found.ledger().content["made_with"]
    yield Table([say("part"), say("version")], [[name, text] for name, text in made_with.items()])
