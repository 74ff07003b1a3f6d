"""Dates and times as people write them; inside, they are numbers that count days or less."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sudare.core import Array, Column, Floats, Label
from sudare.engine.frames.arrow_types import counted, is_day, per_day

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(_DAY.pattern + r"([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?", re.ASCII)


def is_dated(column: Column) -> bool:
    """Return whether a column holds dates, or times of a certain day."""
    return isinstance(column.storage, pa.DataType) and is_day(column.storage)


def clock_kind(column: Column) -> str | None:
    """Return what a column of numbers counts: "day", "time" or "duration"; None if no time."""
    kind = column.storage
    if not isinstance(kind, pa.DataType) or not pa.types.is_temporal(kind):
        return None
    if is_day(kind):
        return "day"
    return "duration" if pa.types.is_duration(kind) else "time"


def days_unit(column: Column) -> int:
    """Return how many of what a column of dates or times counts make a day; 1 for other numbers."""
    return 1 if clock_kind(column) is None else per_day(counted(column.storage))


def counted_alike(first: Column, second: Column) -> bool:
    """Return whether two columns of one kind of clock count in the same unit and time zone."""
    if clock_kind(first) is None:
        return True
    return bool(counted(first.storage) == counted(second.storage))


def in_clock_of(like: Column, column: Column, numbers: Floats) -> Floats:
    """Return numbers of a column of dates or times as another column counts them, shape (n,).

    Where one of them has a time zone and the other none, by the clock on the wall.
    """
    theirs, mine = counted(like.storage), counted(column.storage)
    if (getattr(theirs, "tz", None) is None) == (getattr(mine, "tz", None) is None):
        more, less = per_day(theirs), per_day(mine)
        return numbers * (more // less) if more >= less else numbers / (less // more)
    moments = dates_of(column, numbers).astype("datetime64[us]")
    if pa.types.is_date(theirs):
        return np.asarray(moments.astype(np.int64) / per_day(pa.timestamp("us")))
    return numbers_of(like, moments)


def dates_of(column: Column, numbers: Floats) -> Array:
    """Return numbers of a column as dates or times by the clock of its own time zone, shape (n,).

    A fraction, such as a mean of days, goes to the nearest day or unit of time.
    """
    unit: Any = counted(column.storage)
    whole = np.rint(numbers).astype(np.int64)
    if pa.types.is_date(unit):
        return whole.astype("datetime64[D]")
    times = pa.array(whole).cast(unit)
    local = times if unit.tz is None else pc.local_timestamp(times)
    return np.asarray(local.to_numpy(zero_copy_only=False))


def numbers_of(column: Column, dates: Array) -> Floats:
    """Return dates as numbers of a column, the other way round; shape (n,)."""
    unit: Any = counted(column.storage)
    if pa.types.is_date(unit):
        return dates.astype("datetime64[D]").astype(np.float64)
    times = pa.array(dates.astype(f"datetime64[{unit.unit}]"))
    if unit.tz is not None:
        times = pc.assume_timezone(times, unit.tz, ambiguous="earliest", nonexistent="earliest")
    return np.asarray(times.cast(pa.int64()).to_numpy(zero_copy_only=False), np.float64)


def zone_of(column: Column) -> str | None:
    """Return the time zone of a column of times; None if it has none."""
    return getattr(counted(column.storage), "tz", None)


def moments_of(column: Column, texts: Sequence[str]) -> Floats:
    """Return dates such as 2011-03-05 as numbers of a column; NaN for anything else, shape (n,).

    A column of times takes 2011-03-05T09:30:00 as well, by the clock of its own time zone.
    """
    form = _DAY if pa.types.is_date(counted(column.storage)) else _TIME
    moments = [_moment(text) if form.fullmatch(text) else None for text in texts]
    known = np.array([moment is not None for moment in moments], np.bool_)
    numbers = np.full(len(moments), np.nan)
    known_moments = [moment for moment in moments if moment is not None]
    numbers[known] = numbers_of(column, np.array(known_moments, "datetime64[us]"))
    return numbers


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:  # the 31st of February
        return None


def texts_of(column: Column, numbers: Floats) -> tuple[str, ...]:
    """Return numbers of a column of dates as text: 2020-01-31, with a time where it is not 0:00."""
    dates = dates_of(column, numbers)
    texts = np.datetime_as_string(dates, unit="D").astype(object)
    for unit, finer in (("D", "s"), ("s", "us")):
        odd = dates != dates.astype(f"datetime64[{unit}]")
        texts[odd] = np.datetime_as_string(dates[odd].astype(f"datetime64[{finer}]"))
    return tuple(texts.tolist())


def written_labels(column: Column) -> tuple[Label, ...]:
    """Return the labels of a column as files have them: dates as text, all others as they are."""
    labels = column.coded.labels
    if not is_dated(column) or not all(isinstance(label, int | float) for label in labels):
        return labels
    return texts_of(column, np.array(labels, np.float64))
