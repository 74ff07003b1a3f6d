"""What a released sample says about its population: counts, weights and the sampling fraction."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import Column, Floats, Integers, Microdata
from sudare.describe.pairing import Rule
from sudare.engine.counting import Groups, distinct_rows, groups


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Combinations of keys, with how many records and how many people have each.

    Attributes
    ----------
    sample
        Number of records that match, shape (g,).
    population
        Their weights, summed; never below the number of records, shape (g,).
    index
        Combination of each record, shape (n,).
    """

    sample: Integers
    population: Floats
    index: Integers


def frequencies(
    keys: Sequence[Column], weights: Floats | None, missing: Rule = "category"
) -> Frequencies:
    """Return how often each combination of keys occurs in the sample and in the population.

    Without weights the sample is the population. With ``missing="wildcard"`` a missing key matches
    every value, so that a record counts in several combinations.

    Examples
    --------
    >>> from sudare.core import Categorical
    >>> sex = Categorical("sex", np.array([0, 0, 1, -1]), ("female", "male"))
    >>> counted = frequencies([sex], np.array([10.0, 20.0, 30.0, 40.0]), "wildcard")
    >>> counted.sample[counted.index].tolist(), counted.population[counted.index].tolist()
    ([3, 3, 2, 4], [70.0, 70.0, 70.0, 100.0])
    """
    if missing == "wildcard":
        rows, index = distinct_rows(keys)
        same = Groups(rows.sizes, index, keys[0].copies)
        own = same.sums(np.ones(len(index)) if weights is None else weights)
        matched = rows.totals(np.column_stack([rows.sizes.astype(np.float64), own]))
        sample, totals = matched[:, 0].astype(np.int64), matched[:, 1]
    else:
        same = groups(keys)
        sample, index = same.sizes, same.index
        totals = sample.astype(np.float64) if weights is None else same.sums(weights)
    return Frequencies(sample, np.maximum(totals, sample), index)


def sampling_fraction(data: Microdata, given: float | None) -> float:
    """Return the share of the population that is in the sample.

    It is what was given, or the number of records over the sum of their weights; a table without
    weights is its own population.
    """
    if given is not None:
        return given
    total = data.records if data.weights is None else data.total(data.weights)
    return min(data.records / total, 1.0) if total > 0 else 1.0
