"""A column as the recode screen shows it: its classes as they are now, and where it can be cut."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sudare.core import Column, Microdata, Numeric
from sudare.describe import bars_of, bars_within, shown_bounds
from sudare.engine.counting import label_counts
from sudare.engine.frames import is_dated
from sudare.mask import Intervals
from sudare.workbench.recoding.live_counts import recoded_entries

_BARS = 20  # of a histogram
_MOST = 500  # labels on a page


@dataclass(frozen=True)
class RecodedClass:
    """A label of the column as it is now: its code, its count as shown, the length of its bar."""

    code: int
    label: str
    count: str
    length: float
    begins_at: float | None = None  # of a bar of a histogram that is not the first


@dataclass(frozen=True)
class RecodeView:
    """A column on its way.

    Attributes
    ----------
    classes
        The labels as they are after the recoding, with their records; at most 500.
    histogram
        Of numbers, bars of about equal width.
    is_numeric
        Whether the column holds numbers that can be cut.
    more
        Number of labels beyond those shown.
    """

    name: str
    classes: tuple[RecodedClass, ...]
    histogram: tuple[RecodedClass, ...]
    is_numeric: bool
    is_dated: bool
    distinct: int
    more: int

    def labels(self, codes: Sequence[str]) -> list[str]:
        """Return the labels of some codes, as a form sends them."""
        known = {str(shown.code): shown.label for shown in self.classes}
        return [known[code] for code in dict.fromkeys(codes) if code in known]

    def beginnings(self, codes: Sequence[str]) -> list[float]:
        """Return where some bars of the histogram begin, as a form sends their codes."""
        begins = {str(shown.code): shown.begins_at for shown in self.histogram}
        numbers = [begins[code] for code in codes if begins.get(code) is not None]
        return [int(n) if float(n).is_integer() else n for n in numbers if n is not None]


def recode_view(
    column: Column, steps: Sequence[Mapping[str, Any]], *, unlocked: bool = False
) -> RecodeView:
    """Return a column as its screen shows it.

    Counts below 10 are shown only if they are ``unlocked``.
    """
    recoded = recoded_entries(Microdata((column,)), steps)[column.name]
    is_numeric = isinstance(column, Numeric)
    numbers_left = isinstance(recoded, Numeric)
    classes = () if numbers_left else _classes(column, recoded, unlocked=unlocked)
    histogram = _histogram(column, unlocked=unlocked) if is_numeric and not column.empty else ()
    return RecodeView(
        name=column.name,
        classes=classes[:_MOST],
        histogram=histogram,
        is_numeric=is_numeric,
        is_dated=is_numeric and is_dated(column),
        distinct=len(np.unique(recoded.coded.codes[recoded.known])),
        more=max(0, len(classes) - _MOST),
    )


def _classes(column: Column, recoded: Column, *, unlocked: bool) -> tuple[RecodedClass, ...]:
    """Return the classes of a recoded column.

    Their counts are told as sums of what is told of the categories that they are made of: by
    merging, nobody learns a count that was hidden before.
    """
    lows, highs = shown_bounds(label_counts(column).astype(np.int64), unlocked=unlocked)
    codes = np.flatnonzero(label_counts(recoded))
    merged = np.unique(
        np.stack((column.coded.codes, recoded.coded.codes))[:, column.known & recoded.known], axis=1
    )
    size = len(recoded.coded.labels)
    bounds = [
        np.bincount(merged[1], weights=bound[merged[0]], minlength=size).astype(np.int64)[codes]
        for bound in (lows, highs)
    ]
    labels = [str(recoded.coded.labels[code]) for code in codes]
    return tuple(
        RecodedClass(int(code), bar.label, bar.count, bar.length)
        for code, bar in zip(codes, bars_within(labels, *bounds), strict=True)
    )


def _histogram(column: Column, *, unlocked: bool) -> tuple[RecodedClass, ...]:
    """Return bars between round numbers; every second of them begins where one could cut."""
    plan = Intervals(classes=_BARS, spacing="even", columns=(column.name,)).fit(
        Microdata((column,))
    )
    cut = plan.transform(Microdata((column,)))[column.name]
    counts = np.bincount(
        cut.coded.codes[cut.known],
        weights=None if column.copies is None else column.copies[cut.known],
        minlength=len(cut.coded.labels),
    )
    bars = bars_of(
        [str(label) for label in cut.coded.labels], counts.astype(np.int64), unlocked=unlocked
    )
    begins = [None, *plan.step.public[column.name]["breaks"].tolist()]
    return tuple(
        RecodedClass(code, bar.label, bar.count, bar.length, begin)
        for code, (bar, begin) in enumerate(zip(bars, begins, strict=True))
    )
