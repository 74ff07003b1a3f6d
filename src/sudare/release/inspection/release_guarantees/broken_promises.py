"""Methods that promise k, l or t but break it for someone who knows the keys of a person."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
    Numeric,
    Result,
    Step,
    settings_of,
    shown,
)
from sudare.release.inspection.findings import Finding, Severity
from sudare.release.inspection.masked_pair import MaskedPair, class_codes, is_amount, joined
from sudare.risk import KAnonymity, LDiversity, TCloseness

PROMISED: dict[str, type[Measure]] = {"k": KAnonymity, "l": LDiversity, "t": TCloseness}
_MEASURED_ALIKE = {"diversity", "c", "distance", "sensitive", "hierarchies"}
_NUMBERED = ("household", "weight", "identifier")
_SAMPLE = 10_000  # records on which it is tried from which keys a column follows
_MOST_KEYS = 3  # from which a column follows together
_NEIGHBOURS = 8  # amounts next to each other that count as one, as few are equal
_EXCEPTIONS = 0.05  # records that may differ from their group, of those without the usual code
_SURE = 30.0  # evidence, in natural logarithms, that a column follows and does not agree by chance
Table = Microdata | LargeTable


@dataclass(frozen=True)
class _Promise:
    """A number that holds for whoever knows some keys: of a step, or as the table happens to be."""

    letter: str
    number: float
    columns: tuple[str, ...]
    step: Step | None = None
    alike: Mapping[str, Any] = field(default_factory=dict)

    def result(self, pair: tuple[Table, Table], steps: Sequence[Step], *more: str) -> Result:
        """Return what is measured where other columns are known beside the keys."""
        kind: Any = PROMISED[self.letter]
        result: Result = kind(columns=(*self.columns, *more), **self.alike)(*pair, steps=steps)
        return result

    def is_broken(self, result: Result) -> bool:
        """Return whether a result is worse than the promise, by more than rounding."""
        above = result.judged - self.number
        return (above if result.lower_is_better else -above) > 1e-6


def find_broken_promises(before: Table, after: Table, pair: MaskedPair) -> Iterator[Finding]:
    """Yield the steps whose k, l or t does not hold for an attacker who knows a person's keys.

    Whoever knows these knows the columns that follow from them too, such as a class of his age.
    """
    both = (before, after)
    promises = [promise for step in pair.steps for promise in _promises(step, after)]
    for promise in promises:
        result = promise.result(both, pair.steps)
        if promise.is_broken(result):
            yield _broken(promise, result)
        else:
            yield from _parted(promise, both, pair)
    keys = tuple(name for name in after.keys if name in pair.after)
    if promises or not keys or not set(keys).intersection(pair.masked) - set(pair.drawn):
        return
    least = KAnonymity(columns=keys)(before, after, steps=pair.steps).judged
    if least > 1:
        yield from _parted(_Promise("k", least, keys), both, pair)


def _promises(step: Step, after: Table) -> Iterator[_Promise]:
    columns = tuple(name for name in step.columns if name in after)
    for letter, kind in PROMISED.items() if "missing" in step.settings else ():
        number: Any = step.settings.get(letter)
        if isinstance(number, int | float):
            own = {setting.name for setting in settings_of(kind)}.intersection(_MEASURED_ALIKE)
            alike = {name: step.settings[name] for name in own if name in step.settings}
            yield _Promise(letter, number, columns, step, alike)


def _broken(promise: _Promise, result: Result) -> Finding:
    step: Any = promise.step
    letter, number = promise.letter, f"{promise.number:g}"
    detail = Message(
        "{method} promises {letter} = {number}; for an attacker who knows the keys of a person, "
        "those that were suppressed too, {letter} is {judged}.",
        method=step.method,
        letter=letter,
        number=number,
        judged=shown(float(result.judged)),
    )
    rule = step.settings["missing"]
    if rule == "category" or (rule == "suppressed" and step.method != "LocalSuppression"):
        remedy = Message(
            "Ask for less than {letter} = {number}, or make this step the last one.",
            letter=letter,
            number=number,
        )
    else:
        remedy = Message(
            'Set missing = "category" for {method}: a suppressed key is then a value of its own.',
            method=step.method,
        )
    return Finding("broken-promise", promise.columns, 0, "stop", detail, remedy)


def _parted(promise: _Promise, tables: tuple[Table, Table], pair: MaskedPair) -> Iterator[Finding]:
    """Yield columns that follow from keys as they were, and part records that share the keys."""
    known_by = _following(pair.sample(_SAMPLE), promise)
    together = promise.result(tables, pair.steps, *known_by) if known_by else None
    if together is None or not promise.is_broken(together):
        return
    alone = [([name], promise.result(tables, pair.steps, name)) for name in known_by]
    parting = [(names, result) for names, result in alone if promise.is_broken(result)]
    for names, result in parting or [(list(known_by), together)]:
        keys = list(dict.fromkeys(key for name in names for key in known_by[name]))
        facts: Any = {"columns": "', '".join(names), "keys": ", ".join(keys)}
        detail = Message(
            "'{columns}' follows from {keys} as before masking, so that whoever knows the keys of "
            "a person knows it too: {letter} is then {judged}, not {number}.",
            **facts,
            letter=promise.letter,
            judged=shown(float(result.judged)),
            number=f"{promise.number:g}",
        )
        remedy = Message("Mask '{columns}' as well, or leave it out.", columns=facts["columns"])
        masked = [name for name in keys if name in pair.masked] or keys
        severity: Severity = "note" if promise.step is None else "stop"
        yield Finding("twin", (*names, masked[-1]), 0, severity, detail, remedy)


def _following(pair: MaskedPair, promise: _Promise) -> dict[str, tuple[str, ...]]:
    """Return the released columns that follow from keys as they were, and from which."""
    keys = [name for name in promise.columns if name in pair.after and name in pair.before]
    spared = {*promise.columns, *pair.drawn, *(promise.alike.get("sensitive") or ())}
    others = {
        column.name: class_codes(column)
        for column in pair.after.columns
        if column.name not in spared and column.role not in _NUMBERED
        if promise.letter == "k" or column.role != "sensitive"
    }
    following: dict[str, tuple[str, ...]] = {}
    for count in range(1, _MOST_KEYS + 1) if others else ():
        for names in combinations(keys, count):
            groups = _groups(pair.before, names)
            for name, codes in others.items():
                if groups is not None and name not in following and _follows(groups, codes):
                    following[name] = names
    return following


def _groups(before: Microdata, names: Sequence[str]) -> Integers | None:
    """Return the groups of records with equal values, or near ones; None if most stand alone."""
    groups = joined([class_codes(before[name]) for name in names])
    if 2 * (np.bincount(groups)[groups] > 1).sum() > len(groups):
        return groups
    column = before[names[0]]
    if len(names) > 1 or not isinstance(column, Numeric) or not is_amount(column):
        return None
    neighbours = np.empty(len(groups), np.int64)
    neighbours[np.argsort(column.values, kind="stable")] = np.arange(len(groups)) // _NEIGHBOURS
    return neighbours


def _follows(groups: Integers, codes: Codes) -> bool:
    """Return whether the records of a group have one code, far more often than by chance."""
    several = np.bincount(groups)[groups] > 1
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
