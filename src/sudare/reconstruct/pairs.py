"""How likely each randomized record comes from each other one (eq. 13), in tiles.

The n × n matrix is P = S·D: S holds, for each pair, the product over columns of how likely the one
value is to become the other, relative to the most likely; D makes up for noise that is cut at a
bound (1/γ of eq. 3). Where every column is symmetric, so is S, and half of the tiles do. Tiles are
computed again for every product, or kept where they fit into memory.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sudare.core import Array, BoundedNoise, Codes, Column, Exchange, Floats, Numeric, Published
from sudare.engine.counting import side_by_side

Singles = NDArray[np.float32]
_TILE = 512  # a tile of single precision just fits into the second cache
_KEPT = 2**30  # bytes of tiles that are kept
_SHARPEST = 160.0  # width over φ beyond which single precision would overflow


@dataclass(frozen=True, eq=False)
class Pairs:
    """The transition among n records; see the module.

    Attributes
    ----------
    codes, falls
        Columns of categories that stay or move evenly, shape (a, n), and the factor for a
        different category, shape (a,).
    up, down
        e^(z/φ) and e^(-z/φ) of the columns of numbers, shape (b, n).
    matrices
        Codes and matrix, published (row) by true (column), of each column with another matrix.
    cut
        The diagonal of D, shape (n,).
    """

    codes: Codes
    falls: Singles
    up: Singles
    down: Singles
    matrices: tuple[tuple[Codes, Singles], ...]
    cut: Floats

    @classmethod
    def of(cls, columns: Sequence[Column], channels: Sequence[Published]) -> "Pairs":
        """Return the transition among the records of some columns, all of them known."""
        rows = columns[0].rows
        even: list[tuple[Codes, float]] = []
        noisy: list[Floats] = []
        matrices: list[tuple[Codes, Singles]] = []
        cut = np.ones(rows)
        for column, channel in zip(columns, channels, strict=True):
            if isinstance(channel, BoundedNoise) and isinstance(column, Numeric):
                noisy.append(centered(column.values, channel))
                cut /= cut_mass(column.values, channel)
            elif isinstance(channel, Exchange):
                matrix = channel.matrix().T / channel.matrix().max()
                published = np.ascontiguousarray(matrix, np.float32)
                matrices.append((column.coded.codes_in(channel.labels), published))
            elif not isinstance(channel, BoundedNoise):
                even.append((column.coded.codes_in(channel.labels), np.exp(-channel.epsilon)))
        exponents = np.array(noisy).reshape(len(noisy), rows)
        return cls(
            np.array([codes for codes, _ in even], np.int32).reshape(len(even), rows),
            np.array([fall for _, fall in even], np.float32),
            np.exp(exponents).astype(np.float32),
            np.exp(-exponents).astype(np.float32),
            tuple(matrices),
            cut,
        )

    @property
    def rows(self) -> int:
        """Number of records."""
        return len(self.cut)

    @cached_property
    def symmetric(self) -> bool:
        """Whether S is symmetric."""
        return all(np.array_equal(matrix, matrix.T) for _, matrix in self.matrices)

    def seen(self, shares: Floats) -> Floats:
        """Return P p: the density of each record published, shape (n,)."""
        return self._product(shares * self.cut, transposed=False)

    def true(self, ratios: Floats) -> Floats:
        """Return Pᵀ r, shape (n,)."""
        return self._product(ratios, transposed=True) * self.cut

    def spread(self, features: Singles) -> Singles:
        """Return P Φ for features of the records, shape (n, features), in single precision."""
        scaled = np.ascontiguousarray(features * self.cut[:, None], np.float32)
        return self._sum_of_tiles(scaled, np.float32, transposed=False)

    def _product(self, vector: Floats, *, transposed: bool) -> Floats:
        largest = float(vector.max()) or 1.0  # ratios may pass what single precision holds
        scaled = (vector / largest).astype(np.float32)
        return self._sum_of_tiles(scaled, np.float64, transposed=transposed) * largest

    def _sum_of_tiles(self, right: Singles, kind: type, *, transposed: bool) -> Array:
        """Return S, or its transpose, times a vector or matrix."""
        forward, backward = self.symmetric or not transposed, self.symmetric or transposed

        def work(part: int, parts: int) -> Array:
            total: Array = np.zeros(right.shape, kind)
            spare = np.empty((_TILE, _TILE), np.float32)
            for number in range(part, len(self._corners), parts):
                row, column = self._corners[number]
                down, across = slice(row, row + _TILE), slice(column, column + _TILE)
                tile = self._tile(number, spare)
                if forward:
                    total[down] += tile @ right[across]
                if backward and not (forward and row == column):
                    total[across] += tile.T @ right[down]
            return total

        threads = os.cpu_count() or 1
        return np.asarray(sum(side_by_side(lambda part: work(part, threads), range(threads))))

    @cached_property
    def _corners(self) -> list[tuple[int, int]]:
        starts = range(0, self.rows, _TILE)
        return [(r, c) for r in starts for c in starts if c >= r or not self.symmetric]

    @cached_property
    def _kept(self) -> list[Singles | None] | None:
        """The tiles made so far, where all of them will fit."""
        size = len(self._corners) * _TILE**2 * 4
        return [None] * len(self._corners) if size <= _KEPT else None

    def _tile(self, number: int, spare: Singles) -> Singles:
        """Return one tile of S, kept from before or written over the spare one."""
        from sudare.reconstruct._kernels import fill_tile, multiply_by_matrix

        kept = self._kept
        if kept is not None:
            known = kept[number]
            if known is not None:
                return known
            spare = np.empty((_TILE, _TILE), np.float32)
        row, column = self._corners[number]
        rows, columns = min(_TILE, self.rows - row), min(_TILE, self.rows - column)
        corner = (row, rows, column, columns)
        fill_tile(spare, *corner, self.codes, self.falls, self.up, self.down)
        for codes, matrix in self.matrices:
            multiply_by_matrix(spare, *corner, codes, matrix)
        tile = spare[:rows, :columns]
        if kept is not None:
            kept[number] = tile
        return tile


def centered(values: Floats, channel: BoundedNoise) -> Floats:
    """Return numbers as multiples of φ from the middle of the bounds."""
    width = channel.high - channel.low
    scale = max(channel.scale, width / _SHARPEST)
    if np.isinf(scale) or scale == 0:
        return np.zeros_like(values)
    return np.asarray((values - (channel.low + channel.high) / 2) / scale)


def cut_mass(values: Floats, channel: BoundedNoise) -> Floats:
    """Return γ (eq. 3) of each number, up to a constant."""
    if np.isinf(channel.scale) or channel.low == channel.high:
        return np.ones_like(values)
    below, above = channel.masses(np.clip(values, channel.low, channel.high))
    return below + above
