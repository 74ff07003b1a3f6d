"""Methods as words: ``pram``, or ``pram: retain = 0.9, columns = ['sex']``."""

import tomllib

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
    Uniques(columns=('sex',))
    """
    return catalog.measure(*_split(text))


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
