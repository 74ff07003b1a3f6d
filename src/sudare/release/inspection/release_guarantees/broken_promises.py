"""Methods that promise k, l or t but break it for someone who knows the keys of a person."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, islice
from typing import Any

import numpy as np

from sudare.core import (
    Codes,
    Floats,
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
_TRIAL = 1_000  # records on which nearly all columns that do not follow are ruled out
_TRIALS = 1_000  # of some keys and a column, from the fewest keys on
_EACH = 10  # records per value of columns that follow from two; amounts do so in households
_AT_ONCE = 5_000_000  # comparisons of a person's keys with records of his class
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
    yield from _parted_by_two(promise, tables, pair)
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
    others = _others(pair, promise)
    trial, table, chance = _trial(others.values())
    following: dict[str, tuple[str, ...]] = {}
    for names in _sets_of_keys(pair, promise) if others else ():
        groups = _groups(pair.before, names)
        if groups is not None:
            possible = [list(others)[n] for n in _possible(groups[trial], table, chance)]
            fresh = (name for name in possible if name not in following)
            fits = (name for name in fresh if _follows(groups, others[name]))
            following.update(dict.fromkeys(fits, names))
    return following


def _others(pair: MaskedPair, promise: _Promise) -> dict[str, Codes]:
    """Return the codes of released columns that are no keys of a promise."""
    spared = {*promise.columns, *pair.drawn, *(promise.alike.get("sensitive") or ())}
    return {
        column.name: class_codes(column)
        for column in pair.after.columns
        if column.name not in spared and column.role not in _NUMBERED
        if promise.letter == "k" or column.role != "sensitive"
    }


def _sets_of_keys(pair: MaskedPair, promise: _Promise) -> Iterator[tuple[str, ...]]:
    keys = [name for name in promise.columns if name in pair.after and name in pair.before]
    return chain.from_iterable(combinations(keys, n + 1) for n in range(_MOST_KEYS))


def _parted_by_two(
    promise: _Promise, tables: tuple[Table, Table], pair: MaskedPair
) -> Iterator[Finding]:
    """Yield columns that follow from keys and another column, and rule out records of a class.

    Of a fee that follows from age and illness, each record shows whether it fits a known age.
    """
    yielded: set[str] = set()
    for keys, name, other in _following_two(pair, promise) if promise.letter == "k" else ():
        groups = _groups(pair.before, keys)
        if groups is None or name in yielded:
            continue
        classes = joined([class_codes(pair.after[n]) for n in promise.columns if n in pair.after])
        codes = [class_codes(pair.after[column]) for column in (other, name)]
        fitting, of = _fitting(classes, groups, codes[0], joined(codes))
        least = float(fitting[fitting < of].min(initial=promise.number))
        if pair.after.rows < tables[1].records and (fitting < of).any():
            least = float(promise.result(tables, pair.steps, name, other).judged)
        if least >= promise.number:
            continue
        detail = Message(
            "'{column}' follows from {keys} as before masking together with '{other}', so that "
            "whoever knows the keys of a person can rule out records that share them: k can then "
            "be as low as {judged}, not {number}.",
            column=name,
            keys=", ".join(keys),
            other=other,
            judged=shown(least),
            number=f"{promise.number:g}",
        )
        remedy = Message("Mask '{columns}' as well, or leave it out.", columns=name)
        masked = [key for key in keys if key in pair.masked]
        severity: Severity = "note" if promise.step is None else "stop"
        yielded.add(name)
        yield Finding("twin", (name, masked[-1]), 0, severity, detail, remedy)


def _following_two(
    whole: MaskedPair, promise: _Promise
) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Yield keys, a released column that follows from them and another column, and that one."""
    pair = whole.sample(_SAMPLE)
    several = {
        n: c for n, c in _others(pair, promise).items() if _EACH * len(np.unique(c)) <= len(c)
    }
    names = sorted(several, key=lambda name: pair.after[name].role != "sensitive")
    trial, table, chance = _trial(several[name] for name in names)
    told: set[frozenset[str]] = set()
    sets = (keys for keys in _sets_of_keys(pair, promise) if set(keys).intersection(whole.masked))
    for keys in islice(sets, _TRIALS // len(names)) if len(names) > 1 else ():
        known = _groups(pair.before, keys)
        if known is None:
            continue
        for n, other in enumerate(names):
            together = known[trial] * (int(table[n].max()) + 1) + table[n]
            for name in (names[m] for m in _possible(together, table, chance)):
                parts = (several[other], known)
                groups = joined([part.astype(np.int32) for part in parts])
                if {name, other} not in told and _follows(groups, several[name], *parts):
                    told.add(frozenset((name, other)))
                    yield keys, name, other


def _fitting(
    classes: Integers, groups: Integers, other: Codes, told: Integers
) -> tuple[Integers, Integers]:
    """Return for the keys in each class how many of its records fit them, and how many it has.

    A record fits if its values were seen with these keys, or its other value never was.
    """
    width, size = int(groups.max()) + 1, int(max(told.max(), other.max())) + 1
    people = np.unique(classes * width + groups)
    cells, counts = np.unique(classes * size + told, return_counts=True)
    other_of = np.zeros(size, np.int64)
    other_of[told] = other
    seen, seen_other = np.unique(groups * size + told), np.unique(groups * size + other)
    first = np.searchsorted(cells, np.arange(classes.max() + 2) * size)
    number = np.diff(first)[people // width]
    fitting = []
    for part in np.array_split(np.arange(len(people)), number.sum() // _AT_ONCE + 1):
        who = np.repeat(np.arange(len(part)), number[part])
        start = first[people[part] // width] - np.cumsum(number[part]) + number[part]
        at = np.arange(len(who)) + start[who]
        known, value = (people[part] % width)[who] * size, cells[at] % size
        fits = np.isin(known + value, seen) | ~np.isin(known + other_of[value], seen_other)
        fitting.append(np.bincount(who, counts[at] * fits, len(part)).astype(np.int64))
    return np.concatenate(fitting), np.bincount(classes)[people // width]


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


def _trial(columns: Iterable[Codes]) -> tuple[Integers, Codes, Floats]:
    """Return on which records columns are tried first, codes there, and how often two differ."""
    held = list(columns)
    last = len(held[0]) - 1 if held else 0
    rows = np.unique(np.linspace(0, last, min(_TRIAL, last + 1)).astype(np.int64))
    table = np.array([codes[rows] for codes in held])
    alike = [((np.bincount(codes) / len(codes)) ** 2).sum() for codes in table]
    return rows, table, 1 - np.array(alike)


def _possible(groups: Integers, table: Codes, chance: Floats) -> Integers:
    """Return the rows of codes that may follow from groups: few records next to each other differ.

    It allows twice as many as :func:`_follows` and two more, so that it rules out only by far.
    """
    order = np.argsort(groups)
    alike = np.flatnonzero(np.diff(groups[order]) == 0)
    differing = (table[:, order[alike]] != table[:, order[alike + 1]]).sum(axis=1)
    return np.flatnonzero(differing <= 4 * _EXCEPTIONS * chance * len(alike) + 2)


def _follows(groups: Integers, codes: Codes, *parts: Integers | Codes) -> bool:
    """Return whether the records of a group have one code, far more often than by chance.

    Chance is how often records have one code that share a part of what makes the groups.
    """
    several = np.bincount(groups)[groups] > 1
    if 2 * several.sum() <= len(codes):
        return False
    codes = codes[several]
    most, _ = _agreement(groups[several], codes)
    for part in parts or (np.zeros_like(groups),):
        guessed, alike = _agreement(part[several], codes)
        if len(codes) - most.sum() > _EXCEPTIONS * (len(codes) - guessed.sum()):
            return False
        if (most[most > 0] - 1).sum() * -np.log(alike) <= _SURE:
            return False
    return True


def _agreement(groups: Integers | Codes, codes: Codes) -> tuple[Integers, float]:
    """Return the records with the usual code of each group, and how often two have the same."""
    cell = joined([groups.astype(np.int32), codes])
    counts = np.bincount(cell)
    group_of_cell = np.zeros(len(counts), np.int64)
    group_of_cell[cell] = groups
    most = np.zeros(int(groups.max(initial=0)) + 1, np.int64)
    np.maximum.at(most, group_of_cell, counts)
    return most, float((counts**2.0).sum() / max((np.bincount(groups) ** 2.0).sum(), 1))


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
