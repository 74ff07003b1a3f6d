"""What is not there tells: a blank of what another column held, a record of why it was removed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from sudare.core import Codes, Column, Message, Names, Step
from sudare.release.inspection.derivable_values.determination import (
    ENOUGH,
    HiddenNumber,
    Telling,
    hidden_values,
)
from sudare.release.inspection.findings import Finding, Severity
from sudare.release.inspection.masked_pair import MaskedPair

_MANY = 0.3  # share of the hidden values from which blanks count as telling; often one side does
_SOME = 0.1  # the same, from which it is reported how many they reveal


def find_telling_absence(pair: MaskedPair) -> Iterator[Finding]:
    """Yield the columns whose blanks tell much of what a masked column hides.

    Columns with the same blanks, such as the questions behind one filter, are one finding.
    """
    patterns: dict[bytes, list[str]] = defaultdict(list)
    codes: dict[bytes, Codes] = {}
    for column in pair.after.columns:
        absent = _absence(column)
        if absent.max(initial=0) > absent.min(initial=2):
            pattern = absent.astype(np.int8).tobytes()
            patterns[pattern].append(column.name)
            codes[pattern] = absent
    for name in pair.masked if patterns else ():
        hidden = hidden_values(pair, name)
        for pattern, columns in patterns.items():
            others = tuple(column for column in columns if column != name)
            if not others:
                continue
            if isinstance(hidden, HiddenNumber):
                telling = hidden.told_by_class(codes[pattern])
                if telling.told >= ENOUGH:
                    yield _of_range(name, others, telling)
                continue
            telling = hidden.told_by([codes[pattern]])
            if telling.share > _SOME and telling.is_sure:
                yield _finding(name, others, telling)


def find_telling_removal(names: Iterable[str], steps: Iterable[Step]) -> Iterator[Finding]:
    """Yield the sensitive columns by whose values records were removed."""
    removing = [step.settings for step in steps if step.method == "RemoveRecords"]
    stated: list[Any] = [own.get(key) or () for own in removing for key in ("where", "columns")]
    by = {name for names in stated for name in names}
    for name in names:
        if name in by:
            detail = Message(
                "Records were removed by '{column}': whoever knows that a person was in the table "
                "and finds no such record knows something of that value.",
                column=name,
            )
            remedy = Message(
                "Top-code or blank '{column}' instead. Accept it if nobody knows who was in the "
                "table.",
                column=name,
            )
            yield Finding("absence", (name,), 0, "stop", detail, remedy)


def _absence(column: Column) -> Codes:
    """Return 0 for a missing value, 1 for not applicable, 2 for a value, shape (n,)."""
    codes: Codes = np.where(column.known, 2, np.where(column.not_applicable, 1, 0))
    return codes


def _facts(name: str, columns: tuple[str, ...], telling: Telling) -> dict[str, Any]:
    """Return what the messages of a finding say."""
    return {
        "columns": Names.of(columns),
        "masked": name,
        "count": round(telling.told),
        "hidden": telling.hidden,
    }


def _of_range(name: str, columns: tuple[str, ...], telling: Telling) -> Finding:
    facts = _facts(name, columns, telling)
    detail = Message(
        "Whether '{columns}' is blank tells the range of the original '{masked}', and comes closer "
        "to it than what is released, in {count} of the {hidden} records whose value was hidden.",
        **facts,
    )
    return Finding("absence", (*columns, name), round(telling.told), "stop", detail, _remedy(facts))


def _finding(name: str, columns: tuple[str, ...], telling: Telling) -> Finding:
    facts = _facts(name, columns, telling)
    detail = Message(
        "Whether '{columns}' is blank reveals the original value of '{masked}' in {count} of the "
        "{hidden} records whose value was hidden.",
        **facts,
    )
    severity: Severity = "stop" if telling.share > _MANY else "note"
    return Finding(
        "absence", (*columns, name), round(telling.told), severity, detail, _remedy(facts)
    )


def _remedy(facts: dict[str, Any]) -> Message:
    return Message(
        "Mask '{columns}' together with '{masked}', or leave it out (--identifier).", **facts
    )
