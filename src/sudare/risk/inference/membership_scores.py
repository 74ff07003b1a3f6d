"""Attackers who score how likely a record was among those that a release was made from."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sudare.core import Array, Draws, Flags, Floats, Integers, say
from sudare.risk.inference.neighbors import densities, nearest, targets

Attacker = Literal["nearest", "density-ratio", "loss"]
_TRAINING = 20_000  # released records from which trees learn
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
    own = np.arange(len(knowledge.background))
    apart = nearest(knowledge.background, knowledge.background, skipped=own).distance
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
    from sklearn.tree import DecisionTreeClassifier

    taught = knowledge.released[targets(np.arange(len(knowledge.released)), _TRAINING)]
    score = np.zeros(len(records))
    if len(knowledge.labeled) == 1:
        return score
    for column, labeled in enumerate(knowledge.labeled):
        classes, asked = _classes(taught[:, column], records[:, column], labeled=labeled)
        kinds = np.unique(classes)
        if not 1 < len(kinds) <= _LABELS:
            continue
        tree = DecisionTreeClassifier(min_samples_leaf=_LEAF, random_state=0)
        tree.fit(np.delete(taught, column, axis=1), classes)
        chance = tree.predict_proba(np.delete(records, column, axis=1))
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
