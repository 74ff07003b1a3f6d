"""Direct comparison of categories, record by record (Sano and Hattori, eq. 1 and 2)."""

import numpy as np

from sudare.core import Categorical, Floats, Result, TablePair
from sudare.describe.pairing import TableMeasure, category_codes


def category_distance(before: Categorical, after: Categorical) -> Floats:
    """Return the distance of each record's category before and after, shape (n,).

    Nominal (eq. 1): 0 when equal, else 1. Ordinal (eq. 2): the number of categories from the lower
    one up to the higher one, over the number of categories; a label that the original has not is
    at distance 1. An absent value is at distance 0 from the same kind of absence, else 1.

    Examples
    --------
    >>> decades = tuple(f"{d}s" for d in range(0, 100, 10))
    >>> before = Categorical("age", np.array([3]), decades, scale="ordinal")
    >>> after = Categorical("age", np.array([5]), decades, scale="ordinal")
    >>> category_distance(before, after).tolist()
    [0.2]
    """
    old, new = before.codes, category_codes(before, after)
    different: Floats = (old != new).astype(np.float64)
    size = len(before.labels)
    if before.scale != "ordinal":
        return different
    comparable = (old >= 0) & (new >= 0) & (new < size)
    return np.where(comparable, np.abs(old - new) / size, different)


class DirectComparison(TableMeasure):
    """The mean distance between each category and what it became.

    The value is the mean over the columns, whose means are the parts. A merged category is another
    category, so that global recoding costs every record it touches: the paper's reason to look for
    better measures.

    References
    ----------
    Domingo-Ferrer and Torra (2001), as eq. 1 and 2 of Sano and Hattori.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> DirectComparison()(data, data).value
    0.0
    """

    kind = "loss"
    formula = "mean over columns and records of the distance d(before, after)"
    needs = "counts"
    pairs = True
    takes = "categories"

    @property
    def by_blocks(self) -> bool:
        """Whether its mean over blocks of records, each from 0 to 1, is much the same number."""
        return True

    def _measure(self, pair: TablePair) -> Result:
        parts, distances = {}, []
        for name in pair.columns:
            selected = pair.on([name])
            distance = category_distance(selected.before[name].coded, selected.after[name].coded)
            parts[name] = selected.before.total(distance) / selected.before.records
            distances.append(distance)
        return self.result(
            np.mean(list(parts.values())),
            parts=parts,
            by_record=np.mean(distances, axis=0) if pair.detail else None,
        )
