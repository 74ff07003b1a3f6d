"""Threats considered: what somebody might learn, from what, and how that was measured."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sudare.core import say, shown
from sudare.release.report.document import Block, Table, Text
from sudare.release.report.sections.results import Edition, readings

if TYPE_CHECKING:
    from sudare.release.publishing import Publication

# By threat, the measures that show it.
THREATS: dict[str, frozenset[str]] = {
    "identity": frozenset(
        {
            *("KAnonymity", "Uniques", "Suda", "IndividualRisk", "PopulationUniques"),
            *("HouseholdRisk", "Reidentification", "SinglingOut", "ReplicatedUniques"),
        }
    ),
    "linkage": frozenset({"RecordLinkage", "ProbabilisticLinkage", "Linkability"}),
    "attribute": frozenset(
        {
            *("LDiversity", "TCloseness", "IntervalDisclosure"),
            *("AttributeInference", "CorrectAttribution"),
        }
    ),
    "membership": frozenset({"MembershipInference"}),
}


def threat_blocks(publication: "Publication", edition: Edition) -> Iterator[Block]:
    """Yield each threat with what measures it here; what was not measured is said."""
    told = readings(publication, edition)
    tried = {type(measure).__name__ for measure, _ in publication.measured}
    keys = publication.known_to_attackers()
    if keys:
        yield Text(
            say(
                "An attacker is taken to know these columns of a person: {columns}.",
                columns=say(", ").join(keys),
            )
        )
    yield Table(
        [say("threat"), say("what somebody might do"), say("measured by")],
        [
            [
                title,
                meaning,
                say(", ").join(
                    f"{reading.title}: {shown(reading.judged_shown)}"
                    for reading in told
                    if reading.result.measure in THREATS[name]
                )
                or (
                    say("measured, not published") if THREATS[name] & tried else say("not measured")
                ),
            ]
            for name, title, meaning in _threats()
        ],
    )


def _threats() -> list[tuple[str, str, str]]:
    return [
        (
            "identity",
            say("singling out a person"),
            say("recognize the record of a person whose keys they know"),
        ),
        (
            "linkage",
            say("linking with another file"),
            say("match records with those of a file that names people"),
        ),
        (
            "attribute",
            say("inferring a value"),
            say("learn a sensitive value of a person, with or without finding the record"),
        ),
        (
            "membership",
            say("inferring membership"),
            say("learn that a person is in the original at all"),
        ),
    ]
