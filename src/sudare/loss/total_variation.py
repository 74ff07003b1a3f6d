"""Total variation: how far the distribution of each column moved."""

from typing import Annotated, ClassVar

import numpy as np

from sudare.core.columns import Column, Numeric
from sudare.core.masker import Step
from sudare.core.measure import Kind, Measure, Needs, Result
from sudare.core.method import Takes
from sudare.core.microdata import Microdata
from sudare.core.settings import AtLeast
from sudare.core.types import Codes, Floats
from sudare.loss.alignment import common_codes


def total_variation(p: Floats, q: Floats) -> float:
    """Half the summed absolute difference of two distributions.

    Examples
    --------
    >>> total_variation(np.array([0.5, 0.5]), np.array([0.75, 0.25]))
    0.25
    """
    return float(np.abs(p - q).sum() / 2)


class TotalVariation(Measure):
    """The total variation distance between each column's distribution before and after.

    Categories are compared label by label, numbers in classes of equal count of the original.
    Missing and not-applicable are categories of their own; sampling weights count where there are
    any. The value is the mean over the columns, whose distances are the parts.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> TotalVariation()(data, data).value
    0.0
    """

    kind: ClassVar[Kind] = "loss"
    needs: ClassVar[Needs] = "counts"
    takes: ClassVar[Takes] = "any"

    classes: Annotated[int, AtLeast(2), "number of classes into which numbers are cut"] = 20

    def _measure(
        self,
        before: Microdata,
        after: Microdata,
        columns: tuple[str, ...],
        steps: tuple[Step, ...],
    ) -> Result:
        parts = {}
        for name in columns:
            old, new = self._comparable(before[name], after[name])
            size = int(max(old.max(), new.max())) + 3
            p, q = (
                _shares(codes, size, data.weights) for codes, data in ((old, before), (new, after))
            )
            parts[name] = total_variation(p, q)
        return self.result(np.mean(list(parts.values())), best=0, worst=1, parts=parts)

    def _comparable(self, before: Column, after: Column) -> tuple[Codes, Codes]:
        if isinstance(before, Numeric) and isinstance(after, Numeric):
            known = before.values[before.known]
            if len(known) == 0:
                return before.coded.codes, after.coded.codes
            inner = np.linspace(0, 1, self.classes + 1)[1:-1]
            edges = np.unique(np.quantile(known, inner))
            return _classes(before, edges), _classes(after, edges)
        return before.coded.codes, common_codes(before.coded, after.coded)


def _classes(column: Numeric, edges: Floats) -> Codes:
    found = np.searchsorted(edges, column.values, side="left").astype(np.int32)
    found[column.missing] = -1
    found[column.not_applicable] = -2
    return found


def _shares(codes: Codes, size: int, weights: Floats | None) -> Floats:
    counts = np.bincount(codes + 2, weights=weights, minlength=size)
    shares: Floats = counts / counts.sum()
    return shares
