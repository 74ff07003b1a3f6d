"""Linkability: whether a release tells that two pieces of knowledge are about one person."""

from typing import Annotated

import numpy as np

from sudare.core import Flags, Floats, Result, TablePair
from sudare.describe import Confidence
from sudare.describe.distances import Space, common_neighbors, nearest
from sudare.risk.inference.control import (
    Attacked,
    ControlledRisk,
    against_reference,
    attacked,
    once_each,
)


def link_chances(targets: Floats, released: Floats, first: Flags) -> Floats:
    """Return the chance that the nearest records by two sets of columns are the same one.

    Parameters
    ----------
    targets, released
        Points of one space, shapes (n, p) and (k, p).
    first
        Which columns one source holds, shape (p,); the other holds the rest.

    Notes
    -----
    Among ties each source takes one at random, so that of a and b ties with c in common the chance
    is c / (a b).
    """
    halves = [(targets[:, half], released[:, half]) for half in (first, ~first)]
    near = [nearest(*half) for half in halves]
    common = common_neighbors(
        [mine for mine, _ in halves],
        [others for _, others in halves],
        [each.distance for each in near],
    )
    return common / (near[0].ties * near[1].ties)


class Linkability(ControlledRisk):
    """How often the release links what two sources know about the same person.

    One source knows some columns of a person (``first``), another knows the others. Each looks for
    the released record that is nearest by its columns (categories that differ count 1, numbers
    their difference as a share of the range); if it is the same record, the two pieces of knowledge
    are linked. Ties count as the expectation of a choice at random; where nearly all released
    records come several times, each counts once. The baseline are two records
    taken at random; the control, where a column marks originals that the release was not made from,
    is the same attack on those.

    The value is (rate − reference) / (1 − reference), at least 0, of the control where there is
    one, else of the baseline; the parts are the rates. The record detail is the chance of each
    record, NaN for those that were not attacked. Missing and not-applicable are values; sampling
    weights are not used.

    References
    ----------
    Article 29 Working Party (2014). Opinion 05/2014 on anonymisation techniques (WP216):
    linkability.

    Giomi, Boenisch, Wehmeyer and Tasnádi (2023). A unified framework for quantifying privacy risk
    in synthetic data. Proceedings on Privacy Enhancing Technologies 2023(2).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> attack = Linkability(first=("age", "sex", "region"))
    >>> attack(data, sudare.datasets.toy(seed=2)).value < 0.05 < attack(data).value
    True
    """

    formula = "(rate of people linked − reference) / (1 − reference), at least 0"
    counted = "Records of the original that are attacked, and all released records."

    first: Annotated[
        tuple[str, ...] | None, "columns that one source knows; by default every other column"
    ] = None
    attacks: Attacked = 2000
    confidence: Confidence = 0.95

    def _measure(self, pair: TablePair) -> Result:
        columns = dict.fromkeys((*pair.columns, *(self.first or ())))
        known = self.first or pair.columns[::2]
        space = Space.of(pair.before, pair.after, list(columns))
        inside = self.members(pair)
        rows = attacked(inside, self.attacks)
        half = np.array([name in known for name in columns])
        released = once_each(space.released)
        chances = link_chances(space.original[rows], released, half)
        detail = np.full(pair.before.rows, np.nan)
        detail[rows] = chances
        blind = np.full(len(rows), 1 / max(len(released), 1))
        return self.result(
            by_record=detail,
            **against_reference(
                chances[inside[rows]],
                blind,
                None if self.control is None else chances[~inside[rows]],
                self.confidence,
                notes=self.notes(pair, inside, columns),
            ),
        )
