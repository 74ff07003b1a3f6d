"""Labels that mean "no answer" or "not asked" rather than an answer."""

import re
from collections.abc import Iterator

import numpy as np

from sudare.core import say
from sudare.describe.proposing.facts import Facts, plain_text
from sudare.describe.proposing.proposal import Proposal, What
from sudare.describe.proposing.values.value_lists import words

_JOINED = re.compile(r"\s*[/・、,]\s*")  # 分からない・無回答
_MOST_LABELS = 2_000
_NINES = (99.0, 999.0, 9999.0, 99999.0)
_COUNTED = {"age", "household_size", "quantity", "birth", "education"}


def absent_labels(facts: Facts) -> dict[What, list[int]]:
    """Return the codes of labels that are words for "missing" and for "not_applicable".

    Of many labels, only those that are in the lists letter by letter.
    """
    codes: dict[What, list[int]] = {"missing": [], "not_applicable": []}
    if facts.is_number:
        return codes
    folded = plain_text if facts.distinct <= _MOST_LABELS else str
    for code, label in enumerate(facts.labels):
        text = folded(label)
        if text in words("not_applicable"):
            codes["not_applicable"].append(code)
        elif not text or _no_answer(text):
            codes["missing"].append(code)
    return codes


def _no_answer(text: str) -> bool:
    known = words("missing")
    return text in known or all(part in known for part in _JOINED.split(text))


def find_absent_words(facts: Facts) -> Iterator[Proposal]:
    """Yield the words of a column that mean "no answer" or "not asked"."""
    for what, codes in absent_labels(facts).items():
        if codes:
            count = int(facts.counts[codes].sum())
            labels = tuple(str(facts.labels[code]) for code in codes)
            yield Proposal(
                facts.name, what, labels, _word_reason(what, count), 0.9, {"records": count}
            )
    numbers = _special_numbers(facts)
    if numbers:
        count = int(facts.counts[np.isin(facts.levels, numbers)].sum())
        reason = say(
            "{count} {count:record has|records have} "
            "a number that stands apart from all others, as codes for no "
            "answer do",
            count=count,
        )
        texts = tuple(str(int(number)) for number in numbers)
        yield Proposal(facts.name, "missing", texts, reason, 0.5, {"records": count})


def _word_reason(what: What, count: int) -> str:
    if what == "missing":
        return say(
            "{count} {count:record has|records have} a word that usually means no answer",
            count=count,
        )
    return say(
        "{count} {count:record has|records have} a word that usually means not applicable",
        count=count,
    )


def _special_numbers(facts: Facts) -> list[float]:
    """Return 99, 999 … far above all other counts, and -1, -8, -9 below numbers that are not."""
    levels = facts.levels
    if not facts.is_whole or facts.is_date or len(levels) < 3:
        return []
    negative = [float(number) for number in levels[levels < 0]]
    if negative and set(negative) <= {-1.0, -2.0, -7.0, -8.0, -9.0, -99.0, -999.0}:
        return negative
    is_count = facts.concept is not None and facts.concept.name in _COUNTED
    if is_count and levels[-1] in _NINES and levels[-2] < 0.8 * levels[-1]:
        return [float(levels[-1])]
    return []
