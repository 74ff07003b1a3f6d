"""What a proposal consists of."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

What = Literal[
    "role",
    "scale",
    "order",
    "missing",
    "not_applicable",
    "twin",
    "filter",
    "constant",
    "derived",
    "number",
    "date",
]
WHATS: tuple[What, ...] = get_args(What)
Kind = Literal["sum", "difference", "ratio"]
_WITHOUT_VALUES: frozenset[What] = frozenset({"role", "scale", "twin", "derived", "number", "date"})


@dataclass(frozen=True)
class Filter:
    """A question that was asked only where another column has certain answers."""

    column: str
    answers: tuple[object, ...] = field(repr=False)


@dataclass(frozen=True)
class Derivation:
    """How a column follows from others: their sum, or first minus second, or first over second."""

    kind: Kind
    columns: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Proposal:
    """Something that a column probably is; never applied without confirmation.

    Attributes
    ----------
    column
        The column that the proposal is about.
    what
        What is proposed, and with it what ``value`` holds:

        ========================= ================================================================
        "role", "scale"           the word
        "order"                   the labels as text, lowest first
        "missing"                 the words for "no answer"
        "not_applicable"          the words for "cannot have one"; "" is a blank cell
        "twin"                    the column that says the same in other words, or more coarsely
        "filter"                  a :class:`Filter`: the column and its answers that are asked
        "constant"                True
        "derived"                 a :class:`Derivation`
        "number"                  the rule by which the text becomes numbers
        "date"                    the calendar: "gregorian", "japanese" (eras), or "year"
        ========================= ================================================================
    reason
        Why, in a sentence of the current language, without any value of the data.
    confidence
        Between 0 and 1.
    evidence
        The counts behind it, by word.
    """

    column: str
    what: What
    value: object
    reason: str
    confidence: float
    evidence: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def __repr__(self) -> str:
        shown = f"={self.value!r}" if self.what in _WITHOUT_VALUES else ""
        return f"<Proposal '{self.column}' {self.what}{shown}, {self.confidence:.2f}>"
