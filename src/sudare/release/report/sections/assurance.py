"""What the gate found, and what the release promises, each with its conditions."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sudare.core import say
from sudare.mask import privacy
from sudare.release.report.document import Block, Table, Text
from sudare.release.report.sections.results import Edition

if TYPE_CHECKING:
    from sudare.release.inspection import Finding
    from sudare.release.publishing import Publication


def finding_blocks(publication: "Publication", edition: Edition) -> Iterator[Block]:
    """Yield every finding, what became of it, and what to do."""
    if not publication.findings:
        yield Text(say("The gate has not checked this release."))
        return
    findings = publication.findings if edition == "internal" else publication.findings.told()
    yield Table.of_filled(
        [say("finding"), say("columns"), say("records"), say("what is so"), say("outcome")],
        [
            [
                finding.title,
                say(", ").join(finding.columns),
                finding.count or "",
                str(finding.detail),
                _outcome(finding),
            ]
            for finding in findings
        ],
    )


def _outcome(finding: "Finding") -> str:
    if finding.confirmed:
        return say("accepted by a person")
    if finding.severity == "stop":
        return say("stops the release: {remedy}", remedy=str(finding.remedy))
    return say("repaired") if finding.severity == "repaired" else say("for information")


def guarantee_blocks(publication: "Publication", edition: Edition) -> Iterator[Block]:
    """Yield every promise with the conditions that it needs and whether each of them holds."""
    yield from _promises(publication, edition)
    table = publication.table()
    known = None if table is None else privacy(publication.steps, rows=table.records)
    if known is not None and known.by_column:
        yield Table(
            [say("column"), "ε"],
            [[name, value] for name, value in known.by_column.items()],
            say(
                "ε of each column that was randomized with known probabilities, for a record whose "
                "value is there; it holds under the conditions of the promises, and measures that "
                "count equal keys do not reflect it."
            ),
        )


def _promises(publication: "Publication", edition: Edition) -> Iterator[Block]:
    if not publication.guarantees:
        yield Text(
            say("No method of this release promises a bound for every record; see the risks above.")
        )
        return
    for own in publication.guarantees:
        guarantee = own if edition == "internal" else own.told()
        verdict = say("It rests on these conditions, none of which is known to fail:")
        if guarantee.holds is False:
            verdict = say("It does not hold, because a condition fails:")
        yield Text(verdict, guarantee.heading, level=3)
        yield Table.of_filled(
            [say("condition"), say("is it so?"), say("why not, or what was looked for")],
            [
                [str(condition.text), condition.verdict, condition.reason]
                for condition in guarantee.conditions
            ],
        )
