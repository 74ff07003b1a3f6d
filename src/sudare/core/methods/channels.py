"""Channels: how a randomized value came from the true one, by known probabilities.

A masker that randomizes publishes the channel of each column in its step; an estimator reads it
from there. Categories pass through a matrix, numbers through bounded Laplace noise.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sudare.core.table import Label
from sudare.core.types import Codes, Floats

_BELOW_ONE = 1 - 2.0**-53


@dataclass(frozen=True, eq=False)
class Replacement:
    """Retention–replacement of categories (eq. 1): stay with ``retain``, else draw from all.

    Attributes
    ----------
    labels
        The categories that can be drawn, |A| of them; public.
    retain
        ρ, the probability to stay. A value that does not stay may still draw itself.

    Examples
    --------
    >>> channel = Replacement(("a", "b"), 0.5)
    >>> channel.matrix().tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    >>> round(float(np.exp(channel.epsilon)), 9)
    3.0
    """

    labels: tuple[Label, ...]
    retain: float

    @property
    def epsilon(self) -> float:
        """The local privacy it gives: e^ε = (1 + (|A| - 1)ρ) / (1 - ρ)."""
        return replacement_epsilon(self.retain, len(self.labels))

    def matrix(self) -> Floats:
        """Return the probability of each published category (column) by true one (row)."""
        size = len(self.labels)
        matrix = np.full((size, size), (1 - self.retain) / size)
        matrix[np.diag_indices(size)] += self.retain
        return matrix

    def draw(self, codes: Codes, uniform: Floats) -> Codes:
        """Return a new code per record from one draw in [0, 1) each; absent codes stay."""
        size, left = len(self.labels), 1 - self.retain
        moves = (uniform >= self.retain) & (codes >= 0)
        drawn = codes.copy()
        rest = (uniform[moves] - self.retain) / left  # uniform again, given that it moves
        drawn[moves] = np.minimum(rest * size, size - 1).astype(np.int32)
        return drawn

    def public(self) -> dict[str, Any]:
        """Return what a step publishes."""
        return {
            "labels": self.labels,
            "matrix": self.matrix(),
            "retain": self.retain,
            "epsilon": self.epsilon,
        }


@dataclass(frozen=True, eq=False)
class BoundedNoise:
    """Laplace noise cut at the bounds of the values (eq. 2, 3).

    Attributes
    ----------
    low, high
        a and b, between which true and published values lie; public.
    scale
        φ; infinity publishes a uniform draw between the bounds.

    Examples
    --------
    >>> channel = BoundedNoise(0.0, 10.0, 5.0)
    >>> channel.epsilon
    2.0
    >>> channel.draw(np.array([2.0, 2.0]), np.array([0.0, 0.5])).round(3).tolist()
    [0.0, 3.334]
    """

    low: float
    high: float
    scale: float

    @property
    def epsilon(self) -> float:
        """The local privacy it gives: ε = (b - a) / φ, from the largest ratio of densities."""
        width = self.high - self.low
        return 0.0 if width == 0 else noise_epsilon(self.scale, width)

    @property
    def grid(self) -> float:
        """The distance of values that can be published: a power of 2, 2⁻³⁰ of the width or less."""
        return float(2.0 ** (np.floor(np.log2(self.high - self.low)) - 30))

    def masses(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the mass of the uncut noise that stays inside, below and above each true value.

        Their sum is γ of eq. 3. ``scale`` must be finite.
        """
        below = -np.expm1((self.low - values) / self.scale) / 2
        above = -np.expm1((values - self.high) / self.scale) / 2
        return below, above

    def density(self, published: Floats, true: Floats) -> Floats:
        """Return the density of published values given the true ones (eq. 2), broadcast."""
        width = self.high - self.low
        if np.isinf(self.scale):
            return np.broadcast_to(1 / width, np.broadcast_shapes(published.shape, true.shape))
        below, above = self.masses(true)
        densities: Floats = np.exp(-np.abs(published - true) / self.scale)
        densities /= 2 * self.scale * (below + above)
        return densities

    def cumulative(self, published: Floats, true: Floats) -> Floats:
        """Return the probability to publish at most a value, given the true one, broadcast."""
        inside = np.clip(published, self.low, self.high)
        if np.isinf(self.scale):
            return (inside - self.low) / (self.high - self.low) + 0 * true
        below, above = self.masses(true)
        gap = (inside - true) / self.scale
        mass = below - np.sign(gap) * np.expm1(-np.abs(gap)) / 2
        return mass / (below + above)

    def draw(self, values: Floats, uniform: Floats) -> Floats:
        """Return a noisy value per record from one draw in [0, 1) each, by inversion.

        Values are multiples of ``grid`` above ``low``: in full precision, which of the last bits
        can be drawn depends on the true value, and excludes true values (Mironov 2012).
        """
        width = self.high - self.low
        if np.isinf(self.scale) or width == 0:
            return np.where(np.isnan(values), np.nan, self.low + uniform * width)
        below, above = self.masses(values)
        step = uniform * (below + above) - below
        shrunk = np.log1p(-np.minimum(2 * np.abs(step), _BELOW_ONE))
        drawn = values - np.sign(step) * self.scale * shrunk
        steps = np.rint((np.clip(drawn, self.low, self.high) - self.low) / self.grid)
        return np.clip(self.low + steps * self.grid, self.low, self.high)

    def public(self) -> dict[str, Any]:
        """Return what a step publishes."""
        return {
            "low": self.low,
            "high": self.high,
            "scale": self.scale,
            "epsilon": self.epsilon,
        }


