"""The order of labels: 15～19歳 before 20～24歳, 100万円未満 first, low before high."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from sudare.describe.proposing.values.value_lists import orders, words

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_UNITS = {"十": 1e1, "百": 1e2, "千": 1e3, "万": 1e4, "億": 1e8, "兆": 1e12}
_TIMES = {"秒": 1.0, "分": 60.0, "時間": 3.6e3, "日": 8.64e4, "日間": 8.64e4, "週": 6.05e5,
          "週間": 6.05e5, "か月": 2.63e6, "ヶ月": 2.63e6, "カ月": 2.63e6, "ヵ月": 2.63e6,
          "年": 3.16e7}  # fmt: skip
_NOTHING = re.compile(r"\D*(?:な|無)し")
_BELOW = re.compile(
    r"未満|以下|まで|under|less than|below|up to|at most|or less|or fewer|or younger|[<≤≦]=?"
)
_ABOVE = re.compile(
    r"以上|超|より|over|more than|above|at least|or more|or older|and over|or over|and up|or up"
    r"|plus|[>≥≧]=?|\+"
)
_RANGE = re.compile(r"\d\D{0,4}[~-]|\d\s*(?:to|から|-)\s*\D{0,4}\d")
_LINKS = re.compile(r"[~\-–—,.$¥€£()\[\]\s]|to|and|から")
_LEADING_CODE = re.compile(r"^\d{1,2}\s*[.:)_ ]?\s*(?=\D)")
_FEWEST = 3


def label_order(texts: Sequence[str]) -> tuple[int, ...] | None:
    """Return the places of labels from lowest to highest; None where no order is seen.

    Parameters
    ----------
    texts
        The labels as :func:`~sudare.describe.proposing.facts.plain_text` has them; words for
        missing and not applicable come last.

    Examples
    --------
    >>> label_order(["100~199万円", "100万円未満", "1000万円以上"])
    (1, 0, 2)
    >>> label_order(["3泊以上", "日帰り", "1泊", "2泊"])
    (1, 2, 3, 0)
    >>> label_order(["high", "low", "medium"])
    (1, 2, 0)
    >>> label_order(["a1", "a2", "a3"])
    """
    absent = words("missing") | words("not_applicable")
    told = [code for code, text in enumerate(texts) if text not in absent]
    answers = [texts[code] for code in told]
    fewest = 2 if any("未満" in text for text in answers) else _FEWEST
    if not fewest <= len(answers) <= 200:
        return None
    keys = None
    if len(answers) >= _FEWEST:
        keys = _word_keys(answers) or _word_keys([_LEADING_CODE.sub("", t) for t in answers])
    keys = keys or _number_keys(answers)
    if keys is None or len(set(keys)) < len(keys):
        return None
    order = sorted(range(len(answers)), key=keys.__getitem__)
    blank = [code for code, text in enumerate(texts) if text in absent]
    return (*(told[answer] for answer in order), *blank)


def _word_keys(texts: Sequence[str]) -> list[tuple[float, int]] | None:
    for listed in orders():
        if all(text in listed for text in texts):
            return [(float(listed[text]), 0) for text in texts]
    return None


def _number_keys(texts: Sequence[str]) -> list[tuple[float, int]] | None:
    """Return the lower end of each label and whether it is open below or above.

    One label may have no number, where it says that there is nothing.
    """
    lowest = [text for text in texts if text in words("lowest") or _NOTHING.fullmatch(text)]
    if len(lowest) == 1 and len(texts) >= _FEWEST:
        others = _number_keys([text for text in texts if text not in lowest])
        keys = iter(others or ())
        return others and [(-np.inf, 0) if text in lowest else next(keys) for text in texts]
    if not all(_NUMBER.search(text) for text in texts):
        return None
    units = {part for text in texts for part in _rest(text).split()}
    timed = len(units) > 1 and units <= _TIMES.keys()
    if not timed and not all(_rest(text) in (words("units") | {""}) for text in texts):
        return None
    has_unit = any(_rest(text) for text in texts)
    has_classes = any(_RANGE.search(t) or _BELOW.search(t) or _ABOVE.search(t) for t in texts)
    scales = _TIMES if timed else _UNITS
    return [_key(text, scales) for text in texts] if has_unit or has_classes else None


def _key(text: str, units: Mapping[str, float]) -> tuple[float, int]:
    numbers = list(_NUMBER.finditer(text))
    scales = [_scale(text[number.end() :], units) for number in numbers]
    first = float(numbers[0].group().replace(",", ""))
    side = -1 if _BELOW.search(text) else int(bool(_ABOVE.search(text)))
    is_range = len(scales) > 1
    return first * (scales[0] if scales[0] > 1 else scales[-1]), 0 if is_range else side


def _scale(behind: str, units: Mapping[str, float]) -> float:
    """Return what the units behind a number multiply it by: 千, 万, 億, or 分, 時間."""
    scale = 1.0
    while unit := next((unit for unit in units if behind.startswith(unit)), ""):
        scale, behind = scale * units[unit], behind.removeprefix(unit)
    return scale


def _rest(text: str) -> str:
    """Return what is left of a label without numbers, ends and links: its unit."""
    bare = _LEFT_OUT.sub(" ", _NUMBER.sub(" ", text))
    parts = _LINKS.sub(" ", bare).split()
    return parts[-1] if parts and len(set(parts)) == 1 else " ".join(parts)


_LEFT_OUT = re.compile(f"{_BELOW.pattern}|{_ABOVE.pattern}")
