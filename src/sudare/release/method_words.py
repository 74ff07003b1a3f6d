"""Methods as words: ``pram``, or ``pram: retain = 0.9, columns = ['sex']``."""

import tomllib
from collections.abc import Iterable
from typing import Any

from sudare import catalog
from sudare.core import AnyMasker, Assessment, SettingError


def parse_masker(text: str) -> AnyMasker:
    """Return the masker that a text describes: ``pram`` or ``pram: retain = 0.9``."""
    return catalog.masker(*_split(text))


def parse_measure(text: str) -> Assessment:
    """Return the measure that a text describes.

    Examples
    --------
    >>> parse_measure("uniques: columns = ['sex']")
    Uniques(columns=('sex',), missing='suppressed')
    """
    return catalog.measure(*_split(text))


def measures_from(given: Iterable[str | Assessment]) -> list[Assessment]:
    """Return measures, some of which may be given in words.

    Examples
    --------
    >>> [type(measure).__name__ for measure in measures_from(["uniques"])]
    ['Uniques']
    """
    listed: Any = [given] if isinstance(given, str | type) else given
    if not isinstance(listed, Iterable):
        listed = [listed]
    measures = [parse_measure(one) if isinstance(one, str) else one for one in listed]
    for measure in measures:
        if isinstance(measure, type) and issubclass(measure, Assessment):
            raise SettingError("{method} is a class; write {method}().", method=measure.__name__)
        if not isinstance(measure, Assessment):
            raise SettingError("measures are such as sudare.risk.Uniques() or 'uniques'.")
    return measures


def _split(text: str) -> tuple[str, dict[str, object]]:
    name, _, rest = text.partition(":")
    try:
        settings = tomllib.loads(f"settings = {{{rest.strip()}}}")["settings"]
    except tomllib.TOMLDecodeError:
        raise SettingError(
            "'{text}' is not understood; write settings as name = value, for example "
            "\"pram: retain = 0.9, columns = ['sex']\".",
            text=text,
        ) from None
    return name.strip(), settings
