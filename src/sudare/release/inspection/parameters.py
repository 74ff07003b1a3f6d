"""What the published account of steps tells: digits that give a record away, rare labels."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from sudare.core import Column, Message, Microdata, Step
from sudare.release.inspection.findings import Finding

_DIGITS = 4  # an analyst needs fewer
_FEW = 10  # records, below which a label is rare
_FOLLOWING = {"retain", "epsilon", "scale"}  # from settings, published ranges and counts


def find_precise_parameters(steps: Iterable[Step]) -> Iterator[Finding]:
    """Yield the columns of which steps publish numbers of more digits than an analyst needs.

    Settings may have any digits: a person chose them, and they tell nothing of the data. Neither
    do the entries of matrices, which follow from settings and rounded shares.
    """
    for step in steps:
        stated = set(_numbers(step.settings))
        for name, public in step.public.items():
            precise = [
                parameter
                for parameter, value in public.items()
                if isinstance(value, float) and parameter not in _FOLLOWING
                if _is_precise(value) and value not in stated
            ]
            if precise:
                yield _finding(step.method, name, precise)


def _numbers(settings: Any) -> Iterator[float]:
    """Yield all numbers in settings, however deep."""
    if isinstance(settings, Mapping):
        settings = list(settings.values())
    if isinstance(settings, list | tuple):
        for part in settings:
            yield from _numbers(part)
    elif isinstance(settings, int | float):
        yield float(settings)


def _is_precise(number: float) -> bool:
    """Return whether a number has more than a few significant digits."""
    return float(f"{number:.{_DIGITS}g}") != number


def _finding(method: str, column: str, parameters: list[str]) -> Finding:
    facts = {"method": method, "column": column, "parameters": ", ".join(parameters)}
    detail = Message(
        "{method} publishes {parameters} of '{column}' with so many digits that who knows all "
        "records but one finds the last.",
        **facts,
    )
    remedy = Message("State the parameter, or have the method round it before it draws.")
    return Finding("precise-parameters", (column,), 0, "stop", detail, remedy)


def find_told_labels(
    before: Microdata, after: Microdata, steps: Iterable[Step]
) -> Iterator[Finding]:
    """Yield the columns of which steps name labels that few had, or that were taken out.

    A recipe is released so that it can be replayed: what a person wrote into it is public.

    Parameters
    ----------
    before
        The original, with the records that were left out.
    after
        The masked table.
    steps
        What was done.
    """
    named: dict[str, set[str]] = defaultdict(set)
    removed: set[str] = set()
    for step in steps:
        for setting in ("maps", "where"):
            stated = step.settings.get(setting)
            for column, labels in (stated if isinstance(stated, Mapping) else {}).items():
                named[column].update(map(str, labels if not isinstance(labels, str) else ()))
                removed.update([column] if setting == "where" else [])
    for column, labels in named.items():
        if column not in before or column not in after:
            continue
        count = _records_told(before[column], after[column], labels, removed=column in removed)
        if count:
            yield _told(column, count)


def _records_told(before: Column, after: Column, labels: set[str], *, removed: bool) -> int:
    """Return how many records had labels that are rare, or were taken out, and are named."""
    kept = after.coded
    occurring = {str(kept.labels[code]) for code in np.unique(kept.codes[kept.codes >= 0])}
    coded = before.coded
    counts = np.bincount(coded.codes[coded.codes >= 0], minlength=len(coded.labels))
    return sum(
        int(count)
        for label, count in zip(map(str, coded.labels), counts, strict=True)
        if label in labels - occurring and count and (removed or count < _FEW)
    )


def _told(column: str, count: int) -> Finding:
    detail = Message(
        "The recipe names values of '{column}' that {count} {count:record|records} had and the "
        "release does not show; whoever reads it learns that they were there.",
        column=column,
        count=count,
    )
    remedy = Message("Merge rare values by their share (min_share) in place of naming them.")
    return Finding("recipe-values", (column,), count, "stop", detail, remedy)
