"""Dates of Japan as people write them: 令和6年4月1日, R6.4.1, 平成31/4/30, 2024年4月1日."""

import re
from collections.abc import Sequence
from datetime import date

import numpy as np
import pyarrow as pa

from sudare.core import Floats
from sudare.engine.frames.arrow_types import kind_of
from sudare.engine.frames.written_numbers import folded

# First and last day of each era, and the year before its first. Before 1873 the calendar was
# another one; two eras share the day on which one gave way to the next.
_ERAS = {
    "明治": (date(1873, 1, 1), date(1912, 7, 30), 1867),
    "大正": (date(1912, 7, 30), date(1926, 12, 25), 1911),
    "昭和": (date(1926, 12, 25), date(1989, 1, 7), 1925),
    "平成": (date(1989, 1, 8), date(2019, 4, 30), 1988),
    "令和": (date(2019, 5, 1), date.max, 2018),
}
_SHORT = {
    word: era
    for era, letter in zip(_ERAS, "MTSHR", strict=True)
    for word in (era, era[0], letter, letter.lower(), chr(ord(letter) + 0xFEE0))
}
_DAY = re.compile(
    r" *(?:(?P<era>明治|大正|昭和|平成|令和|[明大昭平令MTSHRmtshrＭＴＳＨＲ])"
    r" *(?P<year>元|[0-9]{1,2})"
    r"|(?P<common>[0-9]{4})) *(?:"
    r"年 *(?P<m1>[0-9]{1,2}) *月 *(?P<d1>[0-9]{1,2}) *日"
    r"|(?P<mark>[./-]) *(?P<m2>[0-9]{1,2}) *(?P=mark) *(?P<d2>[0-9]{1,2})) *"
)
_EPOCH = date(1970, 1, 1).toordinal()


def read_dates(texts: pa.Array) -> Floats:
    """Return texts, none of them null, as days since 1970-01-01; NaN for what is not such a date.

    A day must lie in its era. Years of four digits come first: 2024年4月1日, 2024/4/1, 2024-04-01.

    Examples
    --------
    >>> read_dates(pa.array(["令和元年5月1日", "Ｈ31.4.30", "平成31年5月1日", "R6/2/30"])).tolist()
    [18017.0, 18016.0, nan, nan]
    """
    return np.array([_days(text) for text in folded(texts).to_pylist()], np.float64)


def unread_dates(texts: Sequence[str]) -> int:
    """Return how many texts are no dates that can be read; ISO dates and times all can.

    Examples
    --------
    >>> unread_dates(["令和元年5月1日", "平成31年5月1日"])
    1
    """
    kind = kind_of(pa.array(texts, pa.string()))
    if kind is not None and pa.types.is_temporal(kind):
        return 0
    return int(np.isnan(read_dates(pa.array(texts, pa.string()))).sum())


def has_era(texts: pa.Array) -> bool:
    """Return whether every text that is not blank is a date, and some have an era or 年, 月, 日."""
    matches = [_DAY.fullmatch(text) for text in folded(texts).to_pylist() if text.strip()]
    return None not in matches and any(
        match is not None and (match["era"] or match["m1"]) for match in matches
    )


def _days(text: str) -> float:
    match = _DAY.fullmatch(text)
    if match is None:
        return np.nan
    month, day = int(match["m1"] or match["m2"]), int(match["d1"] or match["d2"])
    first, last, zero = _ERAS[_SHORT[match["era"]]] if match["era"] else (date.min, date.max, 0)
    year = int(match["common"] or (1 if match["year"] == "元" else match["year"]))
    try:
        written = date(zero + year, month, day)
    except ValueError:  # the 30th of February
        return np.nan
    return float(written.toordinal() - _EPOCH) if first <= written <= last else np.nan
