"""Methods that promise k, l or t, and do not give it to whoever knows what was suppressed."""

from collections.abc import Iterator, Sequence
from typing import Any

from sudare.core import LargeTable, Measure, Message, Microdata, Step, settings_of, shown
from sudare.release.inspection.findings import Finding
from sudare.risk import KAnonymity, LDiversity, TCloseness

PROMISED: dict[str, type[Measure]] = {"k": KAnonymity, "l": LDiversity, "t": TCloseness}
_MEASURED_ALIKE = {"diversity", "c", "distance", "sensitive", "hierarchies"}
Table = Microdata | LargeTable


def find_broken_promises(before: Table, after: Table, steps: Sequence[Step]) -> Iterator[Finding]:
    """Yield the steps whose k, l or t does not hold for an attacker who knows a person's keys."""
    for step in steps:
        if "missing" not in step.settings:
            continue
        columns = tuple(name for name in step.columns if name in after)
        for letter, kind in PROMISED.items():
            number: Any = step.settings.get(letter)
            if not isinstance(number, int | float):
                continue
            own = {setting.name for setting in settings_of(kind)}.intersection(_MEASURED_ALIKE)
            alike: Any = {name: step.settings[name] for name in own if name in step.settings}
            result = kind(columns=columns, **alike)(before, after, steps=steps)
            short = result.judged - number if result.lower_is_better else number - result.judged
            if short > 1e-6:  # more than rounding
                yield _broken(step, columns, letter, number, result.judged)


def _broken(
    step: Step, columns: tuple[str, ...], letter: str, number: float, judged: float
) -> Finding:
    detail = Message(
        "{method} promises {letter} = {number}; for an attacker who knows the keys of a person, "
        "those that were suppressed too, {letter} is {judged}.",
        method=step.method,
        letter=letter,
        number=f"{number:g}",
        judged=shown(float(judged)),
    )
    rule = step.settings["missing"]
    if rule == "category" or (rule == "suppressed" and step.method != "LocalSuppression"):
        remedy = Message(
            "Ask for less than {letter} = {number}, or make this step the last one.",
            letter=letter,
            number=f"{number:g}",
        )
    else:
        remedy = Message(
            'Set missing = "category" for {method}: a suppressed key is then a value of its own.',
            method=step.method,
        )
    return Finding("broken-promise", columns, 0, "stop", detail, remedy)


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
