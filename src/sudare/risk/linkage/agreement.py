"""Agreement of two tables on sets of columns, counted by keys and never pair by pair."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import Flags, Floats, Integers

_ROUNDS, _CHANGE = 500, 1e-10
_SMALLEST = 1e-9  # probabilities stay this far from 0 and 1


@dataclass(frozen=True, eq=False)
class Agreement:
    """Two tables by their terms; sets of columns are whole numbers, bit j represents column j.

    Attributes
    ----------
    original, released
        Terms of the cells, -1 where a value is absent, shapes (n, m) and (k, m).
    """

    original: Integers
    released: Integers

    @property
    def columns(self) -> int:
        """Number of columns."""
        return int(self.original.shape[1])

    def counts(self, members: int) -> Integers:
        """Return how many originals agree with each released record on all of some columns."""
        chosen = [column for column in range(self.columns) if members >> column & 1]
        if not chosen:
            return np.full(len(self.released), len(self.original))
        known = [(side[:, chosen] >= 0).all(axis=1) for side in (self.original, self.released)]
        keys = [side[:, chosen].sum(axis=1) for side in (self.original, self.released)]
        levels, sizes = np.unique(keys[0][known[0]], return_counts=True)
        counts = np.zeros(len(self.released), np.int64)
        if len(levels):
            nearest = np.minimum(np.searchsorted(levels, keys[1]), len(levels) - 1)
            hit = known[1] & (levels[nearest] == keys[1])
            counts[hit] = sizes[nearest[hit]]
        return counts

    def patterns(self) -> Floats:
        """Return how many pairs agree on each set of columns and on no other, shape (2^m,)."""
        pairs = [float(self.counts(members).sum()) for members in range(2**self.columns)]
        table = np.array(pairs).reshape((2,) * self.columns)
        for axis in range(self.columns):  # agreeing here at least, less those who agree there too
            at_least, also = np.moveaxis(table, axis, 0)
            at_least -= also
        return table.ravel()

    def own(self) -> Integers:
        """Return the set of columns on which records in the same position agree, shape (n,)."""
        agree = (self.original == self.released) & (self.original >= 0)
        return agree @ np.left_shift(1, np.arange(self.columns, dtype=np.int64))


def shared_terms(pairs: Sequence[tuple[Integers, Integers]]) -> tuple[Integers, Integers]:
    """Return whole numbers whose sums over some columns tell records apart, shapes (n, m).

    A value that is absent has -1: it agrees with nothing.

    Notes
    -----
    Each category has a random number of 57 bits: two records that differ have equal sums with a
    probability of 2⁻⁵⁷.
    """
    numbers = np.random.default_rng(0)  # a hash, the same in every run; nothing is drawn from it
    sides: tuple[list[Integers], list[Integers]] = ([], [])
    for codes in pairs:
        most = max(int(side.max(initial=0)) for side in codes) + 1
        values = np.append(numbers.integers(0, 2**57, most), [-1, -1])
        for side, column in zip(sides, codes, strict=True):
            side.append(values[column])
    return np.column_stack(sides[0]), np.column_stack(sides[1])


def set_flags(columns: int) -> Flags:
    """Return which columns each set of columns holds, shape (2^m, m)."""
    return (np.arange(2**columns)[:, None] >> np.arange(columns)) & 1 == 1


def agreement_weights(patterns: Floats, matches: float) -> Floats:
    """Return the weight of evidence of agreement on each column, shape (m,), learned from patterns.

    EM for a mixture of matches and other pairs in which columns agree independently.

    Parameters
    ----------
    patterns
        Number of pairs that agree on each set of columns and on no other, shape (2^m,).
    matches
        Share of all pairs that are matches; an attacker knows it.

    References
    ----------
    Fellegi and Sunter (1969). A theory for record linkage. Journal of the American Statistical
    Association 64(328).

    Jaro (1989). Advances in record-linkage methodology as applied to matching the 1985 census of
    Tampa, Florida. Journal of the American Statistical Association 84(406): EM.
    """
    flags = set_flags(int(np.log2(len(patterns)))).astype(np.float64)
    u = _rates(patterns, flags)
    m = _bounded(np.maximum(0.9, u))
    for _ in range(_ROUNDS):
        logs = [flags @ np.log(p) + (1 - flags) @ np.log(1 - p) for p in (m, u)]
        odds = matches / max(1 - matches, _SMALLEST) * np.exp(np.minimum(logs[0] - logs[1], 600))
        before = m, u
        m, u = (_rates(patterns * share / (1 + odds), flags) for share in (odds, 1.0))
        if max(np.abs(m - before[0]).max(), np.abs(u - before[1]).max()) < _CHANGE:
            break
    return _evidence(m, u)


def known_weights(patterns: Floats, own: Floats) -> Floats:
    """Return the same for an attacker who knows how often a record agrees with its own original.

    Published steps tell it. Patterns alone need not: of two columns, which stayed and which was
    masked is open.

    Parameters
    ----------
    patterns, own
        Number of pairs that agree on each set of columns and on no other, shape (2^m,): of all
        pairs, and of those in the same position.
    """
    flags = set_flags(int(np.log2(len(patterns)))).astype(np.float64)
    return _evidence(_rates(own, flags), _rates(patterns - own, flags))


def _rates(pairs: Floats, flags: Floats) -> Floats:
    """Return the share of some pairs that agrees on each column."""
    return _bounded(pairs @ flags / max(pairs.sum(), _SMALLEST))


def _bounded(rates: Floats) -> Floats:
    return np.clip(rates, _SMALLEST, 1 - _SMALLEST)


def _evidence(m: Floats, u: Floats) -> Floats:
    """Return log(m / u) − log((1 − m) / (1 − u)), where matches (m) agree more than others (u)."""
    return np.maximum(np.log(m / u) - np.log((1 - m) / (1 - u)), 0.0)
