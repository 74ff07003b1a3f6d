"""Hellinger distance: how far the distribution of each column moved, rare categories above all."""

import numpy as np

from sudare.core import Floats
from sudare.loss.tables.shares import DistributionLoss


def hellinger_distance(p: Floats, q: Floats) -> float:
    """Return the Hellinger distance of two distributions: √(Σ(√p − √q)²/2), from 0 to 1.

    Examples
    --------
    >>> round(hellinger_distance(np.array([0.5, 0.5]), np.array([1.0, 0.0])), 4)
    0.5412
    """
    return float(np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2))


class Hellinger(DistributionLoss):
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

    distance = staticmethod(hellinger_distance)
