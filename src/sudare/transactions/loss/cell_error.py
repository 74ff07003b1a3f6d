"""Utility of a masked history: the mean error of its cells (section 2.4.2)."""

import numpy as np

from sudare.core import Array, Floats
from sudare.transactions.cells import ItemSets, MaskedHistory, Ranges, check_rows
from sudare.transactions.history import AMOUNTS, History


def range_error(value: Array, low: Array, high: Array) -> Floats:
    """Return the expected distance from ``value`` to a whole number drawn from ``low … high``.

    Elementwise; ``low <= high``. Where the range contains the value this is
    ((low−x)² + (high−x)² + (high−low)) / (2 (high−low+1)).

    Examples
    --------
    >>> range_error(np.array([2]), np.array([1]), np.array([4]))
    array([1.])
    """
    value, low, high = (np.asarray(part, dtype=np.float64) for part in (value, low, high))
    near = np.maximum(np.maximum(low - value, value - high), 0.0)
    below, above = np.maximum(value - low, 0.0), np.maximum(high - value, 0.0)
    inside = (below * (below + 1) + above * (above + 1)) / (2 * (high - low + 1))
    middle = np.abs(value - (low + high) / 2)
    return np.where(near > 0, middle, inside)


def amount_errors(values: Array, cells: Ranges, deviation: float) -> Floats:
    """Return the error of each cell of a column of amounts; 1 where it is deleted.

    Where the column does not vary in the original, any other value is infinitely far.
    """
    away = range_error(values, cells.low, np.maximum(cells.low, cells.high))
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.where(away > 0, away / deviation, 0.0)
    return np.where(cells.deleted, 1.0, scaled)


def item_errors(history: History, cells: ItemSets) -> Floats:
    """Return the error of each cell of the items: 1 − 1/size where the true item is in the set."""
    holds = contains(history, cells)
    sizes = np.append(cells.sizes, 1)[cells.cells]  # a deleted cell, -1, takes the last
    return np.where(holds, 1.0 - 1.0 / sizes, 1.0)


def contains(history: History, cells: ItemSets) -> Array:
    """Return whether each cell names the true item of its row."""
    code_of = {name: code for code, name in enumerate(history.item_ids)}
    known = np.array([code_of.get(name, -1) for name in cells.item_ids], dtype=np.int64)
    width = len(history.item_ids) + 1
    owner = np.repeat(np.arange(len(cells.sizes)), cells.sizes)
    pairs = np.sort(owner * width + known[cells.members])  # cell and item; nearly sorted as it is
    wanted = cells.cells.astype(np.int64) * width + history.items
    if not len(pairs):
        return np.zeros(len(wanted), dtype=np.bool_)
    return pairs[np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)] == wanted


def cell_errors(history: History, masked: MaskedHistory) -> dict[str, Floats]:
    """Return the error of every cell, by column: date, item, price, quantity."""
    check_rows(history, masked)
    errors: dict[str, Floats] = {
        name: amount_errors(history.amounts(name), masked.amounts(name), history.deviation(name))
        for name in AMOUNTS
    }
    errors["item"] = item_errors(history, masked.items)
    return errors


def utility(history: History, masked: MaskedHistory) -> float:
    """Return U, the mean error of all cells but the customer's: 0 is the original, 1 nothing.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> history = purchases_like(20, seed=1)
    >>> utility(history, MaskedHistory.of(history))
    0.0
    """
    errors = cell_errors(history, masked)
    return float(np.mean([column.mean() for column in errors.values()]))
