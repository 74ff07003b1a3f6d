"""The catalogue of messages: English in the code, other languages in ``sudare/locale``.

The English sentence is the key, so that code stays readable and a missing translation falls back
to English. Placeholders are filled by name and never hold a cell value.
"""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Literal, get_args

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_language: ContextVar[Language] = ContextVar("sudare_language", default="en")


def language() -> Language:
    """Return the language in which messages are rendered now."""
    return _language.get()


@contextmanager
def speaking(chosen: Language) -> Iterator[None]:
    """Render messages in another language inside the ``with`` block.

    Examples
    --------
    >>> with speaking("ja"):
    ...     say("missing")
    '欠測'
    """
    token = _language.set(chosen)
    try:
        yield
    finally:
        _language.reset(token)


@cache
def catalogue(chosen: Language) -> dict[str, str]:
    """Return the translations of one language, by English sentence."""
    if chosen == "en":
        return {}
    text = files("sudare").joinpath("locale", f"{chosen}.toml").read_text(encoding="utf-8")
    return {str(key): str(value) for key, value in tomllib.loads(text).items()}


def say(template: str, /, **facts: object) -> str:
    """Fill an English template, in the current language.

    A number followed by two forms chooses between them: the first for one, the second otherwise.

    Examples
    --------
    >>> say("{count} {count:row|rows}", count=3), say("{count} {count:row|rows}", count=1)
    ('3 rows', '1 row')
    """
    sentence = catalogue(language()).get(template, template)
    return _PLURALS.vformat(sentence, (), facts) if "|" in sentence else sentence.format(**facts)


class _Plurals(Formatter):
    """``{count:row|rows}`` is ``row`` for one, ``rows`` otherwise."""

    def format_field(self, value: Any, format_spec: str) -> Any:
        one, bar, many = format_spec.partition("|")
        if not bar:
            return super().format_field(value, format_spec)
        return one if str(value) == "1" else many


_PLURALS = _Plurals()
