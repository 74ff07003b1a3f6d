"""The attacker who cannot tell customers published alike apart, and plays the best odds."""

import numpy as np

from sudare.core import Floats, Integers
from sudare.transactions.attack.attacker import Attacker, Guess
from sudare.transactions.attack.attackers import LikelihoodAttacker
from sudare.transactions.attack.evidence import Evidence
from sudare.transactions.attack.group_attack import best_attack
from sudare.transactions.attack.namings import Times
from sudare.transactions.attack.safety import Bound
from sudare.transactions.rules import HistoryRules


class AlikeAttacker(Attacker):
    """Names the customers of groups that are published alike, as many as give the best odds.

    Who is in which group is found by likelihood; within a group every order is equally likely.
    :func:`best_attack` says how many customers of how many groups to name, and whether to name one
    customer for several pseudonyms.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> from sudare.transactions import CustomerAnonymity, published
    >>> history = purchases_like(30, seed=1)
    >>> pairs = CustomerAnonymity(k=2).mask(history, seed=1)
    >>> AlikeAttacker().guess(history, published(pairs))
    <Guess of 24 customers>
    """

    def _scores(self, evidence: Evidence) -> Floats:
        return LikelihoodAttacker()._scores(evidence)

    def aim(self, evidence: Evidence, guess: Guess, rules: HistoryRules, bound: Bound) -> Guess:
        """Return the names of the attack that is most likely to be effective."""
        groups = _groups(evidence, guess)
        if max(map(len, groups), default=0) <= 1:
            return super().aim(evidence, guess, rules, bound)
        best = best_attack(groups=[len(group) for group in groups], rules=rules, bound=bound)
        waiting: dict[int, list[Integers]] = {}
        for group in groups:
            waiting.setdefault(len(group), []).append(group)
        chosen = [
            _named(waiting[size].pop(0), times)
            for times, size in zip(best.named, best.within, strict=True)
        ]
        if not chosen:
            return guess.first(0)
        places, namesakes = np.concatenate(chosen, axis=1)
        customers = tuple(guess.customers[position] for position in namesakes)
        confidence = np.concatenate(
            [
                np.full(part.shape[1], 1 / size)
                for part, size in zip(chosen, best.within, strict=True)
            ]
        )
        return Guess(guess.pseudonyms[places], customers, confidence)


def _groups(evidence: Evidence, guess: Guess) -> list[Integers]:
    """Return the places in a guess of the customers published alike, the surest group first."""
    order = np.argsort(evidence.pseudonyms)
    at = order[np.searchsorted(evidence.pseudonyms, guess.pseudonyms, sorter=order)]
    numbers = evidence.groups_alike[at]
    first: dict[int, list[int]] = {}
    for position, number in enumerate(numbers.tolist()):
        first.setdefault(number, []).append(position)
    return [np.array(places) for places in first.values()]


def _named(group: Integers, times: Times) -> Integers:
    """Return places of pseudonyms and of the customers they are named, shape (2, names)."""
    customers = np.repeat(group[: len(times)], times)
    return np.stack([group[: len(customers)], customers])
