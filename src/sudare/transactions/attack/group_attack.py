"""The best attack on a file whose customers are alike in groups or covered in cycles, exactly.

An attacker who knows the method and the original can find the groups and cycles, and no more: in a
group every order of the customers is equally likely, in a cycle either way round. What is left to
choose is which customers of which group or cycle to name, and for how many pseudonyms each.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log

import numpy as np

from sudare.core import Floats, Integers, SettingError
from sudare.transactions.attack.namings import (
    CYCLES,
    NAMINGS,
    SLOPES,
    Gambles,
    Times,
    named_in,
    names_of,
    partial_namings,
    right_in,
    with_naming,
)
from sudare.transactions.attack.safety import Bound, threshold
from sudare.transactions.rules import PWSCUP_2018, HistoryRules

_FIRST = 24  # names of the attacks that are searched first
_WORK = 300_000_000  # numbers added before the search ends, some seconds
_ROUNDING = 1e-9  # chances nearer than this are equal


@dataclass(frozen=True)
class BestAttack:
    """An attack, and the chance that it is effective.

    Attributes
    ----------
    names
        How many pseudonyms are named, n'.
    needed
        How many of the names must be right, r(n').
    chance
        The probability that as many are right.
    named
        The parts of the attack, each within one group or cycle: for how many pseudonyms each
        customer is named. (1, 1) are two customers, (2,) is one customer named twice.
    within
        The size of the group that each part is in; 0 for a cycle.
    proven
        Whether no attack is better. Otherwise the search ended before the last was compared, and
        the chance is one that an attacker can reach.
    """

    names: int
    needed: int
    chance: Fraction
    named: tuple[Times, ...]
    within: tuple[int, ...]
    proven: bool


def best_attack(
    *,
    groups: Sequence[int] = (),
    cycles: Sequence[int] = (),
    rules: HistoryRules = PWSCUP_2018,
    bound: Bound = "contest",
) -> BestAttack:
    """Return the attack that is most likely to be effective, with its exact chance.

    All namings are considered, also those that name one customer for several pseudonyms, but for
    those that by Chernoff's bound are not better than the best found so far. Where more of them
    are left than can be tried, the best that was found is returned as not proven; so it is for
    groups of more than twelve, of which different customers are named, or one only.

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
    Who names one customer for all pseudonyms of a group is right for exactly one of them, and in a
    cycle for one of two. Where p is small, or the bound tight and the file large, so many sure
    names are enough, and the attack is effective for certain.

    Examples
    --------
    >>> best = best_attack(groups=[2] * 500)
    >>> best.names, best.needed, round(float(best.chance), 4)
    (24, 18, 0.073)
    >>> best = best_attack(cycles=[2] * 400 + [3] * 60)
    >>> best.names, best.needed, round(float(best.chance), 4)
    (24, 18, 0.1445)
    >>> best = best_attack(groups=[2] * 500, bound="tight")
    >>> best.names, best.needed, best.chance
    (126, 63, Fraction(1, 1))
    """
    if not groups and not cycles:
        raise SettingError("best_attack needs the sizes of groups, or the lengths of cycles.")
    return _GroupSearch(Counter(groups), Counter(cycles), rules, bound).best()


class _GroupSearch:
    """Branch and bound over attacks: partial namings that are a gamble, and names that are sure."""

    def __init__(
        self, groups: Counter[int], cycles: Counter[int], rules: HistoryRules, bound: Bound
    ) -> None:
        self.groups, self.cycles = groups, cycles
        self.namings = list(partial_namings(groups, cycles))
        total = sum(size * count for size, count in (*groups.items(), *cycles.items()))
        names = np.arange(total + 1)
        self.needed = np.array(
            [threshold(n, rules.chance, rules.level, bound) for n in names.tolist()]
        )
        # No naming grows faster than one of different customers: its moments are the largest.
        self.rate = np.max(
            [naming.growth / naming.names for naming in self.namings]
            + [SLOPES / k for k in groups],
            axis=0,
        )
        self.ceilings = (names[:, None] * self.rate - SLOPES * self.needed[:, None]).min(axis=1)
        saved = names / min([*groups, *(2 for _ in cycles)]) - self.needed
        # Whether sure names can gain on the threshold: one more name right than it rises.
        self.gains = np.maximum.accumulate(saved[::-1])[::-1] - saved > 1 - _ROUNDING
        self.best_so_far = BestAttack(0, 1, Fraction(0), (), (), proven=True)
        self.how: tuple[Gambles, int] = (), 1
        self.open, self.work = names, 0

    def best(self) -> BestAttack:
        """Return the best attack, searched among more and more names."""
        self._try((), np.ones(1))
        for naming in self.namings:  # many alike first: what is good early saves much looking
            chances = np.ones(1)
            for count in range(1, naming.room + 1):
                chances = np.convolve(chances, naming.rounded)
                self._try(((naming, count),), chances)
        self.tails = self._tails(int(self.open.max(initial=0)))
        if not self._explored(_FIRST):
            self._explored(int(self.open.max()))
        tried_all = self.work < _WORK and max(self.groups, default=0) <= NAMINGS
        gambles, lacking = self.how
        exactly = sum(right_in(gambles)[lacking:], Fraction(0))  # slow, so only once
        return replace(self.best_so_far, chance=exactly, proven=tried_all or exactly == 1)

    def _explored(self, limit: int) -> bool:
        """Try the promising gambles up to a limit; return whether none is beyond."""
        waiting: list[tuple[int, Gambles, Floats]] = [(0, (), np.ones(1))]
        while waiting and self.work < _WORK and self.best_so_far.chance < 1:
            first, gambles, chances = waiting.pop()
            for number in range(first, len(self.namings)):
                naming = self.namings[number]
                longer = with_naming(gambles, naming)
                if named_in(longer, naming.family) <= naming.room and names_of(longer) <= limit:
                    both = np.convolve(chances, naming.rounded)
                    if self._promises(names_of(longer), limit, both):
                        self._try(longer, both)
                        waiting.append((number, longer, both))
        return self.best_so_far.chance == 1 or not (self.open > limit).any()

    def _promises(self, names: int, limit: int, chances: Floats) -> bool:
        """Return whether gambles, or more added to them, could be better (Chernoff)."""
        most = self.open[(self.open >= names) & (self.open <= limit)]
        lacking = np.maximum(self.needed[most][:, None] - np.arange(len(chances)), 0)
        self.work += lacking.size
        ceilings = self.tails[(most - names)[:, None], lacking] @ chances
        return bool(ceilings.max(initial=0.0) > float(self.best_so_far.chance) * (1 + _ROUNDING))

    def _tails(self, most: int) -> Floats:
        """Return what no chance of some right names or more exceeds, by names and right names."""
        names, right = np.arange(most + 1), np.arange(most + 2)
        least = np.zeros((most + 1, most + 2))
        for rate, slope in zip(self.rate, SLOPES, strict=True):
            np.minimum(least, names[:, None] * rate - slope * right, out=least)
        return np.where(right > names[:, None], 0.0, np.exp(least))

    def _try(self, gambles: Gambles, chances: Floats) -> None:
        """Note gambles that are better, each with the best number of sure names to go with it."""
        names = np.array([names_of(gambles)])
        costs = self._sure(gambles) if self.gains[names[0]] else np.empty(0, dtype=np.int64)
        names = names[0] + np.concatenate([[0], np.cumsum(costs)])
        lacking = np.clip(self.needed[names] - np.arange(len(names)), 0, len(chances))
        reached = np.append(np.cumsum(chances[::-1])[::-1], 0.0)[lacking]
        sure = int(np.argmax(reached >= reached.max() * (1 - _ROUNDING)))
        if reached[sure] > float(self.best_so_far.chance) * (1 + _ROUNDING):
            self.best_so_far = BestAttack(
                int(names[sure]),
                int(self.needed[names[sure]]),
                Fraction(min(reached[sure], 1.0)),
                (
                    *(naming.times for naming, count in gambles for _ in range(count)),
                    *((cost,) for cost in costs[:sure].tolist()),
                ),
                (
                    *(naming.family for naming, count in gambles for _ in range(count)),
                    *costs[:sure].tolist(),
                ),
                proven=True,
            )
            self.how = gambles, int(lacking[sure])
            self.open = np.flatnonzero(
                self.ceilings > log(self.best_so_far.chance * (1 + _ROUNDING))
            )

    def _sure(self, gambles: Gambles) -> Integers:
        """Return how many names each sure one costs in addition to some gambles, cheapest first.

        No threshold falls when more is named, so that the cheapest are the best.
        """
        left = {size: count - named_in(gambles, size) for size, count in self.groups.items()}
        left[2] = left.get(2, 0) + self._hedges(gambles)
        sizes = sorted(left)
        return np.repeat(sizes, [left[size] for size in sizes])

    def _hedges(self, gambles: Gambles) -> int:
        """Return how often two names, of which one is surely right, find room in the cycles.

        A gamble of g takes the place of g / 2 of them, rounded up; rounded down where g and the
        length of its cycle are odd, so odd ones go to odd cycles. Gambles come largest first: the
        cycles that had room for one have room for the next.
        """
        room = sum(length // 2 * count for length, count in self.cycles.items())
        taken = [0, 0]  # cycles of even and of odd length
        for naming, count in gambles:
            if naming.family != CYCLES:
                continue
            own = naming.names % 2
            longer = {
                length: many for length, many in self.cycles.items() if length >= naming.names
            }
            fitting = sum(many for length, many in longer.items() if length % 2 == own)
            there = min(count, fitting - taken[own])
            taken[own] += there
            taken[1 - own] += count - there
            room -= (naming.names + 1) // 2 * count - (there if own else 0)
        return room
