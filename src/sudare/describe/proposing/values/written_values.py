"""Text that holds numbers or dates in a form that was not read as such."""

import re

from sudare.describe.proposing.facts import Facts, count_passing, plain_text
from sudare.describe.proposing.values.absent_words import absent_labels
from sudare.describe.proposing.values.value_lists import words
from sudare.engine.frames import Mark, are_numbers, numbers_of_texts, unread_dates

_ENOUGH = 0.9
_ERA = re.compile(
    r"(?:明治|大正|昭和|平成|令和|[mtshr])\s?(?:元|\d{1,2})[年./-]\s?(?:\d{1,2}[月./-]?\s?)?(?:\d{1,2}日?)?"
)
_COMMON = re.compile(
    r"(?:(?:18|19|20)\d\d[年./-]\d{1,2}(?:[月./-](?:\d{1,2}日?)?)?|\d{1,2}[./-]\d{1,2}[./-](?:18|19|20)\d\d)"
    r"(?:[ t]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?)?"
)
_EIGHT = re.compile(r"(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")


def number_rules(facts: Facts) -> tuple[tuple[str, ...], int] | None:
    """Return the rules by which text is read as numbers, and how many labels cannot be.

    Codes with leading zeros are not numbers, nor are those whose heading says they are labels.
    """
    are_labels = facts.concept is not None and facts.concept.scale in {"nominal", "ordinal"}
    if are_labels or facts.distinct < 3 or not isinstance(facts.labels[0], str):
        return None
    absent = words("missing") | words("not_applicable") | {""}
    looked_at = [str(facts.labels[position]) for position in facts.places.tolist()]
    shown = [t for t, plain in zip(looked_at, facts.texts, strict=True) if plain not in absent]
    has_commas = any("," in text for text in shown)
    marks: tuple[Mark, ...] = (".", ",") if has_commas else (".",)
    mark = next((mark for mark in marks if are_numbers(shown, _ENOUGH, mark)), None)
    if mark is None:
        return None
    answers = _answers(facts)
    numbers = numbers_of_texts(answers, mark)
    if numbers.readable.sum() < max(_ENOUGH * len(answers), 3) or numbers.lossy.any():
        return None
    strays = ~numbers.readable | numbers.mixed | numbers.unclear
    return numbers.rules, int(strays.sum())


def calendar_of(facts: Facts) -> str | None:
    """Return the calendar of text or whole numbers that are dates: "japanese" or "gregorian".

    "serial" are days as Excel counts them, in a column whose heading speaks of dates.
    """
    if _are_serials(facts):
        return "serial"
    if facts.is_date or facts.distinct < 2 or (facts.is_number and not _eight_digits(facts)):
        return None
    texts = [text for text in facts.texts if text]
    for form, calendar in ((_ERA, "japanese"), (_COMMON, "gregorian"), (_EIGHT, "gregorian")):
        if count_passing(form.fullmatch, texts, _ENOUGH * len(texts)):
            return calendar
    return None


def stray_dates(facts: Facts) -> int:
    """Return how many values that look like dates cannot be read as such.

    A day outside its era cannot, nor a month without a day, nor a date whose day and month could
    be exchanged.
    """
    return facts.distinct if facts.is_number else unread_dates(_answers(facts))


def _answers(facts: Facts) -> list[str]:
    """Return the labels without words for absent values."""
    absent = {code for codes in absent_labels(facts).values() for code in codes}
    return [str(label) for code, label in enumerate(facts.labels) if code not in absent]


def _are_serials(facts: Facts) -> bool:
    dated = facts.concept is not None and facts.concept.scale == "interval"
    dated = dated or plain_text(facts.name).endswith(("日", "date"))
    is_number = facts.is_whole and not facts.is_date and facts.distinct > 2
    return dated and is_number and bool(1e4 <= facts.levels[0] <= facts.levels[-1] <= 6e4)


def _eight_digits(facts: Facts) -> bool:
    return facts.is_whole and bool(1.8e7 <= facts.levels[0] <= facts.levels[-1] < 2.1e7)
