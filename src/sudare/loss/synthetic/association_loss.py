"""Association: how far the strength of the link between two variables moved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import combinations

import numpy as np

from sudare.core import Column, Microdata, Moments, Numeric, Result, TablePair, say
from sudare.describe import association, explained_share, strength
from sudare.describe.pairing import TableMeasure
from sudare.engine.counting import group_moments, moments

Two = tuple[str, str]
_EXTREME = 200  # powers of 2 beyond which products of squares may not be numbers


class AssociationLoss(TableMeasure):
    """The mean change of the association of every two columns: r, V or η by their scales.

    A correlation that turns from r to −r has moved by 2r; no change counts more than 1. An
    association that cannot be computed counts as 0. The parts are the means over the pairs of
    each column.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> AssociationLoss()(data, data).value
    0.0
    """

    kind = "loss"
    formula = "mean over pairs of columns of |association after − association before|"
    needs = "counts"

    def _measure(self, pair: TablePair) -> Result:
        pairs = list(combinations(pair.columns, 2))
        if not pairs:
            return self.result(0, notes=(say("no association was compared: there is one column."),))
        old = strengths(pair.before, pairs, pair.original, pair.original_in_blocks)
        new = strengths(pair.after, pairs, pair.released, pair.released_in_blocks)
        moved = {names: min(abs(old[names] - new[names]), 1.0) for names in pairs}
        parts = {
            name: float(np.mean([away for names, away in moved.items() if name in names]))
            for name in pair.columns
        }
        return self.result(np.mean(list(moved.values())), parts=parts)


def strengths(
    data: Microdata,
    pairs: Sequence[Two],
    counted: Callable[[Sequence[str]], Microdata],
    in_blocks: Callable[[Sequence[str], Callable[[Microdata], list[Moments]]], list[list[Moments]]],
) -> dict[Two, float]:
    """Return r, V or η of pairs of columns, 0 where it cannot be computed.

    Parameters
    ----------
    data
        The table, or of a large one its columns without records.
    pairs
        The columns.
    counted, in_blocks
        How the table is asked for some columns: categories are counted, numbers summed up.
    """
    values = {}
    summed = [pair for pair in pairs if any(isinstance(data[name], Numeric) for name in pair)]
    if summed:
        names = list(dict.fromkeys(name for pair in summed for name in pair))
        units = {name: unit for name in names if (unit := _extreme_unit(data[name]))}
        blocks = in_blocks(names, partial(_moments, summed, units))
        for pair, parts in zip(summed, zip(*blocks, strict=True), strict=True):
            values[pair] = _strength(reduce(Moments.merged, parts))
    for pair in pairs:
        if pair not in values:
            (associated,) = association(counted(pair), columns=pair).pairs
            value = associated.value if associated.statistic == "r" else strength(associated)
            values[pair] = 0.0 if np.isnan(value) else value
    return values


def _extreme_unit(column: Column) -> int:
    """Return the power of 2 of numbers whose squares are too large or too small, or 0."""
    if not isinstance(column, Numeric) or not column.known.any():
        return 0
    unit = int(np.frexp(np.abs(column.values[column.known]).max())[1])
    return unit if abs(unit) > _EXTREME else 0


def _moments(pairs: Sequence[Two], units: Mapping[str, int], data: Microdata) -> list[Moments]:
    """Return what a block says about pairs of columns of which one at least holds numbers."""
    counted = data.counted
    numbers = [column for column in data.columns if isinstance(column, Numeric)]
    extreme = [column for column in numbers if column.name in units]
    data = data.replacing(
        replace(column, values=np.ldexp(column.values, -units[column.name])) for column in extreme
    )
    parts: list[Moments] = []
    for first, second in ((data[left], data[right]) for left, right in pairs):
        if isinstance(first, Numeric) and isinstance(second, Numeric):
            parts.append(moments([first, second], data.weights))
            continue
        label, number = (first, second) if isinstance(second, Numeric) else (second, first)
        if not isinstance(number, Numeric):
            raise TypeError(type(number).__name__)
        both = label.known & number.known
        each = (label.coded.codes, number.values, counted)
        if not both.all():
            each = (each[0][both], each[1][both], None if counted is None else counted[both])
        parts.append(group_moments(*each, len(label.coded.labels)))
    return parts


def _strength(moments: Moments) -> float:
    """Return r of two columns of numbers, or η of numbers by category."""
    if np.ndim(moments.weight):
        value = np.sqrt(explained_share(moments))
    else:
        spread = np.sqrt(moments.products[0, 0] * moments.products[1, 1])
        value = np.clip(moments.products[0, 1] / spread, -1, 1) if spread > 0 else np.nan
    return 0.0 if np.isnan(value) else float(value)
