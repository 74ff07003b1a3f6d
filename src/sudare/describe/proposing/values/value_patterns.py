"""What values say by their form: phone numbers, addresses, numbers with a check digit, names."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from sudare.describe.proposing.facts import Facts, count_passing
from sudare.describe.proposing.values.value_lists import topics, words

_ENOUGH = 0.8  # share of the labels that must have the form
_FEWEST = 3  # labels that have it
_LONGEST = 200  # characters of a label that can have a form; patterns are slow on long texts

_FORMS: dict[str, re.Pattern[str]] = {
    "email": re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+"),
    "device": re.compile(r"https?://\S+|(\d{1,3}\.){3}\d{1,3}|([0-9a-f]{2}[:-]){5}[0-9a-f]{2}"),
    "region": re.compile(r"〒?\d{3}-\d{4}"),
    "phone": re.compile(r"(\+\d{1,3}[ -]?)?\(?0\d{1,4}\)?[ -]\(?\d{1,4}\)?[ -]\d{3,4}|0[5789]0\d{8}"
                        r"|\+\d{8,15}|\(?\d{3}\)?[ -]\d{3}-\d{4}"),
    "address": re.compile(
        r".*[都道府県市区町村].*(\d+丁目|\d+番地?|\d+号|\d+-\d+).*"
        r"|\d+ .* (street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|way|court|ct)\b.*"
    ),
    "age": re.compile(r".*\d(歳|才).*|.*\d+ ?(years old|yrs old)"),
    "income": re.compile(r".*\d(万円|千円).*|[<>]?=?[$€£]\d[\d,]*k?.*"),
    "record_number": re.compile(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}"),
}  # fmt: skip

_LONGEST_NAME = 40
_TITLED = re.compile(r"(?:mr|mrs|ms|miss|dr|prof)\.? [a-z]{2,}(?:[ -][a-z.]+){0,3}")
_CALLED = re.compile(  # after a surname: as given names end, or as persons are addressed
    r" ?[一-龠]{0,2}[郎子美恵香奈菜彦介助輔樹翔斗也哉雄](?:様|さん|氏)?|様|さん|氏"
    r"| [健誠隆茂豊実清博進勝修薫翼蓮陽葵凛]"
)


def topic_of(facts: Facts) -> tuple[str, int] | None:
    """Return the concept that the values speak of, and how many of the labels looked at do."""
    texts = _as_written(facts)
    if len(texts) < 2:
        return None
    if facts.distinct >= 10:
        for name, test in _CHECKED.items():
            count = count_passing(test, texts, 0.95 * len(texts))
            if count:
                return name, count
    if facts.is_number:
        return None
    for name, form in _FORMS.items():
        count = count_passing(partial(_has_form, form), texts, max(_ENOUGH * len(texts), _FEWEST))
        if count:
            return name, count
    return _by_words(texts)


def _has_form(form: re.Pattern[str], text: str) -> bool:
    return len(text) <= _LONGEST and form.fullmatch(text) is not None


def _by_words(texts: Sequence[str]) -> tuple[str, int] | None:
    answers = [text for text in texts if text not in words("missing")]
    for name, listed in topics().items():
        count = count_passing(listed.__contains__, answers, max(_ENOUGH * len(answers), 2))
        if count:
            return name, count
    named = count_passing(_begins_with_name, texts, max(0.5 * len(texts), 5))
    return ("name", named) if named else None


def _begins_with_name(text: str) -> bool:
    """Return whether a text is a few words or signs that begin with a common name."""
    if any(sign.isdigit() for sign in text) or len(text) > 30:
        return False
    listed = words("surnames")
    if text.isascii():
        parts = text.replace(",", " ").split()
        return 2 <= len(parts) <= 4 and (parts[0] in listed or parts[-1] in listed)
    return len(text) <= 8 and any(text[:size] in listed and len(text) > size for size in (1, 2, 3))


def is_full_name(text: str) -> bool:
    """Return whether a text by itself is the name of a person: with a title, or as given names end.

    Examples
    --------
    >>> [is_full_name(text) for text in ("佐藤太郎", "dr. john smith", "佐藤", "山口市")]
    [True, True, False, False]
    """
    if text.isascii():
        return len(text) <= _LONGEST_NAME and _TITLED.fullmatch(text) is not None
    surnames, called = words("surnames"), _CALLED.fullmatch
    sizes = (2, 3) if len(text) < 3 else (1, 2, 3)  # 原子 is no name
    return len(text) <= 8 and any(text[:n] in surnames and called(text[n:]) for n in sizes)


def is_individual_number(text: str) -> bool:
    """Return whether twelve digits end in the check digit of Japan's individual numbers.

    The rule is that of ordinance No. 85 of 2014, article 5.

    Examples
    --------
    >>> is_individual_number("123456789018"), is_individual_number("123456789012")
    (True, False)
    """
    digits = text.replace("-", "").replace(" ", "")
    if len(digits) != 12 or not (digits.isascii() and digits.isdigit()):
        return False
    weights = (2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6)
    total = sum(int(digit) * q for digit, q in zip(digits[10::-1], weights, strict=True))
    remainder = total % 11
    return int(digits[11]) == (0 if remainder <= 1 else 11 - remainder)


def is_card_number(text: str) -> bool:
    """Return whether 14 to 16 digits end in the check digit of payment cards (Luhn).

    Examples
    --------
    >>> is_card_number("4111 1111 1111 1111")
    True
    """
    digits = text.replace("-", "").replace(" ", "")
    if not 14 <= len(digits) <= 16 or not (digits.isascii() and digits.isdigit()):
        return False
    doubled = [int(digit) * (1 + position % 2) for position, digit in enumerate(reversed(digits))]
    return sum(number - 9 * (number > 9) for number in doubled) % 10 == 0


_CHECKED: dict[str, Callable[[str], bool]] = {
    "my_number": is_individual_number,
    "account": is_card_number,
}


def _as_written(facts: Facts) -> Sequence[str]:
    """Return the labels looked at; numbers without the zeros they lost come back to length 12."""
    if not facts.is_number:
        return facts.texts
    long = facts.is_whole and len(facts.levels) and 1e9 <= facts.levels[-1] < 1e16
    return [text.zfill(12) for text in facts.texts] if long else ()
