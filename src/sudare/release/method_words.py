"""Methods as words: ``pram``, or ``pram: retain = 0.9, columns = ['sex']``."""

import tomllib
from collections.abc import Iterable
from typing import Any

from sudare import catalog
from sudare.catalog import Subject
from sudare.core import AnyMasker, Assessment, SettingError, say
from sudare.transactions import History


def parse_masker(text: str) -> AnyMasker:
    """Return the masker that a text describes: ``pram`` or ``pram: retain = 0.9``."""
    return catalog.masker(*_split(text))


def parse_measure(text: str, subject: Subject = "table") -> Assessment:
    """Return the measure that a text describes, for tables or for purchase histories.

    Examples
    --------
    >>> parse_measure("uniques: columns = ['sex']")
    Uniques(columns=('sex',), missing='suppressed')
    """
    return catalog.measure(*_split(text), subject)


def subject_of(data: object) -> Subject:
    """Return what kind of methods data take: those for tables, or for purchase histories."""
    return "history" if isinstance(data, History) else "table"


def measure_title(measure: Assessment) -> str:
    """Return a measure's name in plain words, with the facet that counts, if one does.

    Examples
    --------
    >>> measure_title(parse_measure("uniques"))
    'Sample uniques'
    """
    inner = getattr(measure, "measure", None)
    if isinstance(inner, Assessment):
        return f"{measure_title(inner)} {measure.facet}"  # type: ignore[attr-defined]
    return say(catalog.entry_of(measure).title)


def measure_summary(measure: Assessment) -> str:
    """Return the first sentence about a measure."""
    inner = getattr(measure, "measure", None)
    return (
        measure_summary(inner)
        if isinstance(inner, Assessment)
        else catalog.entry_of(measure).summary
    )


def measures_from(
    given: Iterable[str | Assessment], subject: Subject = "table"
) -> list[Assessment]:
    """Return measures, some of which may be given in words.

    Examples
    --------
    >>> [type(measure).__name__ for measure in measures_from(["uniques"])]
    ['Uniques']
    """
    listed: Any = [given] if isinstance(given, str | type) else given
    if not isinstance(listed, Iterable):
        listed = [listed]
    measures = [parse_measure(each, subject) if isinstance(each, str) else each for each in listed]
    for measure in measures:
        if isinstance(measure, type) and issubclass(measure, Assessment):
            raise SettingError("{method} is a class; write {method}().", method=measure.__name__)
        if not isinstance(measure, Assessment):
            raise SettingError("give measures such as sudare.risk.Uniques() or 'uniques'.")
    return measures


def _split(text: str) -> tuple[str, dict[str, object]]:
    name, _, rest = text.partition(":")
    try:
        settings = tomllib.loads(f"settings = {{{rest.strip()}}}")["settings"]
    except (ValueError, RecursionError):
        raise SettingError(
            "'{text}' is not understood; write settings as name = value, and words in quotes, for "
            "example \"k-anonymity: missing = 'wildcard'\".",
            text=text,
        ) from None
    return name.strip(), settings
