"""Rank swapping: values are exchanged between records that lie near each other in rank."""

from dataclasses import dataclass
from math import floor
from typing import Annotated

import numpy as np

from sudare.core import (
    Between,
    Column,
    ColumnPlan,
    Draws,
    Floats,
    Integers,
    Masker,
    Microdata,
    Plan,
)


def swap_partners(count: int, reach: int, jitter: Floats) -> Integers:
    """Return the rank that each rank is exchanged with; no two are more than ``reach`` apart.

    Ranks are moved up by a random part of the reach; neighbors in the new order are partners. A
    rank stays where it is if its partner is too far away, or if it is left over.

    Parameters
    ----------
    count
        Number of ranks.
    reach
        Largest difference of ranks.
    jitter
        Draws in [0, 1), shape (count,).

    Examples
    --------
    >>> swap_partners(5, 2, np.array([0.9, 0.1, 0.5, 0.0, 0.3])).tolist()
    [1, 0, 3, 2, 4]
    """
    order = np.argsort(np.arange(count) + reach * jitter, kind="stable")
    first, second = order[0 : count - 1 : 2], order[1:count:2]
    near = np.abs(first - second) <= reach
    partners = np.arange(count)
    partners[first[near]], partners[second[near]] = second[near], first[near]
    return partners


@dataclass(frozen=True, repr=False)
class RankSwappingPlan(ColumnPlan):
    """The reach as a share of the ranks."""

    share: float

    def _mask(self, column: Column, draws: Draws) -> Column:
        ranked = ranking(column, draws.uniform(column.name, column.rows))
        jitter = draws.uniform(column.name, column.rows, lane=1)[ranked]
        partners = swap_partners(len(ranked), max(1, floor(self.share * len(ranked))), jitter)
        source = np.arange(column.rows)
        source[ranked] = ranked[partners]
        return column.take(source)


def ranking(column: Column, ties: Floats) -> Integers:
    """Return the records that have a value, in ascending order of it, ties as the draws say."""
    known = np.flatnonzero(column.known)
    return known[np.lexsort((ties[known], column.coded.codes[known]))]


class RankSwapping(Masker):
    """Exchange values between records whose ranks are near each other.

    In each column by itself, a value is exchanged with another whose rank differs by no more than
    ``share`` of the records that have a value. Every value stays in the table, so that the
    distribution of each column is exactly what it was; relations between columns weaken as the
    share grows. Equal values are ranked at random. Missing and not-applicable values keep their
    place. Weights stay with their record, so that weighted distributions move a little.

    References
    ----------
    Moore (1996). Controlled data-swapping techniques for masking public use microdata sets.
    Statistical Research Division Report Series RR 96-04, U.S. Bureau of the Census.

    Notes
    -----
    Moore draws the partner evenly from the records above that are not swapped yet; here partners
    are neighbors in a jittered order, so that one sort finds all of them. Their ranks differ by a
    third of the reach on average, and never by more than the reach.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, RankSwapping(share=0.05, columns=("income",)), seed=1)
    >>> before, after = data["income"].values, masked.data["income"].values
    >>> bool(np.array_equal(np.sort(before), np.sort(after), equal_nan=True))
    True
    """

    works_on = "table"
    takes = "ordered"
    random = True
    roles = ("key", "sensitive")

    share: Annotated[
        float, Between(0, 1, above=True), "largest difference of ranks, as a share of the records"
    ] = 0.05

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        return RankSwappingPlan(self.step(columns, {}), self.share)
