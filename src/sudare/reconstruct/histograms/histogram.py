"""The cross table of released records: its axes, its transition, and what is estimated of it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Annotated

import numpy as np

from sudare.core import (
    Between,
    BoundedNoise,
    Column,
    ColumnError,
    Flags,
    Floats,
    Integers,
    Label,
    Numeric,
    Published,
    Replacement,
    SettingError,
)
from sudare.reconstruct.estimator import Estimate, Estimator
from sudare.reconstruct.released import Released

_LARGEST_TABLE = 2**25
_POINTS = 16  # places within a class of numbers over which its transition is averaged


@dataclass(frozen=True, eq=False)
class HistogramAxis:
    """One column as an axis of the histogram.

    Attributes
    ----------
    labels
        Its categories, or the classes of numbers as (from, to).
    codes
        Place of each record, below 0 where it is absent, shape (n,).
    matrix
        Probability of each published place (column) by true one (row); none where the column was
        not randomized.
    retain
        ρ where the matrix is that of retention–replacement.
    """

    labels: tuple[Label, ...]
    codes: Integers
    matrix: Floats | None
    retain: float | None = None

    def along(self, table: Floats, axis: int, *, transposed: bool) -> Floats:
        """Return the table with its transition (true to seen, or back) applied along an axis."""
        if self.matrix is None:
            return table
        if self.retain is not None:  # symmetric; the cost is that of a sum
            spread = (1 - self.retain) / len(self.labels) * table.sum(axis=axis, keepdims=True)
            return np.asarray(self.retain * table + spread)
        matrix = self.matrix if transposed else self.matrix.T
        return np.moveaxis(np.tensordot(matrix, table, axes=(1, axis)), 0, axis)


@dataclass(frozen=True, eq=False)
class Kronecker:
    """The transition of a histogram: one factor per axis, never their product."""

    axes: Sequence[HistogramAxis]

    @property
    def shape(self) -> tuple[int, ...]:
        """Cells per axis."""
        return tuple(len(axis.labels) for axis in self.axes)

    def seen(self, shares: Floats) -> Floats:
        """Return the published shares of the cells, flat."""
        return self._along_all(shares, transposed=False)

    def true(self, ratios: Floats) -> Floats:
        """Return what the published cells say about each true one, flat."""
        return self._along_all(ratios, transposed=True)

    def _along_all(self, flat: Floats, *, transposed: bool) -> Floats:
        table = flat.reshape(self.shape)
        for dimension, axis in enumerate(self.axes):
            table = axis.along(table, dimension, transposed=transposed)
        return table.ravel()


def class_transition(channel: BoundedNoise, edges: Floats) -> Floats:
    """Return the probability of each class of numbers (column) by true class (row).

    The true number is taken as even within its class.

    Examples
    --------
    >>> class_transition(BoundedNoise(0.0, 2.0, np.inf), np.array([0.0, 0.5, 2.0])).tolist()
    [[0.25, 0.75], [0.25, 0.75]]
    """
    inside = (np.arange(_POINTS) + 0.5) / _POINTS
    true = (edges[:-1, None] + np.diff(edges)[:, None] * inside)[:, :, None]
    steps = np.diff(channel.cumulative(edges[None, None, :], true), axis=2).mean(axis=1)
    return steps / steps.sum(axis=1, keepdims=True)


@dataclass(frozen=True, eq=False)
class HistogramEstimate(Estimate):
    """An estimate with the histogram behind it.

    Attributes
    ----------
    table
        Estimated share of the true records in each cell, one axis per column.
    axes
        What the positions on each axis represent: categories, or classes of numbers (from, to).
    """

    table: Floats = field(default_factory=lambda: np.ones(()), repr=False)
    axes: tuple[tuple[Label, ...], ...] = field(default=(), repr=False)


@dataclass(frozen=True, eq=False)
class Histogram:
    """The records of a released table, counted in the cells of some of its columns.

    Attributes
    ----------
    transition
        How true cells became published ones.
    known
        Which records have a value in all columns, shape (n,).
    cells
        The cell of each known record, flat.
    observed
        Share of the known records in each cell, flat.
    """

    transition: Kronecker
    known: Flags
    cells: Integers
    observed: Floats

    def weights(self, shares: Floats) -> Floats:
        """Return weights under which the records have some shares; 1 where a value is absent."""
        weights = np.ones(len(self.known))
        weights[self.known] = shares[self.cells] / self.observed[self.cells]
        weights[self.known] /= weights[self.known].mean()
        return weights


class HistogramEstimator(Estimator, ABC):
    """An estimator of the shares of the cells of a cross table."""

    classes: Annotated[int, Between(1, 500), "classes that numbers are cut into"] = 20

    def _fit(self, released: Released) -> Estimate:
        return self._estimate(released, self._histogram(released))

    @abstractmethod
    def _estimate(self, released: Released, histogram: Histogram) -> Estimate: ...

    def _histogram(self, released: Released) -> Histogram:
        axes = [
            self._axis(released.data[name], released.channels.get(name)) for name in released.names
        ]
        transition = Kronecker(axes)
        cells = prod(transition.shape)
        if cells > _LARGEST_TABLE:
            raise SettingError(
                "{method}: a table of these {count} columns has {cells} cells, more than "
                "{limit}; name fewer columns, or use KernelDensityRatio.",
                method=type(self).__name__,
                count=len(axes),
                cells=cells,
                limit=_LARGEST_TABLE,
            )
        known = np.logical_and.reduce([axis.codes >= 0 for axis in axes])
        if not known.any():
            raise ColumnError(
                "{method}: no record has a value in all of the {count} columns; name fewer, "
                "or publish several per record.",
                method=type(self).__name__,
                count=len(axes),
            )
        cell = np.ravel_multi_index(tuple(axis.codes[known] for axis in axes), transition.shape)
        return Histogram(transition, known, cell, np.bincount(cell, minlength=cells) / known.sum())

    def _axis(self, column: Column, channel: Published | None) -> HistogramAxis:
        if isinstance(column, Numeric):
            return self._classes(column, channel)
        coded = column.coded
        if channel is None or isinstance(channel, BoundedNoise):
            return HistogramAxis(coded.labels, coded.codes.astype(np.int64), None)
        codes = coded.codes_in(channel.labels).astype(np.int64)
        retain = channel.retain if isinstance(channel, Replacement) else None
        return HistogramAxis(channel.labels, codes, channel.matrix(), retain)

    def _classes(self, column: Numeric, channel: Published | None) -> HistogramAxis:
        values = column.values[column.known]
        low, high = float(values.min()), float(values.max())
        if isinstance(channel, BoundedNoise):
            low, high = channel.low, channel.high
        edges = np.linspace(low, high, self.classes + 1) if low < high else np.array([low, high])
        codes = np.full(column.rows, -1)
        codes[column.known] = np.searchsorted(edges[1:-1], values, side="right")
        pairs = tuple(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
        if not isinstance(channel, BoundedNoise) or low == high:
            return HistogramAxis(pairs, codes, None)
        return HistogramAxis(pairs, codes, class_transition(channel, edges))
