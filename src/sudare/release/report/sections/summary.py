"""The first page: what is released, for whom, at which risk and loss, and who decided."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sudare.core import paragraph, say, shown
from sudare.release.method_words import measure_summary
from sudare.release.report.document import Block, FactTable, Items
from sudare.release.report.sections.results import Edition, ReportedResult, readings

if TYPE_CHECKING:
    from sudare.release.publishing import Publication

_RISKS = 3  # that the summary tells
_WORST = 3  # columns that it names


def summary_blocks(publication: "Publication", edition: Edition) -> Iterator[Block]:
    """Yield the summary in sentences, and who answers for the release."""
    told = readings(publication, edition)
    risks = [reading for reading in told if reading.measure.kind == "risk"][:_RISKS]
    losses = [reading for reading in told if reading.measure.kind == "loss"][:1]
    sentences = [
        publication.summary(),
        *_whom(publication),
        *(paragraph(_risk(risk), measure_summary(risk.measure)) for risk in risks),
        *map(_loss, losses),
        _limits(publication),
        *_gate(publication),
        *_promises(publication, edition),
        _decision(publication),
    ]
    yield Items(sentences)
    yield FactTable(stated_facts(publication))


def stated_facts(publication: "Publication") -> list[tuple[str, str]]:
    """Return who releases the table, when, what for, and who decided, as far as that is stated."""
    titles = {
        "title": say("title"),
        "office": say("office"),
        "contact": say("contact"),
        "date": say("date"),
        "population": say("population"),
        "audience": say("intended users"),
        "purpose": say("purpose"),
        "decision": say("decision"),
    }
    return [
        (title, publication.texts[name])
        for name, title in titles.items()
        if publication.texts.get(name)
    ] or [(say("office"), say("not stated"))]


def unended(text: str) -> str:
    """Return what somebody wrote without its last full stop, since the sentence has its own."""
    return text.strip().rstrip(".。")


def _whom(publication: "Publication") -> Iterator[str]:
    texts = publication.texts
    if texts.get("audience"):
        yield say("Intended users: {audience}.", audience=unended(texts["audience"]))
    if texts.get("purpose"):
        yield say("Purpose: {purpose}.", purpose=unended(texts["purpose"]))


def _risk(risk: ReportedResult) -> str:
    if risk.before is None:
        return say(
            "Risk ({measure}): {after} in the released file.",
            measure=risk.title,
            after=shown(risk.judged_shown),
        )
    return say(
        "Risk ({measure}): {before} before masking, {after} in the released file.",
        measure=risk.title,
        before=shown(risk.before_shown),
        after=shown(risk.judged_shown),
    )


def _loss(loss: ReportedResult) -> str:
    result = loss.result
    parts = sorted(result.parts.items(), key=lambda part: -abs(part[1] - result.best))
    worst = [name for name, value in parts if value != result.best][:_WORST]
    value = shown(loss.after_shown)
    if not worst:
        return say("Loss: {value} by the measure {measure}.", measure=loss.title, value=value)
    return say(
        "Loss: {value} by the measure {measure}, most of it in {columns}.",
        measure=loss.title,
        value=value,
        columns=say(", ").join(worst),
    )


def _limits(publication: "Publication") -> str:
    verdicts = publication.verdicts()
    if not verdicts:
        return say("No limit was stated.")
    missed = [limit.title for limit, kept in verdicts if not kept]
    if missed:
        return say("Limits that are not kept: {limits}.", limits=say(", ").join(missed))
    limits = say(", ").join(limit.title for limit, _ in verdicts)
    return say("All limits are kept: {limits}.", limits=limits)


def _gate(publication: "Publication") -> Iterator[str]:
    findings = publication.findings
    if findings.stops:
        yield say(
            "{count} {count:finding|findings} of the gate {count:stops|stop} the release.",
            count=len(findings.stops),
        )
    if findings.repaired:
        yield say(
            "{count} {count:finding|findings} of the gate {count:was|were} repaired.",
            count=len(findings.repaired),
        )
    if findings.confirmed:
        yield say(
            "{count} {count:finding|findings} of the gate {count:was|were} accepted by name.",
            count=len(findings.confirmed),
        )


def _promises(publication: "Publication", edition: Edition) -> Iterator[str]:
    for own in publication.guarantees:
        guarantee = own if edition == "internal" else own.told()
        if guarantee.holds is not False:
            yield say("Under the conditions below, {promise}.", promise=guarantee.heading)
        else:
            yield say("Not promised: {name}, as a condition fails.", name=guarantee.title)


def _decision(publication: "Publication") -> str:
    decided = publication.texts.get("decision")
    if decided:
        return say("Decision: {decision}.", decision=unended(decided))
    return say("No decision has been made yet; the next page records it.")
