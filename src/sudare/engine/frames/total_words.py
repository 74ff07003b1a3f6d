"""Rows of totals among records: a word marks them, and they lack what records have."""

import re
import unicodedata
from collections.abc import Callable, Container, Sequence
from functools import cache
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import Categorical, Column, Flags, Integers, Microdata, say

_WORDS = (
    r".*[合小総累]計|.*[市町村区県郡都府道国女齢]計|計|総数|平均"
    r"|(?:grand|sub)?-?totals?|average|\(?再掲\)?.*|うち(?:\d.*|[男女]性?)"
)
_TOTAL = re.compile(rf"[(\[<【]?(?:{_WORDS})値?(?::|\(.*\))?[)\]>】]?")
_PERHAPS = re.compile(rf"{_TOTAL.pattern}|全[国体数]|\S+\s+計")
_PART = re.compile(r"うち.*|(.+?)\s*小?計")  # of a category; only where records have more values
_HINT = (
    "計|総数|全[国体数]|均|再掲|うち|[Tt]otal|TOTAL|[Aa]verage"  # labels to be looked at closely
)
_DASHES = frozenset("-‐–—―−ー*.…×")
_FILLED = 0.95  # share of the records with a value from which one without it is unusual
_LARGEST = 0.2  # share of the records beyond which such rows are a category
_MOST = 1000  # of them
_LEAST_COLUMNS = 3  # of a table whose last record has one cell only
_SHOWN = 5


def is_total(cells: Sequence[object]) -> bool:
    """Return whether a row is one of totals: its first word says so, and no other follows.

    Examples
    --------
    >>> is_total(["合　計", None, "1,234"]), is_total([None, "（Total）", "ー"])
    (True, True)
    >>> is_total(["計", "一郎", "51"]), is_total(["合計特殊出生率", "1.2"])
    (False, False)
    """
    first, *others = [text for cell in cells if (text := _plain(cell))] or [""]
    return _says_total(first) and not any(map(_is_word, others))


def _plain(cell: object) -> str:
    return unicodedata.normalize("NFKC", "" if cell is None else str(cell)).strip().lower()


def _says_total(text: str) -> bool:
    return _TOTAL.fullmatch("".join(text.split())) is not None


def _is_word(text: str) -> bool:
    """Return whether a cell says something of a record: no number, no dash and no total."""
    if set(text) <= _DASHES or _says_total(text):
        return False
    return any(map(str.isalpha, text)) and not any(map(str.isdigit, text))


def suspected_totals(data: Microdata) -> Integers:
    """Return the numbers of records that may be totals: subtotals among them, or unusual words.

    Such a record has a word for a total and no other word, or no value where records have one. A
    category with 計 behind it is such a word too, and so is a last record with one cell only.
    """

    @cache
    def labels() -> Container[str]:  # of all columns, where a word asks for them
        return {_plain(label) for column in data.columns for label in _labels(column)}

    says = np.any([_may_total(column, labels) for column in data.columns], axis=0)
    known = np.array([column.known for column in data.columns])
    says[-1:] |= (known[:, -1:].sum(axis=0) == 1) & (len(known) >= _LEAST_COLUMNS)
    rows: Integers = np.flatnonzero(says)
    if not 0 < len(rows) <= min(_MOST, _LARGEST * data.rows):
        return rows[:0]
    usual = known[:, ~says].mean(axis=1) >= _FILLED
    cells = zip(*(map(_plain, _texts(column.take(rows))) for column in data.columns), strict=True)
    suspected = [
        any(set(t) <= _DASHES for t, filled in zip(texts, usual, strict=True) if filled)
        or not any(_is_word(text) and not _PERHAPS.fullmatch(text) for text in texts)
        for texts in cells
    ]
    return np.compress(suspected, rows)


def totals_noted(rows: Integers, *, left_out: bool) -> tuple[str, ...]:
    """Return a sentence on records that may be totals, by their numbers."""
    if not len(rows):
        return ()
    numbers = ", ".join(str(row + 1) for row in rows[:_SHOWN].tolist())
    about = {"count": len(rows), "numbers": numbers + (", …" if len(rows) > _SHOWN else "")}
    if left_out:
        return (
            say(
                "{count:record|records} {numbers} may be {count:a total, not a person|totals, not "
                "persons}, and {count:was|were} left out, as totals = 'skip' states; if "
                "{count:it is a record|they are records}, state totals = 'keep' (--totals keep).",
                **about,
            ),
        )
    return (
        say(
            "{count:record|records} {numbers} may be {count:a total, not a person|totals, not "
            "persons}, and {count:was|were} kept; state totals = 'skip' (--totals skip) to leave "
            "{count:it|them} out, or totals = 'keep' (--totals keep).",
            **about,
        ),
    )


def _labels(column: Column) -> tuple[str, ...]:
    if not isinstance(column, Categorical) or not all(type(t) is str for t in column.labels):
        return ()
    return cast("tuple[str, ...]", column.labels)


def _may_total(column: Column, labels: Callable[[], Container[str]]) -> Flags:
    """Return which records have a word that may be one for a total, shape (rows,)."""
    texts = _labels(column)
    if not texts:
        return np.zeros(column.rows, np.bool_)
    hinted = pc.match_substring_regex(pa.array(texts, pa.string()), _HINT).to_numpy(
        zero_copy_only=False
    )
    says = np.zeros(len(hinted) + 2, np.bool_)  # the last two are absent
    for code in np.flatnonzero(hinted).tolist():
        text = _plain(texts[code])
        part = _PART.fullmatch(text)
        is_part = part is not None and (part[1] is None or part[1] in labels())
        says[code] = is_part or _says_total(text) or _PERHAPS.fullmatch(text) is not None
    return says[column.coded.codes]


def _texts(column: Column) -> list[object]:
    labels = np.array([*column.coded.labels, None, None], np.object_)
    return labels[column.coded.codes].tolist()
