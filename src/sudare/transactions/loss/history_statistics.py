"""Statistics of a history that an analyst prints first (section 6.2)."""

from collections.abc import Mapping, Sequence

import numpy as np

from sudare.core import Floats
from sudare.transactions.history import AMOUNTS, Amount, History

STATISTICS = ("sum", "mean", "variance", "sd", "max", "min", "median")
FIRST_DAY = 14610  # 2010-01-01: table 8's sums of dates are days since then


def amounts(history: History, column: Amount) -> Floats:
    """Return dates as days since 2010-01-01, prices in hundredths, or quantities."""
    values = history.amounts(column).astype(np.float64)
    return values - FIRST_DAY if column == "date" else values


def statistics(values: Floats) -> dict[str, float]:
    """Return sum, mean, variance, standard deviation, largest, smallest and median.

    Examples
    --------
    >>> statistics(np.array([1.0, 2.0, 6.0]))["median"]
    2.0
    """
    variance = float(values.var())
    return {
        "sum": float(values.sum()),
        "mean": float(values.mean()),
        "variance": variance,
        "sd": variance**0.5,
        "max": float(values.max()),
        "min": float(values.min()),
        "median": float(np.median(values)),
    }


def all_statistics(history: History) -> dict[str, dict[str, float]]:
    """Return the statistics of dates, prices and quantities."""
    return {name: statistics(amounts(history, name)) for name in AMOUNTS}


def statistic_errors(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """Return the absolute difference of every statistic."""
    return {name: abs(before[name] - after[name]) for name in STATISTICS}


def top_set_error(before: Sequence[str], after: Sequence[str]) -> float:
    """Return the share of the original's top items that are not among the top any more.

    Examples
    --------
    >>> top_set_error(("a", "b"), ("b", "c"))
    0.5
    """
    return len(set(before) - set(after)) / len(before)
