"""Randomization: what the methods that randomize each value by itself share, and what it costs.

Pk-anonymity bounds what an attacker can be sure of: no record of the randomized table belongs to a
given person with a probability above 1/k.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from sudare.core import (
    Categorical,
    Channel,
    Column,
    ColumnError,
    ColumnPlan,
    Draws,
    Floats,
    Label,
    Numeric,
    Replacement,
    SettingError,
    round_range,
)
from sudare.engine.counting import refuse_wide
from sudare.mask.randomize.pram import refuse_many

Bounds = tuple[float, ...]
Possible = Annotated[
    Mapping[str, Bounds] | None,
    "by column, the lowest and highest number possible; by default round numbers around the data",
]
Domain = tuple[int | str, ...]


def anonymity(epsilons: Iterable[float], rows: int) -> float:
    """Return k of Pk-anonymity (eq. 4): 1 + (n - 1)·exp(-2 Σ ε).

    Parameters
    ----------
    epsilons
        ε of each randomized column.
    rows
        n, the number of records.

    Examples
    --------
    >>> round(anonymity([0.45] * 10, 16281), 2)
    3.01
    """
    return 1 + (rows - 1) * float(np.exp(-2 * sum(epsilons)))


def total_epsilon(k: float, rows: int) -> float:
    """Return the Σ ε that gives k among n records, for 1 < k ≤ n.

    Examples
    --------
    >>> round(anonymity([total_epsilon(50, 16281)], 16281), 9)
    50.0
    """
    return float(np.log((rows - 1) / (k - 1)) / 2)


def budget_shares(k: float, rows: int, weights: Sequence[float]) -> Floats:
    """Return ε of each column: the total that gives k, in proportion to the weights.

    Examples
    --------
    >>> shares = budget_shares(3, 16281, [1, 1, 2])
    >>> shares.round(3).tolist(), round(anonymity(shares, 16281), 9)
    ([1.126, 1.126, 2.251], 3.0)
    """
    parts = np.asarray(weights, np.float64)
    return total_epsilon(k, rows) * parts / parts.sum()


@dataclass(frozen=True, repr=False)
class RandomizationPlan(ColumnPlan):
    """The channel of each column."""

    channels: Mapping[str, Channel]

    def _mask(self, column: Column, draws: Draws) -> Column:
        channel = self.channels[column.name]
        uniform = draws.uniform(column.name, column.rows)
        if isinstance(channel, Replacement):
            coded = column.coded
            drawn = channel.draw(coded.codes_in(channel.labels), uniform)
            return replace(coded, codes=drawn, labels=channel.labels)
        column = column.numeric
        refuse_outside(self.step.method, column, channel.low, channel.high)
        return replace(column, values=channel.draw(column.values, uniform))


def replacement(
    column: Categorical, retain: float, domains: Mapping[str, Domain] | None
) -> Replacement:
    """Return the channel of a column of categories, over the domain given or its own labels."""
    labels: tuple[Label, ...] = (domains or {}).get(column.name, column.labels)
    refuse_many(column.name, len(labels))
    column.codes_in(labels)  # refuses categories that are not in the domain
    return Replacement(labels, retain)


def public_bounds(
    method: str, column: Numeric, bounds: Mapping[str, Bounds] | None
) -> tuple[float, float]:
    """Return the bounds given for a column, or round numbers around its smallest and largest."""
    ends = bounds_of(method, column, bounds)
    return ends if column.name in (bounds or {}) else round_range(*ends)


def bounds_of(
    method: str, column: Numeric, bounds: Mapping[str, Bounds] | None
) -> tuple[float, float]:
    """Return the bounds given for a column of numbers, or its smallest and largest value."""
    given = (bounds or {}).get(column.name)
    if given is None:
        refuse_wide(column)
        known = column.values[column.known]
        return float(known.min()), float(known.max())
    if len(given) != 2 or not given[0] <= given[1] or not np.isfinite(given[1] - given[0]):
        raise SettingError(
            "{method}: the bounds of column '{column}' must be two finite numbers, the lower one "
            "first.",
            method=method,
            column=column.name,
        )
    refuse_outside(method, column, *given)
    return given[0], given[1]


def refuse_outside(method: str, column: Numeric, low: float, high: float) -> None:
    """Refuse a column with numbers beyond its bounds."""
    outside = int(((column.values < low) | (column.values > high)).sum())
    if outside:
        raise ColumnError(
            "{method}: column '{column}' has {count} {count:number|numbers} beyond its bounds; "
            "widen the bounds, or top-code the column first.",
            method=method,
            column=column.name,
            count=outside,
        )
