"""Hierarchies and classes of dates: days, months, years, decades."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from sudare.core import Array, Column, SettingError
from sudare.describe.hierarchies.hierarchy import Hierarchy
from sudare.describe.hierarchies.number_classes import by_cuts, by_width
from sudare.engine.frames import dates_of, written_labels

_MONTHS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200)  # from one break to the next
_YEAR_0 = 1970 * 12  # months up to where dates are counted from


def by_calendar(column: Column) -> Hierarchy:
    """Return a hierarchy of dates: day, month, year, decade, all; levels that change nothing go.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from sudare.core import Numeric
    >>> column = Numeric("day", np.array([0.0, 1, 40, 9000]), storage=pa.date32())
    >>> [labels[0] for labels in by_calendar(column).labels]
    ['1970-01-01', '1970-01', '1970', '*']
    """
    dates = _dates(column)
    levels = [written_labels(column)]
    units = (np.datetime_as_string(dates, unit=unit).tolist() for unit in ("D", "M", "Y"))
    years = dates.astype("datetime64[Y]").astype(np.int64) + 1970
    decades = [f"{year}–{year + 9}" for year in (years // 10 * 10).tolist()]
    for level in (*units, decades):
        if 1 < len(set(level)) < len(set(levels[-1])):
            levels.append(tuple(level))
    return Hierarchy.of(dict.fromkeys(zip(*levels, strict=True)))


def by_days(
    column: Column,
    *,
    widths: Sequence[int] = (),
    cuts: Sequence[Sequence[Any]] = (),
    start: Any = 0,
) -> Hierarchy:
    """Return a hierarchy of dates by intervals: widths in days from a first one, or cuts at dates.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from sudare.core import Numeric
    >>> column = Numeric("day", np.array([0.0, 1, 40, 9000]), storage=pa.date32())
    >>> by_days(column, cuts=[["1970-02-01", "1980-01-01"]]).labels[1]
    ('<1970-02-01', '1970-02-01–1979-12-31', '≥1980-01-01')
    """
    if not all(isinstance(width, int) and width > 0 for width in widths) or not all(map(len, cuts)):
        raise SettingError(
            "the hierarchy of '{column}' is one of dates: widths must be whole numbers of days, "
            "and each level must have cuts.",
            column=column.name,
        )
    days = _dates(column).astype("datetime64[D]").astype(np.float64)
    first = _day(column, start)
    classes = [by_width(days, width, first, whole=True, written=_text) for width in widths]
    edges = [sorted(_day(column, cut) for cut in level) for level in cuts]
    classes += [by_cuts(days, level, whole=True, written=_text) for level in edges]
    levels = [[labels[code] for code in codes.tolist()] for codes, labels in classes]
    return Hierarchy.of(dict.fromkeys(zip(written_labels(column), *levels, strict=True)))


def calendar_breaks(ends: Array, classes: int) -> Array | None:
    """Return first days of months or years between two dates, for at most ``classes`` classes.

    None if the dates, shape (2,), are too near or too far apart for that.

    Examples
    --------
    >>> ends = np.array(["1998-03-21", "2001-08-17"], "datetime64[D]")
    >>> calendar_breaks(ends, 4).astype(str).tolist()
    ['1999-01-01', '2000-01-01', '2001-01-01']
    """
    first, last = (ends.astype("datetime64[M]").astype(np.int64) + _YEAR_0).tolist()
    for months in _MONTHS:
        steps = np.arange(first // months + 1, last // months + 1) * months - _YEAR_0
        if 0 < len(steps) < classes:
            return np.asarray(steps.astype("datetime64[M]").astype("datetime64[D]"))
    return None


def _dates(column: Column) -> Array:
    return dates_of(column, np.array(column.coded.labels, np.float64))


def _day(column: Column, date: Any) -> int:
    try:
        return date if isinstance(date, int) else int(np.datetime64(date, "D").astype(np.int64))
    except (TypeError, ValueError):
        raise SettingError(
            "the hierarchy of '{column}' is cut at dates, written like 2000-12-31.",
            column=column.name,
        ) from None


def _text(days: Fraction) -> str:
    return str(np.datetime64(int(days), "D"))
