"""Checklists of laws and guidelines: what is asked, where that is written, what may show it."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Any

from sudare.core import Checked, language, say, unknown_name

_ENDING = ".toml"


class ChecklistText(Checked):
    """A text in two languages."""

    en: Annotated[str, "in English"]
    ja: Annotated[str, "in Japanese"]

    def __str__(self) -> str:
        return self.ja if language() == "ja" else self.en


class EvidenceWanted(Checked):
    """What of a release may show that an item is met."""

    findings: Annotated[tuple[str, ...], "kinds of findings of the gate"] = ()
    measures: Annotated[tuple[str, ...], "names of measures"] = ()
    methods: Annotated[tuple[str, ...], "names of maskers"] = ()
    headings: Annotated[tuple[str, ...], "what headings of released columns may speak of"] = ()
    texts: Annotated[tuple[str, ...], "entries of the section [report]"] = ()
    identifiers: Annotated[bool, "which columns were left out as identifiers"] = False


@dataclass(frozen=True)
class ChecklistItem:
    """One thing that is asked.

    Attributes
    ----------
    asked
        What is asked, in our own words.
    citation
        Where it is written.
    wanted
        What of a release may show it.
    citation_checked
        Whether the number of the article or section was seen in a published text.
    """

    asked: ChecklistText
    citation: ChecklistText
    wanted: EvidenceWanted
    citation_checked: bool = True

    @property
    def cited(self) -> str:
        """The citation, with a mark where its number has still to be checked."""
        if self.citation_checked:
            return str(self.citation)
        return say("{citation} (citation to be checked)", citation=self.citation)


@dataclass(frozen=True)
class LegalProfile:
    """The checklist of a law or a guideline. It is no legal advice, and judges nothing.

    Attributes
    ----------
    name
        As a project and the command line name it.
    title
        What it is called.
    source
        The law or guideline, with its date.
    items
        What is asked.

    Examples
    --------
    >>> profile = LegalProfile.read("hipaa")
    >>> len(profile.items), str(profile.items[0].citation)
    (19, '45 CFR 164.514(b)(2)(i)(A)')
    """

    name: str
    title: ChecklistText
    source: ChecklistText
    items: tuple[ChecklistItem, ...]

    @classmethod
    def read(cls, name: str) -> "LegalProfile":
        """Return a profile by its name."""
        if name not in legal_profiles():
            raise unknown_name("legal profile", name, legal_profiles())
        return _read(name)


def legal_profiles() -> tuple[str, ...]:
    """Return the names of all profiles.

    Examples
    --------
    >>> "gdpr" in legal_profiles()
    True
    """
    names = (path.name for path in _folder().iterdir())
    return tuple(sorted(name.removesuffix(_ENDING) for name in names if name.endswith(_ENDING)))


@cache
def _read(name: str) -> LegalProfile:
    told = tomllib.loads(_folder().joinpath(name + _ENDING).read_text(encoding="utf-8"))
    items = tuple(_item(entry) for entry in told["items"])
    return LegalProfile(
        name, ChecklistText(**told["title"]), ChecklistText(**told["source"]), items
    )


def _item(entry: dict[str, Any]) -> ChecklistItem:
    citation = entry["citation"]
    words = {"en": citation, "ja": citation} if isinstance(citation, str) else citation
    wanted = EvidenceWanted(**entry.get("evidence", {}))
    checked = bool(entry.get("citation_checked", True))
    return ChecklistItem(ChecklistText(**entry["asked"]), ChecklistText(**words), wanted, checked)


def _folder() -> Traversable:
    return files("sudare.release.legal").joinpath("profiles")
