"""Text that holds numbers or dates in a form that was not read as such."""

import re

from sudare.describe.proposing.facts import Facts, plain_text
from sudare.describe.proposing.value_lists import words

_ENOUGH = 0.9
_NUMBER = re.compile(
    r"[(]?[-+△▲]? ?[¥$€£\\]? ?\d{1,3}(?:(?:[, ]\d{3})+|\d*)(?:\.\d*)? ?(?:円|%)?[)]?"
)
_PADDED = re.compile(r"0\d+")
_ERA = re.compile(
    r"(?:明治|大正|昭和|平成|令和|[mtshr])\s?(?:元|\d{1,2})[年./-]\s?(?:\d{1,2}[月./-]?\s?)?(?:\d{1,2}日?)?"
)
_COMMON = re.compile(
    r"(?:(?:18|19|20)\d\d[年./-]\d{1,2}(?:[月./-](?:\d{1,2}日?)?)?|\d{1,2}[./-]\d{1,2}[./-](?:18|19|20)\d\d)"
    r"(?:[ t]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?)?"
)
_EIGHT = re.compile(r"(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")

_RULES = {
    "blanks": re.compile(r"^\s|\s$"),
    "full width": re.compile(r"[０-９．，－＋]"),
    "thousands": re.compile(r"\d[,，]\d{3}"),
    "currency": re.compile(r"[¥￥円$€£]"),
    "percent": re.compile(r"[%％]"),
    "negative": re.compile(r"[△▲(（]"),
}


def number_rules(facts: Facts) -> tuple[tuple[str, ...], int] | None:
    """Return the rules that turn the text of a column into numbers, and how many labels stay text.

    Codes with leading zeros are not numbers, nor are those whose heading says they are labels.
    """
    are_labels = facts.concept is not None and facts.concept.scale in {"nominal", "ordinal"}
    if are_labels or facts.distinct < 3 or not isinstance(facts.labels[0], str):
        return None
    absent = words("missing") | words("not_applicable")
    texts = [text for text in facts.texts if text and text not in absent]
    matched = [_NUMBER.fullmatch(text) is not None for text in texts]
    if sum(matched) < max(_ENOUGH * len(texts), 3) or any(map(_PADDED.fullmatch, texts)):
        return None
    written = [str(facts.labels[place]) for place in facts.places.tolist()]
    rules = tuple(name for name, form in _RULES.items() if any(map(form.search, written)))
    plain = (plain_text(label) for label in facts.labels)
    strays = sum(not _NUMBER.fullmatch(text) for text in plain if text and text not in absent)
    return rules or ("plain",), strays


def calendar_of(facts: Facts) -> str | None:
    """Return the calendar of text or whole numbers that are dates: "japanese" or "gregorian"."""
    if facts.is_date or facts.distinct < 2 or (facts.is_number and not _eight_digits(facts)):
        return None
    texts = [text for text in facts.texts if text]
    for form, calendar in ((_ERA, "japanese"), (_COMMON, "gregorian"), (_EIGHT, "gregorian")):
        count = sum(form.fullmatch(text) is not None for text in texts)
        if count and count >= _ENOUGH * len(texts):
            return calendar
    return None


def _eight_digits(facts: Facts) -> bool:
    return facts.is_whole and bool(1.8e7 <= facts.levels[0] <= facts.levels[-1] < 2.1e7)
