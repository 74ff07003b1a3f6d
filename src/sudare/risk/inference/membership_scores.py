"""Attackers who score how likely a record was among those that a release was made from.

Their scores are judged by the area under the ROC curve, and by its left end.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sudare.core import Array, Draws, Flags, Floats, Integers, say
from sudare.describe import binomial_chances, exact_bound, wilson_interval
from sudare.describe.decision_trees import SortedInputs
from sudare.describe.distances import densities, nearest
from sudare.risk.inference.control import Excess, targets
from sudare.risk.inference.rare_values import shared_rarity

Attacker = Literal["nearest", "density-ratio", "loss", "rare-values"]
_TRAINING = 20_000  # released records from which trees learn
_BANDWIDTH = 2_000  # background records whose nearest distances decide the bandwidth
_CLASSES = 10  # of a number that a tree predicts
_LABELS = 50  # a column with more labels is not predicted
_LEAF = 5
_NARROW = 0.1  # bandwidth of the densities, in distances to the nearest record


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What an attacker has: the release, and records of the same population that are not in it.

    Attributes
    ----------
    released, background
        Points of one space, shapes (k, p) and (b, p).
    labeled
        Which columns hold categories.
    """

    released: Floats
    background: Floats
    labeled: Sequence[bool]


def nearness(records: Floats, knowledge: Knowledge) -> Floats:
    """Return how near the nearest released record is: the distance, below 0."""
    return -nearest(records, knowledge.released).distance


def density_ratio(records: Floats, knowledge: Knowledge) -> Floats:
    """Return the logarithm of the density of the release over that of the background.

    A release that fits some records too closely is denser around them than the population is.

    References
    ----------
    Van Breugel, Sun, Qian and van der Schaar (2023). Membership inference attacks against synthetic
    data through overfitting detection. AISTATS 2023 (DOMIAS); here with densities by kernels.
    """
    own = targets(np.arange(len(knowledge.background)), _BANDWIDTH)
    apart = nearest(knowledge.background[own], knowledge.background, skipped=own).distance
    usual = float(apart[np.isfinite(apart)].mean()) if len(apart) > 1 else 1.0
    bandwidth = max(_NARROW * usual, 0.02)
    least = 1e-6 / max(len(knowledge.released), len(knowledge.background))
    dense, common = (
        densities(records, others, bandwidth) + least
        for others in (knowledge.released, knowledge.background)
    )
    return np.log(dense / common)


def fit_of_models(records: Floats, knowledge: Knowledge) -> Floats:
    """Return how well trees fitted to the release predict each value of a record from the others.

    The sum over the columns of the logarithm of the probability that the tree gives to the value
    (numbers in classes): the loss on members is smaller where a model remembered them. A single
    column has no others, and tells nobody apart.
    """
    taught = knowledge.released[targets(np.arange(len(knowledge.released)), _TRAINING)]
    score = np.zeros(len(records))
    if len(knowledge.labeled) == 1:
        return score
    for column, labeled in enumerate(knowledge.labeled):
        classes, asked = _classes(taught[:, column], records[:, column], labeled=labeled)
        kinds, codes = np.unique(classes, return_inverse=True)
        if not 1 < len(kinds) <= _LABELS:
            continue
        others, own = (np.delete(each, column, axis=1) for each in (taught, records))
        tree = SortedInputs.of(others).tree(codes, min_leaf=_LEAF)
        chance = tree.shares(others, codes, np.ones(len(codes)), own)
        at = np.searchsorted(kinds, asked).clip(max=len(kinds) - 1)
        right = np.where(kinds[at] == asked, chance[np.arange(len(records)), at], 0.0)
        score += np.log(right + 1 / (len(taught) + 1))
    return np.round(score, 9)  # equal up to rounding is equal, whatever the order of records


def rare_values(records: Floats, knowledge: Knowledge) -> Floats:
    """Return how rare the values are that one released record shares with each record."""
    return shared_rarity(records, knowledge.released)


ATTACKERS: Mapping[Attacker, Callable[[Floats, Knowledge], Floats]] = {
    "nearest": nearness,
    "density-ratio": density_ratio,
    "loss": fit_of_models,
    "rare-values": rare_values,
}


def attacker_title(attacker: Attacker) -> str:
    """Return what an attacker looks at, in the current language."""
    titles: dict[Attacker, str] = {
        "nearest": say("nearest record"),
        "density-ratio": say("density ratio"),
        "loss": say("fit of models"),
        "rare-values": say("shared rare values"),
    }
    return titles[attacker]


