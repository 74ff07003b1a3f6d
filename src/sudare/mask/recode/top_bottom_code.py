"""Top and bottom coding: what lies beyond a bound becomes the bound, the tail's mean or a label."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np

from sudare.core import (
    Between,
    Categorical,
    Column,
    ColumnPlan,
    Draws,
    Floats,
    Label,
    Masker,
    Microdata,
    NumberFunction,
    Numeric,
    Plan,
    SettingError,
    Tails,
    multiple_below,
    not_counted,
    round_unit,
)
from sudare.engine.counting import label_counts
from sudare.mask.recode.global_recode import Recoding

Bound = float | str
Bounds = Bound | Mapping[str, Bound]
Shares = float | Mapping[str, float]
Beyond = Literal["bound", "mean", "label"]
End = Literal["bottom", "top"]
_ENDS: tuple[End, End] = ("bottom", "top")

_SHARE = 0.01
_FEWEST = 3  # the mean of one or two records would publish them
_STEPS = 10  # round units between the median and a bound, at least


def tail_bound(counts: Floats, share: float) -> int:
    """Return the lowest level with no more than a share of the records above it.

    Parameters
    ----------
    counts
        Number or weight of the records of each level, in ascending order, shape (levels,).
    share
        Share of the records that may lie above the bound.

    Examples
    --------
    >>> tail_bound(np.array([50.0, 30.0, 15.0, 4.0, 1.0]), 0.05)
    2
    """
    above = counts[::-1].cumsum()[::-1] - counts
    allowed = share * counts.sum() * (1 + 1e-12)  # a share of 5 in 100 is 5 records, not 4.999…
    return int(np.argmax(above <= allowed))


def shared_bound(counts: Floats) -> int:
    """Return the highest level at or above which there are three records, or the lowest of all.

    A bound that one or two records reach would publish them. Counts are those of ascending levels.

    Examples
    --------
    >>> shared_bound(np.array([50.0, 2.0, 1.0, 1.0]))
    1
    """
    reached = counts[::-1].cumsum()[::-1] >= _FEWEST
    return int(np.flatnonzero(reached)[-1]) if reached.any() else 0


def round_bound(levels: Floats, counts: Floats, bound: float, end: End) -> float:
    """Return a bound moved to the next round number, a top bound down and a bottom bound up.

    The round number is a multiple of 1, 2 or 5 times a power of ten, at most a tenth of the way to
    the median, which counts as no shorter than a quarter of the distance of the quartiles. Where
    half of the records have the bound, it stays.

    Parameters
    ----------
    levels, counts
        Distinct values in ascending order, and number or weight of their records, shape (levels,).
    bound, end
        Where a tail begins that was found in these counts, and which tail it is.

    Examples
    --------
    >>> levels = np.array([20.0, 40.0, 61.0, 87.0])
    >>> round_bound(levels, np.array([9.0, 9.0, 9.0, 1.0]), 87.0, "top")
    86.0
    """
    middle = _median(levels, counts)
    shortest = (_quantile(levels, counts, 0.75) - _quantile(levels, counts, 0.25)) / 4
    way = max(abs(bound - middle), shortest)
    if way == 0:
        return bound
    unit = round_unit(way / _STEPS)
    return multiple_below(bound, unit) if end == "top" else -multiple_below(-bound, unit)


def _median(levels: Floats, counts: Floats) -> float:
    return _quantile(levels, counts, 0.5)


def _quantile(levels: Floats, counts: Floats, share: float) -> float:
    return float(levels[np.searchsorted(counts.cumsum(), counts.sum() * share)])


def tail_mean(column: Column, end: End, bound: float, weights: Floats | None) -> float:
    """Return the (weighted) mean of the values beyond a bound, or the bound if they are too few.

    It is taken over distinct values, so that it does not depend on the order of the records, and
    rounded as bounds are, so that all values of a tail but one do not tell the last. No value has a
    mean weight below half the largest: else one with nearly all the weight would be published.
    """
    values = np.array(column.coded.labels, np.float64)
    beyond = values > bound if end == "top" else values < bound
    counted = label_counts(column)[beyond]
    chosen = counted if weights is None else label_counts(column, weights)[beyond]
    if counted.sum() < _FEWEST or chosen.sum() == 0:
        return bound
    by_record = chosen / np.maximum(counted, 1)
    chosen = counted * np.maximum(by_record, by_record.max() / 2)
    mean = float(np.average(values[beyond], weights=chosen))
    middle = _median(values, label_counts(column))
    unit = round_unit(max(abs(bound - middle), abs(mean - bound)) / _STEPS)
    nearest = multiple_below(mean + unit / 2, unit)
    return max(nearest, bound) if end == "top" else min(nearest, bound)


@dataclass(frozen=True, repr=False)
class TopBottomPlan(ColumnPlan):
    """The tails of each column of numbers, and the recoding of each column of labels."""

    tails: Mapping[str, Tails | Recoding]

    def _mask(self, column: Column, draws: Draws) -> Column:
        tails = self.tails[column.name]
        if isinstance(tails, Recoding):
            return tails.apply(column.coded)
        column = column.numeric
        return replace(column, values=tails.apply(column.values))

    def function_of(self, name: str) -> NumberFunction | None:
        """Return the tails of a column of numbers."""
        tails = self.tails[name]
        return tails if isinstance(tails, Tails) else None


class TopBottomCode(Masker):
    """Replace what lies beyond a top or bottom bound.

    Bounds are given, or found so that about a share of the records (of their weights, if these
    count) lies beyond; a bound given goes before a share, and with neither, one percent of the
    records at each end is coded. A bound that is found is published: it is a round number, the next
    one towards the median from where no more than the share lies beyond, and at least 3 records
    reach it, since the extremes of few records are those of persons. Numbers beyond a bound
    become the bound or the (weighted) mean of their tail, rounded likewise; a tail of fewer than 3
    records becomes the bound, since its mean would publish it.
    With "label" the bound and all beyond it become one category such as "≥ 80", and numbers
    become ordered categories. Ordinal categories are coded by label in their order, and have no
    mean. Missing and not-applicable values stay what they are.

    References
    ----------
    Hundepool et al. (2012). Statistical disclosure control. Wiley.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> coded = sudare.apply(data, TopBottomCode(top={"age": 80}, beyond="label")).data["age"]
    >>> coded.labels[-1]
    '≥ 80'
    """

    works_on = "rows"
    relation = "covers"
    takes = "ordered"
    roles = ("key", "sensitive")

    top: Annotated[
        Bounds | None, "highest value that stays, or label of an ordinal variable; may be by column"
    ] = None
    bottom: Annotated[
        Bounds | None, "lowest value that stays, or label of an ordinal variable; may be by column"
    ] = None
    top_share: Annotated[
        Shares | None,
        Between(0, 0.5, below=True),
        "share of the records above the top bound, where none is given; may be by column",
    ] = None
    bottom_share: Annotated[
        Shares | None,
        Between(0, 0.5, below=True),
        "share of the records below the bottom bound, where none is given; may be by column",
    ] = None
    beyond: Annotated[Beyond, "what takes the place of values beyond a bound"] = "bound"
    weighted: Annotated[bool, "whether sampling weights count"] = False

    def chosen(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns named, those with a bound of their own, or those whose role fits."""
        given = (self.bottom, self.top, self.bottom_share, self.top_share)
        own = {name: None for part in given if isinstance(part, Mapping) for name in part}
        if self.columns is None and own:
            return replace(self, columns=tuple(own)).chosen(data)
        return super().chosen(data)

    def names_labels_of(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns without a stated bound: it is a label, and published."""
        given = {name: [self._given(name, end)[0] for end in _ENDS] for name in self.chosen(data)}
        return tuple(name for name, bounds in given.items() if bounds == [None, None])

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        public: dict[str, dict[str, object]] = {}
        tails: dict[str, Tails | Recoding] = {}
        for name in columns:
            column = not_counted(data, name)
            if self._counts(column):
                column = data[name]
            weights = data.weights_for(name) if self.weighted else None
            bottom = self._bound(column, "bottom", weights)
            top = self._bound(column, "top", weights)
            if isinstance(column, Numeric) and self._cross(name, bottom, top):
                bottom = top
            public[name] = {"bottom": bottom, "top": top}
            if isinstance(column, Numeric) and self.beyond != "label":
                tails[name] = self._tails(column, bottom, top, weights)
            else:
                tails[name] = self._recoding(column, bottom, top)
        return TopBottomPlan(self.step(columns, public), tails)

    def _counts(self, column: Column) -> bool:
        """Return whether bounds, or what takes the place of values, depend on the values."""
        given = [self._given(column.name, end) for end in _ENDS]
        has_shares = any(bound is None and share for bound, share in given)
        return not isinstance(column, Numeric) or has_shares or self.beyond != "bound"

    def _bound(self, column: Column, end: End, weights: Floats | None) -> Label | None:
        """Return the bound at one end, as a number or label; None where nothing is coded."""
        bound, share = self._given(column.name, end)
        if bound is not None:
            return _checked(column, bound)
        if not share:
            return None
        labels, counts = column.coded.labels, label_counts(column, weights)
        upwards = slice(None, None, 1 if end == "top" else -1)
        position = tail_bound(counts[upwards], share)
        position = position if end == "top" else len(counts) - 1 - position
        if not isinstance(column, Numeric):
            return labels[position]
        own = label_counts(column)
        shared = shared_bound(own[upwards])
        middle = int(np.searchsorted(own.cumsum(), own.sum() / 2))
        if end == "top":
            position = max(min(position, shared), middle)
        else:
            position = min(max(position, len(own) - 1 - shared), middle)
        levels = np.array(labels, np.float64)
        return _checked(column, round_bound(levels, counts, float(levels[position]), end))

    def _cross(self, column: str, bottom: Any, top: Any) -> bool:
        """Return whether rounding moved bounds that were found near the median past each other."""
        not_given = all(self._given(column, end)[0] is None for end in _ENDS)
        return not_given and bottom is not None and top is not None and bool(bottom > top)

    def _given(self, column: str, end: End) -> tuple[Bound | None, float | None]:
        if self.top is self.bottom is self.top_share is self.bottom_share is None:
            return None, _SHARE
        bound = self.top if end == "top" else self.bottom
        share = self.top_share if end == "top" else self.bottom_share
        return (
            bound.get(column) if isinstance(bound, Mapping) else bound,
            share.get(column) if isinstance(share, Mapping) else share,
        )

    def _tails(
        self, column: Numeric, bottom: Label | None, top: Label | None, weights: Floats | None
    ) -> Tails:
        low, high = _on_scale(column, bottom, -np.inf), _on_scale(column, top, np.inf)
        _refuse_crossing(column.name, low, high)
        if self.beyond == "bound":
            return Tails(low, high, low, high)
        return Tails(
            low,
            high,
            tail_mean(column, "bottom", low, weights),
            tail_mean(column, "top", high, weights),
        )

    def _recoding(self, column: Column, bottom: Label | None, top: Label | None) -> Recoding:
        """Return the recoding of labels; numbers are in their order among the labels."""
        if self.beyond == "mean":
            raise SettingError(
                "TopBottomCode: column '{column}' holds categories, which have no mean; use "
                "beyond='bound' or beyond='label'.",
                column=column.name,
            )
        labels = column.coded.labels
        scale = np.arange(float(len(labels)))
        if isinstance(column, Numeric):
            scale = np.array(labels, np.float64)
        lowest, highest = _on_scale(column, bottom, -np.inf), _on_scale(column, top, np.inf)
        _refuse_crossing(column.name, lowest, highest)
        below, above = bool((scale < lowest).any()), bool((scale > highest).any())
        low = int((scale <= lowest).sum()) - 1 if below else 0
        high = int((scale < highest).sum()) if above else len(labels) - 1
        new_codes = np.clip(np.arange(len(labels)), low, high).astype(np.int32)
        if self.beyond == "bound":
            return Recoding(labels, new_codes, labels)
        after = list(labels[low : high + 1])
        after[-1] = f"≥ {top}" if above else after[-1]
        after[0] = f"≤ {bottom}" if below else after[0]
        return Recoding(labels, new_codes - np.int32(low), tuple(after))


def _checked(column: Column, bound: Bound) -> Label:
    """Return the bound as the column knows it: a number, or one of its labels."""
    if isinstance(column, Numeric) and isinstance(bound, float):
        return int(bound) if bound.is_integer() else bound
    texts = [str(label) for label in column.coded.labels]
    text = str(int(bound)) if isinstance(bound, float) and bound.is_integer() else str(bound)
    if isinstance(column, Categorical) and text in texts:
        return column.labels[texts.index(text)]
    raise SettingError(
        "TopBottomCode: the bound of column '{column}' must be a number for numbers, and one of "
        "its labels for categories.",
        column=column.name,
    )


def _on_scale(column: Column, bound: Label | None, otherwise: float) -> float:
    """Return a bound as a number, or as the position of its label."""
    if bound is None:
        return otherwise
    if isinstance(column, Numeric):
        return float(bound)  # type: ignore[arg-type]
    return float(column.coded.labels.index(bound))


def _refuse_crossing(column: str, bottom: float, top: float) -> None:
    if bottom > top:
        raise SettingError(
            "TopBottomCode: the bottom bound of column '{column}' lies above its top bound.",
            column=column,
        )
