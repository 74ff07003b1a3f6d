"""Nearest records over categories and numbers: the space in which synthetic data is attacked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Self

import numpy as np

from sudare.core import Array, Floats, Integers, Microdata, Numeric
from sudare.describe.distances.rounding import rounded_alike
from sudare.describe.pairing import comparable_codes
from sudare.engine.counting import side_by_side

if TYPE_CHECKING:
    from sudare.describe.distances._kernels import Nearest, Points

_BLOCK = 256  # targets that a thread takes at a time
_SAMPLE = 256  # records that decide by which column others are parted
LEAST, LARGEST = -1.0, 2.0  # numbers beyond are as far from every original as these
_FAR = 1e4  # ranges of the middle numbers that a range may be
_MISSING, _NOT_APPLICABLE = 4.0, 7.0  # at least 1 from every number and from each other


@dataclass(frozen=True, eq=False)
class Space:
    """Two tables in one space: codes, and numbers as a share of the range of the original.

    The distance is Gower's, summed: 1 for categories that differ, the share of the range for
    numbers and at most 1. Missing and not-applicable are values of their own, 1 from every other.
    Where the released numbers are rounded more than the original ones, these are rounded alike: so
    does an attacker.

    Attributes
    ----------
    original, released
        Shapes (n, p) and (k, p); without a column, all are equally near.
    labeled
        Which columns hold categories, shape (p,).
    """

    original: Floats
    released: Floats
    labeled: tuple[bool, ...]

    @classmethod
    def of(cls, before: Microdata, after: Microdata, columns: Sequence[str]) -> Self:
        """Return two tables as an attacker compares them."""
        pairs = [_coordinates(before, after, name) for name in columns]
        original = np.column_stack([np.zeros((before.rows, 0)), *(old for old, _, _ in pairs)])
        released = np.column_stack([np.zeros((after.rows, 0)), *(new for _, new, _ in pairs)])
        return cls(original, released, tuple(labeled for _, _, labeled in pairs))


def nearest(
    targets: Floats,
    others: Floats,
    *,
    skipped: Integers | None = None,
    secret: tuple[Array, Array, Array] | None = None,
) -> "Nearest":
    """Return the distances to the nearest records, how many are that near, and what they say.

    Parameters
    ----------
    targets, others
        Points of one space, shapes (n, p) and (k, p).
    skipped
        Which of the others each target itself is, shape (n,).
    secret
        A value of each of the others, shape (k,), and between what a hit lies, shapes (n,).

    Examples
    --------
    >>> near = nearest(np.array([[0.2]]), np.array([[0.0], [0.3], [0.3]]))
    >>> near.distance.round(3).tolist(), near.ties.tolist()
    ([0.1], [2.0])
    """
    from sudare.describe.distances._kernels import CHUNK, Nearest, Secrets, find_nearest

    if skipped is None and secret is None:
        targets, distinct_row = np.unique(targets, axis=0, return_inverse=True)
    else:
        distinct_row = np.arange(len(targets))
    rows = len(targets)
    asked = (np.zeros(len(others)), np.ones(rows), np.zeros(rows)) if secret is None else secret
    values, low, high = (np.ascontiguousarray(each, np.float64) for each in asked)
    outcome = Nearest(*(np.empty(rows) for _ in range(4)))
    order = _alike(others, CHUNK)
    points, values = _points(targets, others, order, skipped), values[order]

    def look(part: slice) -> None:
        mine = Secrets(values, low[part], high[part])
        known = Nearest(*(facts[part] for facts in outcome))
        find_nearest(_some(points, part), mine, known, np.empty(CHUNK), _bounds(points))

    side_by_side(look, _parts(rows))
    return Nearest(*(facts[distinct_row] for facts in outcome))


def common_neighbors(
    targets: Sequence[Floats], others: Sequence[Floats], reach: Sequence[Floats]
) -> Floats:
    """Return how many records are within reach by two sets of columns at once, shape (n,).

    Each argument has two entries, one for each set of columns.
    """
    from sudare.describe.distances._kernels import CHUNK, count_common

    rows = len(targets[0])
    order = _alike(np.hstack(others), CHUNK)
    first, second = (_points(*each, order) for each in zip(targets, others, strict=True))
    common = np.empty(rows)

    def look(part: slice) -> None:
        count_common(
            _some(first, part), _some(second, part), reach[0][part], reach[1][part],
            common[part], np.empty(CHUNK), np.empty(CHUNK), _bounds(first),
        )  # fmt: skip

    side_by_side(look, _parts(rows))
    return common


def densities(targets: Floats, others: Floats, bandwidth: float) -> Floats:
    """Return the mean of exp(−distance / bandwidth) over all other records, shape (n,).

    Examples
    --------
    >>> densities(np.array([[0.5]]), np.array([[0.5], [0.5]]), 0.1)
    array([1.])
    """
    from sudare.describe.distances._kernels import CHUNK, add_densities

    distinct, distinct_row = np.unique(targets, axis=0, return_inverse=True)
    points = _points(distinct, others, _alike(others, CHUNK))
    density = np.empty(len(distinct))

    def look(part: slice) -> None:
        add_densities(
            _some(points, part), bandwidth, density[part], np.empty(CHUNK), _bounds(points)
        )

    side_by_side(look, _parts(len(distinct)))
    return density[distinct_row] / max(len(others), 1)


def _parts(rows: int) -> list[slice]:
    return [slice(start, min(start + _BLOCK, rows)) for start in range(0, rows, _BLOCK)]


def _alike(records: Floats, size: int) -> Integers:
    """Return an order of the records in which those of each run of a size are alike.

    Halves them, again and again, where the column that tells most of them apart has its middle.
    """
    order = np.arange(len(records))
    waiting = [(0, len(records))] if records.shape[1] else []
    while waiting:
        start, stop = waiting.pop()
        if stop - start <= size:
            continue
        run = order[start:stop]
        some = records[run[:: max(len(run) // _SAMPLE, 1)]]
        column = np.minimum(np.abs(some - some.mean(axis=0)), 1.0).mean(axis=0).argmax()
        middle = (stop - start) // size // 2 * size or size
        order[start:stop] = run[np.argpartition(records[run, column], middle)]
        waiting += [(start, start + middle), (start + middle, stop)]
    return order


def _points(
    targets: Floats, others: Floats, order: Integers, skipped: Integers | None = None
) -> "Points":
    from sudare.describe.distances._kernels import CHUNK, Points

    own = np.full(len(targets), -1)
    if skipped is not None:
        own = np.argsort(order)[skipped]
    columns = np.ascontiguousarray(others.T[:, order], np.float64)
    starts = np.arange(0, len(order), CHUNK)
    lowest, highest = (
        end.reduceat(columns, starts, axis=1) if len(starts) else columns
        for end in (np.minimum, np.maximum)
    )
    return Points(
        targets=np.ascontiguousarray(targets, np.float64),
        others=columns,
        lowest=lowest,
        highest=highest,
        skipped=np.ascontiguousarray(own, np.int64),
    )


def _bounds(points: "Points") -> Floats:
    return np.empty(points.lowest.shape[1])


def _some(points: "Points", part: slice) -> "Points":
    return points._replace(targets=points.targets[part], skipped=points.skipped[part])


def _coordinates(before: Microdata, after: Microdata, name: str) -> tuple[Floats, Floats, bool]:
    """Return a column of both tables as numbers, and whether it holds categories."""
    original, released = before[name], after[name]
    if not isinstance(original, Numeric) or not isinstance(released, Numeric):
        old, new = comparable_codes(original, released, 2)
        return old.astype(np.float64), new.astype(np.float64), True
    known = original.values[original.known]
    placed = _placing(known)
    alike = rounded_alike(original.values, released.values), released.values
    first, second = (
        np.where(c.known, placed(values), np.where(c.missing, _MISSING, _NOT_APPLICABLE))
        for c, values in zip((original, released), alike, strict=True)
    )
    return first, second, False


def _placing(known: Floats) -> Callable[[Floats], Floats]:
    """Return what places numbers between the smallest, 0, and the largest of some others, 1.

    By their share of the range; or by rank, where a few numbers are so far from all others that
    these would be one point in it, and an attack would see nothing.
    """
    levels = np.unique(known) / 2 if len(known) else np.zeros(1)  # so that a range is a number
    outer = max(len(levels) // 10, 1)
    middle, reach = levels[outer:-outer], float(np.ptp(levels))
    inner = float(np.ptp(middle)) if len(middle) else 0.0
    if 0 < inner * _FAR < reach:
        ranks = np.linspace(0, 1, len(levels))
        return lambda values: np.interp(values / 2, levels, ranks)
    return partial(_share_of_range, least=float(levels[0]), reach=reach or 0.5)


def _share_of_range(values: Floats, least: float, reach: float) -> Floats:
    with np.errstate(over="ignore"):  # beyond all numbers is beyond the largest place
        return np.clip((values / 2 - least) / reach, LEAST, LARGEST)
