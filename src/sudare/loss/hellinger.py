"""Hellinger distance: how far the distribution of each column moved, rare categories above all."""

from typing import Annotated, ClassVar

import numpy as np

from sudare.core.masker import Step
from sudare.core.measure import Kind, Measure, Needs, Result
from sudare.core.method import Takes
from sudare.core.microdata import Microdata
from sudare.core.settings import AtLeast
from sudare.core.types import Floats
from sudare.loss.shares import shares


def hellinger_distance(p: Floats, q: Floats) -> float:
    """Return the Hellinger distance of two distributions: √(Σ(√p − √q)²/2), from 0 to 1.

    Examples
    --------
    >>> round(hellinger_distance(np.array([0.5, 0.5]), np.array([1.0, 0.0])), 4)
    0.5412
    """
    return float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2))


class Hellinger(Measure):
    """The Hellinger distance between each column's distribution before and after.

    Categories are compared label by label, numbers in classes of equal count of the original.
    Missing and not-applicable are categories of their own; sampling weights count where there are
    any. The value is the mean over the columns, whose distances are the parts.

    References
    ----------
    Gomatam, Karr and Sanil (2005). Data swapping as a decision problem. Journal of Official
    Statistics 21(4).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> Hellinger()(data, data).value
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
            name: hellinger_distance(*shares(before, after, name, self.classes)) for name in columns
        }
        return self.result(np.mean(list(parts.values())), best=0, worst=1, parts=parts)
