"""Evidence: what a release shows for an item of a checklist, in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sudare.catalog import find
from sudare.core import Step, say
from sudare.describe import concept_of
from sudare.release.inspection import KINDS, Findings, kind_title
from sudare.release.legal.checklist import ChecklistItem


@dataclass(frozen=True)
class ReleaseFacts:
    """What is known of a release.

    Attributes
    ----------
    findings
        What the gate found.
    steps
        What was done.
    values
        By name of the measure, its title and value as an edition may show them.
    columns
        Names of the released columns.
    left_out
        Names of the columns that were left out as identifiers.
    texts
        What the section ``[report]`` says.
    """

    findings: Findings
    steps: Sequence[Step]
    values: Mapping[str, str]
    columns: Sequence[str]
    left_out: Sequence[str]
    texts: Mapping[str, str]


def evidence_of(item: ChecklistItem, facts: ReleaseFacts) -> list[str]:
    """Return what a release shows for an item; never whether that is enough."""
    wanted = item.wanted
    sentences = [
        *_identifiers(facts, wanted=wanted.identifiers),
        *_headings(wanted.headings, facts),
        *_findings(wanted.findings, facts),
        *_methods(wanted.methods, facts),
        *_measures(wanted.measures, facts),
        *_texts(wanted.texts, facts),
    ]
    return sentences or [say("Nothing in the release shows it; a person must say.")]


def _identifiers(facts: ReleaseFacts, *, wanted: bool) -> Iterator[str]:
    if wanted and facts.left_out:
        yield say("Left out as identifiers: {columns}.", columns=say(", ").join(facts.left_out))
    elif wanted:
        yield say("No column was declared as an identifier.")


def _headings(names: Sequence[str], facts: ReleaseFacts) -> Iterator[str]:
    if not names:
        return
    told = [c for c in facts.columns if (concept := concept_of(c)) and concept.name in names]
    if told:
        yield say(
            "Released columns whose headings speak of it: {columns}.", columns=", ".join(told)
        )
    else:
        yield say("No heading of a released column speaks of it.")


def _findings(kinds: Sequence[str], facts: ReleaseFacts) -> Iterator[str]:
    if kinds and not facts.findings:  # the gate always says something, at least of the order
        yield say("The gate has not checked this release.")
        return
    for kind in KINDS:
        if kind not in kinds:
            continue
        findings = facts.findings.of_kind(kind)
        if not findings:
            yield say("Gate, {kind}: nothing found.", kind=kind_title(kind))
        for finding in findings:
            outcome = say("accepted by a person") if finding.confirmed else ""
            outcome = outcome or (
                say("repaired") if finding.severity == "repaired" else say("found")
            )
            yield say(
                "Gate, {kind}: {outcome} ({columns}).",
                kind=kind_title(kind),
                outcome=outcome,
                columns=say(", ").join(finding.columns) or say("whole table"),
            )


def _methods(names: Sequence[str], facts: ReleaseFacts) -> Iterator[str]:
    if not names:
        return
    steps = [step for step in facts.steps if step.method in names]
    for step in steps:
        yield say(
            "Done: {method} ({columns}).",
            method=say(find(step.method).title),
            columns=say(", ").join(step.columns) or say("whole records"),
        )
    if not steps:
        titles = say(", ").join(say(find(name).title) for name in names)
        yield say("Not done: {methods}.", methods=titles)


def _measures(names: Sequence[str], facts: ReleaseFacts) -> Iterator[str]:
    if not names:
        return
    told = [facts.values[name] for name in names if name in facts.values]
    yield from told
    if not told:
        yield say("No measure that would show it was asked for.")


def _texts(names: Sequence[str], facts: ReleaseFacts) -> Iterator[str]:
    for name in names:
        stated = facts.texts.get(name)
        if stated:
            yield say("The report states “{text}”.", text=stated)
        else:
            what = say("intended users" if name == "audience" else name)
            yield say("Not stated: {what} (`{entry}` in [report]).", what=what, entry=name)
