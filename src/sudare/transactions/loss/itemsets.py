"""Frequent itemsets: which items are bought together (section 6.1.1)."""

from collections.abc import Set
from itertools import pairwise
from math import ceil
from typing import Any

import numpy as np

from sudare.engine.frames import part
from sudare.transactions.history import History

Itemset = frozenset[str]
LARGEST = 4  # items of a set
FEWEST = 5  # receipts of a frequent set: below, what is frequent is chance, and far too much


def receipts(history: History) -> Any:
    """Return receipts × items as a sparse matrix of truth values.

    The contest's files have no receipts: what a customer buys on a day is one (section 6.3.1.2).
    """
    from scipy.sparse import csr_array

    days = int(history.dates.max() - history.dates.min()) + 1
    visit = history.customers.astype(np.int64) * days + (history.dates - history.dates.min())
    _, receipt = np.unique(visit, return_inverse=True)
    shape = (int(receipt.max()) + 1, len(history.item_ids))
    cells = csr_array((np.ones(history.rows, dtype=np.bool_), (receipt, history.items)), shape)
    cells.sum_duplicates()
    return cells


def least_receipts(history: History, min_support: float) -> int:
    """Return how many receipts an itemset needs, for a minimum support as a share of receipts.

    At least 5: with fewer, every selection from a long receipt would soon count as frequent.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> least_receipts(purchases_like(100, seed=1), 0.025)
    10
    """
    count: int = receipts(history).shape[0]
    return max(ceil(min_support * count - 1e-9), FEWEST)  # a share such as 0.07 is not quite 0.07


def frequent_itemsets(history: History, least: int) -> set[Itemset]:
    """Return the sets of up to four items that occur together on at least ``least`` receipts.

    The support is a number of receipts.

    Notes
    -----
    Mined by FP-growth of the library rusket, which takes a sparse matrix. Larger sets are left
    out: equal receipts, which masking makes, would have as many of them as there are selections.

    Examples
    --------
    >>> rows = [("ann", 1, "tea"), ("ann", 1, "cup"), ("bob", 1, "tea"), ("bob", 1, "cup")]
    >>> who, when, what = zip(*rows, strict=True)
    >>> history = History.from_rows(who, when, what, [100] * 4, [1] * 4)
    >>> sorted(sorted(items) for items in frequent_itemsets(history, 2))
    [['cup'], ['cup', 'tea'], ['tea']]
    """
    cells = receipts(history)
    # Below the library's own frames, for which pandas would have to be imported.
    mine = part("rusket", "histories")._rusket.fpgrowth_from_csr
    _, starts, members = mine(
        cells.indptr.astype(np.int32),
        cells.indices.astype(np.int32),
        cells.shape[1],
        least,
        LARGEST,
    )
    names = [history.item_ids[code] for code in members]
    return {frozenset(names[first:last]) for first, last in pairwise(starts)}


def itemset_error(before: Set[Itemset], after: Set[Itemset]) -> float:
    """Return the share of the original's frequent itemsets that are not frequent any more.

    Notes
    -----
    Section 6.1.1 gives |T0 ∩ T1| / |T0|, which is 1 where nothing is lost; table 6 prints errors,
    which grow with the loss. This is the error, |T0 − T1| / |T0|; 0 where the original has none.

    Examples
    --------
    >>> itemset_error({frozenset("a"), frozenset("ab")}, {frozenset("a")})
    0.5
    """
    return len(before - after) / len(before) if before else 0.0
