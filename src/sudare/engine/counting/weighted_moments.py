"""Moments: weighted means and covariances in one pass, mergeable across blocks and partitions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from sudare.core import (
    Array,
    Extremes,
    Floats,
    Integers,
    Microdata,
    Moments,
    Numeric,
    Outline,
    multiplied,
)
from sudare.engine.counting.algebra import product
from sudare.engine.counting.threads import side_by_side

_STRETCH_CELLS = 1 << 16  # half a megabyte
_STRETCHES_AT_ONCE = 16  # few calls, each long enough for threads to be worth their while


def moments(columns: Sequence[Numeric], weights: Floats | None = None) -> Moments:
    """Return the moments of some columns over the records that have all of them.

    Examples
    --------
    >>> total = moments([Numeric("x", np.array([1.0, 2.0, 3.0, np.nan]))])
    >>> total.weight, total.mean.tolist(), total.covariance.round(3).tolist()
    (3.0, [2.0], [[0.667]])
    """
    for column in columns:
        if isinstance(column, Extremes):
            _ = column.coded  # refuses
    size = _stretch_rows(len(columns))
    weights = multiplied(columns[0].copies, weights)

    def of_block(start: int) -> list[Moments]:
        block = slice(start, start + size * _STRETCHES_AT_ONCE)
        counted = None if weights is None else weights[block]
        return stretch_moments([column.values[block] for column in columns], counted)

    blocks = side_by_side(of_block, range(0, columns[0].rows, size * _STRETCHES_AT_ONCE))
    return merge(chain.from_iterable(blocks), len(columns))


def moments_of(data: Microdata, names: Sequence[str], *, weighted: bool = False) -> Moments:
    """Return the moments of some columns of a table, in memory or not.

    Parameters
    ----------
    data
        The table, or the outline of a large one, which then computes them.
    names
        Columns of numbers.
    weighted
        Whether sampling weights count, if there are any.
    """
    if isinstance(data, Outline):
        return data.table.moments(names, weighted=weighted)
    columns = [data[name] for name in names]
    if not all(isinstance(column, Numeric) for column in columns):
        raise TypeError("moments are of numbers")
    numbers = [column for column in columns if isinstance(column, Numeric)]
    return moments(numbers, data.weights if weighted else None)


@dataclass(frozen=True, eq=False)
class Piece:
    """What some records of one stretch contribute to moments.

    A stretch is so many records as :func:`moments` takes at a time. Whole ones are summed up; of
    others the values are kept until the rest of the stretch is there, so that the result is to the
    last digit the same however a table was cut.

    Attributes
    ----------
    stretch
        Number of the stretch in the table.
    first_row
        Number of the piece's first record in the table.
    content
        The moments of a whole stretch, or the values, shape (p, rows).
    weights
        Of the records, where values are kept and weights count.
    """

    stretch: int
    first_row: int
    content: Moments | Floats
    weights: Floats | None = None


def pieces(first_row: int, values: Floats, weights: Floats | None = None) -> list[Piece]:
    """Return what a block of a table contributes to its moments.

    Parameters
    ----------
    first_row
        Number of the block's first record in the table.
    values
        Shape (p, rows).
    weights
        Shape (rows,).
    """
    size, end = _stretch_rows(len(values)), first_row + values.shape[1]
    low = min(-(-first_row // size) * size, end)  # whole stretches begin here,
    high = max(end // size * size, low)  # and end here

    def part(start: int, stop: int) -> tuple[Floats, Floats | None]:
        rows = slice(start - first_row, stop - first_row)
        return values[:, rows], None if weights is None else weights[rows]

    whole = stretch_moments(*part(low, high))
    made = [
        Piece(row // size, row, own) for row, own in zip(range(low, high, size), whole, strict=True)
    ]
    for start, stop in ((first_row, low), (high, end)):
        if start < stop:
            kept, counted = part(start, stop)
            made.append(Piece(start // size, start, np.ascontiguousarray(kept), counted))
    return made


def assembled(parts: Iterable[Piece], columns: int) -> Moments:
    """Return the moments of a table from all its pieces, in any order."""
    by_stretch: dict[int, list[Piece]] = {}
    for piece in parts:
        by_stretch.setdefault(piece.stretch, []).append(piece)
    return merge((_joined(by_stretch[stretch]) for stretch in sorted(by_stretch)), columns)


def _joined(parts: list[Piece]) -> Moments:
    """Return the moments of one stretch."""
    parts = sorted(parts, key=lambda piece: piece.first_row)
    if isinstance(parts[0].content, Moments):
        return parts[0].content
    values = np.concatenate(
        [part.content for part in parts if not isinstance(part.content, Moments)], 1
    )
    weights = [part.weights for part in parts if part.weights is not None]
    return block_moments(values, np.concatenate(weights) if weights else None)


def _stretch_rows(columns: int) -> int:
    return max(64, _STRETCH_CELLS // columns)


def stretch_moments(columns: Iterable[Floats], weights: Floats | None = None) -> list[Moments]:
    """Return the moments of every stretch of a block that begins with one; the last may be short.

    Parameters
    ----------
    columns
        Values of each, shape (rows,).
    weights
        Shape (rows,).
    """
    values = np.stack(list(columns))  # a copy, to be changed
    size = _stretch_rows(len(values))
    rows = values.shape[1]
    whole = rows // size
    cut = values[:, : whole * size].reshape(len(values), whole, size)
    means = cut.mean(axis=2)
    if weights is not None or np.isnan(means).any():
        whole, stretches = 0, []
    else:
        cut -= means[:, :, None]
        stretches = [
            Moments(float(size), mean, product(centred, centred.T))
            for mean, centred in zip(means.T, cut.transpose(1, 0, 2), strict=True)
        ]
    for start in range(whole * size, rows, size):
        counted = None if weights is None else weights[start : start + size]
        stretches.append(block_moments(values[:, start : start + size], counted))
    return stretches


def block_moments(values: Floats, weights: Floats | None = None) -> Moments:
    """Return the moments of one block that fits in the cache.

    Parameters
    ----------
    values
        Shape (p, rows): one row per column. Records with NaN are left out.
    weights
        Shape (rows,).
    """
    if np.isnan(values.sum()):
        known = ~np.isnan(values).any(axis=0)
        values = values[:, known]
        weights = None if weights is None else weights[known]
    total = float(values.shape[1] if weights is None else weights.sum())
    if total == 0:
        return Moments(0.0, np.zeros(len(values)), np.zeros((len(values), len(values))))
    mean = np.average(values, axis=1, weights=weights)
    centred = values - mean[:, None]
    weighted = centred if weights is None else centred * weights
    return Moments(total, mean, product(weighted, centred.T))


def group_moments(
    codes: Integers, values: Floats, counted: Array | None, categories: int
) -> Moments:
    """Return the moments of numbers by category, a group for each.

    Parameters
    ----------
    codes, values
        Category and number of each entry, shape (n,).
    counted
        What each entry counts, if not one, shape (n,).
    categories
        Number of categories.

    Examples
    --------
    >>> moments = group_moments(np.array([0, 0, 1]), np.array([1.0, 3.0, 5.0]), None, 2)
    >>> moments.weight.tolist(), moments.mean.ravel().tolist(), moments.squares
    ([2.0, 1.0], [2.0, 5.0], 2.0)
    """
    sizes = np.bincount(codes, counted, categories).astype(np.float64)
    near = float(values[:1000].mean()) if len(values) else 0.0  # so that no digits are lost
    apart = values - near
    weighted = apart if counted is None else apart * counted
    away = np.bincount(codes, weighted, categories)
    away = np.divide(away, sizes, out=np.zeros(categories), where=sizes > 0)
    within = np.maximum(np.bincount(codes, weighted * apart, categories) - sizes * away**2, 0.0)
    means = np.where(sizes > 0, near + away, 0.0)
    return Moments(sizes, means[:, None], within[:, None, None])


def merge(parts: Iterable[Moments], columns: int) -> Moments:
    """Return the moments of all blocks together."""
    total = Moments(0.0, np.zeros(columns), np.zeros((columns, columns)))
    for part in parts:
        total = total.merged(part)
    return total
