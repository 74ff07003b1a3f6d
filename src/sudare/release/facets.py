"""Facets: what a limit may look at in a result besides its value, such as its largest risk."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from sudare.core import Floats, Result, SettingError, say


@dataclass(frozen=True)
class Facet:
    """One number of a result: ``max``, ``share_above(0.1)``, or the part of a column.

    Attributes
    ----------
    name
        One of ``max``, ``min``, ``quantile``, ``share_above``, ``share_below``, ``lower``,
        ``upper``, ``worst_column`` and ``above_baseline``; empty for a column.
    number
        The number in parentheses, where the facet takes one.
    column
        The column whose part is meant, or what the names of several parts begin with: the worst of
        these counts.

    Examples
    --------
    >>> risks = np.array([0.1, 0.1, 0.5, 0.3])
    >>> result = Result("IndividualRisk", 0.25, 0, 1, by_record=risks)
    >>> Facet("max").of(result), Facet("share_above", 0.2).of(result)
    (0.5, 0.5)
    """

    name: str = ""
    number: float | None = None
    column: str | None = None

    def of(self, result: Result) -> float:
        """Return the number of a result; refuse where it has none of this kind."""
        if self.column is not None:
            return _part(result, self.column)
        available = _available(result)
        if self.name not in available:
            raise SettingError(
                "{measure} has no '.{facet}' here; it has: {known}.",
                measure=result.measure,
                facet=self.name,
                known=", ".join(f".{name}" for name in available),
            )
        return available[self.name](self.number)

    def __str__(self) -> str:
        if self.column is not None:
            return f"[{self.column}]"
        return f".{self.name}" + ("" if self.number is None else f"({self.number:g})")


def _part(result: Result, column: str) -> float:
    """Return a part by its name, or the worst of those whose names begin with it."""
    told = ", ".join(word if "{" in word else say(word) for word in column.split(", "))
    for name in (column, told):  # as results in the current language have it
        if name in result.parts:
            return float(result.parts[name])
        begun = [value for each, value in result.parts.items() if each.startswith(f"{name}, ")]
        if begun:
            return float(_worst(result)(begun))
    raise SettingError(
        "{measure} has no part '{column}'; it has: {known}.",
        measure=result.measure,
        column=column,
        known=", ".join(result.parts) or "–",
    )


def _worst(result: Result) -> Callable[[Iterable[float]], float]:
    return max if result.lower_is_better else min


_WITH_NUMBER = ("quantile", "share_above", "share_below")
_NAMES = ("max", "min", *_WITH_NUMBER, "lower", "upper", "worst_column", "above_baseline")


def parse_facet(measure: str, name: str, number: str | None) -> Facet:
    """Return the facet that a limit names; refuse one that does not exist."""
    if name not in _NAMES:
        near = get_close_matches(name, _NAMES, n=1, cutoff=0.5)
        known = ", ".join(f".{each}" for each in _NAMES)
        if near:
            raise SettingError(
                "{measure} has no '.{facet}'; did you mean '.{near}'? There are: {known}.",
                measure=measure,
                facet=name,
                near=near[0],
                known=known,
            )
        raise SettingError(
            "{measure} has no '.{facet}'; there are: {known}.",
            measure=measure,
            facet=name,
            known=known,
        )
    if (name in _WITH_NUMBER) != (number is not None):
        example = f".{name}(0.1)" if name in _WITH_NUMBER else f".{name}"
        raise SettingError("write '{example}'.", example=f"{measure}{example}")
    try:
        given = None if number is None else float(number)
    except ValueError:
        raise SettingError("write '{example}'.", example=f"{measure}.{name}(0.1)") from None
    if name == "quantile" and given is not None and not 0 <= given <= 1:
        raise SettingError("a quantile must be between 0 and 1, as in '.quantile(0.99)'.")
    return Facet(name, given)


def _available(result: Result) -> Mapping[str, Callable[[float | None], float]]:
    """Return how each facet of a result is computed, by name."""
    low, high = result.interval or (result.value, result.value)
    facets: dict[str, Callable[[float | None], float]] = {}
    if result.by_record is not None:
        detail = np.asarray(result.by_record, np.float64)
        facets |= _by_record(detail[~np.isnan(detail)])
    facets |= {"lower": lambda _: low, "upper": lambda _: high}
    if result.parts:
        facets["worst_column"] = lambda _: float(_worst(result)(result.parts.values()))
    if (baseline := result.baseline) is not None:
        facets["above_baseline"] = lambda _: result.value - baseline
    return facets


def _by_record(known: Floats) -> dict[str, Callable[[float | None], float]]:
    """Return the facets that look at records; none where no record has a number."""
    return (
        {}
        if not len(known)
        else {
            "max": lambda _: float(known.max()),
            "min": lambda _: float(known.min()),
            "quantile": lambda share: float(np.quantile(known, share or 0.0)),
            "share_above": lambda bound: float((known > (bound or 0.0)).mean()),
            "share_below": lambda bound: float((known < (bound or 0.0)).mean()),
        }
    )
