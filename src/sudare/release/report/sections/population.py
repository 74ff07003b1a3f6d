"""Data and population: how many records, whom they represent, and what each column is."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sudare.core import LargeTable, Microdata, role_word, say, scale_title
from sudare.release.report.document import Block, Table, Text
from sudare.release.report.sections.summary import unended

if TYPE_CHECKING:
    from sudare.release.publishing import Publication


def population_blocks(publication: "Publication") -> Iterator[Block]:
    """Yield what the file is about, and its columns."""
    stated = publication.texts.get("population")
    if stated:
        yield Text(say("Population: {population}.", population=unended(stated)))
    yield from publication.population()


def table_population(
    before: Microdata | LargeTable,
    released: Microdata | LargeTable,
    masked: set[str],
    labels: Mapping[str, str],
) -> Iterator[Block]:
    """Yield numbers of records, whom they represent, and the columns of a table."""
    yield Text(_records(before, released))
    weighted = _weighted(released)
    if weighted:
        yield Text(weighted)
    left_out = before.with_role("identifier")
    if left_out:
        yield Text(
            say(
                "Not released because they identify people: {columns}.",
                columns=say(", ").join(left_out),
            )
        )
    has_labels = any(labels.get(name, name) != name for name in released.names)
    yield Table(
        [
            say("column"),
            *[say("meaning")] * has_labels,
            say("role"),
            say("scale"),
            say("masked"),
        ],
        [
            [
                c.name,
                *[labels.get(c.name, "")] * has_labels,
                role_word(c.role),
                scale_title(c.scale),
                say("yes") if c.name in masked else say("no"),
            ]
            for c in released.columns
        ],
    )


def _records(before: Microdata | LargeTable, released: Microdata | LargeTable) -> str:
    if before.records == released.records:
        return say(
            "{rows} {rows:record|records}, as in the original.", rows=f"{released.records:,}"
        )
    return say(
        "{rows} {rows:record|records} of the {before} of the original.",
        rows=f"{released.records:,}",
        before=f"{before.records:,}",
    )


def _weighted(released: Microdata | LargeTable) -> str:
    """Return how many people the records represent, to three digits."""
    weight = released.with_role("weight")
    if not weight:
        return ""
    if isinstance(released, Microdata):
        stands_for = 0.0 if released.weights is None else float(released.weights.sum())
    else:
        moments = released.moments(weight)
        stands_for = float(moments.weight * moments.mean[0])
    total = int(float(f"{stands_for:.3g}"))
    return say(
        "With the weights of column '{column}', they stand for about {count}.",
        column=weight[0],
        count=f"{total:,}",
    )
