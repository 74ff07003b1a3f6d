"""Nearest records over categories and numbers, in blocks: the attacks on synthetic data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from sudare.core import Array, Floats, Integers, Microdata, Numeric
from sudare.describe.pairing import comparable_codes

_CELLS = 2**22  # distances in a block: 32 megabytes
TIE = 1e-12  # difference of distances that counts as none


@dataclass(frozen=True, eq=False)
class Space:
    """Two tables in one space, by column: codes, or numbers over the range of the original.

    The distance is Gower's, summed: 1 for categories that differ, the share of the range for
    numbers. Missing and not-applicable are values of their own, 1 from every other.

    Attributes
    ----------
    original, released
        By column, shapes (n,) and (k,).
    originals, releases
        The numbers of records n and k; without a column, all are equally near.
    """

    original: Sequence[Array]
    released: Sequence[Array]
    originals: int
    releases: int

    @classmethod
    def of(cls, before: Microdata, after: Microdata, columns: Sequence[str]) -> Self:
        """Return two tables as an attacker compares them."""
        pairs = [_coordinates(before, after, name) for name in columns]
        original, released = ([pair[side] for pair in pairs] for side in (0, 1))
        return cls(original, released, before.rows, after.rows)

    def distances(self, targets: Integers, *, among: str = "released") -> Iterator[Floats]:
        """Yield blocks of distances from some originals to all of a table, shapes (block, k)."""
        others, width = self.released, self.releases
        if among != "released":
            others, width = self.original, self.originals
        block = max(_CELLS // max(width, 1), 1)
        for start in range(0, len(targets), block):
            rows = targets[start : start + block]
            yield sum(
                (
                    _apart(original[rows, None], other)
                    for original, other in zip(self.original, others, strict=True)
                ),
                start=np.zeros((len(rows), width)),
            )


def targets(rows: int, attacks: int) -> Integers:
    """Return the records that are attacked: all, or so many at equal steps."""
    if rows <= attacks:
        return np.arange(rows)
    return np.arange(attacks) * rows // attacks


def _coordinates(before: Microdata, after: Microdata, name: str) -> tuple[Array, Array]:
    original, released = before[name], after[name]
    if not isinstance(original, Numeric) or not isinstance(released, Numeric):
        return comparable_codes(original, released, 2)
    known = original.values[original.known]
    reach = float(np.ptp(known)) if len(known) else 0.0
    first, second = (
        np.where(c.known, c.values / (reach or 1.0), np.where(c.missing, np.inf, -np.inf))
        for c in (original, released)
    )
    return first, second


def _apart(targets: Array, others: Array) -> Floats:
    """Return the distances of values: 1 for codes that differ, at most 1 for numbers."""
    if targets.dtype.kind == "i":
        differ: Floats = (targets != others).astype(np.float64)
        return differ
    with np.errstate(invalid="ignore"):  # absent values of the same kind: infinity less itself
        gap = np.minimum(np.abs(targets - others), 1.0)
    return np.where(targets == others, 0.0, gap)
