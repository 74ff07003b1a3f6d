"""Guarantees as they are: a number, what it needs, and whether the release gives that."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sudare.core import Message, say, shown
from sudare.release.inspection.findings import without_numbers


@dataclass(frozen=True)
class Condition:
    """Something that a guarantee needs.

    Attributes
    ----------
    text
        What must be so.
    holds
        Whether it is, by a count or by what was done; None where only a person can know, and where
        a search found nothing against it, which proves nothing.
    why_not
        Why it is not, in a sentence; None where it holds.
    searched
        What was looked for without being found; None where nothing was.
    """

    text: Message
    holds: bool | None = True
    why_not: Message | None = None
    searched: Message | None = None

    @property
    def verdict(self) -> str:
        """Whether it is so, in a word."""
        if self.searched is not None:
            return say("nothing found, not proved")
        return {True: say("yes"), False: say("no"), None: say("a person must judge")}[self.holds]

    @property
    def reason(self) -> str:
        """Why it is not so, or what was looked for; empty where neither is known."""
        return str(self.why_not or self.searched or "")

    @property
    def answer(self) -> str:
        """Whether it is so, in a word or a sentence."""
        if self.searched is not None:
            return f"{self.verdict}: {self.searched}"
        return self.reason or self.verdict

    def as_dict(self) -> dict[str, Any]:
        """Return what a program reads."""
        return {
            "condition": str(self.text),
            "holds": self.holds,
            "why_not": None if self.why_not is None else str(self.why_not),
            "searched": None if self.searched is None else str(self.searched),
        }


@dataclass(frozen=True)
class Guarantee:
    """What a release promises about every record, never without what the promise needs.

    Attributes
    ----------
    name
        What is promised: "k-anonymity", "l-diversity", "t-closeness", "Pk-anonymity" or
        "epsilon".
    value
        The number that holds for every record of the release.
    stated
        The number that the method was asked for, or that it gives where nothing is missing.
    conditions
        What the promise needs.
    public_value
        The number that the public is told in place of both, where they look at the original: the
        largest that was asked for and is kept.
    keys
        The columns on which the number was counted.
    """

    name: str
    value: float
    stated: float
    conditions: tuple[Condition, ...] = ()
    public_value: float | None = None
    keys: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The number, and what it was counted on, in the current language."""
        number = shown(float(self.value))
        if not self.keys:
            return f"{self.title}: {number}"
        return say(
            "{name}: {letter} = {value} on the keys {columns}",
            name=self.title,
            letter=self.name[0],
            value=number,
            columns=say(", ").join(self.keys),
        )

    @property
    def title(self) -> str:
        """What is promised, in the current language."""
        titles = {
            "k-anonymity": say("k-anonymity"),
            "l-diversity": say("l-diversity"),
            "t-closeness": say("t-closeness"),
            "Pk-anonymity": say("Pk-anonymity"),
            "epsilon": say("ε per record"),
        }
        return titles.get(self.name, self.name)

    @property
    def holds(self) -> bool | None:
        """Whether all that the promise needs is so; None where nothing but proof is lacking."""
        answers = {condition.holds for condition in self.conditions}
        return False if False in answers else None if None in answers else True

    @property
    def why_not(self) -> tuple[Message, ...]:
        """Why the promise does not hold."""
        return tuple(
            condition.why_not or condition.text
            for condition in self.conditions
            if condition.holds is False
        )

    def told(self) -> "Guarantee":
        """Return what the public may know of it: no number that looks at the original."""
        conditions = tuple(
            replace(condition, why_not=without_numbers(condition.why_not))
            for condition in self.conditions
        )
        value = self.value if self.public_value is None else self.public_value
        return replace(self, value=value, stated=value, conditions=conditions)

    def as_dict(self) -> Mapping[str, Any]:
        """Return what a program reads."""
        return {
            "name": self.name,
            "value": self.value,
            "stated": self.stated,
            "holds": self.holds,
            "keys": list(self.keys),
            "conditions": [condition.as_dict() for condition in self.conditions],
        }