def random_half(records: Floats) -> Flags:
    """Return half of the records, drawn whatever their order.

    Draws are dealt to the records sorted by what they hold. Every other of these would not do: a
    background with a neighbor of each control record is denser around those than around members.
    """
    order: Integers = np.lexsort(records.T[::-1]) if records.shape[1] else np.arange(len(records))
    lot = np.argsort(Draws(0).uniform("half", len(records)))
    chosen = np.zeros(len(records), np.bool_)
    chosen[order[lot[: (len(records) + 1) // 2]]] = True
    return chosen


def _classes(taught: Floats, asked: Floats, *, labeled: bool) -> tuple[Array, Array]:
    if labeled:
        return taught, asked
    edges = np.unique(np.quantile(taught, np.linspace(0, 1, _CLASSES + 1)[1:-1]))
    return np.searchsorted(edges, taught, "right"), np.searchsorted(edges, asked, "right")


def true_positive_rate(members: Floats, controls: Floats, false_positives: float) -> float:
    """Return the share of members recognized at a share of control records taken for members.

    Records of equal score are taken in part, as by an attacker who tosses a coin.

    Parameters
    ----------
    members, controls
        Scores, large for members, shapes (n,) and (m,), none empty.
    false_positives
        The share of control records that may be taken for members.

    References
    ----------
    Carlini, Chien, Nasr, Song, Terzis and Tramèr (2022). Membership inference attacks from first
    principles. IEEE Symposium on Security and Privacy.

    Examples
    --------
    >>> scores = np.array([3.0, 2.0, 1.0, 0.0])
    >>> true_positive_rate(scores + 0.5, scores, 0.25)
    0.5
    """
    levels = np.unique(np.concatenate([members, controls]))[::-1]
    known, taken = (
        np.append(0.0, 1 - np.searchsorted(np.sort(side), levels, "left") / len(side))
        for side in (members, controls)
    )
    last = int(np.searchsorted(taken, false_positives, "right")) - 1
    if last + 1 >= len(taken):
        return float(known[-1])
    share = (false_positives - taken[last]) / (taken[last + 1] - taken[last])
    return float(known[last] + share * (known[last + 1] - known[last]))


def above_controls(members: Floats, controls: Floats) -> Floats:
    """Return with what chance each member scores above a control record at random; ties a half.

    The mean is the area under the ROC curve.

    Examples
    --------
    >>> above_controls(np.array([1.0, 2.0]), np.array([0.0, 2.0])).tolist()
    [0.5, 0.75]
    """
    ordered = np.sort(controls)
    below = np.searchsorted(ordered, members, "left")
    return (below + np.searchsorted(ordered, members, "right")) / (2 * len(ordered))


def advantage(members: Floats, controls: Floats, confidence: float) -> Excess:
    """Return twice the area under the ROC curve less 1, at least 0, with bounds.

    The variance of the area is never above A(1 − A) / min(n, m), whatever the distributions
    (Birnbaum and Klose 1957), so that Wilson's interval with the smaller number covers it.
    """
    area = float(above_controls(members, controls).mean())
    low, high = wilson_interval(area, min(len(members), len(controls)), confidence)
    return _ordered(*(max(2 * x - 1, 0.0) for x in (area, low, high)))


def beyond_false_positives(
    members: Floats, controls: Floats, false_positives: float, confidence: float
) -> Excess:
    """Return the true positives beyond the false ones, f: (t − f) / (1 − f), at least 0.

    The bounds allow for both samples. At a threshold they take the exact bound of the share of all
    people (Clopper and Pearson 1934) and Wilson's interval of the members.
    """
    half = (1 + confidence) / 2
    rates = (
        true_positive_rate(members, controls, false_positives),
        _least_rate(members, controls, false_positives, half),
        _most_rate(members, controls, false_positives, half),
    )
    beyond = ((rate - false_positives) / (1 - false_positives) for rate in rates)
    return _ordered(*(float(np.clip(x, 0, 1)) for x in beyond))


def _least_rate(members: Floats, controls: Floats, share: float, confidence: float) -> float:
    """Return how many members are at least recognized where a share of all people is named.

    At the lowest threshold of which the control records show that no more than that share is above
    it, or else at the largest control record. Where at most a share u is above it, an attacker who
    names share / u of those, by lot, names no more; and so with those who tie with it.
    """
    total, error = len(controls), (1 - confidence) / 4
    levels, reached = _levels(controls)
    above = np.append(0, reached[:-1])
    few = np.flatnonzero(binomial_chances(total, share)[above] <= error)
    at = few[-1] if len(few) else 0
    rates = []
    for count, told in ((above[at], members > levels[at]), (reached[at], members >= levels[at])):
        low, _ = wilson_interval(float(told.mean()), len(members), confidence)
        rates.append(low * min(share / exact_bound(int(count), total, error), 1.0))
    return max(rates)


def _most_rate(members: Floats, controls: Floats, share: float, confidence: float) -> float:
    """Return how many members are at most recognized where a share of all people is named.

    At the highest threshold of which the control records show that at least that share reaches it.
    Where at least a share v does, all members above it are recognized at most, and share / v of
    those who tie with it.
    """
    total, error = len(controls), (1 - confidence) / 2
    levels, reached = _levels(controls)
    many = np.flatnonzero(1 - binomial_chances(total, share)[reached - 1] <= error)
    if not len(many):
        return 1.0
    level, count = levels[many[0]], reached[many[0]]
    lot = share / exact_bound(int(count) - 1, total, 1 - error)
    named = float((members > level).mean() + lot * (members == level).mean())
    return wilson_interval(named, len(members), confidence)[1]


def _levels(scores: Floats) -> tuple[Floats, Integers]:
    """Return the scores that occur, the largest first, and how many reach each."""
    levels, counts = np.unique(scores, return_counts=True)
    return levels[::-1], np.cumsum(counts[::-1])


def _ordered(risk: float, low: float, high: float) -> Excess:
    """Return an estimate within its bounds, whatever the last digit of these."""
    return Excess(risk, min(low, risk), max(high, risk))
