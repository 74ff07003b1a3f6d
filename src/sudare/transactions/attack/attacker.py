"""Attacks on a masked history: who is who, and which customers an attacker chooses to name."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sudare.core import Declared, Floats, Integers
from sudare.transactions.assignment import assign
from sudare.transactions.attack.evidence import Evidence
from sudare.transactions.attack.safety import Bound, threshold
from sudare.transactions.cells import MaskedHistory
from sudare.transactions.history import History
from sudare.transactions.rules import PWSCUP_2018, HistoryRules

_ROUNDS = 30  # of balancing; more no longer move the order of the customers
_BITS = 56  # of the whole numbers that stand for scores where names are assigned
_EVERY = 100  # up to here every number of names is considered, beyond it steps of one in a hundred


@dataclass(frozen=True, repr=False)
class Guess:
    """An attacker's names for published customers, the surest first. It prints counts only.

    Attributes
    ----------
    pseudonyms
        The published customers that are named.
    customers
        The customer that each is said to be.
    confidence
        The attacker's probability that the name is right.
    """

    pseudonyms: Integers
    customers: tuple[str, ...]
    confidence: Floats

    def __len__(self) -> int:
        return len(self.pseudonyms)

    def as_dict(self) -> dict[int, str]:
        """Return the customer by pseudonym, as :func:`write_guess` takes it."""
        return dict(zip(self.pseudonyms.tolist(), self.customers, strict=True))

    def first(self, n: int) -> "Guess":
        """Return the n surest names."""
        return Guess(self.pseudonyms[:n], self.customers[:n], self.confidence[:n])

    def aimed(self, *, rules: HistoryRules = PWSCUP_2018, bound: Bound = "contest") -> "Guess":
        """Return as many of the surest names as make an effective attack most likely."""
        return self.first(best_number(self.confidence, rules, bound))

    def __repr__(self) -> str:
        return f"<Guess of {len(self)} customers>"


class Attacker(Declared, ABC):
    """Someone who holds the history and the published file and wants to know who is who."""

    one_to_one: Annotated[
        bool, "give every published customer a different name (otherwise the most likely)"
    ] = True

    def guess(
        self,
        history: History,
        published: MaskedHistory,
        *,
        rules: HistoryRules | None = None,
        bound: Bound = "contest",
    ) -> Guess:
        """Return the names of the customers that the attacker chooses to name.

        Parameters
        ----------
        history
            The original.
        published
            The masked file as it is released, see :func:`published`; deleted rows do not count.
        rules
            When an attack is effective; by default the rules of the history.
        bound
            Which threshold the choice aims at.
        """
        evidence = Evidence(history, published.take(np.flatnonzero(~published.gone)))
        return self.aim(evidence, self.suspect(evidence), rules or history.rules, bound)

    def aim(self, evidence: Evidence, guess: Guess, rules: HistoryRules, bound: Bound) -> Guess:
        """Return those names of a guess that make an effective attack most likely."""
        return guess.aimed(rules=rules, bound=bound)

    def suspect(self, evidence: Evidence) -> Guess:
        """Return a name for every published customer that can have one, the surest first."""
        if not len(evidence.pseudonyms):
            return Guess(np.empty(0, np.int64), (), np.empty(0))
        scores = self._scores(evidence)
        chances = _chances(scores)
        if self.one_to_one:
            chances = balanced(chances)
            named = assigned(scores)
        else:
            named = chances.argmax(axis=1)
            chances /= np.maximum(chances.sum(axis=0), 1.0)  # a name is right for one of them
        confidence = chances[np.arange(len(named)), named]
        sure = np.flatnonzero(confidence > 0)
        margin = _margin(scores[sure], named[sure])
        order = sure[np.lexsort((-margin, -np.round(confidence[sure], 9)))]
        names = evidence.history.customer_ids
        customers = tuple(names[code] for code in named[order])
        return Guess(evidence.pseudonyms[order], customers, confidence[order])

    @abstractmethod
    def _scores(self, evidence: Evidence) -> Floats:
        """Return log-likelihoods, shape (published, original customers); −∞ where impossible."""


def best_number(confidence: Floats, rules: HistoryRules, bound: Bound) -> int:
    """Return how many names, the surest first, give the best chance of an effective attack.

    Names are taken to be right independently, each with its confidence, so that the number of
    right ones has a Poisson binomial distribution. The largest of equally good numbers is taken.
    """
    total = len(confidence)
    chances, right = np.zeros(total + 1), np.zeros(total + 1)
    right[0] = 1.0
    for n, sure in enumerate(confidence, 1):
        right[1 : n + 1] = right[1 : n + 1] * (1 - sure) + right[:n] * sure
        right[0] *= 1 - sure
        if n <= _EVERY or n % (n // _EVERY) == 0 or n == total:
            chances[n] = right[threshold(n, rules.chance, rules.level, bound) :].sum()
    return int(np.flatnonzero(chances >= chances.max() * (1 - 1e-9))[-1])


def balanced(chances: Floats) -> Floats:
    """Return chances by pair whose rows sum to 1 and whose columns sum to at most 1.

    Rows and columns are scaled in turn (Sinkhorn and Knopp): what is known about the others tells
    who is left. Rows of zeros stay.
    """
    for _ in range(_ROUNDS):
        chances = chances / np.maximum(chances.sum(axis=0), 1.0)
        total = chances.sum(axis=1, keepdims=True)
        np.divide(chances, total, out=chances, where=total > 0)
    return chances / np.maximum(chances.sum(axis=0), 1.0)


def _chances(scores: Floats) -> Floats:
    """Return each row's scores as probabilities; zeros where all are impossible."""
    top = scores.max(axis=1, keepdims=True)
    chances: Floats = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    total = chances.sum(axis=1, keepdims=True)
    np.divide(chances, total, out=chances, where=total > 0)
    return chances


def assigned(scores: Floats) -> Integers:
    """Return the most likely assignment of different customers to the published ones."""
    possible = np.isfinite(scores)
    lowest = scores[possible].min() if possible.any() else 0.0
    costs = -np.where(possible, scores, lowest * 2 - 1e6)
    costs -= costs.min(axis=1, keepdims=True)
    bits = _BITS - int(np.log2(costs.max() * len(costs) + 1))  # so that no sum is too large
    return assign(np.rint(np.ldexp(costs, bits)))[0].astype(np.int64)


def _margin(scores: Floats, named: Integers) -> Floats:
    """Return by how much each name is likelier than the next best one."""
    every = np.arange(len(named))
    own = scores[every, named]
    others = scores.copy()
    others[every, named] = -np.inf
    return own - others.max(axis=1, initial=-np.inf)
