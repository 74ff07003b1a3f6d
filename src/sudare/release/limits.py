"""Limits that a custodian states: ``k-anonymity >= 5``, ``individual-risk.max <= 0.2``."""

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from sudare.catalog import Subject, entry_of, find
from sudare.core import Assessment, Result, SettingError, Step, say
from sudare.release.facets import Facet, parse_facet
from sudare.release.method_words import measure_title, parse_measure

Operator = Literal["<=", ">=", "<", ">"]
_HOLDS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
_TURNED: dict[Operator, Operator] = {"<=": ">=", ">=": "<=", "<": ">", ">": "<"}
_MEANT: dict[str, Operator] = {
    "=<": "<=",
    "≦": "<=",
    "≤": "<=",
    "=>": ">=",
    "≧": ">=",
    "≥": ">=",
}
_HALF_WIDTH = {full: full - 0xFEE0 for full in range(ord("！"), ord("～") + 1)}
_VERBATIM = re.compile(r"(\[[^]]*\]|'[^']*'|\"[^\"]*\")")  # names of columns, and values
_SIGNS = "|".join(("<=", ">=", *sorted(_MEANT, key=len, reverse=True), "<", ">"))
_WRITTEN = re.compile(rf"(.+?)\s*({_SIGNS})\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*")
# A measure, then a column in brackets or a facet, then settings behind a colon.
_MEASURE = re.compile(
    r"(?P<name>[\w-]+)(?:\[(?P<column>[^]]+)\])?"
    r"(?:\.(?P<facet>\w+)\s*(?:\((?P<number>[^)]*)\))?)?\s*(?P<settings>:.*)?",
    re.DOTALL,
)


class FacetOf(Assessment):
    """A measure by one of its facets, as a measure of its own: what a search tries to keep.

    Examples
    --------
    >>> import sudare
    >>> Limit.parse("k-anonymity[sex] >= 5").quantity(sudare.datasets.toy()).value
    195.0
    """

    measure: Annotated[Assessment, "what is measured"]
    facet: Annotated[Facet, "what of it counts"]

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "kind", self.measure.kind)
        object.__setattr__(self, "confidential", self.measure.confidential)

    def __call__(self, before: Any, after: Any = None, *, steps: Sequence[Step] = ()) -> Result:
        """Measure, and return the facet as the value."""
        return self.of(self.measure(before, after, steps=steps))

    def of(self, result: Result) -> Result:
        """Return the facet of a result of the measure as a result."""
        return Result(
            result.measure,
            self.facet.of(result.as_judged()),
            result.best,
            result.worst,
            notes=result.notes,
        )

    def label(self) -> str:
        """Return the name of the measure with its settings, and the facet."""
        return f"{self.measure.label()}{self.facet}"


def _half_width(text: str) -> str:
    """Return a text with full-width letters, digits and signs as half-width ones."""
    parts = _VERBATIM.split(text)
    parts[::2] = [part.translate(_HALF_WIDTH) for part in parts[::2]]
    return "".join(parts)


