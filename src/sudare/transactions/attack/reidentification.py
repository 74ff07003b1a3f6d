"""The referee: how many names of a guess are right, and whether any attacker is effective."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np

from sudare.core import Between, Flags, Floats, MismatchError, OnProgress, Result
from sudare.transactions.attack.alike import AlikeAttacker
from sudare.transactions.attack.attacker import Attacker, Guess
from sudare.transactions.attack.attackers import (
    ContainmentAttacker,
    ItemSetAttacker,
    LikelihoodAttacker,
    RowCountAttacker,
)
from sudare.transactions.attack.distances import DistanceAttacker
from sudare.transactions.attack.evidence import Evidence
from sudare.transactions.attack.safety import BOUNDS, Bound, exact, threshold
from sudare.transactions.cells import MaskedHistory, check_rows
from sudare.transactions.files import published
from sudare.transactions.history import History
from sudare.transactions.methods import HistoryMeasure
from sudare.transactions.rules import PWSCUP_2018, HistoryRules

ATTACKERS: tuple[Attacker, ...] = (
    *(
        attacker(one_to_one=one_to_one)
        for attacker in (
            RowCountAttacker,
            ItemSetAttacker,
            ContainmentAttacker,
            LikelihoodAttacker,
            DistanceAttacker,
        )
        for one_to_one in (True, False)
    ),
    AlikeAttacker(),
)


@dataclass(frozen=True)
class Score:
    """A referee's verdict on a guess.

    Attributes
    ----------
    named
        How many customers the guess names (the paper's n').
    right
        How many of the names are right (s).
    needed
        From how many right names the guess is effective, by bound (r(n')).
    """

    named: int
    right: int
    needed: Mapping[Bound, int]

    def effective(self, bound: Bound = "contest") -> bool:
        """Return whether the guess shows that the file is not safe."""
        return self.right >= self.needed[bound]


def score_guess(
    history: History,
    masked: MaskedHistory,
    guess: Guess | Mapping[int, str],
    *,
    rules: HistoryRules | None = None,
) -> Score:
    """Return how many names of a guess are right, and how many make it effective.

    Parameters
    ----------
    history
        The original.
    masked
        The masked file with the rows of the history in their order, not the published one: it
        tells who is who.
    guess
        A :class:`Guess`, or the customer by pseudonym as :func:`read_guess` returns it. A customer
        may be named more than once.
    rules
        When an attack is effective; by default the rules of the history.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> history = purchases_like(30, seed=1)
    >>> names = dict(zip(range(1, 11), ["12346"] * 10))
    >>> score = score_guess(history, MaskedHistory.of(history), names)
    >>> score.named, score.right, score.needed["contest"], score.effective()
    (10, 1, 10, False)
    """
    names = guess.as_dict() if isinstance(guess, Guess) else dict(guess)
    truth = who_is_who(history, masked)
    strange = sum(pseudonym not in truth for pseudonym in names)
    if strange:
        raise MismatchError(
            "{count} {count:pseudonym|pseudonyms} of the guess {count:is|are} not in the "
            "published file.",
            count=strange,
        )
    strange = len(set(names.values()) - set(history.customer_ids))
    if strange:
        raise MismatchError(
            "{count} {count:customer|customers} of the guess {count:is|are} not in the history.",
            count=strange,
        )
    return score_names(truth, names, rules=rules or history.rules)


def score_names(
    truth: Mapping[int, str], names: Mapping[int, str], *, rules: HistoryRules = PWSCUP_2018
) -> Score:
    """Return how many names are right, by the referee's table of pseudonyms.

    The truth is as :func:`who_is_who` returns it; both are by pseudonym.

    Examples
    --------
    >>> truth = {number: f"C{number}" for number in range(1, 9)}
    >>> score_names(truth, truth).effective()
    True
    """
    right = sum(truth[pseudonym] == customer for pseudonym, customer in names.items())
    needed = {b: threshold(len(names), rules.chance, rules.level, b) for b in BOUNDS}
    return Score(len(names), right, needed)


@dataclass(frozen=True)
class AttackOutcome:
    """What one attacker reached who aimed at the threshold of one bound."""

    attacker: Attacker
    aim: Bound
    score: Score


@dataclass(frozen=True)
class Attacks:
    """What all attackers reached.

    Attributes
    ----------
    outcomes
        One per attacker and bound that they aimed at.
    by_customer
        For each customer, the largest confidence with which an attacker knew them, 0 where nobody
        did. Confidential: never printed, never in a release.
    """

    outcomes: tuple[AttackOutcome, ...]
    by_customer: Floats = field(repr=False, compare=False)

    def effective(self, bound: Bound = "contest") -> bool:
        """Return whether some attack is effective."""
        return any(outcome.score.effective(bound) for outcome in self.outcomes)

    def closest(self, bound: Bound = "contest") -> dict[Attacker, float]:
        """Return by attacker the right names as a share of those needed, at most."""
        shares: dict[Attacker, float] = {}
        for outcome in self.outcomes:
            share = outcome.score.right / outcome.score.needed[bound]
            shares[outcome.attacker] = max(share, shares.get(outcome.attacker, 0.0))
        return shares

    def most_at_risk(self, history: History, n: int = 10) -> list[str]:
        """Return the customers whom attackers knew with the largest confidence. Confidential."""
        order = np.argsort(-self.by_customer, kind="stable")[:n]
        return [history.customer_ids[code] for code in order if self.by_customer[code] > 0]


def attack_all(
    history: History,
    masked: MaskedHistory,
    *,
    attackers: Sequence[Attacker] = ATTACKERS,
    bounds: Sequence[Bound] = BOUNDS,
    rules: HistoryRules | None = None,
    on_progress: OnProgress | None = None,
) -> Attacks:
    """Let all attackers loose on what is published of a masked file.

    Parameters
    ----------
    history
        The original, which the attackers hold as well.
    masked
        The masked file with the rows of the history in their order.
    attackers
        Who attacks; by default every kind, most with and without a one-to-one assignment.
    bounds
        Each attacker aims at the threshold of each of these bounds.
    rules
        When an attack is effective; by default the rules of the history.
    on_progress
        Called after each attacker.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> history = purchases_like(30, seed=1)
    >>> attacks = attack_all(history, MaskedHistory.of(history))
    >>> attacks.effective("contest"), len(attacks.outcomes)
    (True, 22)
    """
    rules = rules or history.rules
    truth = who_is_who(history, masked)
    evidence = Evidence(history, published(masked))
    code_of = {name: code for code, name in enumerate(history.customer_ids)}
    by_customer = np.zeros(len(code_of))
    outcomes = []
    for number, attacker in enumerate(attackers, 1):
        guess = attacker.suspect(evidence)
        right = _right(guess, truth)
        known = [code_of[name] for name, hit in zip(guess.customers, right, strict=True) if hit]
        by_customer[known] = np.maximum(by_customer[known], guess.confidence[right])
        for bound in bounds:
            names = attacker.aim(evidence, guess, rules, bound).as_dict()
            outcomes.append(AttackOutcome(attacker, bound, score_names(truth, names, rules=rules)))
        if on_progress is not None:
            on_progress(number, len(attackers), attacker.label())
    return Attacks(tuple(outcomes), by_customer)


class Reidentification(HistoryMeasure):
    """How close attackers come to naming enough customers correctly.

    The right names of the best attacker as a share of those that make an attack effective: from 1
    on, the file is hit. ``by_record`` has one number per customer, the largest confidence with
    which an attacker knew them.

    References
    ----------
    K. Hamada et al. (2019), report of the contest PWSCUP 2018, sections 2.3 and 4.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> history = purchases_like(30, seed=1)
    >>> Reidentification()(history).value >= 1
    True
    """

    kind = "risk"
    formula = (
        "largest over the attackers of right names / r(n), the right names that make an "
        "attack on n customers effective"
    )
    counted = "All customers of the history; each attacker chooses whom to name."
    improved_by = "A larger k, wider ranges and sets, or more deleted rows."
    confidential = True

    chance: Annotated[
        float | None,
        Between(0, 1, above=True, below=True),
        "a customer of a safe file is named correctly with at most this probability (default: "
        "as in the rules of the history)",
    ] = None
    level: Annotated[
        float | None,
        Between(0, 1, above=True),
        "how often a safe file may be called unsafe (default: as in the rules of the history)",
    ] = None
    bound: Annotated[
        Bound, "threshold of an effective attack: the contest's, or the least that is proven"
    ] = "contest"

    def attacks(self, history: History, masked: MaskedHistory) -> Attacks:
        """Return what all attackers reach, whichever bound they aim at."""
        settings = {"chance": self.chance, "level": self.level}
        stated = {name: exact(value) for name, value in settings.items() if value is not None}
        rules = replace(history.rules, **stated)  # type: ignore[arg-type]
        return attack_all(history, masked, rules=rules)

    def judged(self, attacks: Attacks) -> Result:
        """Return how near the attackers came who aimed at the bound of this measure."""
        aimed = [outcome for outcome in attacks.outcomes if outcome.aim == self.bound]
        closest = replace(attacks, outcomes=tuple(aimed)).closest(self.bound)
        parts = {attacker.label(): share for attacker, share in closest.items()}
        return self.result(
            max(closest.values()),
            best=0.0,
            worst=np.inf,
            parts=parts,
            by_record=attacks.by_customer,
        )

    def _measure(self, history: History, masked: MaskedHistory) -> Result:
        return self.judged(self.attacks(history, masked))


def who_is_who(history: History, masked: MaskedHistory) -> dict[int, str]:
    """Return who every pseudonym of a masked file is. Confidential."""
    check_rows(history, masked)
    kept = ~masked.gone
    pairs = np.unique(np.stack([masked.pseudonyms[kept], history.customers[kept]]), axis=1)
    truth = {int(name): history.customer_ids[code] for name, code in pairs.T}
    if len(truth) < pairs.shape[1]:
        raise MismatchError(
            "{count} {count:pseudonym|pseudonyms} of the masked file {count:stands|stand} for "
            "several customers.",
            count=pairs.shape[1] - len(truth),
        )
    return truth


def _right(guess: Guess, truth: Mapping[int, str]) -> Flags:
    return np.array([truth[name] == said for name, said in guess.as_dict().items()], dtype=np.bool_)
