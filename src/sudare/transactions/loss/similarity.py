"""Item–item similarity, as item-based collaborative filtering computes it (section 6.1.3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from sudare.core import Codes, Floats, Integers
from sudare.transactions.history import History

View = Literal["wholesale", "retail", "top"]
VIEWS: tuple[View, ...] = ("wholesale", "retail", "top")
_DOZEN, _MOST_DOZENS = 12, 6


def buyers(history: History) -> Integers:
    """Return the number of customers who bought each item at least once."""
    pairs = np.unique(history.customers.astype(np.int64) * len(history.item_ids) + history.items)
    return np.bincount(pairs % len(history.item_ids), minlength=len(history.item_ids))


def top_items(history: History, count: int = 100) -> tuple[str, ...]:
    """Return the items with most buyers, most first; of equals the one with the larger name.

    Examples
    --------
    >>> history = History.from_rows("abab", [1] * 4, "xxyz", [100] * 4, [1] * 4)
    >>> top_items(history, 2)
    ('x', 'z')
    """
    many = buyers(history)
    order = np.lexsort((-np.arange(len(many)), -many))[:count]
    return tuple(history.item_ids[code] for code in order)


def scores(history: History, view: View, item_ids: Sequence[str]) -> Any:
    """Return how much each customer wants each item, customers × ``item_ids``, sparse.

    "wholesale" counts dozens of the customer's total quantity, at most 6; "retail" takes totals of
    at most 11 and leaves out the others; "top" only asks whether the customer bought the item.
    """
    from scipy.sparse import csr_array

    column = {name: number for number, name in enumerate(item_ids)}
    wanted = np.array([column.get(name, -1) for name in history.item_ids], dtype=np.int64)
    columns = wanted[history.items]
    rows = np.flatnonzero(columns >= 0)
    totals = csr_array(
        (history.quantities[rows].astype(np.float64), (history.customers[rows], columns[rows])),
        shape=(len(history.customer_ids), len(item_ids)),
    )
    totals.sum_duplicates()
    if view == "wholesale":
        totals.data = np.minimum(totals.data // _DOZEN, _MOST_DOZENS)
    elif view == "retail":
        totals.data = np.where(totals.data < _DOZEN, totals.data, 0.0)
    else:
        totals.data = np.ones_like(totals.data)
    totals.eliminate_zeros()
    return totals


@dataclass(frozen=True, repr=False)
class ItemPairs:
    """Pairs of items, each once: item i goes with ``partners[starts[i]:starts[i + 1]]``."""

    starts: Codes
    partners: Codes


def alike_pairs(scored: Any) -> ItemPairs:
    """Return the pairs of items that some customer has scores for."""
    from scipy.sparse import triu

    together = triu(scored.T @ scored, k=1, format="csr")
    return ItemPairs(together.indptr.astype(np.int32), together.indices.astype(np.int32))


def cosines(scored: Any, pairs: ItemPairs) -> Floats:
    """Return the cosine of both items' scores for every pair; 0 where an item has no scores.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> scored = csr_array([[3.0, 4.0], [4.0, 3.0]])
    >>> cosines(scored, alike_pairs(scored)).round(2).tolist()
    [0.96]
    """
    from sudare.transactions.loss._kernels import products_of_columns

    columns = scored.tocsc()
    products = np.empty(len(pairs.partners))
    # Scores are whole numbers, so that products are exact whatever the order of customers.
    products_of_columns(
        pairs.starts,
        pairs.partners,
        columns.indptr.astype(np.int32),
        columns.indices.astype(np.int32),
        columns.data,
        np.zeros(scored.shape[0]),
        products,
    )
    squares = columns.multiply(columns).sum(axis=0)
    lengths = np.sqrt(np.where(squares > 0, squares, 1.0))
    firsts = np.repeat(lengths, np.diff(pairs.starts))
    return products / (firsts * lengths[pairs.partners])


def similarity_error(before: Floats, after: Floats) -> float:
    """Return the summed difference of similarities over the sum of the original's, at most 1.

    Both are of the pairs that are alike in the original: pairs that are only alike after masking
    do not count. 0 where the original has no such pair.

    Examples
    --------
    >>> similarity_error(np.array([0.75, 0.25]), np.array([0.5, 0.25]))
    0.25
    """
    if not len(before):
        return 0.0
    return float(min(np.abs(before - after).sum() / before.sum(), 1.0))
