"""Methods that promise k, l or t but break it for someone who knows the keys of a person."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sudare.core import (
    Assessment,
    Column,
    Message,
    Names,
    Step,
    settings_of,
    shown,
)
from sudare.release.inspection.findings import Finding, FindingKind, Severity
from sudare.release.inspection.masked_pair import MaskedPair
from sudare.release.inspection.release_guarantees.functional_dependencies import (
    Dependencies,
)
from sudare.release.inspection.release_guarantees.measured_promises import (
    PROMISED,
    Promise,
    Table,
    left_by_dependency,
    left_where_known,
)
from sudare.release.inspection.release_guarantees.partial_dependencies import Known, known_partly
from sudare.risk import KAnonymity

if TYPE_CHECKING:
    from sudare.release.limits import Limit

_MEASURED_ALIKE = {"diversity", "c", "distance", "sensitive", "hierarchies"}
_NUMBERED = ("household", "identifier")
_Broken = tuple[Promise, float]  # and what is left of it


def find_broken_promises(
    before: Table, after: Table, pair: MaskedPair, limits: "Iterable[Limit]" = ()
) -> Iterator[Finding]:
    """Yield the steps whose k, l or t does not hold for an attacker who knows a person's keys.

    Whoever knows these knows the columns that follow from them too, such as a class of his age. A
    limit that is kept only for who does not know them is a promise, too.
    """
    both = (before, after)
    promises = [promise for step in pair.steps for promise in _promises(step, after)]
    kept: dict[tuple[str, ...], list[Promise]] = {}
    for promise in promises:
        judged = promise.result(both, pair.steps).judged
        if promise.is_broken(judged):
            yield _broken(promise, judged)
        else:
            kept.setdefault(promise.columns, []).append(promise)
    keys = tuple(name for name in after.keys if name in pair.after)
    if keys and set(keys).intersection(pair.masked) - set(pair.drawn):
        limited = [each for limit in limits if (each := _limited(limit, both, keys, pair.steps))]
        limited = [each for each in limited if each.letter not in {p.letter for p in promises}]
        least = KAnonymity(columns=keys)(before, after, steps=pair.steps).judged
        if not promises and not any(each.letter == "k" for each in limited) and least > 1:
            limited.append(Promise("k", least, keys))
        for promise in limited:
            kept.setdefault(promise.columns, []).append(promise)
    for alike in kept.values():
        yield from _parted(alike, both, pair)


def _limited(
    limit: "Limit", tables: tuple[Table, Table], keys: tuple[str, ...], steps: Sequence[Step]
) -> Promise | None:
    """Return the k, l or t that a limit asks for and the table has; None where it is another."""
    measure: Any = limit.measure
    letter = next((letter for letter, kind in PROMISED.items() if type(measure) is kind), None)
    asks = "<" if letter == "t" else ">"
    if letter is None or limit.facet is not None or asks not in limit.comparison:
        return None
    judged = measure(*tables, steps=steps).judged
    alike = {name: own for name, own in measure.settings().items() if name in _MEASURED_ALIKE}
    promise = Promise(letter, judged, tuple(measure.columns or keys), None, alike, limit)
    return promise if limit.met_at(judged) else None


def _promises(step: Step, after: Table) -> Iterator[Promise]:
    columns = tuple(name for name in step.columns if name in after)
    for letter, number, alike in _asked(step):
        yield Promise(letter, number, columns, step, alike)


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


def _broken(promise: Promise, judged: float) -> Finding:
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
    promises: Sequence[Promise], tables: tuple[Table, Table], pair: MaskedPair
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
        yield _twin(numbers, pair, names, keys, detail)
    for dependency in dependencies.from_others_too():
        lefts = [
            (promise, left_by_dependency(promise, tables, pair, dependency)) for promise in promises
        ]
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
            yield _twin(numbers, pair, [dependency.name], dependency.keys, detail)
    values = [name for name in dependencies.codes if name not in known_by]
    beside = [c.name for c in _released(pair) if c.name not in promises[0].columns]
    knowns = list(known_partly(pair, dependencies, values, beside))
    yield from _ruled_out(promises, tables[1].records, pair, knowns)


def _ruled_out(
    promises: Sequence[Promise], records: int, pair: MaskedPair, knowns: Sequence[Known]
) -> Iterator[Finding]:
    """Yield columns of which keys tell something of some people, by which records are ruled out."""
    broken: dict[tuple[Any, ...], tuple[list[str], list[_Broken]]] = {}
    for promise in promises:
        lefts: list[tuple[tuple[Known, ...], float]] = [
            ((known,), left_where_known(promise, records, pair, [known])) for known in knowns
        ]
        lefts = [each for each in lefts if promise.is_broken(each[1])]
        if not lefts and len(knowns) > 1:
            together = left_where_known(promise, records, pair, knowns)
            lefts = [(tuple(knowns), together)] if promise.is_broken(together) else []
        for some, left in lefts:
            is_presence = all(known.is_presence for known in some)
            keys = tuple(dict.fromkeys(key for known in some for key in known.keys))
            own = () if is_presence else tuple(known.columns for known in some)
            is_rule = all(known.is_rule for known in some)
            columns, numbers = broken.setdefault((is_presence, is_rule, keys, own), ([], []))
            columns += (name for known in some for name in known.columns if name not in columns)
            numbers.append((promise, left))
    for (is_presence, is_rule, keys, _), (columns, numbers) in broken.items():
        detail = _told(columns, keys, _worst(numbers), is_presence=is_presence, is_rule=is_rule)
        twin = _twin(numbers, pair, columns, keys, detail, is_presence=is_presence)
        # What is usual at an age may be no rule: it stops a release where it leaves little.
        is_little = any(
            each.letter != "t" and left < max(each.number / 2, 2) for each, left in numbers
        )
        yield twin if is_presence or is_rule or is_little else replace(twin, severity="note")


def _told(
    columns: Sequence[str],
    keys: Sequence[str],
    numbers: Sequence[_Broken],
    *,
    is_presence: bool,
    is_rule: bool,
) -> Message:
    """Return what keys tell of columns, and what is then left."""
    facts = {"columns": Names.of(columns), "keys": ", ".join(keys), **_compared(numbers)}
    if is_presence:
        return Message(
            "Whether there is a value in '{columns}' follows from {keys} as before masking, so "
            "that whoever knows the keys of a person can rule out records that share them: "
            "this can leave {left} instead of {promised}.",
            **facts,
        )
    if is_rule:
        return Message(
            "What '{columns}' can be follows from {keys} as before masking, so that whoever "
            "knows the keys of a person can rule out records that share them: this can leave "
            "{left} instead of {promised}.",
            **facts,
        )
    return Message(
        "What '{columns}' can be follows from {keys} as before masking for some people, so that "
        "whoever knows the keys of such a person can rule out records that share them: this can "
        "leave {left} instead of {promised}.",
        **facts,
    )


def _worst(numbers: Sequence[_Broken]) -> list[_Broken]:
    """Return what is left of each promise in the worst case."""
    ranked = sorted(numbers, key=lambda each: each[1] if each[0].letter == "t" else -each[1])
    return list({promise.letter: (promise, left) for promise, left in ranked}.values())


def _compared(numbers: Sequence[_Broken]) -> dict[str, str]:
    """Return what is left of some promises, and what they were."""
    left = (f"{promise.letter} = {shown(float(judged))}" for promise, judged in numbers)
    asked = (f"{promise.letter} = {promise.number:g}" for promise, _ in numbers)
    return {"left": ", ".join(left), "promised": ", ".join(asked)}


def _dependencies(columns: Sequence[str], pair: MaskedPair) -> Dependencies:
    """Return what follows from keys that a promise is about."""
    # The weights of a sample follow from its strata, though who is in it was drawn.
    spared = {*columns, *pair.drawn}.difference(pair.after.with_role("weight"))
    others = [column.name for column in _released(pair) if column.name not in spared]
    others.sort(key=lambda name: pair.after[name].role != "sensitive")
    keys = [name for name in columns if name in pair.after and name in pair.before]
    return Dependencies(pair, keys, others)


def _released(pair: MaskedPair) -> list[Column]:
    return [column for column in pair.after.columns if column.role not in _NUMBERED]


def _parting(
    promise: Promise,
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


def _twin(
    numbers: Sequence[_Broken],
    pair: MaskedPair,
    names: Sequence[str],
    keys: Sequence[str],
    detail: Message,
    *,
    is_presence: bool = False,
) -> Finding:
    """Return that columns tell of keys; by whether they have a value where ``is_presence``."""
    remedy = Message(
        "Mask '{columns}' as well, or leave it out (--identifier).", columns=Names.of(names)
    )
    if is_presence:
        remedy = Message(
            "Let classes of {keys} begin where values of '{columns}' do, fill its blanks, declare "
            "it as a key, or leave it out (--identifier). Accept it if nobody knows of whom there "
            "is a value.",
            keys=", ".join(keys),
            columns=Names.of(names),
        )
    kind: FindingKind = "absence" if is_presence else "twin"
    return Finding(kind, (*names, _last(pair, keys)), 0, _severity(numbers), detail, remedy)


def _last(pair: MaskedPair, keys: Sequence[str]) -> str:
    """Return the key that a finding names: the last one that was masked."""
    return ([name for name in keys if name in pair.masked] or list(keys))[-1]


def _severity(numbers: Sequence[_Broken]) -> Severity:
    return "stop" if any(promise.must_hold(left) for promise, left in numbers) else "note"


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
