"""Namings of the customers of one group or cycle, and how many of the names are right.

In a group every order of the customers is equally likely, in a cycle either way round.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, factorial

import numpy as np

from sudare.core import Floats

SLOPES = np.geomspace(0.02, 15, 60)
NAMINGS = 12  # the largest group of which every naming is tried; there are hundreds
CYCLES = 0  # the family of all cycles; the others are groups by their size
Chances = tuple[Fraction, ...]
Times = tuple[int, ...]


def right_in_cycle(named: int) -> Chances:
    """Return the chance of 0, 1, … right names in one cycle: all or none, by the toss of a coin.

    Examples
    --------
    >>> right_in_cycle(3)
    (Fraction(1, 2), Fraction(0, 1), Fraction(0, 1), Fraction(1, 2))
    """
    half = Fraction(1, 2)
    return (half, *[Fraction(0)] * (named - 1), half)


def right_in_group(times: Times, size: int) -> Chances:
    """Return the chance of 0, 1, … right names among some customers of a group that is alike.

    Every order of the group is equally likely. j given customers are all named correctly with
    probability (size − j)! / size! times the product of how often they are named; the sum over all
    sets of j customers is a binomial moment of the number of right names, and these give its
    chances.

    Parameters
    ----------
    times
        For how many pseudonyms each customer is named; no pseudonym is named twice.
    size
        How many customers the group has.

    Examples
    --------
    >>> right_in_group((1, 1, 1), 3)
    (Fraction(1, 3), Fraction(1, 2), Fraction(0, 1), Fraction(1, 6))
    >>> right_in_group((3,), 3)
    (Fraction(0, 1), Fraction(1, 1))
    """
    sums = [1]
    for time in times:
        sums = [a + time * b for a, b in zip([*sums, 0], [0, *sums], strict=True)]
    moments = [
        Fraction(total * factorial(size - j), factorial(size)) for j, total in enumerate(sums)
    ]
    return tuple(
        sum(((-1) ** (j - x) * comb(j, x) * moments[j] for j in range(x, len(sums))), Fraction(0))
        for x in range(len(sums))
    )


@dataclass(frozen=True)
class PartialNaming:
    """Some customers of one group or cycle named, not surely: for how many pseudonyms each.

    ``room`` is how many groups or cycles of the family can be named in, by this and the larger
    namings together.
    """

    family: int
    times: Times
    chances: Chances
    room: int

    @cached_property
    def names(self) -> int:
        """How many pseudonyms are named."""
        return sum(self.times)

    @cached_property
    def rounded(self) -> Floats:
        """The chances of 0, 1, … right names as floats."""
        return np.array(self.chances, dtype=np.float64)

    @cached_property
    def growth(self) -> Floats:
        """Logarithm of the expectation of exp(slope × right names), by slope."""
        powers: Floats = np.exp(np.outer(SLOPES, np.arange(len(self.chances)))) @ self.rounded
        return np.log(powers)


Gambles = tuple[tuple[PartialNaming, int], ...]  # the larger first, and how many of each


def with_naming(gambles: Gambles, naming: PartialNaming) -> Gambles:
    """Return gambles with one more, the last one again or a later one."""
    if gambles and gambles[-1][0] is naming:
        return (*gambles[:-1], (naming, gambles[-1][1] + 1))
    return (*gambles, (naming, 1))


def names_of(gambles: Gambles) -> int:
    """Return how many pseudonyms some gambles name."""
    return sum(naming.names * count for naming, count in gambles)


def named_in(gambles: Gambles, family: int) -> int:
    """Return how many groups of a size, or cycles, some gambles name customers of."""
    return sum(count for naming, count in gambles if naming.family == family)


def partial_namings(groups: Counter[int], cycles: Counter[int]) -> Iterator[PartialNaming]:
    """Yield every gamble on one group or cycle, the most names first within each family."""
    for size, count in sorted(groups.items()):
        for names in range(size, 0, -1):
            every = _partitions(names, names) if size <= NAMINGS else {(1,) * names, (names,)}
            for times in every:
                if times != (size,):  # which is sure
                    yield PartialNaming(size, times, right_in_group(times, size), count)
    for names in range(max(cycles, default=0), 0, -1):
        room = sum(count for length, count in cycles.items() if length >= names)
        yield PartialNaming(CYCLES, (1,) * names, right_in_cycle(names), room)


def _partitions(total: int, most: int) -> Iterator[Times]:
    """Yield the ways to write a number as a sum of numbers up to ``most``, the largest last."""
    if not total:
        yield ()
    for last in range(1, min(total, most) + 1):
        for others in _partitions(total - last, last):
            yield (last, *others)


def right_in(gambles: Gambles) -> list[Fraction]:
    """Return the exact chances of 0, 1, … right names of some gambles."""
    chances = [Fraction(1)]
    for naming in (naming for naming, count in gambles for _ in range(count)):
        dealt = [Fraction(0)] * (len(chances) + len(naming.chances) - 1)
        for right, chance in enumerate(chances):
            for more, share in enumerate(naming.chances):
                dealt[right + more] += chance * share
        chances = dealt
    return chances
