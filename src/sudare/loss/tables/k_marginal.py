"""k-marginals: how far the distributions of k columns at a time moved, as NIST scores them."""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Annotated

import numpy as np

from sudare.core import AtLeast, Draws, Result, TablePair, say
from sudare.describe.pairing import TableMeasure
from sudare.loss.tables.distribution_distances import shares, total_variation


def marginal_sets(columns: Sequence[str], k: int, most: int) -> list[tuple[str, ...]]:
    """Return all sets of k columns, or so many at random with each column as often as the others.

    Columns are shuffled and dealt out, again and again.

    Examples
    --------
    >>> marginal_sets(("a", "b", "c"), 2, 3), len(marginal_sets(tuple(map(str, range(50))), 3, 100))
    ([('a', 'b'), ('a', 'c'), ('b', 'c')], 100)
    """
    if comb(len(columns), k) <= most:
        return list(combinations(columns, k))
    draws, sets, turn = Draws(0), dict[tuple[str, ...], None](), 0
    while len(sets) < most:
        order = np.argsort(draws.uniform("columns", len(columns), lane=turn))
        for dealt in order[: len(columns) // k * k].reshape(-1, k):
            sets[tuple(columns[at] for at in sorted(dealt))] = None
        turn += 1
    return list(sets)[:most]


class KMarginal(TableMeasure):
    """How far the joint distributions of k columns at a time moved (k-marginal score of NIST).

    The total variation distance of each marginal table of k columns, and its mean: 0 where all
    agree, 1 where none overlaps. NIST's score is 1000 times 1 minus that, and stands in a note. The
    parts are the means over the marginals that hold a column. If there are more than ``marginals``
    sets of columns, so many are drawn, each column as often as the others.

    Labels are compared one by one, numbers in classes of equal count of the original. Missing and
    not applicable are categories; sampling weights count. Two samples of one population are some
    distance apart too, the more so the larger k is.

    References
    ----------
    Ridgeway, Theofanos, Manley and Task (2021). Challenge design and lessons learned from the 2018
    differential privacy challenges. NIST Technical Note 2151.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> KMarginal()(data, data).notes
    ('k-marginal score (NIST): 1000 of 1000.',)
    """

    kind = "loss"
    formula = "mean over tables of k columns of ½ Σ |share before − share after|"
    needs = "counts"

    k: Annotated[int, AtLeast(1), "columns in a marginal"] = 3
    classes: Annotated[int, AtLeast(2), "number of classes into which numbers are cut"] = 10
    marginals: Annotated[int, AtLeast(1), "largest number of marginals"] = 100

    def _measure(self, pair: TablePair) -> Result:
        sets = marginal_sets(pair.columns, min(self.k, len(pair.columns)), self.marginals)
        distances = np.array(
            [
                total_variation(
                    *shares(pair.original(names), pair.released(names), names, self.classes)
                )
                for names in sets
            ]
        )
        parts = {
            name: float(distances[held].mean())
            for name in pair.columns
            if (held := np.array([name in names for names in sets])).any()
        }
        value = float(distances.mean())
        score = say("k-marginal score (NIST): {score} of 1000.", score=round(1000 * (1 - value)))
        return self.result(value, parts=parts, notes=(score,))
