"""The terms of the field, in every language: docs, pages and the test of all messages read them."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from sudare.core.messages import Language, language, say
from sudare.core.types import Role, Scale

Texts = Mapping[Language, str]


@dataclass(frozen=True)
class Term:
    """A term, what it means, and, of a number, how it comes about.

    Attributes
    ----------
    names
        The term by language.
    meaning
        What it says.
    avoided
        Words that are not used for it in Japanese.
    formula, improved_by
        Of a number: how it is computed, and what would make it better; else empty.
    measure
        The measure of the catalog that tells more; empty where there is none.
    counted
        Which records a number counts, where it is not all of them.
    """

    names: Texts
    meaning: Texts
    avoided: tuple[str, ...] = ()
    formula: Texts = field(default_factory=dict)
    improved_by: Texts = field(default_factory=dict)
    measure: str = ""
    counted: Texts = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The term in the current language."""
        return self.names[language()]


@cache
def glossary() -> Mapping[str, Term]:
    """Return all terms, by their English name.

    Examples
    --------
    >>> glossary()["key"].names["ja"]
    'キー'
    """
    text = files("sudare").joinpath("locale", "glossary.toml").read_text(encoding="utf-8")
    return {
        stated["en"]: Term(
            {"en": stated["en"], "ja": stated["ja"]},
            stated["meaning"],
            tuple(stated.get("not", ())),
            stated.get("formula", {}),
            stated.get("improved_by", {}),
            stated.get("measure", ""),
            stated.get("counted", {}),
        )
        for stated in tomllib.loads(text)["terms"]
    }


def role_word(role: Role) -> str:
    """Return a role as tables have it."""
    return {
        "identifier": say("identifier"),
        "key": say("key"),
        "sensitive": say("sensitive"),
        "weight": say("weight"),
        "household": say("household"),
        "other": say("other"),
    }[role]


def scale_word(scale: Scale) -> str:
    """Return a scale as tables have it: in English, by the word of the project file."""
    if language() == "en":
        return scale
    return {
        "nominal": say("nominal scale"),
        "ordinal": say("ordinal scale"),
        "interval": say("interval scale"),
        "ratio": say("ratio scale"),
    }[scale]


def scale_title(scale: Scale) -> str:
    """Return what values of a scale are, as pages and reports write it."""
    return {
        "nominal": say("categories"),
        "ordinal": say("ordered categories"),
        "interval": say("numbers without a natural zero"),
        "ratio": say("amounts"),
    }[scale]
