"""Singling out: statements read off a release that are true of one original person alone."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

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
from sudare.describe.pairing import comparison_notes
from sudare.risk.inference.control import (
    Attacked,
    ControlledRisk,
    against_reference,
    members,
    targets,
)
from sudare.risk.inference.predicates import (
    Predicate,
    made_up,
    of_released_records,
    single_values,
)

Predicates = Literal["univariate", "multivariate"]


class SinglingOut(ControlledRisk):
    """How often a statement read off the release is true of exactly one original person.

    The attacker looks for predicates that are true of one released record. "univariate": a value
    that occurs once, or beyond the smallest and the largest number. "multivariate": what a released
    record taken at random has in ``width`` columns, labels equal, numbers no less (or no more) than
    its own. The attack succeeds where exactly one member satisfies the predicate. The baseline are
    predicates about values taken at random from the ranges and labels; the control, where a column
    marks originals that the release was not made from, are the same predicates tried on those.
    Members and control records are then equally many, since whether a predicate singles out
    depends on how many people there are.

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

    formula: ClassVar[str] = (
        "(rate of predicates true of exactly one person − reference) / (1 − reference), at least 0"
    )
    counted: ClassVar[str] = "Records of the original that are attacked, and all released records."

    predicates: Annotated[Predicates, "about one column, or about several at once"] = "multivariate"
    width: Annotated[int, AtLeast(1), "columns in a multivariate predicate"] = 4
    attacks: Attacked = 2000
    draw: Annotated[int, AtLeast(0), "number that decides which predicates are drawn"] = 0
    confidence: Confidence = 0.95

    def _measure(self, pair: TablePair) -> Result:
        space, draws = Space.of(pair.before, pair.after, pair.columns), Draws(self.draw)
        inside = members(pair.before, self.control)
        sides = [space.original[inside], space.original[~inside]]
        if self.control is not None:
            sides = [_spread(side, min(map(len, sides))) for side in sides]
        width = 1 if self.predicates == "univariate" else self.width
        blind = list(made_up(space.released, space.labeled, width, self.attacks, draws))
        attack = self._attack(space, draws)
        success, people = _successes(attack, sides[0])
        control, others = (None, 0) if self.control is None else _successes(attack, sides[1])
        singled = [(success, people)] + ([] if control is None else [(control, others)])
        return self.result(
            **against_reference(
                success,
                _successes(blind, sides[0])[0],
                control,
                self.confidence,
                attempts_each=max(max(hits.sum() / max(n, 1), 1.0) for hits, n in singled),
                notes=comparison_notes(pair.before, pair.after, pair.columns),
            )
        )

    def _attack(self, space: Space, draws: Draws) -> list[Predicate]:
        if self.predicates == "univariate":
            return single_values(space.released, space.labeled, self.attacks)
        candidates = of_released_records(
            space.released, space.labeled, self.width, self.attacks, draws
        )
        return [each for each in candidates if len(each.matching(space.released)) == 1]


def _successes(predicates: Sequence[Predicate], points: Floats) -> tuple[Floats, int]:
    """Return which predicates are true of one record alone, and of how many people they are.

    A failure where there are no predicates.
    """
    matches = [each.matching(points) for each in predicates]
    alone = [int(rows[0]) for rows in matches if len(rows) == 1]
    return np.array([float(len(rows) == 1) for rows in matches] or [0.0]), len({*alone})


def _spread(points: Floats, count: int) -> Floats:
    """Return so many records, at equal steps in the order of what they hold."""
    order: Integers = np.lexsort(points.T[::-1])
    return points[targets(order, count)]
