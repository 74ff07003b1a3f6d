"""Limits that a custodian states: ``k-anonymity >= 5``, ``record-linkage: k = 3 <= 0.05``."""

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from sudare import catalog
from sudare.core import Assessment, Result, SettingError
from sudare.release.method_words import parse_measure

Operator = Literal["<=", ">=", "<", ">"]
_HOLDS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_WRITTEN = re.compile(r"(.+?)\s*(<=|>=|<|>)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*")


@dataclass(frozen=True)
class Limit:
    """What a measure must reach.

    Examples
    --------
    >>> limit = Limit.parse("k-anonymity >= 5")
    >>> limit.measure, limit.number
    (KAnonymity(columns=None, missing='suppressed'), 5.0)
    """

    measure: Assessment
    comparison: Operator
    number: float

    @classmethod
    def parse(cls, text: str) -> "Limit":
        """Return the limit that a text states."""
        match = _WRITTEN.fullmatch(text.strip())
        if match is None:
            raise SettingError("write a limit as 'k-anonymity >= 5'.")
        return cls(parse_measure(match[1]), match[2], float(match[3]))  # type: ignore[arg-type]

    @classmethod
    def all_of(cls, given: "Sequence[str | Limit]") -> "tuple[Limit, ...]":
        """Return limits, some of which may be given in words."""
        listed = given if isinstance(given, Iterable) and not isinstance(given, str) else [given]
        limits = tuple(cls.parse(limit) if isinstance(limit, str) else limit for limit in listed)
        if not all(isinstance(limit, Limit) for limit in limits):
            raise SettingError("write a limit as 'k-anonymity >= 5'.")
        return limits

    def met_by(self, result: Result) -> bool:
        """Return whether a result is within the limit."""
        return self.met_at(result.value)

    def met_at(self, value: float) -> bool:
        """Return whether a value is within the limit."""
        return _HOLDS[self.comparison](value, self.number)

    def excess(self, value: float) -> float:
        """Return by how much a value misses the limit; not above 0 where it is met."""
        if self.met_at(value):
            return 0.0
        away = abs(value - self.number)
        return max(away, 1e-9)  # a strict limit is missed at the number itself

    def __str__(self) -> str:
        name = catalog.find(type(self.measure).__name__).slug
        settings = ", ".join(f"{k} = {v!r}" for k, v in self.measure.settings().items())
        return f"{name}{': ' + settings if settings else ''} {self.comparison} {self.number:g}"
