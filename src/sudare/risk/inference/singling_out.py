"""Singling out: statements read off a release that are true of one original person alone."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from math import exp, log, log1p
from typing import Annotated, Literal

import numpy as np

from sudare.core import (
    AtLeast,
    Draws,
    Floats,
    Integers,
    Result,
    TablePair,
)
from sudare.describe import Confidence
from sudare.describe.distances import Space
from sudare.risk.inference.control import (
    Attacked,
    ControlledRisk,
    against_reference,
    once_each,
    targets,
)
from sudare.risk.inference.predicates import (
    Predicate,
    made_up,
    of_released_records,
    single_values,
)

Predicates = Literal["univariate", "multivariate"]
_TRIES = 10  # predicates looked at for each that is true of one released record


class SinglingOut(ControlledRisk):
    """How often a statement read off the release is true of exactly one original person.

    The attacker looks for predicates that are true of one released record. "univariate": a value
    that occurs once, or beyond the smallest and the largest number. "multivariate": what a released
    record taken at random has in ``width`` columns, labels equal, numbers no less (or no more) than
    its own. Where nearly all released records come several times, each counts once. The attack
    succeeds where exactly one member satisfies the predicate. The baseline are predicates about
    values taken at random from the ranges and labels; the control, where a column marks originals
    that the release was not made from, are the same predicates tried on those. Whether a predicate
    singles out depends on how many people there are, so the rate among control records is that of
    as many people as there are members: of a part of them where they are more, and extrapolated
    where they are fewer (:func:`rate_among`).

    The value is (rate − reference) / (1 − reference), at least 0, of the control where there is
    one, else of the baseline; the parts are the rates. Missing and not-applicable are values;
    sampling weights are not used.

    References
    ----------
    Article 29 Working Party (2014). Opinion 05/2014 on anonymisation techniques (WP216): singling
    out.

    Giomi, Boenisch, Wehmeyer and Tasnádi (2023). A unified framework for quantifying privacy risk
    in synthetic data. Proceedings on Privacy Enhancing Technologies 2023(2).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> attack = SinglingOut()
    >>> attack(data, sudare.datasets.toy(seed=2)).value < attack(data).value == 1
    True
    """

    formula = (
        "(rate of predicates true of exactly one person − reference) / (1 − reference), at least 0"
    )
    counted = "Records of the original that are attacked, and all released records."

    predicates: Annotated[Predicates, "about one column, or about several at once"] = "multivariate"
    width: Annotated[int, AtLeast(1), "columns in a multivariate predicate"] = 4
    attacks: Attacked = 2000
    draw: Annotated[int, AtLeast(0), "number that decides which predicates are drawn"] = 0
    confidence: Confidence = 0.95

    def _measure(self, pair: TablePair) -> Result:
        space, draws = Space.of(pair.before, pair.after, pair.columns), Draws(self.draw)
        inside = self.members(pair)
        space = replace(space, released=once_each(space.released))
        people, held = space.original[inside], space.original[~inside]
        width = 1 if self.predicates == "univariate" else self.width
        blind = list(made_up(space.released, space.labeled, width, self.attacks, draws))
        attack = self._attack(space, draws)
        success, each = _successes(attack, people)
        control = None
        if self.control is not None:
            control, again = _among_control(attack, held, len(people))
            each = max(each, again)
        each = max(each, len(success) / len(people))  # no more than one attempt on each person
        return self.result(
            **against_reference(
                success,
                _successes(blind, people)[0],
                control,
                self.confidence,
                attempts_each=each,
                notes=self.notes(pair, inside, pair.columns),
            )
        )

    def _attack(self, space: Space, draws: Draws) -> list[Predicate]:
        if self.predicates == "univariate":
            return single_values(space.released, space.labeled, self.attacks)
        candidates = of_released_records(
            space.released, space.labeled, self.width, _TRIES * self.attacks, draws
        )
        single = (each for each in candidates if len(each.matching(space.released)) == 1)
        return list(islice(single, self.attacks))


def rate_among(none: float, single: float, times: float) -> float:
    """Return how often a predicate is true of one person alone, in a multiple of the population.

    The expected matches of a predicate are taken to vary like a gamma distribution, with those
    parameters by which so many predicates are true of nobody and of one person here.

    Parameters
    ----------
    none, single
        Shares of the predicates that are true of nobody, and of one person.
    times
        How many times the people there are elsewhere.

    Examples
    --------
    >>> round(rate_among(0.5, 0.25, 1.0), 6), round(rate_among(0.9, 0.09, 3.0), 3)
    (0.25, 0.188)
    """
    from scipy.optimize import brentq

    if single <= 0 or none <= 0:
        return single
    odds, rarity = single / none, -log(none)
    if odds >= rarity:  # no more spread than chance
        return odds * times * exp(-odds * times)
    scale: float = brentq(lambda s: odds * (1 + s) / s * log1p(s) - rarity, 1e-9, 1e9)
    shape = odds * (1 + scale) / scale
    return float(shape * scale * times / (1 + scale * times) ** (shape + 1))


def _among_control(
    predicates: Sequence[Predicate], held: Floats, people: int
) -> tuple[Floats, float]:
    """Return the chances of predicates among control records, as if these were so many people.

    Where they are fewer, the chances are as many as such people would tell of.
    """
    held = _spread(held, min(people, len(held)))
    success, each = _successes(predicates, held)
    if len(held) == people or not predicates:
        return success, each
    nobody = np.mean([not len(predicate.matching(held)) for predicate in predicates])
    rate = rate_among(float(nobody), float(success.mean()), people / len(held))
    return np.full(max(len(success) * len(held) // people, 1), rate), each


def _successes(predicates: Sequence[Predicate], points: Floats) -> tuple[Floats, float]:
    """Return which predicates are true of one record alone, and how many are of the same person.

    A failure where there are no predicates.
    """
    matches = [each.matching(points) for each in predicates]
    alone = [int(rows[0]) for rows in matches if len(rows) == 1]
    success = np.array([float(len(rows) == 1) for rows in matches] or [0.0])
    return success, max(len(alone) / max(len({*alone}), 1), 1.0)


def _spread(points: Floats, count: int) -> Floats:
    """Return a given number of records, at equal steps in the order of their contents."""
    order: Integers = np.lexsort(points.T[::-1])
    return points[targets(order, count)]
