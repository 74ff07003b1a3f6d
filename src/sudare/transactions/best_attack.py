"""The best attack on a file whose customers are alike in groups or covered in cycles, exactly.

An attacker who knows the method and the original can find the groups and cycles, and no more: in a
group every order of the customers is equally likely, in a cycle either way round. What is left to
choose is how many customers of which group or cycle to name.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial

import numpy as np

from sudare.core.errors import SettingError
from sudare.core.types import Floats
from sudare.transactions.rules import PWSCUP_2018, Rules
from sudare.transactions.safety import Bound, threshold

_FIRST = 24  # names of the attacks that are computed first
_SLOPES = np.geomspace(0.01, 20, 200)
Chances = tuple[Fraction, ...]


@dataclass(frozen=True)
class BestAttack:
    """An attack, and the chance that it is effective.

    Attributes
    ----------
    names
        How many customers are named, n'.
    needed
        How many of them must be right, r(n').
    chance
        The probability that as many are right.
    named
        How many customers are named in each group or cycle that is attacked.
    """

    names: int
    needed: int
    chance: Fraction
    named: tuple[int, ...]


def right_in_cycle(named: int) -> Chances:
    """Return the chance of 0, 1, … right names in one cycle: all or none, by the toss of a coin.

    Examples
    --------
    >>> right_in_cycle(3)
    (Fraction(1, 2), Fraction(0, 1), Fraction(0, 1), Fraction(1, 2))
    """
    half = Fraction(1, 2)
    return (half, *[Fraction(0)] * (named - 1), half)


def right_in_group(named: int, size: int) -> Chances:
    """Return the chance of 0, 1, … right names among some customers of a group that is alike.

    Names are dealt out without repetition; every order of the group is equally likely.

    Examples
    --------
    >>> right_in_group(3, 3)
    (Fraction(1, 3), Fraction(1, 2), Fraction(0, 1), Fraction(1, 6))
    """
    return tuple(
        Fraction(
            comb(named, right)
            * sum(
                (-1) ** more * comb(named - right, more) * factorial(size - right - more)
                for more in range(named - right + 1)
            ),
            factorial(size),
        )
        for right in range(named + 1)
    )


def best_attack(
    *,
    groups: Sequence[int] = (),
    cycles: Sequence[int] = (),
    rules: Rules = PWSCUP_2018,
    bound: Bound = "contest",
) -> BestAttack:
    """Return the attack that is most likely to be effective, with its exact chance.

    Every choice of how many customers to name in how many groups and cycles is computed, up to a
    number of names beyond which Chernoff's bound shows that no attack is better.

    Parameters
    ----------
    groups
        Sizes of the groups of customers that are published alike.
    cycles
        Lengths of the cycles; a pair is a cycle of two as well as a group of two.
    rules
        p and α of the contest.
    bound
        Which threshold makes an attack effective, as in :func:`threshold`.

    Notes
    -----
    A customer may be named for several pseudonyms of his group. In a pair or cycle that gives one
    right name for two for certain, which is never worth it: r(n' + 2) is above r(n').

    Examples
    --------
    >>> best = best_attack(groups=[2] * 500)
    >>> best.names, best.needed, round(float(best.chance), 4)
    (24, 18, 0.073)
    >>> best = best_attack(cycles=[2] * 400 + [3] * 60)
    >>> best.names, best.needed, round(float(best.chance), 4)
    (24, 18, 0.1445)
    """
    if not groups and not cycles:
        raise SettingError("best_attack needs the sizes of groups, or the lengths of cycles.")
    bites = _bites(groups, cycles)
    needed = [
        threshold(n, rules.chance, rules.level, bound) for n in range(sum(groups) + sum(cycles) + 1)
    ]
    best, limit = BestAttack(0, 1, Fraction(0), ()), min(_FIRST, len(needed) - 1)
    while True:
        for plan, chances in _plans(bites, limit):
            r = needed[len(chances) - 1]
            if chances[r:].sum() > float(best.chance) * (1 + 1e-9):
                best = _exactly(plan, r)
        farthest = _farthest(bites, needed, float(best.chance))
        if farthest <= limit:
            return best
        limit = farthest


@dataclass(frozen=True)
class _Bite:
    """Some customers of one group or cycle named: how many, and the chances of right names.

    ``room`` is how many of the family can be bitten, by this and the larger bites together.
    """

    family: str
    named: int
    chances: Chances
    room: int


Plan = tuple[tuple[_Bite, int], ...]


def _bites(groups: Sequence[int], cycles: Sequence[int]) -> list[_Bite]:
    """Return what can be named of one group or cycle, the most first within each family."""
    of_groups = [
        _Bite(f"groups of {size}", named, right_in_group(named, size), count)
        for size, count in sorted(Counter(groups).items())
        for named in range(size, 0, -1)
    ]
    of_cycles = [
        _Bite("cycles", named, right_in_cycle(named), sum(length >= named for length in cycles))
        for named in range(max(cycles, default=0), 0, -1)
    ]
    return of_groups + of_cycles


def _plans(bites: Sequence[_Bite], limit: int) -> Iterator[tuple[Plan, Floats]]:
    """Yield every choice of at most ``limit`` names, with the chances of 0, 1, … right ones."""
    rounded = [np.array(bite.chances, dtype=np.float64) for bite in bites]

    def extend(place: int, plan: Plan, chances: Floats) -> Iterator[tuple[Plan, Floats]]:
        if place == len(bites):
            yield plan, chances
            return
        bite = bites[place]
        free = bite.room - sum(count for other, count in plan if other.family == bite.family)
        count = 0
        while True:
            yield from extend(place + 1, (*plan, (bite, count)) if count else plan, chances)
            count += 1
            if count > free or len(chances) - 1 + bite.named > limit:
                return
            chances = np.convolve(chances, rounded[place])

    yield from extend(0, (), np.ones(1))


def _exactly(plan: Plan, needed: int) -> BestAttack:
    """Return a plan as an attack with its exact chance."""
    chances, named = [Fraction(1)], list[int]()
    for bite in (bite for bite, count in plan for _ in range(count)):
        named.append(bite.named)
        dealt = [Fraction(0)] * (len(chances) + bite.named)
        for right, chance in enumerate(chances):
            for more, share in enumerate(bite.chances):
                dealt[right + more] += chance * share
        chances = dealt
    return BestAttack(sum(named), needed, sum(chances[needed:], Fraction(0)), tuple(named))


def _farthest(bites: Sequence[_Bite], needed: Sequence[int], chance: float) -> int:
    """Return the most names with which an attack could be better than ``chance`` (Chernoff)."""
    rates = np.max(
        [
            np.log(
                np.exp(np.outer(_SLOPES, np.arange(bite.named + 1))) @ np.array(bite.chances, float)
            )
            / bite.named
            for bite in bites
        ],
        axis=0,
    )
    most = [float(np.min(n * rates - _SLOPES * r)) for n, r in enumerate(needed)]
    return max(n for n, bound in enumerate(most) if bound > np.log(chance or 1e-300) or n == 0)
