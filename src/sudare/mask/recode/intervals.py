"""Intervals: numbers become classes between public breaks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Literal

import numpy as np

from sudare.core import (
    NOT_APPLICABLE,
    AtLeast,
    Categorical,
    Column,
    ColumnPlan,
    Draws,
    Floats,
    Masker,
    Microdata,
    NumberClasses,
    NumberFunction,
    Numeric,
    Plan,
    SettingError,
    not_counted,
)
from sudare.describe.hierarchies import ALL, calendar_breaks
from sudare.engine.frames import dates_of, is_dated, numbers_of, texts_of
from sudare.mask.randomize import Bounds, Possible, bounds_of

Spacing = Literal["auto", "even", "log"]
_AMOUNT = 1000  # a column from 0 to this or more is money or the like, not an age or a percentage
_ROUND = np.array([1.0, 2.0, 5.0])
_TINY = float(np.nextafter(0.0, 1.0))  # a break right above 0


def digits(number: float) -> str:
    """Return a number with as many digits as a person would write.

    Examples
    --------
    >>> digits(1234567890123.0), digits(3 * 0.1)
    ('1234567890123', '0.3')
    """
    return f"{number:.0f}" if float(number).is_integer() else f"{number:.15g}"


def round_numbers(low: float, high: float) -> Floats:
    """Return the numbers 1, 2, 5 times a power of ten from ``low`` to ``high``, ascending.

    Examples
    --------
    >>> round_numbers(3, 120).tolist()
    [5.0, 10.0, 20.0, 50.0, 100.0]
    """
    powers = range(int(np.floor(np.log10(low))), int(np.floor(np.log10(high))) + 1)
    candidates = np.concatenate([_ROUND * 10.0**power for power in powers])
    return candidates[(candidates >= low) & (candidates <= high)]


def even_breaks(low: float, high: float, classes: int) -> Floats:
    """Return the multiples of a round width that cut a range into at most ``classes`` classes.

    Examples
    --------
    >>> even_breaks(17, 90, 8).tolist()
    [20.0, 40.0, 60.0, 80.0]
    """
    span = high - low
    for width in round_numbers(span / classes, 20 * span):
        breaks: Floats = np.arange(np.floor(low / width) + 1, np.floor(high / width) + 1) * width
        breaks = breaks[(breaks > low) & (breaks <= high)]  # a multiple may round beyond an end
        if len(breaks) < classes:
            return breaks
    raise AssertionError(classes)


def log_breaks(high: float, classes: int) -> Floats:
    """Return round numbers below the highest, and a break right above 0, for at most so many.

    Examples
    --------
    >>> log_breaks(99_999, 6)[1:].tolist()
    [5000.0, 10000.0, 20000.0, 50000.0]
    """
    rounds = round_numbers(high / 10.0**classes, high)
    rounds = rounds[rounds < high]
    return np.concatenate(([_TINY], rounds[len(rounds) - (classes - 2) :]))


def labels_of(
    breaks: Floats, bounds: tuple[float, float] | None, written: Callable[[float], str] = digits
) -> tuple[str, ...]:
    """Return the classes in the notation of intervals: a bracket belongs, a parenthesis does not.

    Without bounds the outer classes are open: their ends would be the extremes of the data.

    Examples
    --------
    >>> labels_of(np.array([20.0, 40.0]), (17, 90))
    ('[17, 20)', '[20, 40)', '[40, 90]')
    >>> labels_of(np.array([20.0, 40.0]), None)
    ('<20', '[20, 40)', '≥40')
    """
    low, high = bounds or (-np.inf, np.inf)
    edges = [low, *breaks.tolist(), high]
    last = len(breaks)
    return tuple(
        _label(start, end, written, closed=number == last)
        for number, (start, end) in enumerate(pairwise(edges))
    )


def _label(start: float, end: float, written: Callable[[float], str], *, closed: bool) -> str:
    if end == _TINY:
        return "[0]"
    if start == end:
        return f"[{written(start)}]"
    if np.isinf(start):
        return ALL if np.isinf(end) else f"<{written(end)}"
    if np.isinf(end):
        return ">0" if start == _TINY else f"≥{written(start)}"
    opening = "(0" if start == _TINY else f"[{written(start)}"
    return f"{opening}, {written(end)}{']' if closed else ')'}"


@dataclass(frozen=True, repr=False)
class IntervalsPlan(ColumnPlan):
    """The classes of each column."""

    classes: Mapping[str, NumberClasses]

    def _mask(self, column: Column, draws: Draws) -> Column:
        column, classes = column.numeric, self.classes[column.name]
        codes = classes.apply(column.values)
        codes[column.not_applicable] = NOT_APPLICABLE
        return Categorical(
            column.name,
            codes,
            classes.labels,
            role=column.role,
            scale="ordinal",
            absent_label=column.absent_label,
        )

    def function_of(self, name: str) -> NumberFunction:
        """Return the classes of a column."""
        return self.classes[name]


class Intervals(Masker):
    """Put numbers into classes between public breaks.

    The breaks depend on the bounds of a column and on nothing else, so that they tell nothing
    about the records: multiples of a round width (1, 2 or 5 times a power of ten; of dates, first
    days of months or years), or, for amounts from 0 upwards, a class of 0 alone and then round
    numbers up to the highest. ``spacing`` says
    which; "auto" takes a column for an amount if its bounds are 0 and at least 1000. ``classes``
    is the largest number of classes; your own breaks can be given by column.

    The classes are categories, in order. Missing and not-applicable values stay what they are.
    Numbers beyond the bounds, when the plan meets other data, go into the class at the end.

    Notes
    -----
    Bounds given as ``bounds`` are public, and appear in the labels. Otherwise the breaks are made
    for the smallest and the largest number of the data, which are not published: the outer classes
    are open, such as ``<20`` and ``≥80``. The breaks still tell these two numbers roughly.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, Intervals(classes=5, bounds={"age": (0, 99)}))
    >>> masked.data["age"].labels
    ('[0, 20)', '[20, 40)', '[40, 60)', '[60, 80)', '[80, 99]')
    """

    works_on = "rows"
    relation = "covers"
    takes = "numbers"

    classes: Annotated[int, AtLeast(2), "largest number of classes"] = 16
    spacing: Annotated[
        Spacing,
        "even: classes of one width; log: 0, then increasingly wide ones; auto: by the bounds",
    ] = "auto"
    breaks: Annotated[
        Mapping[str, Bounds] | None,
        "by column, the numbers at which a new class begins, in place of classes",
    ] = None
    bounds: Possible = None

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        classes = {name: self._classes(data, name) for name in columns}
        public = {
            name: {"breaks": own.breaks, "labels": own.labels} for name, own in classes.items()
        }
        return IntervalsPlan(self.step(columns, public), classes)

    def _classes(self, data: Microdata, name: str) -> NumberClasses:
        given = (self.breaks or {}).get(name)
        column, ends = not_counted(data, name).numeric, None
        if given is None or name in (self.bounds or {}):
            column = data.span(name).numeric
            ends = bounds_of(type(self).__name__, column, self.bounds)
        if given is None:
            breaks = self._breaks(column, *(ends or ()))
        else:
            breaks = _checked(name, given, ends)
        stated = ends if name in (self.bounds or {}) else None
        return NumberClasses(breaks, labels_of(breaks, stated, _written(column)))

    def _breaks(self, column: Numeric, low: float, high: float) -> Floats:
        if low == high:
            return np.empty(0)
        if self.spacing == "log" and low != 0:
            raise SettingError(
                "Intervals: spacing 'log' needs columns that start at 0; '{column}' does not.",
                column=column.name,
            )
        is_amount = low == 0 and high >= _AMOUNT and not is_dated(column)
        if self.spacing == "log" or (self.spacing == "auto" and is_amount):
            return log_breaks(high, self.classes)
        if is_dated(column):
            breaks = calendar_breaks(dates_of(column, np.array([low, high])), self.classes)
            if breaks is not None:
                return numbers_of(column, breaks)
        return even_breaks(low, high, self.classes)


def _checked(column: str, breaks: Bounds, ends: Bounds | None) -> Floats:
    """Return breaks that were given; refuse those that do not rise, or leave the stated bounds."""
    low, high = ends or (-np.inf, np.inf)
    if not all(a < b for a, b in pairwise((low, *breaks, high))):
        raise SettingError(
            "Intervals: the breaks of column '{column}' must rise and lie between its bounds.",
            column=column,
        )
    return np.array(breaks)


def _written(column: Numeric) -> Callable[[float], str]:
    """Return how a number of a column is written: a date as such."""
    if not is_dated(column):
        return digits
    return lambda number: texts_of(column, np.array([number]))[0]
