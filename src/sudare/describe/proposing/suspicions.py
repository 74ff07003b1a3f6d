"""What single columns give away about persons: by heading, by the form of values, inside texts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sudare.core import Microdata
from sudare.describe.proposing.facts import Facts, facts_of, plain_text
from sudare.describe.proposing.headings import concepts
from sudare.describe.proposing.proposal import Proposal
from sudare.describe.proposing.roles import mean_length, role_of
from sudare.describe.proposing.values import (
    is_full_name,
    is_individual_number,
    number_words,
    topic_of,
    words,
)

Ground = Literal[
    "values", "heading", "different", "text", "mentions", "household", "weight", "number", "key"
]

_SURE = 0.8
_FREE_TEXT = 24  # mean length, from which answers that seldom repeat are in people's own words
_SELDOM = 0.1  # share of the records whose text is their own, from which answers seldom repeat
_MENTIONED = 20_000  # labels that are searched
_LONGEST = 10_000  # characters of a label that are searched
_MANY = 50  # values from which a number may point at a person or an office
_SHARED = 100  # records per value, up to which it may
_RECORDS_EACH = 5  # records of one person, at most
_ALIKE = 0.9  # share of the values with as many records, or of one form
_SURNAMES = 8  # labels from which they may be surnames
_SURELY = 0.6  # share of them that are in the list
_CODED = re.compile(r"[a-z]{1,4}[-_ ]?\d{3,}")
_MENTIONS = (
    re.compile(r"[\w.+-]@[\w-]+(?:\.[\w-]+)+"),  # one character before @: long texts take no time
    re.compile(r"(?<![\d-])0\d{1,4}-\d{1,4}-\d{3,4}(?![\d-])|(?<!\d)0[789]0\d{8}(?!\d)"),
)
_TIME = re.compile(r"(?:.*\d[ t])?\d{1,2}(?::|時)\d{2}(?:(?::\d{2}(?:\.\d+)?)|分)?z?")
_TIMED = re.compile(r"時刻|日時|timestamp|\b(?:start|end|begin)[ _]?time\b|\btime of\b")
_TWELVE = re.compile(r"(?<!\d)\d{4}[ -]?\d{4}[ -]?\d{4}(?!\d)")


@dataclass(frozen=True)
class Suspicion:
    """A column that seems to point at persons, or to hold what does.

    Attributes
    ----------
    column
        Its name.
    ground
        "values" (they have the form of names, phone numbers or the like), "heading", "different"
        (no two records share a value), "text" (in people's own words), "mentions" (some texts hold
        a name, address or number of a person), "household" and "weight" (by its heading, numbers of
        households and sampling weights), "number" (a number, code or time of day that other files
        have) or "key" (by heading and values, what others often know about a person).
    count
        Number of records concerned.
    meaning
        What it speaks of, in English and Japanese; empty where nothing says.
    """

    column: str
    ground: Ground
    count: int
    meaning: tuple[str, str] = ("", "")


def suspicions(data: Microdata) -> tuple[Suspicion, ...]:
    """Return which columns seem to point at persons, each once, whatever their role.

    Examples
    --------
    >>> import sudare
    >>> survey = sudare.datasets.survey_like(500, seed=1)
    >>> [(s.column, s.ground) for s in suspicions(survey) if s.ground != "key"]
    [('一連番号', 'heading'), ('世帯番号', 'household'), ('集計用乗率', 'weight')]
    """
    suspected = (next(_of(facts), None) for facts in facts_of(data) if facts.known)
    return tuple(suspicion for suspicion in suspected if suspicion is not None)


def _of(facts: Facts) -> Iterator[Suspicion]:
    """Yield on what grounds a column is suspected, the surest first."""
    topic = topic_of(facts)
    by_values = None if topic is None else concepts()[topic[0]]
    if by_values is not None and by_values.role == "identifier":
        yield Suspicion(facts.name, "values", facts.known, by_values.meaning)
    proposed, concept = role_of(facts), facts.concept
    meaning = ("", "") if concept is None else concept.meaning
    if concept is not None and concept.name == "free_text" and not facts.is_number:
        yield Suspicion(facts.name, "text", facts.known, meaning)
    if proposed.value == "household":
        yield Suspicion(facts.name, "household", facts.known, meaning)
    if proposed.value == "weight":
        yield Suspicion(facts.name, "weight", facts.known, meaning)
    identifies = proposed.value == "identifier" and proposed.confidence >= _SURE
    # Names stay names where a few of them are shared by many, as those of clerks are.
    names = concept is not None and concept.name == "name" and not facts.is_number
    if names or (identifies and concept is not None and concept.role == "identifier"):
        yield Suspicion(facts.name, "heading", facts.known, meaning)
    if not facts.is_number:
        yield from _in_texts(facts)
    if identifies:
        yield Suspicion(facts.name, "different", facts.known)
    if _are_surnames(facts):
        yield Suspicion(facts.name, "values", facts.known, concepts()["name"].meaning)
    yield from _known_elsewhere(facts, proposed, meaning)


def _known_elsewhere(
    facts: Facts, proposed: Proposal, meaning: tuple[str, str]
) -> Iterator[Suspicion]:
    if _is_number_of_something(facts) or _is_repeated_number(facts) or _holds_times(facts):
        yield Suspicion(facts.name, "number", facts.known, meaning)
    if proposed.value == "key" and proposed.confidence >= _SURE:
        yield Suspicion(facts.name, "key", facts.known, meaning)


def _in_texts(facts: Facts) -> Iterator[Suspicion]:
    mentions = _mentioning(facts)
    if mentions:
        yield Suspicion(facts.name, "mentions", mentions)
    own = facts.distinct >= max(_SELDOM * facts.known, 20)
    if own and facts.texts and mean_length(facts.texts) >= _FREE_TEXT:
        yield Suspicion(facts.name, "text", facts.known)


def _mentioning(facts: Facts) -> int:
    """Return how many records have a text that holds a name, address or number of a person."""
    labels = [plain_text(str(label)[:_LONGEST]) for label in facts.labels[:_MENTIONED]]
    return sum(
        int(facts.counts[code])
        for code, text in enumerate(labels)
        if facts.counts[code] and _mentions(text)
    )


def _mentions(text: str) -> bool:
    if any(form.search(text) for form in _MENTIONS) or is_full_name(text):
        return True
    numbers: Sequence[str] = _TWELVE.findall(text)
    return len(text) > 14 and any(map(is_individual_number, numbers))


def _is_number_of_something(facts: Facts) -> bool:
    """Return whether a heading calls many repeated whole numbers or texts a number or a code."""
    if facts.is_number and not facts.is_whole:
        return False
    heading = plain_text(facts.name)
    numbered = (*number_words("codes"), "id", "no")
    named = heading.endswith(("番", "号")) or any(
        word in heading if not word.isascii() else word in re.findall("[a-z]+", heading)
        for word in numbered
    )
    return named and facts.distinct >= _MANY and facts.known <= _SHARED * facts.distinct


def _holds_times(facts: Facts) -> bool:
    """Return whether values are times of day, by their form or their heading, to the minute."""
    times = [_TIME.fullmatch(text) is not None for text in facts.texts]
    is_time = bool(times) and sum(times) >= _ALIKE * len(times)
    named = _TIMED.search(plain_text(facts.name)) is not None
    return (is_time or named) and facts.distinct >= _MANY


def _is_repeated_number(facts: Facts) -> bool:
    """Return whether values are numbered, each with a few records: persons with several records.

    Nothing that is measured has as many records for each of its values; texts of some letters and
    a number are codes anyway.
    """
    if facts.distinct < _MANY or facts.is_date or (facts.is_number and not facts.is_whole):
        return False
    counts = facts.counts[facts.counts > 0]
    usual = int(np.bincount(counts).argmax())
    if 1 < usual <= _RECORDS_EACH and (counts == usual).mean() >= _ALIKE:
        return True
    few = facts.known <= _RECORDS_EACH * facts.distinct
    coded = [_CODED.fullmatch(text) is not None for text in facts.texts]
    return few and not facts.is_number and bool(coded) and sum(coded) >= _ALIKE * len(coded)


def _are_surnames(facts: Facts) -> bool:
    """Return whether labels are surnames without given names."""
    if facts.is_number or len(facts.texts) < _SURNAMES:
        return False
    return sum(text in words("surnames") for text in facts.texts) >= _SURELY * len(facts.texts)
