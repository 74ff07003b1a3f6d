"""Methods that promise k, l or t but break it for someone who knows the keys of a person."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sudare.core import (
    Assessment,
    Column,
    Floats,
    LargeTable,
    Measure,
    Message,
    Microdata,
    Names,
    Result,
    Step,
    settings_of,
    shown,
)
from sudare.describe import Spread, sensitive_columns, spread, united, value_codes
from sudare.release.inspection.findings import Finding, Severity
from sudare.release.inspection.masked_pair import MaskedPair, class_codes, joined
from sudare.release.inspection.release_guarantees.functional_dependencies import (
    Dependencies,
    Dependency,
    fitting,
    groups_of,
)
from sudare.risk import KAnonymity, LDiversity, TCloseness

PROMISED: dict[str, type[Measure]] = {"k": KAnonymity, "l": LDiversity, "t": TCloseness}
_MEASURED_ALIKE = {"diversity", "c", "distance", "sensitive", "hierarchies"}
_NUMBERED = ("household", "identifier")
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

    def sensitive(self, pair: MaskedPair) -> tuple[str, ...]:
        """Return the columns of which nobody learns a value; k has none."""
        if self.letter == "k":
            return ()
        named = self.alike.get("sensitive")
        return sensitive_columns(self.letter, pair.before, named, self.columns)

    def figures(self, column: Column, given: Spread) -> Floats:
        """Return l or t of each of some classes by a sensitive column, shape (classes,)."""
        kind: Any = PROMISED[self.letter]
        figures: Floats = kind(columns=self.columns, **self.alike).figures(column, given)
        return figures

    def is_broken(self, judged: float) -> bool:
        """Return whether a number is worse than the promise, by more than rounding."""
        above = judged - self.number
        return (above if self.letter == "t" else -above) > 1e-6


_Broken = tuple[_Promise, float]  # and what is left of it


def find_broken_promises(before: Table, after: Table, pair: MaskedPair) -> Iterator[Finding]:
    """Yield the steps whose k, l or t does not hold for an attacker who knows a person's keys.

    Whoever knows these knows the columns that follow from them too, such as a class of his age.
    """
    both = (before, after)
    promises = [promise for step in pair.steps for promise in _promises(step, after)]
    kept: dict[tuple[str, ...], list[_Promise]] = {}
    for promise in promises:
        judged = promise.result(both, pair.steps).judged
        if promise.is_broken(judged):
            yield _broken(promise, judged)
        else:
            kept.setdefault(promise.columns, []).append(promise)
    keys = tuple(name for name in after.keys if name in pair.after)
    if not promises and keys and set(keys).intersection(pair.masked) - set(pair.drawn):
        least = KAnonymity(columns=keys)(before, after, steps=pair.steps).judged
        if least > 1:
            kept[keys] = [_Promise("k", least, keys)]
    for alike in kept.values():
        yield from _parted(alike, both, pair)


def _promises(step: Step, after: Table) -> Iterator[_Promise]:
    columns = tuple(name for name in step.columns if name in after)
    for letter, number, alike in _asked(step):
        yield _Promise(letter, number, columns, step, alike)


def _asked(step: Step) -> Iterator[tuple[str, float, dict[str, Any]]]:
    """Yield what a step promises: the letter, the number, and how it is measured."""
    for letter, kind in PROMISED.items() if "missing" in step.settings else ():
        number: Any = step.settings.get(letter)
        if isinstance(number, int | float):
            own = {setting.name for setting in settings_of(kind)}.intersection(_MEASURED_ALIKE)
            alike = {name: step.settings[name] for name in own if name in step.settings}
            grouped: Any = alike.get("hierarchies") or {}  # those of keys measure nothing
            if not set(grouped) - set(step.columns):
                alike.pop("hierarchies", None)
            yield letter, number, alike


def promised_measures(steps: Sequence[Step]) -> list[Assessment]:
    """Return the measures that tell whether steps have kept what they promise: k, l and t."""
    measures: list[Assessment] = []
    for letter, _, alike in (asked for step in steps for asked in _asked(step)):
        kind: Any = PROMISED[letter]
        measure = kind(**alike)
        measures += [] if measure in measures else [measure]
    return measures


def _broken(promise: _Promise, judged: float) -> Finding:
    step: Any = promise.step
    letter, number = promise.letter, f"{promise.number:g}"
    detail = Message(
        "{method} promises {letter} = {number}; for an attacker who knows the keys of a person, "
        "those that were suppressed too, {letter} is {judged}.",
        method=step.method,
        letter=letter,
        number=number,
        judged=shown(float(judged)),
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


def _parted(
    promises: Sequence[_Promise], tables: tuple[Table, Table], pair: MaskedPair
) -> Iterator[Finding]:
    """Yield columns that tell records apart which share the keys, as they follow from these."""
    dependencies = _dependencies(promises[0].columns, pair)
    known_by = dependencies.from_keys()
    broken: dict[tuple[str, ...], list[_Broken]] = {}
    for promise in promises:
        for names, judged in _parting(promise, tables, pair, known_by):
            broken.setdefault(names, []).append((promise, judged))
    for names, numbers in broken.items():
        keys = list(dict.fromkeys(key for name in names for key in known_by[name]))
        detail = Message(
            "'{columns}' follows from {keys} as before masking, so that whoever knows the keys of "
            "a person knows it too: this leaves {left} instead of {promised}.",
            columns=Names.of(names),
            keys=", ".join(keys),
            **_compared(numbers),
        )
        yield _twin(promises[0], pair, names, keys, detail)
    for dependency in dependencies.from_others_too():
        lefts = [(promise, _left(promise, tables, pair, dependency)) for promise in promises]
        numbers = [(promise, left) for promise, left in lefts if promise.is_broken(left)]
        if numbers:
            detail = Message(
                "'{column}' follows from {keys} as before masking together with '{others}', so "
                "that whoever knows the keys of a person can rule out records that share them: "
                "this can leave {left} instead of {promised}.",
                column=dependency.name,
                keys=", ".join(dependency.keys),
                others=Names.of(dependency.others),
                **_compared(numbers),
            )
            yield _twin(promises[0], pair, [dependency.name], dependency.keys, detail)


def _compared(numbers: Sequence[_Broken]) -> dict[str, str]:
    """Return what is left of some promises, and what they were."""
    left = (f"{promise.letter} = {shown(float(judged))}" for promise, judged in numbers)
    asked = (f"{promise.letter} = {promise.number:g}" for promise, _ in numbers)
    return {"left": ", ".join(left), "promised": ", ".join(asked)}


def _dependencies(columns: Sequence[str], pair: MaskedPair) -> Dependencies:
    """Return what follows from keys that a promise is about."""
    # The weights of a sample follow from its strata, though who is in it was drawn.
    spared = {*columns, *pair.drawn}.difference(pair.after.with_role("weight"))
    others = [
        c.name for c in pair.after.columns if c.role not in _NUMBERED and c.name not in spared
    ]
    others.sort(key=lambda name: pair.after[name].role != "sensitive")
    keys = [name for name in columns if name in pair.after and name in pair.before]
    return Dependencies(pair, keys, others)


def _parting(
    promise: _Promise,
    tables: tuple[Table, Table],
    pair: MaskedPair,
    known_by: Mapping[str, tuple[str, ...]],
) -> list[tuple[tuple[str, ...], float]]:
    """Return columns known by keys that part records which share them, and what is then left."""
    names = tuple(name for name in known_by if name not in promise.sensitive(pair))
    together = promise.result(tables, pair.steps, *names).judged if names else promise.number
    if not promise.is_broken(together):
        return []
    alone = [((name,), promise.result(tables, pair.steps, name).judged) for name in names]
    return [each for each in alone if promise.is_broken(each[1])] or [(names, together)]


def _left(
    promise: _Promise, tables: tuple[Table, Table], pair: MaskedPair, dependency: Dependency
) -> float:
    """Return the worst number of a promise where an attacker rules out records of a class.

    Of a fee that follows from age and illness, each record shows whether it fits a known age.
    """
    groups = groups_of(pair.before, dependency.keys)
    if groups is None:
        return promise.number
    after, learnt = pair.after, promise.sensitive(pair)
    classes = joined([class_codes(after[name]) for name in promise.columns if name in after])
    others = joined([class_codes(after[name]) for name in dependency.others])
    told = joined([others.astype(np.int32), class_codes(after[dependency.name])])
    cells = np.unique(classes * (told.max() + 1) + told, return_inverse=True)[1]
    values = {name: value_codes(after[name]) for name in learnt} or {"": np.zeros_like(cells)}
    parts = {name: spread(cells, codes) for name, codes in values.items()}
    worst = [promise.number]
    for persons, members, of in fitting(classes, groups, others, told):
        for name, part in parts.items():
            fits = united(part, persons, members)
            fewer = fits.sizes < np.bincount(classes)[of]
            figures = promise.figures(after[name], fits) if name else fits.sizes
            worst += figures[fewer].tolist()
    left = max(worst) if promise.letter == "t" else min(worst)
    if after.rows < tables[1].records and left != promise.number:
        known = {dependency.name, *dependency.others}.difference(learnt)
        return float(promise.result(tables, pair.steps, *sorted(known)).judged)
    return float(left)


def _twin(
    promise: _Promise, pair: MaskedPair, names: Sequence[str], keys: Sequence[str], detail: Message
) -> Finding:
    remedy = Message(
        "Mask '{columns}' as well, or leave it out (--identifier).", columns=Names.of(names)
    )
    masked = [name for name in keys if name in pair.masked] or keys
    severity: Severity = "note" if promise.step is None else "stop"
    return Finding("twin", (*names, masked[-1]), 0, severity, detail, remedy)


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
