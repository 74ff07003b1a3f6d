"""Which of two categorical columns follows from the other, in nearly every record."""

import numpy as np

from sudare.core import Categorical

_TOLERATED = 0.001  # share of the records outside the commonest category that may be exceptions
_FEWEST = 5  # records per category; with fewer, one column follows from the other by chance


def determines(first: Categorical, second: Categorical) -> bool:
    """Return whether the category of ``first`` says the category of ``second``.

    Records without one of the values do not count. A column of one category follows from none.

    Examples
    --------
    >>> city = Categorical("city", np.repeat([0, 1, 2], 9), ("Kobe", "Kyoto", "Sapporo"))
    >>> island = Categorical("island", np.repeat([0, 0, 1], 9), ("Honshu", "Hokkaido"))
    >>> determines(city, island), determines(island, city)
    (True, False)
    """
    both = first.known & second.known
    records = int(both.sum())
    width = len(second.labels)
    cells, counts = np.unique(
        first.codes[both].astype(np.int64) * width + second.codes[both], return_counts=True
    )
    rows, columns = np.divmod(cells, max(width, 1))
    starts = np.flatnonzero(np.diff(rows, prepend=-1))
    if not records or records < _FEWEST * len(starts):
        return False
    others = records - int(np.bincount(columns, counts).max())
    exceptions = records - int(np.maximum.reduceat(counts, starts).sum())
    return bool(others) and exceptions <= _TOLERATED * others
