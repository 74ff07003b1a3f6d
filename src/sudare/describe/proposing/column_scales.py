"""The scale of a column and the order of its labels."""

import numpy as np

from sudare.core import Scale, say
from sudare.describe.proposing.facts import Facts, plain_text
from sudare.describe.proposing.proposal import Proposal, What
from sudare.describe.proposing.values import (
    absent_labels,
    calendar_of,
    label_order,
    number_rules,
    number_words,
    stray_dates,
)
from sudare.describe.scale_guesses import guess

_MOST_CODES = 2_000
_MOST_ORDERED = 200


def order_of(facts: Facts) -> Proposal | None:
    """Return the order of the labels, if they have one that can be seen."""
    if facts.is_number or not 2 <= facts.distinct <= _MOST_ORDERED:
        return None
    absent = {code for codes in absent_labels(facts).values() for code in codes}
    codes = [code for code in np.flatnonzero(facts.counts).tolist() if code not in absent]
    order = label_order([plain_text(facts.labels[code]) for code in codes])
    if order is None:
        return None
    labels = tuple(str(facts.labels[codes[position]]) for position in order)
    reason = say("its {count} labels have an order that can be read from them", count=len(labels))
    return Proposal(facts.name, "order", labels, reason, 0.9, {"labels": len(labels)})


def scale_of(facts: Facts, role: str, order: Proposal | None, written: Proposal | None) -> Proposal:
    """Return the scale that role, order, heading and values suggest."""
    if order is not None:
        return _scale(facts, "ordinal", order.reason, order.confidence)
    if written is not None and written.evidence["strays"]:
        written = None  # it is text until somebody says what those are
    if facts.is_date or (written is not None and written.what == "date"):
        return _scale(facts, "interval", say("dates and times have no natural zero"), 0.95)
    if role in {"identifier", "household"}:
        return _scale(facts, "nominal", say("numbers of persons and things are labels"), 0.95)
    if written is not None:
        return _scale(facts, "ratio", say("its text holds numbers"), written.confidence - 0.1)
    if facts.is_number:
        return _of_numbers(facts)
    guessed = guess(facts.column)
    return _scale(facts, guessed.scale, guessed.reason, 0.9)


def _of_numbers(facts: Facts) -> Proposal:
    named = _named_scale(facts)
    if named is not None:
        return named
    concept = facts.concept
    if _are_years(facts):
        return _scale(facts, "interval", say("years have no natural zero"), 0.85)
    are_codes = facts.is_whole and facts.distinct <= _MOST_CODES
    if concept is not None and concept.scale in {"nominal", "ordinal"} and are_codes:
        reason = say("its heading says {meaning}, so its numbers are codes", meaning=concept.words)
        return _scale(facts, concept.scale, reason, 0.85)
    if concept is not None and concept.scale == "ratio":
        reason = say(
            "its heading says {meaning}, which is counted from zero", meaning=concept.words
        )
        return _scale(facts, "ratio", reason, 0.9)
    guessed = guess(facts.column)
    return _scale(facts, guessed.scale, guessed.reason, 0.7)


def _named_scale(facts: Facts) -> Proposal | None:
    """Return the scale of numbers whose heading says that they are codes or classes."""
    heading = plain_text(facts.name).replace("_", " ").replace("-", " ")
    if not facts.is_whole or facts.distinct > _MOST_CODES:
        return None
    is_nominal = facts.concept is None or facts.concept.scale == "nominal"
    if not is_nominal and _ends(heading, "classes"):
        return _scale(facts, "ordinal", say("its heading says classes, which have an order"), 0.85)
    if _ends(heading, "codes"):
        return _scale(facts, "nominal", say("its heading says that its numbers are codes"), 0.9)
    return None


def _ends(heading: str, kind: str) -> bool:
    """Return whether a heading holds such a word: a whole one in English, any part in Japanese."""
    parts = heading.split()
    return any(word in (parts if word.isascii() else heading) for word in number_words(kind))


def _are_years(facts: Facts) -> bool:
    if not facts.is_whole or not facts.known:
        return False
    is_named = facts.concept is not None and facts.concept.role in {"key", "sensitive"}
    speaks_of_dates = facts.concept is not None and facts.concept.scale == "interval"
    in_range = bool(1850 <= facts.levels[0] <= facts.levels[-1] <= 2150)
    return in_range and (speaks_of_dates or not is_named)


def _scale(facts: Facts, scale: Scale, reason: str, confidence: float) -> Proposal:
    return Proposal(facts.name, "scale", scale, reason, confidence, {"distinct": facts.distinct})


def written_as(facts: Facts) -> Proposal | None:
    """Return that text holds dates or numbers, with the calendar or the rules."""
    calendar = calendar_of(facts)
    if calendar == "japanese" and all(text.endswith("年") for text in facts.texts if text):
        return None  # years, which are no dates
    if calendar is not None:
        reason, strays = _dates(facts, calendar), stray_dates(facts)
        return _written(facts, "date", calendar, reason, strays, sure=0.95)
    rules_and_strays = number_rules(facts)
    if rules_and_strays is None:
        return None
    rules, strays = rules_and_strays
    reason = say("its text holds numbers as people write them")
    return _written(facts, "number", rules, reason, strays, sure=0.9)


def _dates(facts: Facts, calendar: str) -> str:
    if calendar == "japanese":
        return say("its text holds dates in Japanese eras")
    if calendar == "serial":
        return say("its heading says dates, and its numbers look like days as Excel counts them")
    return say("its values are dates")


def _written(
    facts: Facts, what: What, value: object, reason: str, strays: int, *, sure: float
) -> Proposal:
    """Return what a text holds; one that cannot be read as a whole is only mentioned."""
    evidence = {"records": facts.known, "distinct": facts.distinct, "strays": strays}
    if strays:
        reason = say(
            "{reason}, but {count} different {count:value|values} cannot be read as such",
            reason=reason,
            count=strays,
        )
    return Proposal(facts.name, what, value, reason, 0.4 if strays else sure, evidence)
