"""Nearest records over categories and numbers: the space in which synthetic data is attacked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from sudare.core import Array, Floats, Integers, Microdata, Numeric
from sudare.describe.pairing import comparable_codes
from sudare.engine.counting import side_by_side

if TYPE_CHECKING:
    from sudare.describe.distances._kernels import Nearest, Points

_BLOCK = 64  # targets that a thread takes at a time
LEAST, LARGEST = -1.0, 2.0  # numbers beyond are as far from every original as these
_MISSING, _NOT_APPLICABLE = 4.0, 7.0  # at least 1 from every number and from each other


@dataclass(frozen=True, eq=False)
class Space:
    """Two tables in one space: codes, and numbers as a share of the range of the original.

    The distance is Gower's, summed: 1 for categories that differ, the share of the range for
    numbers and at most 1. Missing and not-applicable are values of their own, 1 from every other.

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

    rows = len(targets)
    asked = (np.zeros(len(others)), np.ones(rows), np.zeros(rows)) if secret is None else secret
    values, low, high = (np.ascontiguousarray(each, np.float64) for each in asked)
    outcome = Nearest(*(np.empty(rows) for _ in range(4)))
    points = _points(targets, others, skipped)

    def look(part: slice) -> None:
        mine = Secrets(values, low[part], high[part])
        known = Nearest(*(facts[part] for facts in outcome))
        find_nearest(_some(points, part), mine, known, np.empty(CHUNK))

    side_by_side(look, _parts(rows))
    return outcome


def common_neighbors(
    targets: Sequence[Floats], others: Sequence[Floats], reach: Sequence[Floats]
) -> Floats:
    """Return how many records are within reach by two sets of columns at once, shape (n,).

    Each argument has two entries, one for each set of columns.
    """
    from sudare.describe.distances._kernels import CHUNK, count_common

    rows = len(targets[0])
    first, second = (_points(*each, None) for each in zip(targets, others, strict=True))
    common = np.empty(rows)

    def look(part: slice) -> None:
        count_common(
            _some(first, part), _some(second, part), reach[0][part], reach[1][part],
            common[part], np.empty(CHUNK), np.empty(CHUNK),
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

    points, density = _points(targets, others, None), np.empty(len(targets))

    def look(part: slice) -> None:
        add_densities(_some(points, part), bandwidth, density[part], np.empty(CHUNK))

    side_by_side(look, _parts(len(targets)))
    return density / max(len(others), 1)


def _parts(rows: int) -> list[slice]:
    return [slice(start, min(start + _BLOCK, rows)) for start in range(0, rows, _BLOCK)]


def _points(targets: Floats, others: Floats, skipped: Integers | None) -> "Points":
    from sudare.describe.distances._kernels import Points

    own = np.full(len(targets), -1) if skipped is None else skipped
    return Points(
        np.ascontiguousarray(targets, np.float64),
        np.ascontiguousarray(others.T, np.float64),
        np.ascontiguousarray(own, np.int64),
    )


def _some(points: "Points", part: slice) -> "Points":
    return points._replace(targets=points.targets[part], skipped=points.skipped[part])


def _coordinates(before: Microdata, after: Microdata, name: str) -> tuple[Floats, Floats, bool]:
    """Return a column of both tables as numbers, and whether it holds categories."""
    original, released = before[name], after[name]
    if not isinstance(original, Numeric) or not isinstance(released, Numeric):
        old, new = comparable_codes(original, released, 2)
        return old.astype(np.float64), new.astype(np.float64), True
    known = original.values[original.known]
    least, reach = (float(known.min()), float(np.ptp(known))) if len(known) else (0.0, 0.0)
    first, second = (
        np.where(
            c.known,
            np.clip((c.values - least) / (reach or 1.0), LEAST, LARGEST),
            np.where(c.missing, _MISSING, _NOT_APPLICABLE),
        )
        for c in (original, released)
    )
    return first, second, False
