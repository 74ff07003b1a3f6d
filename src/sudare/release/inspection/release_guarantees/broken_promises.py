"""Methods that promise k, and do not give it to whoever knows what was suppressed."""

from collections.abc import Iterator, Sequence
from typing import Any

from sudare.core import LargeTable, Message, Microdata, Step
from sudare.release.inspection.findings import Finding
from sudare.risk import KAnonymity

Table = Microdata | LargeTable


def find_broken_promises(before: Table, after: Table, steps: Sequence[Step]) -> Iterator[Finding]:
    """Yield the steps whose k does not hold for an attacker who knows the keys of a person."""
    for step in steps:
        k: Any = step.settings.get("k")
        if "missing" not in step.settings or not isinstance(k, int):
            continue
        columns = tuple(name for name in step.columns if name in after)
        least = KAnonymity(columns=columns)(before, after, steps=steps).informed
        if least is not None and least < k:
            detail = Message(
                "{method} promises k = {k}; an attacker who knows the keys of a person, those that "
                "were suppressed too, finds as few as {least} {least:record|records} that fit.",
                method=step.method,
                k=k,
                least=int(least),
            )
            yield Finding("broken-promise", columns, 0, "stop", detail, _remedy(step))


def limit_by_wildcards(
    before: Table, after: Table, measure: KAnonymity, number: float
) -> Iterator[Finding]:
    """Yield that a limit on k is kept only because missing keys match every value."""
    strict = KAnonymity(columns=measure.columns)(before, after)
    if measure.missing == "wildcard" and strict.judged < number:
        detail = Message(
            "A limit on k counts every missing key as every value; for an attacker who knows what "
            "was suppressed and what was blank, k is {least}, not {k}.",
            least=f"{strict.judged:g}",
            k=f"{number:g}",
        )
        remedy = Message('State the limit without missing = "wildcard" to be stopped by it.')
        columns = tuple(measure.columns or after.keys)
        yield Finding("broken-promise", columns, 0, "note", detail, remedy)


def _remedy(step: Step) -> Message:
    if step.settings["missing"] == "category":
        return Message("Ask for a smaller k, or make this step the last one.")
    return Message(
        'Set missing = "category" for {method}: a suppressed key is then a value of its own.',
        method=step.method,
    )
