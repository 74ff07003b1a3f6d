"""Iterative Bayes: the histogram of the true records by the EM algorithm (eq. 6)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Annotated

import numpy as np

from sudare.core import (
    AtLeast,
    Between,
    BoundedNoise,
    Column,
    ColumnError,
    Floats,
    Integers,
    Label,
    Numeric,
    Published,
    Replacement,
    SettingError,
)
from sudare.reconstruct.estimator import Estimate, Estimator
from sudare.reconstruct.mixture import maximize
from sudare.reconstruct.released import Released

_LARGEST_TABLE = 2**25
_POINTS = 16  # places within a class of numbers over which its transition is averaged


@dataclass(frozen=True, eq=False)
class Axis:
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

    axes: Sequence[Axis]

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
    matrix: Floats = steps / steps.sum(axis=1, keepdims=True)
    return matrix


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


class IterativeBayes(Estimator):
    """Estimate the histogram of the true records by iterated Bayes' rule.

    The share of every cell of the cross table is estimated by maximum likelihood (eq. 6), starting
    from even shares. The transition of a cell is the product of the columns' own; it is applied
    axis by axis, so that a round costs the number of cells times a small factor. But cells multiply
    with every column: name few columns. Numbers are cut into ``classes`` of equal width between
    their public bounds, and taken as even within a class; columns that were not randomized keep
    their place.

    ``fit(data, steps).table`` is the histogram. The weights make the randomized records agree with
    it: mass of cells in which no record was published is lost to them. Records with an absent
    value do not count and have weight 1.

    References
    ----------
    Agrawal, Srikant and Thomas (2005). Privacy preserving OLAP. SIGMOD.
    Hasegawa, Hamada and Kikuchi, Efficient reconstruction algorithm for multivariate statistics:
    eq. 6.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy(2000)
    >>> masked = sudare.apply(data, sudare.mask.RetentionReplacement(retain=0.4), seed=7)
    >>> estimate = IterativeBayes(columns=("region",)).fit(masked.data, masked.steps)
    >>> estimate.table.round(2).tolist()
    [0.02, 0.09, 0.33, 0.15, 0.15, 0.05, 0.06, 0.15]
    """

    classes: Annotated[int, Between(1, 500), "classes that numbers are cut into"] = 20
    rounds: Annotated[int, AtLeast(1), "largest number of rounds"] = 200
    tolerance: Annotated[
        float, AtLeast(0), "a round that gains less mean log-likelihood is the last"
    ] = 1e-9

    def _fit(self, released: Released) -> Estimate:
        axes = [
            self._axis(released.data[name], released.channels.get(name)) for name in released.names
        ]
        transition = Kronecker(axes)
        cells = prod(transition.shape)
        if cells > _LARGEST_TABLE:
            raise SettingError(
                "IterativeBayes: a table of these {count} columns has {cells} cells, more than "
                "{limit}; name fewer columns, or use KernelDensityRatio.",
                count=len(axes),
                cells=cells,
                limit=_LARGEST_TABLE,
            )
        known = np.logical_and.reduce([axis.codes >= 0 for axis in axes])
        if not known.any():
            raise ColumnError(
                "IterativeBayes: no record has a value in all of the {count} columns; name fewer, "
                "or publish several per record.",
                count=len(axes),
            )
        cell = np.ravel_multi_index(tuple(axis.codes[known] for axis in axes), transition.shape)
        counts = np.bincount(cell, minlength=cells)
        observed = counts / known.sum()
        ascent = maximize(
            transition,
            observed,
            np.full(cells, 1 / cells),
            rounds=self.rounds,
            tolerance=self.tolerance,
        )
        weights = np.ones(released.data.rows)
        weights[known] = ascent.shares[cell] / observed[cell]
        weights[known] /= weights[known].mean()
        return HistogramEstimate(
            method=type(self).__name__,
            columns=tuple(released.names),
            weights=weights,
            log_likelihood=ascent.log_likelihood,
            converged=ascent.converged,
            error=0.0,
            data=released.data,
            table=ascent.shares.reshape(transition.shape),
            axes=tuple(axis.labels for axis in axes),
        )

    def _axis(self, column: Column, channel: Published | None) -> Axis:
        if isinstance(column, Numeric):
            return self._classes(column, channel)
        coded = column.coded
        if channel is None or isinstance(channel, BoundedNoise):
            return Axis(coded.labels, coded.codes.astype(np.int64), None)
        codes = coded.codes_in(channel.labels).astype(np.int64)
        retain = channel.retain if isinstance(channel, Replacement) else None
        return Axis(channel.labels, codes, channel.matrix(), retain)

    def _classes(self, column: Numeric, channel: Published | None) -> Axis:
        values = column.values[column.known]
        low, high = float(values.min()), float(values.max())
        if isinstance(channel, BoundedNoise):
            low, high = channel.low, channel.high
        edges = np.linspace(low, high, self.classes + 1) if low < high else np.array([low, high])
        codes = np.full(column.rows, -1)
        codes[column.known] = np.searchsorted(edges[1:-1], values, side="right")
        pairs = tuple(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
        if not isinstance(channel, BoundedNoise) or low == high:
            return Axis(pairs, codes, None)
        return Axis(pairs, codes, class_transition(channel, edges))
