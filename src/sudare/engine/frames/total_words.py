"""Rows of totals among records: a word says so, and they lack what records have."""

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import Categorical, Column, Flags, Microdata, say

_WORDS = (
    r".*[合小総累]計|.*[市町村区県郡都府道国女齢]計|計|総数|平均"
    r"|(?:grand|sub)?-?totals?|average"
)
_TOTAL = re.compile(rf"[(\[<【]?(?:{_WORDS})値?(?::|\(.*\))?[)\]>】]?")
_PERHAPS = re.compile(rf"{_TOTAL.pattern}|全[国体数]|\S+\s+計")
_HINT = "計|総数|全[国体数]|平均|[Tt]otal|TOTAL|[Aa]verage"  # labels to be looked at closely
_DASHES = frozenset("-‐–—―−ー*.…×")
_FILLED = 0.95  # share of the records with a value from which one without it is unusual
_LARGEST = 0.2  # share of the records beyond which such rows are a category
_MOST = 1000  # of them
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


def totals_noted(data: Microdata) -> tuple[str, ...]:
    """Return a sentence on records that may be totals: subtotals among them, or unusual words.

    Such a record has a word for a total and no other word, or no value where records have one.
    """
    rows = np.flatnonzero(np.any([_may_total(column) for column in data.columns], axis=0))
    if not 0 < len(rows) <= min(_MOST, _LARGEST * data.rows):
        return ()
    usual = [float(np.mean(column.known)) >= _FILLED for column in data.columns]
    cells = zip(*(map(_plain, _texts(column.take(rows))) for column in data.columns), strict=True)
    numbers = [
        str(row + 1)
        for row, texts in zip(rows.tolist(), cells, strict=True)
        if any(set(t) <= _DASHES for t, filled in zip(texts, usual, strict=True) if filled)
        or not any(_is_word(text) and not _PERHAPS.fullmatch(text) for text in texts)
    ]
    if not numbers:
        return ()
    return (
        say(
            "{count:record|records} {numbers} may be {count:a total, not a person|totals, not "
            "persons}, and {count:was|were} kept; remove {count:it|them} from the table if so, or "
            "state totals = 'keep' (--totals keep).",
            count=len(numbers),
            numbers=", ".join(numbers[:_SHOWN]) + (", …" if len(numbers) > _SHOWN else ""),
        ),
    )


def _may_total(column: Column) -> Flags:
    """Return which records have a word that may be one for a total, shape (rows,)."""
    if not isinstance(column, Categorical) or not all(type(t) is str for t in column.labels):
        return np.zeros(column.rows, np.bool_)
    hinted = pc.match_substring_regex(pa.array(column.labels, pa.string()), _HINT).to_numpy(
        zero_copy_only=False
    )
    says = np.zeros(len(hinted) + 2, np.bool_)  # the last two are absent
    for code in np.flatnonzero(hinted).tolist():
        text = _plain(column.labels[code])
        says[code] = _says_total(text) or _PERHAPS.fullmatch(text) is not None
    flags: Flags = says[column.codes]
    return flags


def _texts(column: Column) -> list[object]:
    labels = np.array([*column.coded.labels, None, None], np.object_)
    texts: list[object] = labels[column.coded.codes].tolist()
    return texts
