"""Loss by contingency tables, CTBIL (Sano and Hattori, eq. 3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Annotated, Literal

import numpy as np

from sudare.core import (
    AtLeast,
    Categorical,
    Floats,
    Integers,
    Microdata,
    MismatchError,
    Result,
    TablePair,
)
from sudare.describe.pairing import TableMeasure, merged_into, places_among
from sudare.engine.counting import cross_table, tally

Spread = Literal["uniform", "share"]


@dataclass(frozen=True, eq=False)
class TableAxis:
    """One variable of the tables, before and after, on labels that correspond.

    Attributes
    ----------
    before, after
        The position among the cells of each code before and after masking, the last two for
        not applicable and missing; a merged label has one position.
    merged
        The masked code that each original code was merged into, shape (labels + 2,).
    part
        The part of a merged count that goes back to each original code, shape (labels + 2,).
    """

    before: Integers
    after: Integers
    merged: Integers
    part: Floats

    @property
    def size(self) -> int:
        """Number of cells of the original variable, absent values among them."""
        return len(self.merged)


@dataclass(frozen=True, eq=False)
class Placed:
    """Records by their positions on the axes of a table.

    Attributes
    ----------
    positions
        By axis, the position of each entry, shape (n,).
    copies
        How many records each entry represents, if not one.
    """

    positions: Sequence[Integers]
    copies: Integers | None

    def cells(self, sizes: Sequence[int]) -> tuple[tuple[Integers, ...], Integers]:
        """Return the cells that occur, by axis, and their counts, ascending by their key."""
        keys, counts = tally(_keys(self.positions, sizes), self.copies)
        return np.unravel_index(keys, tuple(sizes)), counts


def table_difference(axes: Sequence[TableAxis], before: Placed, after: Placed) -> float:
    """Return the summed absolute difference of one table's cells before and after (eq. 3).

    Only cells that occur are visited: what a merged count gives back to cells that were empty
    before adds up without listing them.
    """
    sizes = [axis.size for axis in axes]
    cells, counts = before.cells(sizes)
    merged = [axis.merged[codes] for axis, codes in zip(axes, cells, strict=True)]
    part = np.prod([axis.part[codes] for axis, codes in zip(axes, cells, strict=True)], axis=0)
    masked_cells, masked = after.cells(sizes)
    keys, masked_keys = _keys(merged, sizes), _keys(masked_cells, sizes)
    nearest = np.searchsorted(masked_keys, keys)
    nearest = np.minimum(nearest, len(masked_keys) - 1)
    given_back = np.where(masked_keys[nearest] == keys, masked[nearest], 0) * part
    elsewhere = masked.sum() - given_back.sum()  # goes to cells that were empty before
    return float(np.abs(counts - given_back).sum() + elsewhere)


class ContingencyTables(TableMeasure):
    """The summed difference of all contingency tables of up to max_dim variables (CTBIL).

    The value is the difference per cell of the tables compared, the mean over every subset of the
    columns of up to ``max_dim`` of them; ``total`` gives the sum itself. The parts are the value by
    subset. Missing and not-applicable are categories of their own.

    Global recoding changes the cells: then ``spread`` says how a merged count goes back to the
    categories it was merged from, in equal parts or by their shares in the original.

    References
    ----------
    Domingo-Ferrer and Torra (2001), as eq. 3 of Sano and Hattori.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, sudare.mask.Pram(retain=0.9), seed=1).data
    >>> ContingencyTables(columns=("sex",), max_dim=1, per_cell=False)(data, masked).value
    8.0
    """

    kind = "loss"
    formula = (
        "Σ |count before − count after| / number of cells, over all tables of up to max_dim columns"
    )
    needs = "counts"
    pairs = True
    takes = "categories"

    max_dim: Annotated[int, AtLeast(1), "largest number of variables in a table"] = 2
    per_cell: Annotated[bool, "whether the sum is divided by the number of cells"] = True
    spread: Annotated[
        Spread | None,
        "how merged counts go back to the original categories: equally, or by their shares",
    ] = None

    def _measure(self, pair: TablePair) -> Result:
        axes = {name: self._axis(pair, name) for name in pair.columns}
        positions = _Positions()
        differences, cells = {}, {}
        for subset in _subsets(pair.columns, self.max_dim):
            chosen = [axes[name] for name in subset]
            name = " × ".join(subset)
            before, after = pair.original(subset), pair.released(subset)
            old = [positions(before, n, axes[n].before) for n in subset]
            new = [positions(after, n, axes[n].after) for n in subset]
            differences[name] = table_difference(
                chosen, Placed(old, before.copies), Placed(new, after.copies)
            )
            cells[name] = prod(axis.size for axis in chosen)
        total, divisor = sum(differences.values()), sum(cells.values()) if self.per_cell else 1
        tables = len(differences)
        return self.result(
            total / divisor,
            best=0,
            worst=2 * before.records * tables / divisor,
            parts={n: d / (cells[n] if self.per_cell else 1) for n, d in differences.items()},
        )

    def _axis(self, pair: TablePair, name: str) -> TableAxis:
        before, after = pair.original([name])[name].coded, pair.released([name])[name].coded
        size = len(before.labels)
        codes = places_among(before, after)
        known = before.labels == after.labels or codes[after.codes].max(initial=-1) < size
        if known:  # the labels are the original's
            same, absent = np.arange(size + 2), [size + 1, size]
            return TableAxis(
                np.append(same[:-2], absent), np.append(codes[:-2], absent), same, np.ones(size + 2)
            )
        if self.spread is None:
            raise MismatchError(
                "ContingencyTables: column '{column}' has other categories after masking, so its "
                "cells do not correspond; choose spread='uniform' or spread='share'.",
                column=before.name,
            )
        selected = pair.on([name])
        return _merged_axis(selected.before[name].coded, selected.after[name].coded, self.spread)


def _merged_axis(before: Categorical, after: Categorical, spread: Spread) -> TableAxis:
    size, absent = len(before.labels), [len(before.labels) + 1, len(before.labels)]
    merged = np.append(merged_into(before, after), [size, size + 1])
    counts = cross_table([before])
    counts[-2:] = counts[-2:][::-1]
    share = counts if spread == "share" else np.ones(size + 2)
    total = np.bincount(merged, weights=share, minlength=size + 2)
    part = np.divide(share, total[merged], out=np.zeros(size + 2), where=total[merged] > 0)
    old, new = np.arange(size), np.arange(len(after.labels))
    return TableAxis(np.append(old, absent), np.append(new, absent), merged, part)


def _subsets(columns: Sequence[str], largest: int) -> Iterator[tuple[str, ...]]:
    for width in range(1, min(largest, len(columns)) + 1):
        yield from combinations(columns, width)


def _keys(codes: Sequence[Integers], sizes: Sequence[int]) -> Integers:
    return np.ravel_multi_index(tuple(codes), tuple(sizes)).astype(np.int64, copy=False)


class _Positions:
    """The positions of the records of a column, worked out once: a column is in many tables."""

    def __init__(self) -> None:
        self.cache: dict[tuple[int, str], tuple[Microdata, Integers]] = {}

    def __call__(self, data: Microdata, name: str, axis: Integers) -> Integers:
        key = (id(data), name)
        if key not in self.cache:
            self.cache[key] = (
                data,
                axis[data[name].coded.codes],
            )  # with the data, which keeps its id
        return self.cache[key][1]
