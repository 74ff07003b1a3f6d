"""What a heading says: the words of ``words.toml``, in English and Japanese.

English is matched word by word, Japanese by parts of the text. Heads of nouns stand last in both
languages ("household income", 世帯主の年齢), so the match that ends last wins, then the longest; in
"X of Y" and 年齢（世帯主） what comes first is asked first. Weak concepts ("category") lose to
others.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from sudare.core import Role, Scale, language

_QUESTION = re.compile(
    r"^(?:q|問|設問|f|sc|no|v|var|x|col|item|h|p)\s*\d+(?:[-_.]\d+)*[\s_.:、．)-]*"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"[a-z0-9]+")
_GAP = re.compile(r"[\sの_・\-/／.,:;'\"「」【】\[\]]+")
_BRACKETS = re.compile(r"\(([^()]*)\)")
_SHORT = frozenset(
    ["grp", "cat", "cls", "cd", "nm", "dt", "yr", "stat", "lvl", "typ", "num", "nbr", "amt", "flg"]
)
_ENDS_IN_NUMBER = re.compile(r"(?:(?<![a-z])(?:id|no\.?|nr|number)|番号)$")


@dataclass(frozen=True)
class Concept:
    """Something that headings speak of.

    A ``weak`` one decides only where the heading has no other.
    """

    name: str
    role: Role
    scale: Scale
    meaning: tuple[str, str]
    weak: bool = False

    @property
    def words(self) -> str:
        """The meaning in the current language."""
        return self.meaning[language() == "ja"]


@dataclass(frozen=True)
class _Lexicon:
    english: dict[tuple[str, ...], Concept]
    japanese: dict[str, Concept]
    exact: dict[str, Concept]
    longest_english: int
    longest_japanese: int

    @cached_property
    def words(self) -> frozenset[str]:
        """The English words that occur in an entry, and how headings shorten some."""
        return frozenset(word for entry in self.english for word in entry) | _SHORT


@cache
def concepts() -> dict[str, Concept]:
    """Return the concepts of the word list, by name."""
    return {
        name: Concept(
            name,
            entry["role"],
            entry["scale"],
            tuple(entry["meaning"]),
            weak=entry.get("weak", False),
        )
        for name, entry in _listed().items()
    }


@cache
def concept_of(heading: str) -> Concept | None:
    """Return what a heading speaks of; None where no listed word occurs.

    Examples
    --------
    >>> concept_of("household income").name, concept_of("世帯主の年齢（歳）").name
    ('income', 'age')
    """
    text = _plain(heading)
    exact = _lexicon().exact.get(text)
    if exact is not None:
        return exact
    outside = _BRACKETS.sub(" ", text)
    for part in (outside, *_BRACKETS.findall(text)):
        concept = _in_japanese(part) if not part.isascii() else _in_english(part)
        if concept is not None:
            return _numbered(part.strip(), concept)
    return None


def _numbered(text: str, concept: Concept) -> Concept:
    """Return what a heading says that ends in "id" or 番号: a claim's number, not its contents."""
    is_number = concept.role == "sensitive" and _ENDS_IN_NUMBER.search(text)
    return concepts()["record_number"] if is_number else concept


def _plain(heading: str) -> str:
    """Return a heading in lower case and half width, without the number of its question."""
    split = _CAMEL.sub(" ", unicodedata.normalize("NFKC", heading))
    text = " ".join(split.replace("_", " ").lower().split())
    return _QUESTION.sub("", text) or text


def _in_english(text: str) -> Concept | None:
    words = _WORD.findall(text)
    whole = ["".join(words)]  # HbA1c
    without_digits = [word.rstrip("0123456789") for word in words]  # ISCO08
    parts = [part for word in without_digits for part in _parts(word)]  # agegrp
    spellings = (words, whole, without_digits, parts)
    readings = [_in_words([_stem(word) for word in some]) for some in spellings]
    full = [part for word in without_digits for part in _abbreviated().get(word, word).split()]
    in_full = _in_words([_stem(word) for word in full])
    # The head stands last: where it is shortened, only the full words tell what it is.
    is_short = bool(words) and without_digits[-1] in _abbreviated()
    known = [c for c in ([in_full, *readings] if is_short else [*readings, in_full]) if c]
    return _strongest(known)


def _parts(word: str) -> list[str]:
    """Return a word that is two known ones written together, as both of them."""
    known = _lexicon().words
    cuts = (n for n in range(3, len(word) - 1) if word[:n] in known and word[n:] in known)
    cut = next(cuts, 0)
    return [word[:cut], word[cut:]] if cut else [word]


def _in_words(words: list[str]) -> Concept | None:
    head = words[: words.index("of")] if "of" in words else words
    phrases = [concept for entry, concept in _english_in(words) if "of" in entry]
    heads = [concept for _, concept in _english_in(head)]
    return _strongest(phrases) or _strongest(heads + [c for _, c in _english_in(words)])


def _english_in(words: list[str]) -> Iterator[tuple[tuple[str, ...], Concept]]:
    """Yield the entries of a heading from its end; a word belongs to one entry, the longest."""
    lexicon = _lexicon()
    end = len(words)
    while end:
        sizes = range(min(lexicon.longest_english, end), 0, -1)
        entries = (tuple(words[end - size : end]) for size in sizes)
        entry = next((entry for entry in entries if entry in lexicon.english), None)
        if entry is not None:
            yield entry, lexicon.english[entry]
        end -= len(entry or (1,))


def _in_japanese(text: str) -> Concept | None:
    joined = _GAP.sub("", text)
    whole = _lexicon().exact.get(joined)
    return whole or _strongest(list(_japanese_in(joined))) or _in_english(text)


def _japanese_in(joined: str) -> Iterator[Concept]:
    """Yield the entries of a heading from its end; a sign belongs to one entry, the longest."""
    lexicon = _lexicon()
    end = len(joined)
    while end:
        sizes = range(min(lexicon.longest_japanese, end), 0, -1)
        size = next((size for size in sizes if joined[end - size : end] in lexicon.japanese), 0)
        if size:
            yield lexicon.japanese[joined[end - size : end]]
        end -= size or 1


def _strongest(concepts: list[Concept]) -> Concept | None:
    """Return the first concept that is not weak, or else the first."""
    return next(
        (concept for concept in concepts if not concept.weak), concepts[0] if concepts else None
    )


def _stem(word: str) -> str:
    """Return the singular of a plural in -s or -ies."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@cache
def _lexicon() -> _Lexicon:
    english: dict[tuple[str, ...], Concept] = {}
    japanese: dict[str, Concept] = {}
    exact: dict[str, Concept] = {}
    for name, entry in _listed().items():
        concept = concepts()[name]
        phrases = (tuple(map(_stem, _WORD.findall(e))) for e in _entries(entry, "en"))
        english |= dict.fromkeys(phrases, concept)
        japanese |= {_GAP.sub("", _plain(e)): concept for e in _entries(entry, "ja")}
        exact |= {_plain(e): concept for e in entry.get("exact", [])}
    return _Lexicon(
        english, japanese, exact, max(map(len, english)), max(len(entry) for entry in japanese)
    )


def _entries(entry: dict[str, Any], code: str) -> Iterator[str]:
    """Yield the words of a concept, and every word of a kind in every form: "date of death"."""
    for form in entry.get(f"forms_{code}", ()):
        yield from (form.format(word) for word in entry[f"each_{code}"])
    yield from entry[code]


@cache
def _abbreviated() -> dict[str, str]:
    text = files(__package__).joinpath("abbreviations.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _listed() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))
