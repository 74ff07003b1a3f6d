"""Association: how far the strength of the link between two variables moved."""

from itertools import combinations
from typing import ClassVar

import numpy as np

from sudare.core.case import Case
from sudare.core.measure import Kind, Measure, Needs, Result
from sudare.core.method import Takes
from sudare.core.microdata import Microdata
from sudare.describe.association import association, strength


class AssociationLoss(Measure):
    """The mean change of the association of every two columns: |r|, V or η by their scales.

    An association that cannot be computed counts as 0. The parts are the means over the pairs of
    each column.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> AssociationLoss()(data, data).value
    0.0
    """

    kind: ClassVar[Kind] = "loss"
    needs: ClassVar[Needs] = "counts"
    takes: ClassVar[Takes] = "any"

    def _measure(self, case: Case) -> Result:
        if len(case.columns) < 2:
            return self.result(0, best=0, worst=1)
        moved = {
            pair: abs(_strength(case.original(pair), pair) - _strength(case.released(pair), pair))
            for pair in combinations(case.columns, 2)
        }
        parts = {
            name: float(np.mean([away for pair, away in moved.items() if name in pair]))
            for name in case.columns
        }
        return self.result(np.mean(list(moved.values())), best=0, worst=1, parts=parts)


def _strength(data: Microdata, columns: tuple[str, str]) -> float:
    (pair,) = association(data, columns=columns).pairs
    return 0.0 if np.isnan(pair.value) else strength(pair)
