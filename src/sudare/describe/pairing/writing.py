"""Equal values written differently: dates as text, numbers as labels, 1 as "1" or 1.0.

A masked table may come back from a file or from another program, and then a column is written in
another way than the original has it. It is rewritten before it is measured, so that equal values
are equal in every measure.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from zoneinfo import ZoneInfo

import numpy as np

from sudare.core import (
    MISSING,
    NOT_APPLICABLE,
    Categorical,
    Codes,
    Column,
    Floats,
    Label,
    MismatchError,
    Numeric,
    label_codes,
)
from sudare.engine.frames import (
    clock_kind,
    counted_alike,
    in_clock_of,
    is_dated,
    moments_of,
    written_labels,
    zone_of,
)

Rewriting = Callable[[Column], Column]  # can be pickled
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?", re.ASCII)


@dataclass(frozen=True, eq=False)
class AsNumbers:
    """Labels that are numbers, or dates, become the numbers of the original.

    Attributes
    ----------
    numbers
        Of each label, shape (labels,).
    like
        The original column.
    """

    numbers: Floats
    like: Numeric

    def __call__(self, column: Column) -> Column:
        """Return a masked column as numbers."""
        coded = column.coded
        absent = coded.not_applicable
        return Numeric(
            column.name,
            np.append(self.numbers, [np.nan, np.nan])[coded.codes],
            absent=absent if absent.any() else None,
            role=column.role,
            scale=self.like.scale,
            storage=self.like.storage,
            absent_label=column.absent_label,
            copies=column.copies,
        )


@dataclass(frozen=True, eq=False)
class InClock:
    """Dates and times in another unit become numbers in the unit of the original."""

    like: Numeric

    def __call__(self, column: Column) -> Column:
        """Return a masked column of dates in the unit of the original."""
        if not isinstance(column, Numeric):
            raise TypeError(type(column).__name__)
        values = column.values.copy()
        values[column.known] = in_clock_of(self.like, column, values[column.known])
        return replace(column, values=values, storage=self.like.storage)


@dataclass(frozen=True, eq=False)
class AsLabels:
    """Numbers, or labels written differently, become labels of the original.

    Attributes
    ----------
    labels
        The labels.
    codes
        Which of them each old code becomes, the last two for what is absent.
    numbers
        The number of each old code, ascending, if the column holds numbers.
    like
        The original column, where the masked one has no other labels.
    """

    labels: tuple[Label, ...]
    codes: Codes
    numbers: Floats | None
    like: Column | None

    def __call__(self, column: Column) -> Column:
        """Return a masked column as labels."""
        if isinstance(column, Numeric) and self.numbers is not None:
            places = np.searchsorted(self.numbers, column.values)
            places[column.missing], places[column.not_applicable] = MISSING, NOT_APPLICABLE
        else:
            places = column.coded.codes
        made = Categorical(
            column.name,
            self.codes[places],
            self.labels,
            role=column.role,
            scale=column.scale if isinstance(column, Categorical) else "nominal",
            storage=column.storage,
            absent_label=column.absent_label,
            copies=column.copies,
        )
        if self.like is None:
            return made
        return replace(made, scale=self.like.scale, storage=self.like.storage)


def rewriting(before: Column, after: Column) -> Rewriting | None:
    """Return what writes a masked column as the original is; None where it is written so already.

    Numbers before: labels become numbers if all of them are, or else those that are become the
    label that a number has. Labels before: every label or number after that equals one of them,
    however it is written, becomes that label; others stay.

    Raises
    ------
    MismatchError
        If one of the columns holds dates, or times of the day, and the other holds other numbers.
    """
    if isinstance(before, Numeric):
        return _in_clock(before, after) if isinstance(after, Numeric) else _numbers(before, after)
    return _labels(before.coded, after)


def _in_clock(before: Numeric, after: Numeric) -> Rewriting | None:
    if clock_kind(before) != clock_kind(after):
        raise MismatchError(
            "column '{column}' holds dates or times in one table and other numbers in the second, "
            "so its values cannot be compared; read it alike in both, or leave it out.",
            column=before.name,
        )
    return None if counted_alike(before, after) else InClock(_head(before))


def _numbers(before: Numeric, after: Column) -> Rewriting | None:
    labels = written_labels(after)
    if is_dated(before):
        zone = zone_of(before)
        written: list[Label] = [_moment(label, zone) or label for label in labels]
        numbers = moments_of(before, [label if isinstance(label, str) else "" for label in written])
    else:
        written = [label if (n := _number(label)) is None else n for label in labels]
        numbers = np.array([n if isinstance(n, int | float) else np.nan for n in written], float)
    if not np.isnan(numbers).any():
        return AsNumbers(numbers, _head(before))
    if _same(written, after.coded.labels):
        return None
    known = tuple(dict.fromkeys(written))
    return AsLabels(known, label_codes(written, known), None, None)


def _labels(before: Categorical, after: Column) -> Rewriting | None:
    own, labels = written_labels(before), written_labels(after)
    if isinstance(after, Categorical) and _same(before.labels, after.labels):
        return None
    if all(isinstance(label, str) for label in (*before.labels, *after.coded.labels)):
        return None  # text is compared as it is: "01" is not "1"
    places = _places(own, labels)
    matched = sorted({code for code in places if code is not None})
    made = [label if c is None else own[c] for c, label in zip(places, labels, strict=True)]
    numbers = np.array(after.coded.labels, float) if isinstance(after, Numeric) else None
    if not matched or (numbers is None and _same(made, after.coded.labels)):
        return None
    if None not in places:
        onto = np.array([*places, NOT_APPLICABLE, MISSING], np.int32)
        return AsLabels(before.labels, onto, numbers, before.take(np.zeros(0, np.int64)))
    known = tuple(dict.fromkeys([*(own[code] for code in matched), *made]))
    return AsLabels(known, label_codes(made, known), numbers, None)


def _places(own: Sequence[Label], labels: Sequence[Label]) -> list[int | None]:
    """Return the code of the original label that each label equals, however it is written."""
    exact = {(isinstance(label, str), label): code for code, label in enumerate(own)}
    keys = [_key(label) for label in own]
    number = Counter(keys)
    code_of = {key: code for code, key in enumerate(keys) if number[key] == 1}
    return [
        exact.get((isinstance(label, str), label), code_of.get(_key(label))) for label in labels
    ]


def _key(label: Label) -> Label:
    """Return what is the same for equal values, however they are written."""
    if isinstance(label, bool):
        return str(label).casefold()
    number = _number(label)
    if number is not None:
        return number
    if isinstance(label, str) and label.casefold() in {"true", "false"}:
        return label.casefold()
    return _moment(label) or label


def _number(label: Label) -> int | float | None:
    """Return a label as a number, whole where it can be; None if it is not a number."""
    if isinstance(label, str):
        if not _NUMBER.fullmatch(label):
            return None
        label = int(label) if label.lstrip("+-").isdecimal() else float(label)
    if not isinstance(label, int | float):
        return None
    whole = isinstance(label, float) and label.is_integer() and abs(label) < 2**53
    return int(label) if whole or isinstance(label, int) else label


def _moment(label: Label, zone: str | None = None) -> str | None:
    """Return a date, or a time of a certain day, as files have it; None if it is neither.

    A time with an offset is told by the clock of the zone.
    """
    if isinstance(label, str):
        try:
            label = datetime.fromisoformat(label) if _MOMENT.fullmatch(label) else None
        except ValueError:  # the 31st of February
            return None
    if isinstance(label, datetime):
        if label.tzinfo is not None and zone is not None:
            label = label.astimezone(ZoneInfo(zone))
        label = label.replace(tzinfo=None)
        is_day = (label.hour, label.minute, label.second, label.microsecond) == (0, 0, 0, 0)
        return (label.date() if is_day else label).isoformat()
    return label.isoformat() if isinstance(label, date) else None


def _same(mine: Iterable[Label], theirs: Iterable[Label]) -> bool:
    """Return whether labels are the same and of the same kind: 1 is not 1.0, nor "1"."""
    if mine is theirs:
        return True
    first, second = tuple(mine), tuple(theirs)
    return first == second and list(map(type, first)) == list(map(type, second))


def _head(column: Numeric) -> Numeric:
    """Return a column of numbers without records, whatever kind it is."""
    return Numeric(column.name, np.zeros(0), scale=column.scale, storage=column.storage)
