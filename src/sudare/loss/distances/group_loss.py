"""ILSSDM: the loss of replacing each group by its mean (Akiyama and Wada, section 4)."""

import numpy as np

from sudare.core import Column, InputError, MismatchError
from sudare.engine.counting import in_units, magnitude
from sudare.loss.distances.sums_of_squares import LEAST, group_squares
from sudare.loss.distances.values import Values, coded, points_of, refuse_absent


def ilssdm(values: Values, groups: Values) -> float:
    """Return SSE / SST: the sum of squares within groups over the total (section 4.1).

    It equals ILD for the Euclidean distance when each group is replaced by its mean (eq. 6); 0
    where all records are equal. One pass over the records.

    Parameters
    ----------
    values
        Numbers, shape (n,) or (n, p).
    groups
        The group of each record, shape (n,).

    Examples
    --------
    >>> ilssdm([1, 2, 3, 4], ["a", "a", "b", "b"])
    0.2
    """
    points = np.ascontiguousarray(points_of(values))
    codes, labels = coded(groups)
    if len(codes) != len(points):
        raise MismatchError("ilssdm: there must be one group for each record.")
    if not len(points):
        return 0.0
    if unknown := int((codes < 0).sum()) if isinstance(groups, Column) else 0:
        raise InputError("ilssdm: {count} {count:record has|records have} no group.", count=unknown)
    codes = codes.astype(np.int64, copy=False)
    with np.errstate(over="ignore", invalid="ignore"):
        within, between = group_squares(points, codes, len(labels))
        total = within + between
    if not LEAST < total < np.inf:
        refuse_absent(points)
        points = in_units(points, magnitude(points))
        within, between = group_squares(points, codes, len(labels))
        total = within + between
    return within / total if within else 0.0
