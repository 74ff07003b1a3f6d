"""A column as the recode screen shows it: its classes as they are now, and where it can be cut."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sudare.core import Column, Microdata, Numeric
from sudare.engine.counting import label_counts
from sudare.engine.frames import is_dated
from sudare.mask import Intervals
from sudare.workbench.recoding.live_counts import recoded_entries

_BARS = 20  # of a histogram
_MOST = 500  # labels on a page


@dataclass(frozen=True)
class RecodedClass:
    """A label of the column as it is now: its code, its records, the length of its bar."""

    code: int
    label: str
    records: int
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


def recode_view(column: Column, steps: Sequence[Mapping[str, Any]]) -> RecodeView:
    """Return a column as its screen shows it.

    Parameters
    ----------
    column
        Its distinct values, with copies.
    steps
        The steps of the variant.
    """
    recoded = recoded_entries(Microdata((column,)), steps)[column.name]
    is_numeric = isinstance(column, Numeric)
    numbers_left = isinstance(recoded, Numeric)
    classes = () if numbers_left else _classes(recoded)
    histogram = _histogram(column) if is_numeric and not column.empty else ()
    return RecodeView(
        name=column.name,
        classes=classes[:_MOST],
        histogram=histogram,
        is_numeric=is_numeric,
        is_dated=is_numeric and is_dated(column),
        distinct=len(np.unique(recoded.coded.codes[recoded.known])),
        more=max(0, len(classes) - _MOST),
    )


def _classes(column: Column) -> tuple[RecodedClass, ...]:
    counts = label_counts(column).astype(np.int64)
    longest = max(int(counts.max(initial=0)), 1)
    return tuple(
        RecodedClass(code, str(label), int(count), int(count) / longest)
        for code, (label, count) in enumerate(zip(column.coded.labels, counts, strict=True))
        if count
    )


def _histogram(column: Column) -> tuple[RecodedClass, ...]:
    """Return bars between round numbers; every second of them begins where one could cut."""
    plan = Intervals(classes=_BARS, spacing="even", columns=(column.name,)).fit(
        Microdata((column,))
    )
    breaks: Mapping[str, Any] = plan.breaks  # type: ignore[attr-defined]
    cut = plan.transform(Microdata((column,)))[column.name]
    counts = np.bincount(
        cut.coded.codes[cut.known],
        weights=None if column.copies is None else column.copies[cut.known],
        minlength=len(cut.coded.labels),
    )
    longest = max(float(counts.max(initial=0)), 1.0)
    begins = [None, *breaks[column.name].tolist()]
    return tuple(
        RecodedClass(code, str(label), int(count), float(count) / longest, begin)
        for code, (label, count, begin) in enumerate(
            zip(cut.coded.labels, counts, begins, strict=True)
        )
    )
