"""What a release promises: computed from what it really hides, with the gate's word on it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sudare.core import (
    Assessment,
    Categorical,
    LargeTable,
    Message,
    Microdata,
    Result,
    Step,
    shown,
)
from sudare.mask import privacy
from sudare.release.inspection.derivable_values import find_twins
from sudare.release.inspection.findings import Findings
from sudare.release.inspection.masked_pair import MaskedPair, drawn_columns
from sudare.release.inspection.release_guarantees.guarantees import Condition, Guarantee
from sudare.release.inspection.release_guarantees.stated_conditions import (
    blanks_known,
    covered,
    file_alone,
    missing_count,
    other_keys,
)
from sudare.release.inspection.release_guarantees.unrandomized_reads import (
    is_decided_by,
    unrandomized_reads,
    values_unstated,
)
from sudare.release.inspection.release_guarantees.voided_promises import (
    ANONYMIZING,
    made_unequal,
    repeated_identifier,
)

_BY_KEYS = {"KAnonymity": "k-anonymity", "LDiversity": "l-diversity", "TCloseness": "t-closeness"}
_SHOWN = 8  # columns that a reason names


@dataclass(frozen=True, eq=False, repr=False)
class Promises:
    """What a masked table and what was found about it allow to be promised.

    The original and the masked table have their records in the same order.
    """

    before: Microdata | LargeTable
    after: Microdata | LargeTable
    steps: tuple[Step, ...]
    findings: Findings
    measured: Sequence[tuple[Assessment, Result]] = ()

    def made(self) -> tuple[Guarantee, ...]:
        """Return every promise with its conditions."""
        return (*self._by_keys(), *self._by_randomization())

    def _by_keys(self) -> Iterator[Guarantee]:
        for measure, result in self.measured:
            name = _BY_KEYS.get(result.measure)
            if name is None:
                continue
            keys = tuple(getattr(measure, "columns", None) or self.after.keys)
            conditions = [self._keys_known(keys), *self._unperturbed(keys), *self._untold(keys)]
            conditions += [*self._households_unknown(), self._one_record_each()]
            value, needed = self._informed(measure, result)
            conditions += needed
            conditions += self._others_unknown(keys)
            kept = all(condition.holds for condition in needed)
            stated = value if kept else float(result.value)
            if name != "k-anonymity":
                conditions += self._about_sensitive(measure, keys)
            told = self._asked_and_kept(name[0], value) if needed else None
            yield Guarantee(name, value, stated, tuple(conditions), told, keys)

    def _asked_and_kept(self, letter: str, value: float) -> float:
        """Return the best k, l or t that a step was asked for and that is kept, else 1."""
        stated = [step.settings.get(letter) for step in self.steps]
        asked = [float(number) for number in stated if isinstance(number, int | float)]
        if letter == "t":
            return min([1.0, *(number for number in asked if number >= value)])
        return max([1.0, *(number for number in asked if number <= value)])

    def _about_sensitive(self, measure: Assessment, keys: Sequence[str]) -> Iterator[Condition]:
        """Yield what l and t need beyond k: which columns they cover, and that nothing tells."""
        yield Condition(covered(self._sensitive(measure)), None)
        settings = {name: getattr(measure, name, None) for name in ("diversity", "c", "distance")}
        stated = ", ".join(f"{name} = {value}" for name, value in settings.items() if value)
        if stated:
            yield Condition(Message("It is measured with {settings}.", settings=stated))
        yield from self._blanks_tell(measure)
        yield from self._untouched(measure)
        yield from self._undecided(measure, keys)

    def _undecided(self, measure: Assessment, keys: Sequence[str]) -> Iterator[Condition]:
        """Yield whether sensitive values decided which records and keys are seen."""
        names = self._sensitive(measure)
        deciding = [s for s in self.steps if is_decided_by(s, names, keys, self.before)]
        others = dict.fromkeys(s.method for s in deciding if s.method not in ANONYMIZING)
        if others:
            text = Message("No step chose records or wrote keys by sensitive values.")
            why = Message(
                "{methods} did, and what is missing or changed tells of these values: {columns}.",
                methods=", ".join(others),
                columns=", ".join(names),
            )
            yield Condition(text, holds=False, why_not=why)
        elif deciding:
            text = Message(
                "Nobody knows the keys of everybody in the table: {methods} looked at sensitive "
                "values, so that which keys were suppressed or left coarse tells of them.",
                methods=", ".join(dict.fromkeys(step.method for step in deciding)),
            )
            yield Condition(text, None)

    def _blanks_tell(self, measure: Assessment) -> Iterator[Condition]:
        """Yield that blanks count as a sensitive value, which hides no other one."""
        blank = [
            name
            for name in self._sensitive(measure)
            if isinstance(self.after, LargeTable) or not self.after[name].known.all()
        ]
        if blank:
            text = Message(
                "Nobody knows whether a person has a value in: {columns}. A blank counts as a "
                "value of its own.",
                columns=", ".join(blank),
            )
            yield Condition(text, None)

    def _sensitive(self, measure: Assessment) -> tuple[str, ...]:
        return tuple(getattr(measure, "sensitive", None) or self.after.sensitive)

    def _untouched(self, measure: Assessment) -> Iterator[Condition]:
        """Yield whether sensitive values that differ are different ones of people."""
        unequal = made_unequal(self.steps, self._sensitive(measure))
        if unequal:
            text = Message("No step made equal sensitive values differ.")
            why = Message(
                "{columns}: changed, so that values that differ now may have been equal.",
                columns=", ".join(unequal),
            )
            yield Condition(text, holds=False, why_not=why)

    @property
    def _identifiers(self) -> tuple[str, ...]:
        return self.after.with_role("identifier")

    def _keys_known(self, keys: tuple[str, ...]) -> Condition:
        text = Message("Others know at most these keys: {columns}.", columns=", ".join(keys))
        return Condition(text, None)

    def _unperturbed(self, keys: Iterable[str]) -> Iterator[Condition]:
        """Yield whether keys say what was true: equal keys protect nobody where they do not."""
        drawn = drawn_columns(self.steps)
        random = [name for name in keys if name in drawn]
        if random:
            why = Message(
                "{columns}: changed at random, so that equal keys are not equal people.",
                columns=", ".join(random),
            )
            yield Condition(Message("No key was changed at random."), holds=False, why_not=why)

    def _untold(self, names: Sequence[str]) -> Iterator[Condition]:
        """Yield whether other columns tell what was masked of those that a promise is about."""
        told = [
            finding
            for kind in ("twin", "absence")
            for finding in self.findings.of_kind(kind)
            if finding.columns[-1] in names
        ]
        text = Message(
            "No other released column reveals the masked values of: {columns}.",
            columns=", ".join(names),
        )
        if told:
            most = max(told, key=lambda finding: finding.count)
            yield Condition(text, holds=False, why_not=most.detail)
        elif self.findings.of_kind("not-checked"):
            yield Condition(text, None)
        else:
            yield Condition(text, None, searched=_looked_for())

    def _others_unknown(self, counted: Collection[str]) -> Iterator[Condition]:
        """Yield that columns must not be known beside those that the number counts."""
        released = [name for name in self.after.names if name not in self._identifiers]
        count = len(set(released).difference(counted))
        if count:
            text = Message(
                "Nobody knows values of the {count} other {count:column|columns} that "
                "{count:is|are} released.",
                count=count,
            )
            yield Condition(text, None)

    def _households_unknown(self) -> Iterator[Condition]:
        """Yield that who lives together must not be known: members are found by all their keys."""
        for name in self.after.with_role("household"):
            text = Message(
                "Nobody knows how many people live in a household, or the keys of several of them: "
                "'{column}' shows who lives together.",
                column=name,
            )
            yield Condition(text, None)

    def _informed(self, measure: Assessment, result: Result) -> tuple[float, list[Condition]]:
        """Return the number for an attacker who knows what was suppressed, and what it needs."""
        strict = result
        if getattr(measure, "missing", "suppressed") == "wildcard":
            own: Any = measure
            strict = replace(own, missing="suppressed")(self.before, self.after, steps=self.steps)
        value = float(strict.judged)
        if strict is result and result.informed is None:
            return value, []
        text = Message(
            "It holds for an attacker who knows the keys of a person, those that were suppressed "
            "too, and which were blank."
        )
        broken = strict is not result or self.findings.of_kind("broken-promise")
        if np.isclose(value, result.value) or not broken:
            return value, [Condition(text)]
        fitting = strict.informed_by_record
        why = Message(
            "for such an attacker it is {least}, not {stated}.",
            least=shown(value),
            stated=shown(float(result.value)),
        )
        if result.measure == "KAnonymity" and fitting is not None:
            why = Message(
                "for {count} of {total} people, such an attacker finds fewer than {k} records, at "
                "least {least}.",
                count=int((fitting < result.value).sum()),
                total=len(fitting),
                k=f"{result.value:g}",
                least=f"{value:g}",
            )
        return value, [Condition(text, holds=False, why_not=why)]

    def _by_randomization(self) -> Iterator[Guarantee]:
        known = privacy(self.steps, rows=self.after.records)
        if not known.by_column:
            return
        names = tuple(name for name in known.by_column if name in self.after)
        shared = [Condition(covered(names), None), file_alone(), blanks_known()]
        shared += [self._draws_unknown(), *self._untold(names)]
        shared += [*self._unread(names), self._possible(names), self._order_unknown()]
        kept = privacy(self.steps, rows=self.after.records, after=self.after, alike=self.after.keys)
        counted = (*names, *self.after.keys)
        yield Guarantee(
            "Pk-anonymity",
            kept.k,
            known.k,
            (
                *shared,
                *missing_count(kept.revealed),
                *other_keys([name for name in self.after.keys if name not in names]),
                *self._others_unknown(counted),
                *self._each_once(),
            ),
        )
        yield Guarantee("epsilon", known.epsilon, known.epsilon, (*shared, *self._each_once()))

    def _unread(self, names: Sequence[str]) -> Iterator[Condition]:
        """Yield whether no step told of what was randomized by what was not, or not yet."""
        released = [name for name in self.after.names if name not in self._identifiers]
        reads = list(unrandomized_reads(self.steps, names, self.before, released))
        lost = [(step, read) for step, read, is_lost in reads if is_lost]
        telling = {name for _, read, _ in reads for name in read} if not lost else set()
        if telling and self._tell(telling, names):
            lost = [(step, read) for step, read, _ in reads]
        done = list(dict.fromkeys(step.method for step, _ in lost))
        by = [name for name in self.before.names if any(name in read for _, read in lost)]
        text = Message("No step chose records or wrote values by what was not randomized.")
        if lost:
            why = Message(
                "{methods} chose records or wrote values by what was not randomized then, and ε "
                "does not cover what that tells: {columns}.",
                methods=", ".join(done),
                columns=", ".join([*by[:_SHOWN], *(["…"] if len(by) > _SHOWN else [])]),
            )
            yield Condition(text, holds=False, why_not=why)
        elif telling:
            text = Message(
                "Other columns, by which steps wrote released values, do not depend on those that "
                "were randomized: {columns}.",
                columns=", ".join(sorted(telling)),
            )
            yield Condition(text, None)

    def _tell(self, others: Collection[str], names: Sequence[str]) -> bool:
        """Return whether original columns tell the original values of randomized ones."""
        if isinstance(self.before, LargeTable) or isinstance(self.after, LargeTable):
            return False
        kept = self.before.still_in(self.after)
        columns = [kept[name] for name in kept.names if name in others and name not in names]
        original = Microdata((*columns, *(kept[name] for name in names)))
        drawn = original.replacing(self.after[name] for name in names)
        return any(find_twins(MaskedPair(original, drawn, self.steps)))

    def _possible(self, names: Sequence[str]) -> Condition:
        """Return whether what can be drawn is stated: a value that one person has tells of him.

        The steps alone decide: whether a category occurs once in the original is nobody's business.
        """
        text = Message(
            "What can be drawn for these columns is known to all, and not from this table."
        )
        unstated = values_unstated(self.steps, names)
        telling = [name for name in unstated if not self._in_stated_classes(name)]
        if not telling:
            return Condition(text, None if unstated else True)
        why = Message(
            "{columns}: taken from the table, where the value of a single person can decide it. "
            "State `domains` or `bounds`.",
            columns=", ".join(telling),
        )
        return Condition(text, holds=False, why_not=why)

    def _in_stated_classes(self, name: str) -> bool:
        """Return whether a step put every category into a stated class before it was drawn."""
        first = next(step for step in self.steps if name in step.columns)
        column = next(column for column in self.before.columns if column.name == name)
        if first.method != "GlobalRecode" or not isinstance(column, Categorical):
            return False
        maps: Any = first.settings.get("maps") or {}
        return set(maps.get(name, ())).issuperset(column.labels)

    def _draws_unknown(self) -> Condition:
        text = Message("Nobody else knows the draws.")
        seed_findings = self.findings.of_kind("guessable-seed")
        return Condition(
            text,
            holds=not seed_findings,
            why_not=seed_findings[0].detail if seed_findings else None,
        )

    def _order_unknown(self) -> Condition:
        text = Message("The records are released in a newly drawn order.")
        kept = [finding for finding in self.findings.of_kind("order") if finding.confirmed]
        return Condition(text, holds=not kept, why_not=kept[0].detail if kept else None)

    def _each_once(self) -> Iterator[Condition]:
        text = Message("Each person has one record, and records are not linked to each other.")
        household = self.after.with_role("household")
        if household:
            why = Message("'{column}' shows who lives together.", column=household[0])
            yield Condition(text, holds=False, why_not=why)
            return
        yield self._one_record_each(text)

    def _one_record_each(self, text: Message | None = None) -> Condition:
        """Return that each person has one record, unless identifiers deny it."""
        text = text or Message("Each person has one record.")
        shared = repeated_identifier(self.before)
        if shared is None:
            return Condition(text, None)
        why = Message("Records share their '{column}' with others.", column=shared)
        return Condition(text, holds=False, why_not=why)  # how many do is nobody's business


def _looked_for() -> Message:
    """Return by which rules the gate looks for columns that reveal others."""
    return Message(
        "The gate looked for columns that reveal a value alone, with another one, by their order "
        "or by a formula, columns that follow from keys, or from keys and others, values and "
        "blanks that follow from a key for some people or are ruled out by it, and rules of "
        "households. Other rules, those for few people and those with exceptions may exist."
    )
