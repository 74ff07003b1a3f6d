"""Association: how far the strength of the link between two variables moved."""

from typing import ClassVar

import numpy as np

from sudare.core.measure import Case, Kind, Measure, Needs, Result
from sudare.core.method import Takes
from sudare.describe.association import Association, association, strength


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
        old, new = (
            _strengths(association(d, columns=case.columns)) for d in (case.before, case.after)
        )
        moved = {pair: abs(old[pair] - new[pair]) for pair in old}
        parts = {
            name: float(np.mean([away for pair, away in moved.items() if name in pair]))
            for name in case.columns
        }
        return self.result(np.mean(list(moved.values())), best=0, worst=1, parts=parts)


def _strengths(found: Association) -> dict[frozenset[str], float]:
    return {
        frozenset((pair.first, pair.second)): 0.0 if np.isnan(pair.value) else strength(pair)
        for pair in found.pairs
    }
