"""The report of a release: a public edition, and an internal one with confidential detail."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from sudare.core import say
from sudare.release.legal import LegalProfile
from sudare.release.publishing import trial_warning
from sudare.release.report.comparison_pages import map_blocks
from sudare.release.report.document import Approval, Block, Report, Text
from sudare.release.report.sections import (
    Edition,
    analysis_blocks,
    checklist_blocks,
    decision_page,
    finding_blocks,
    guarantee_blocks,
    limit_blocks,
    loss_blocks,
    method_blocks,
    population_blocks,
    replay_blocks,
    risk_blocks,
    summary_blocks,
    threat_blocks,
)

if TYPE_CHECKING:
    from sudare.release.publishing import Publication

Sections = Iterator[tuple[str, list[Block]]]


def release_report(
    publication: "Publication", *, edition: Edition = "public", file: str = "masked.csv"
) -> Report:
    """Return the report of a release, with numbered sections.

    The public edition shows the released file and what anybody can measure of it; numbers that
    look at the original have noise, or are left out. The internal one shows the original beside it,
    exact numbers, how they spread over records or customers, and the recipes that were considered;
    it is confidential.

    Parameters
    ----------
    publication
        What is to be released.
    edition
        "public" or "internal".
    file
        Name of the masked file, for the lines of code that read it.
    """
    blocks: list[Block] = []
    if publication.trial:
        blocks.append(Text(trial_warning(), say("Trial")))
    for number, (heading, content) in enumerate(_sections(publication, edition, file), 1):
        blocks += _numbered(f"{number}. {heading}", content)
    warning = say("Confidential: this edition shows the original. Do not release it.")
    footer = warning if edition == "internal" else ""
    title = publication.texts.get("title") or say("Report on a release")
    return Report(title, blocks, footer=footer, confidential=edition == "internal")


def _numbered(heading: str, content: list[Block]) -> list[Block]:
    """Return a section under its heading; the headings inside it are those of parts."""
    if isinstance(content[0], Approval):
        return [replace(content[0], heading=heading), *content[1:]]
    parts = [replace(b, level=3) if isinstance(b, Text) and b.heading else b for b in content]
    if isinstance(parts[0], Text) and not parts[0].heading:
        return [replace(parts[0], heading=heading), *parts[1:]]
    return [Text(heading=heading), *parts]


def _sections(publication: "Publication", edition: Edition, file: str) -> Sections:
    yield say("Summary"), list(summary_blocks(publication, edition))
    yield say("Decision"), [decision_page(publication)]
    yield say("Data and population"), list(population_blocks(publication))
    yield say("Threats considered"), list(threat_blocks(publication, edition))
    yield say("What was done"), list(method_blocks(publication, edition))
    risks = [*risk_blocks(publication, edition), *publication.risk_pictures(edition)]
    yield say("Risk before and after"), [*risks, *_map(publication, edition)]
    losses = [*loss_blocks(publication, edition), *publication.loss_pictures(edition)]
    yield say("What was lost"), losses
    yield say("Limits"), list(limit_blocks(publication, edition))
    yield say("What the gate found"), list(finding_blocks(publication, edition))
    yield say("Guarantees"), list(guarantee_blocks(publication, edition))
    for profile in map(LegalProfile.read, publication.profiles):
        heading = say("Checklist: {profile}", profile=str(profile.title))
        yield heading, list(checklist_blocks(profile, publication, edition))
    yield say("How to analyze the file"), list(analysis_blocks(publication, file))
    yield say("How to replay it"), list(replay_blocks(publication, edition))


def _map(publication: "Publication", edition: Edition) -> Iterator[Block]:
    """Yield the recipes that were considered, if there is a risk and a loss to map them by.

    For the custodian alone: of several recipes, exact numbers tell single records.
    """
    comparison = publication.comparison
    if comparison is None or edition == "public":
        return
    if comparison.of_kind("risk") and comparison.of_kind("loss"):
        yield from map_blocks(comparison)
