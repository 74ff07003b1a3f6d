"""Total variation: how far the distribution of each column moved."""

from typing import Annotated, ClassVar

import numpy as np

from sudare.core.masker import Step
from sudare.core.measure import Kind, Measure, Needs, Result
from sudare.core.method import Takes
from sudare.core.microdata import Microdata
from sudare.core.settings import AtLeast
from sudare.core.types import Floats
from sudare.loss.shares import shares


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
        parts = {
            name: total_variation(*shares(before, after, name, self.classes)) for name in columns
        }
        return self.result(np.mean(list(parts.values())), best=0, worst=1, parts=parts)
