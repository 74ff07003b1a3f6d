"""The checklist of a law: what is asked, what the release shows, and room for a judgment."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sudare.core import paragraph, say, shown
from sudare.release.legal import LegalProfile, ReleaseFacts, evidence_of
from sudare.release.report.document import Block, Table, Text
from sudare.release.report.sections.results import Edition, readings

if TYPE_CHECKING:
    from sudare.release.publishing import Publication


def checklist_blocks(
    profile: LegalProfile, publication: "Publication", edition: Edition
) -> Iterator[Block]:
    """Yield a checklist with evidence; the judgment is left blank."""
    yield Text(str(profile.source))
    yield Text(
        say(
            "The evidence is filled in from this release. Whether it is enough, a person who knows "
            "the law judges; this list is no legal advice."
        )
    )
    if not all(item.citation_checked for item in profile.items):
        yield Text(
            say(
                "Articles marked as to be checked were not seen in the text of the law: look them "
                "up before you rely on their numbers."
            )
        )
    facts = _facts(publication, edition)
    yield Table(
        [say("asked"), say("citation"), say("evidence"), say("judgment")],
        [
            [str(item.asked), item.cited, paragraph(*evidence_of(item, facts)), ""]
            for item in profile.items
        ],
    )


def _facts(publication: "Publication", edition: Edition) -> ReleaseFacts:
    table = publication.table()
    return ReleaseFacts(
        findings=publication.findings,
        steps=publication.steps,
        values={
            reading.result.measure: say(
                "{title}: {value}.", title=reading.title, value=shown(reading.judged_shown)
            )
            for reading in readings(publication, edition)
        },
        columns=() if table is None else table.names,
        left_out=publication.left_out(),
        texts=publication.texts,
    )