@dataclass(frozen=True, eq=False)
class Exchange:
    """Categories exchanged by any known matrix, as PRAM does.

    Attributes
    ----------
    labels
        The categories.
    rows
        Probability of each published category (column) by true one (row).
    """

    labels: tuple[Label, ...]
    rows: Floats

    def matrix(self) -> Floats:
        """Return the probability of each published category (column) by true one (row)."""
        return self.rows


Channel = Replacement | BoundedNoise
Published = Channel | Exchange


def published_channel(public: Mapping[str, Any]) -> Published | None:
    """Return the channel that a step publishes for a column, if it publishes one."""
    if "retain" in public and "labels" in public:
        return Replacement(tuple(public["labels"]), public["retain"])
    if "matrix" in public and "labels" in public:
        return Exchange(tuple(public["labels"]), np.asarray(public["matrix"], np.float64))
    if "scale" in public and "low" in public:
        return BoundedNoise(public["low"], public["high"], public["scale"])
    return None


def in_turn(first: Published, second: Published) -> Published | None:
    """Return the channel of two in turn; none where there is no formula for it."""
    if isinstance(first, BoundedNoise) or isinstance(second, BoundedNoise):
        return None
    if first.labels != second.labels:
        return None
    return Exchange(first.labels, first.matrix() @ second.matrix())


def replacement_epsilon(retain: float, categories: int) -> float:
    """Return ε of retention–replacement; 0 for a single category, infinite at ``retain`` 1.

    Examples
    --------
    >>> replacement_epsilon(0.0, 5)
    0.0
    """
    if categories == 1:
        return 0.0
    if retain == 1:
        return np.inf
    return float(np.log1p(categories * retain / (1 - retain)))


def replacement_retain(epsilon: float, categories: int) -> float:
    """Return the ρ that gives ε: (e^ε - 1) / (e^ε - 1 + |A|).

    Examples
    --------
    >>> round(replacement_epsilon(replacement_retain(0.45, 7), 7), 9)
    0.45
    """
    if np.isinf(epsilon):
        return 1.0
    return float(-np.expm1(-epsilon) / (1 + (categories - 1) * np.exp(-epsilon)))


def noise_epsilon(scale: float, width: float) -> float:
    """Return ε of bounded Laplace noise: width over φ."""
    return width / scale if scale > 0 else np.inf


def noise_scale(epsilon: float, width: float) -> float:
    """Return the φ that gives ε; infinite for ε = 0.

    Examples
    --------
    >>> noise_scale(0.5, 10.0)
    20.0
    """
    return width / epsilon if epsilon > 0 else np.inf
