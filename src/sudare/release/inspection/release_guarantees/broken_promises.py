"""Methods that promise k, l or t but break it for someone who knows what was suppressed."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from sudare.core import (
    Codes,
    Integers,
    LargeTable,
    Measure,
    Message,
    Microdata,
    Step,
    settings_of,
    shown,
)
from sudare.release.inspection.findings import Finding
from sudare.release.inspection.masked_pair import MaskedPair, class_codes, joined
from sudare.risk import KAnonymity, LDiversity, TCloseness

PROMISED: dict[str, type[Measure]] = {"k": KAnonymity, "l": LDiversity, "t": TCloseness}
_MEASURED_ALIKE = {"diversity", "c", "distance", "sensitive", "hierarchies"}
_NUMBERED = ("household", "weight", "identifier")
_EXCEPTIONS = 0.05  # records that may differ from their group, of those without the usual code
_SURE = 30.0  # evidence, in natural logarithms, that a column follows and does not agree by chance
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


def find_parted_classes(pair: MaskedPair) -> Iterator[Finding]:
    """Yield columns that follow from keys as they were, and part records that share k keys.

    Whoever knows the keys of a person knows these columns of him too, such as a class of his age.
    """
    for step in () if pair.is_large else pair.steps:
        k = step.settings.get("k")
        if "missing" not in step.settings or not isinstance(k, int):
            continue
        keys = [name for name in step.columns if name in pair.after and name in pair.before]
        released = joined([class_codes(pair.after[name]) for name in keys])
        enough = np.bincount(released)[released] >= k
        for column in pair.after.columns:
            if column.name in {*step.columns, *pair.drawn} or column.role in _NUMBERED:
                continue
            codes = class_codes(column)
            both = joined([released.astype(np.int32), codes])
            count = int((enough & (np.bincount(both)[both] < k)).sum())
            known_by = count and _determining(pair.before, keys, codes)
            if known_by:
                yield _parting(pair, column.name, known_by, count, k)


def _determining(before: Microdata, keys: Sequence[str], codes: Codes) -> tuple[str, ...]:
    """Return the key, or the two, from which a column follows; none where there are none."""
    for names in (*combinations(keys, 1), *combinations(keys, 2)):
        if _follows(joined([class_codes(before[name]) for name in names]), codes):
            return names
    return ()


def _follows(groups: Integers, codes: Codes) -> bool:
    """Return whether the records of a group have one code, far more often than by chance."""
    several = np.bincount(groups)[groups] > 1
    if 2 * several.sum() <= len(groups):
        return False
    groups, codes = groups[several], codes[several]
    cell = joined([groups.astype(np.int32), codes])
    counts = np.bincount(cell)
    group_of_cell = np.zeros(len(counts), np.int64)
    group_of_cell[cell] = groups
    most = np.zeros(int(groups.max(initial=0)) + 1, np.int64)
    np.maximum.at(most, group_of_cell, counts)
    shares = np.bincount(codes) / max(len(codes), 1)
    differing = len(codes) - most.sum()
    if differing > _EXCEPTIONS * len(codes) * (1 - shares.max()):
        return False
    evidence = (most[most > 0] - 1).sum() * -np.log((shares**2).sum())
    return bool(evidence > _SURE)


def _parting(
    pair: MaskedPair, column: str, known_by: tuple[str, ...], count: int, k: int
) -> Finding:
    detail = Message(
        "'{column}' follows from {keys} as before masking, so that whoever knows the keys of a "
        "person knows it too: {count} records then share what is known with fewer than {k}.",
        column=column,
        keys=", ".join(known_by),
        count=count,
        k=k,
    )
    remedy = Message("Mask '{columns}' as well, or leave it out.", columns=column)
    masked = [name for name in known_by if name in pair.masked] or list(known_by)
    return Finding("twin", (column, masked[-1]), count, "stop", detail, remedy)


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
