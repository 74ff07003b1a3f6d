"""Attackers who score how likely a record was among those that a release was made from.

Their scores are judged by the area under the ROC curve, and by its left end.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sudare.core import Array, Draws, Flags, Floats, Integers, say
from sudare.describe import wilson_interval
from sudare.describe.decision_trees import SortedInputs
from sudare.describe.distances import densities, nearest
from sudare.risk.inference.control import Excess, targets

Attacker = Literal["nearest", "density-ratio", "loss"]
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


ATTACKERS: Mapping[Attacker, Callable[[Floats, Knowledge], Floats]] = {
    "nearest": nearness,
    "density-ratio": density_ratio,
    "loss": fit_of_models,
}


def attacker_title(attacker: Attacker) -> str:
    """Return what an attacker looks at, in the current language."""
    titles: dict[Attacker, str] = {
        "nearest": say("nearest record"),
        "density-ratio": say("density ratio"),
        "loss": say("fit of models"),
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

    The bounds allow for both samples. The lower one takes the lowest threshold of which the control
    records show that no more than f of all people are above it, by the exact binomial bound of
    Clopper and Pearson (1934), and there Wilson's interval of the members. Where the control
    records are too few for that, it takes the largest of them: of all people at most a share u is
    above it, so that an attacker who names f / u of those above it, by lot, takes f. The upper one
    is the mirror image of the former.
    """
    half = (1 + confidence) / 2
    error = (1 - half) / 2
    strict, lenient = _certain_thresholds(controls, false_positives, error)
    low, _ = wilson_interval(float((members > strict).mean()), len(members), half)
    low *= min(false_positives / (1 - error ** (1 / len(controls))), 1.0)
    _, high = wilson_interval(float((members >= lenient).mean()), len(members), half)
    rate = true_positive_rate(members, controls, false_positives)
    beyond = ((x - false_positives) / (1 - false_positives) for x in (rate, low, high))
    return _ordered(*(float(np.clip(x, 0, 1)) for x in beyond))


def _certain_thresholds(controls: Floats, share: float, error: float) -> tuple[float, float]:
    """Return above what at most a share of all people is, and at or above what at least it is.

    The former is the largest score of all where that is not shown of any.
    """
    count = len(controls)
    above = np.arange(1, count + 1)
    odds = np.log(count + 1 - above) - np.log(above) + np.log(share) - np.log1p(-share)
    chance = np.exp(count * np.log1p(-share) + np.concatenate(([0.0], np.cumsum(odds))))
    up_to = np.cumsum(chance)[:-1]  # of 0, 1, … above where a share of all people is
    falling = np.sort(controls)[::-1]
    few, many = np.flatnonzero(up_to <= error), np.flatnonzero(1 - up_to <= error)
    strict = falling[few[-1]] if len(few) else falling[0]
    return float(strict), float(falling[many[0]]) if len(many) else -np.inf


def _ordered(risk: float, low: float, high: float) -> Excess:
    """Return an estimate within its bounds, whatever the last digit of these."""
    return Excess(risk, min(low, risk), max(high, risk))
