"""What the gate says, on the terminal: findings by kind, and guarantees with their conditions."""

from collections import defaultdict
from collections.abc import Sequence

import typer

from sudare.cli.output import complain, note
from sudare.core import paragraph, say, shown
from sudare.release import Finding, Findings, Guarantee
from sudare.release.inspection import FindingKind, kind_title


def print_findings(findings: Findings) -> None:
    """Write what the gate found: what stops the release first, then what it did and accepted."""
    stops = findings.stops
    if stops:
        complain(
            say("the gate stops the release: {count} {count:finding|findings}.", count=len(stops))
        )
        for kind, together in _by_kind(stops).items():
            typer.echo(f"\n{kind_title(kind)} [{kind}]", err=True)
            for finding in together:
                _print_stop(finding)
        typer.echo("", err=True)
    for finding in findings:
        if finding.confirmed:
            note(say("accepted by name: {finding}", finding=finding))
        elif not finding.stops:
            note(f"{finding.title}: {paragraph(str(finding), str(finding.remedy))}")


def _print_stop(finding: Finding) -> None:
    typer.echo(f"  {finding}", err=True)
    typer.echo(f"    {say('remedy')}: {finding.remedy}", err=True)
    if finding.is_acceptable:
        typer.echo(f"    {say('or accept it')}: {finding.confirmation}", err=True)


def _by_kind(findings: Sequence[Finding]) -> dict[FindingKind, list[Finding]]:
    kinds: dict[FindingKind, list[Finding]] = defaultdict(list)
    for finding in findings:
        kinds[finding.kind].append(finding)
    return kinds


def print_guarantees(guarantees: Sequence[Guarantee]) -> None:
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
