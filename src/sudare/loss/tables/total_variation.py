"""Total variation: how far the distribution of each column moved."""

import numpy as np

from sudare.core import Floats
from sudare.loss.tables.shares import DistributionLoss


def total_variation(p: Floats, q: Floats) -> float:
    """Half the summed absolute difference of two distributions.

    Examples
    --------
    >>> total_variation(np.array([0.5, 0.5]), np.array([0.75, 0.25]))
    0.25
    """
    return float(np.abs(p - q).sum() / 2)


class TotalVariation(DistributionLoss):
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

    distance = staticmethod(total_variation)