@dataclass(frozen=True)
class Limit:
    """What a measure must reach.

    Attributes
    ----------
    measure
        What is measured.
    comparison, number
        How the value must compare with which number.
    facet
        What of the result counts in place of its value.

    Examples
    --------
    >>> limit = Limit.parse("k-anonymity >= 5")
    >>> limit.measure, limit.number
    (KAnonymity(columns=None, missing='suppressed'), 5.0)
    >>> print(Limit.parse("individual-risk.share_above(0.1) ≦ 0.01"))
    individual-risk.share_above(0.1) <= 0.01
    """

    measure: Assessment
    comparison: Operator
    number: float
    facet: Facet | None = None

    @classmethod
    def parse(cls, text: str, subject: Subject = "table") -> "Limit":
        """Return the limit that a text states, on tables or on purchase histories."""
        match = _WRITTEN.fullmatch(_half_width(text).strip())
        named = match and _MEASURE.fullmatch(match[1].strip())
        if match is None or named is None:
            raise SettingError(
                "write a limit as 'k-anonymity >= 5' or 'individual-risk.max <= 0.2'."
            )
        measure = parse_measure(f"{named['name']}{named['settings'] or ''}", subject)
        sign = _MEANT.get(match[2], match[2])
        return cls(measure, sign, float(match[3]), _facet(named))  # type: ignore[arg-type]

    @classmethod
    def all_of(
        cls, given: "Sequence[str | Limit]", subject: Subject = "table"
    ) -> "tuple[Limit, ...]":
        """Return limits, some of which may be given in words."""
        listed = given if isinstance(given, Iterable) and not isinstance(given, str) else [given]
        limits = tuple(
            cls.parse(limit, subject) if isinstance(limit, str) else limit for limit in listed
        )
        if not all(isinstance(limit, Limit) for limit in limits):
            raise SettingError(
                "write a limit as 'k-anonymity >= 5' or 'individual-risk.max <= 0.2'."
            )
        return limits

    @property
    def quantity(self) -> Assessment:
        """What must be within the limit: the measure, or one of its facets."""
        if self.facet is None:
            return self.measure
        return FacetOf(measure=self.measure, facet=self.facet)

    def value_of(self, result: Result) -> float:
        """Return the number of a result that the limit is about: the safer of two readings.

        Refuses a limit on a risk that the worst possible result keeps and the best one does not.
        """
        is_risk = self.facet is None and self.measure.kind == "risk"
        if is_risk and self.met_at(result.worst) and not self.met_at(result.best):
            raise SettingError(
                "the limit {limit} keeps out the better results; write {turned} for at least as "
                "good a result.",
                limit=self,
                turned=replace(self, comparison=_TURNED[self.comparison]),
            )
        return result.judged if self.facet is None else self.facet.of(result.as_judged())

    def met_by(self, result: Result) -> bool:
        """Return whether a result is within the limit."""
        return self.met_at(self.value_of(result))

    def reading(self, value: float) -> str:
        """Return the sentence on a number that counts although another one is shown."""
        return say(
            "{limit} is judged by {value}: the number for an attacker who knows the keys "
            "of a person, those that were suppressed too.",
            limit=self.title,
            value=f"{value:.4g}",
        )

    def judged(self, result: Result) -> dict[str, Any]:
        """Return the limit, the number that it is about, and whether it is kept, for JSON."""
        value = self.value_of(result)
        return {"limit": str(self), "value": value, "kept": self.met_at(value)}

    def met_at(self, value: float) -> bool:
        """Return whether a value is within the limit."""
        return _HOLDS[self.comparison](value, self.number)

    def excess(self, value: float) -> float:
        """Return by how much a value misses the limit; not above 0 where it is met."""
        if self.met_at(value):
            return 0.0
        away = abs(value - self.number)
        return max(away, 1e-9)  # a strict limit is missed at the number itself

    @property
    def title(self) -> str:
        """The limit as a report says it: the measure by its title, in the current language."""
        if self.measure.settings():
            return str(self)
        sign = {"<=": "≤", ">=": "≥"}.get(self.comparison, self.comparison)
        return f"{measure_title(self.quantity)} {sign} {self.number:g}"

    def __str__(self) -> str:
        name = f"{entry_of(self.measure).slug}{self.facet or ''}"
        settings = ", ".join(f"{k} = {v!r}" for k, v in self.measure.settings().items())
        return f"{name}{': ' + settings if settings else ''} {self.comparison} {self.number:g}"


def _facet(named: re.Match[str]) -> Facet | None:
    """Return the facet of a measure as a limit names it, if it names one."""
    name = find(named["name"]).slug
    if named["column"] is not None and named["facet"] is not None:
        raise SettingError(
            "'{measure}[…]' is one number: it has no '.{facet}'.",
            measure=name,
            facet=named["facet"],
        )
    if named["column"] is not None:
        return Facet(column=named["column"].strip().strip("'\""))
    return None if named["facet"] is None else parse_facet(name, named["facet"], named["number"])
