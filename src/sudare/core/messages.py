"""The catalog of messages: English in the code, other languages in ``sudare/locale``.

The English sentence is the key, so that code stays readable and a missing translation falls back
to English. Placeholders are filled by name and never hold a cell value.
"""

import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from numbers import Number
from string import Formatter
from typing import Any, Literal, get_args

Language = Literal["en", "ja"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_language: ContextVar[Language] = ContextVar("sudare_language", default="en")
_is_retellable: ContextVar[bool] = ContextVar("sudare_retellable", default=False)


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
    told = _PLURALS.vformat(sentence, (), facts) if "|" in sentence else sentence.format(**facts)
    if _is_retellable.get() and all(isinstance(fact, str | Number) for fact in facts.values()):
        return Sentence(told, template, facts)
    return told


@contextmanager
def retellable() -> Iterator[None]:
    """Let sentences made in the block be repeated later, in the language of their reader."""
    token = _is_retellable.set(True)
    try:
        yield
    finally:
        _is_retellable.reset(token)


class Sentence(str):
    """A sentence that can be repeated in another language; see :func:`retold`."""

    __slots__ = ("facts", "template")
    template: str
    facts: dict[str, Any]

    def __new__(cls, told: str, template: str, facts: dict[str, Any]) -> "Sentence":
        """Return the sentence, with what it was made of."""
        sentence = super().__new__(cls, told)
        sentence.template, sentence.facts = template, facts
        return sentence

    def __reduce__(self) -> tuple[object, ...]:
        return (Sentence, (str(self), self.template, self.facts))


def retold(text: str) -> str:
    """Return a sentence in the current language, whatever it was made in; other text as it is.

    Examples
    --------
    >>> with retellable():
    ...     note = say("missing")
    >>> with speaking("ja"):
    ...     retold(note)
    '欠測'
    """
    if not isinstance(text, Sentence):
        return text
    facts = {
        name: retold(fact) if isinstance(fact, str) else fact for name, fact in text.facts.items()
    }
    return say(text.template, **facts)


def paragraph(*sentences: str) -> str:
    """Return sentences one after the other; Japanese puts no space between them.

    Examples
    --------
    >>> paragraph("It is so.", "It was."), paragraph("そうです。", "そうでした。")
    ('It is so. It was.', 'そうです。そうでした。')
    """
    return " ".join(sentences).replace("。 ", "。")


@dataclass(frozen=True, init=False)
class Message:
    """A sentence that is rendered when it is read, in the language of that moment.

    Examples
    --------
    >>> count = Message("{count} {count:row|rows}", count=2)
    >>> str(count)
    '2 rows'
    """

    template: str
    facts: tuple[tuple[str, object], ...]

    def __init__(self, template: str, /, **facts: object) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "facts", tuple(facts.items()))

    def __str__(self) -> str:
        return say(self.template, **dict(self.facts))


class Names(str):
    """Names that stand in the quotes of a sentence, each in its own.

    Examples
    --------
    >>> with speaking("ja"):
    ...     format(Names.of(["a", "b"]))
    'a」「b'
    """

    __slots__ = ()

    @classmethod
    def of(cls, names: Iterable[str]) -> "Names":
        """Return several names as one."""
        return cls("', '".join(names))

    def __format__(self, format_spec: str) -> str:
        between = "」「" if language() == "ja" else "', '"
        return format(between.join(self.split("', '")), format_spec)


class _Plurals(Formatter):
    """``{count:row|rows}`` is ``row`` for one, ``rows`` otherwise."""

    def format_field(self, value: Any, format_spec: str) -> Any:
        singular, bar, many = format_spec.partition("|")
        if not bar:
            return super().format_field(value, format_spec)
        return singular if str(value) == "1" else many


_PLURALS = _Plurals()


class Percent(float):
    """A share that is shown as a percentage."""


def shown(value: object) -> str:
    r"""Return a cell of a table as people read it.

    Examples
    --------
    >>> shown(20000.0), shown(0.123456), shown("a"), shown(Percent(0.0625))
    ('20000', '0.1235', 'a', '6.25\xa0%')
    """
    if isinstance(value, Percent):
        return f"{float(f'{100 * value:.3g}'):g}\N{NO-BREAK SPACE}%"
    if not isinstance(value, float):
        return str(value)
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.4g}"
