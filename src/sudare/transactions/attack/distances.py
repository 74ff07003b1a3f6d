"""The attacker who expects rounded and perturbed values: distances between rows, scales learned."""

import itertools
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated

import numpy as np

from sudare.core import Array, AtLeast, Flags, Floats, Integers
from sudare.transactions.attack.attacker import Attacker, assigned
from sudare.transactions.attack.attackers import row_count_scores
from sudare.transactions.attack.evidence import Evidence
from sudare.transactions.history import AMOUNTS

_FAR = 6.0  # beyond it a row says no more: it may be made up, or another customer's
_OTHER_ITEM = 3.0
_SAMPLED = 12  # rows of each published customer that the scales are learned from
_BLOCK = 512  # rows that are compared with all purchases at once
_MOST_PAIRS = 3 * 10**10  # of published rows and purchases that are all compared
_CANDIDATES = 32  # customers that all rows of a published customer are compared with, above that


class DistanceAttacker(Attacker):
    """Compares how near the published rows are to the purchases of each customer.

    Cells need not contain the true values: rounded, shifted and noisy files are attacked as well.
    The distance of a row to a customer is that to their nearest purchase: the sum over date, price
    and quantity of how far the purchase lies outside the cell, in units of a scale, and a constant
    where the item is another one. What counts is by how much nearer a published customer's rows are
    than the rows of the whole file; how likely the number of rows is counts as well.

    The scales are learned: at first the median deviation of each amount in the history, then the
    mean distance between rows and the nearest purchases of the customers they were assigned to.

    In a history too large to compare every row with every purchase, some rows of each published
    customer tell who is likely, and all their rows are compared with the purchases of these.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> from sudare.transactions import MaskedHistory, published
    >>> history = purchases_like(30, seed=1)
    >>> DistanceAttacker().guess(history, published(MaskedHistory.of(history)))
    <Guess of 30 customers>
    """

    rounds: Annotated[int, AtLeast(0), "how often the scales are learned from the assignment"] = 2

    def _scores(self, evidence: Evidence) -> Floats:
        return distance_scores(evidence, self.rounds)


def distance_scores(evidence: Evidence, rounds: int) -> Floats:
    """Return by how much nearer each published customer is to each customer than the file is.

    The attacks with and without an assignment share the scores.
    """
    known = evidence.distance_scores
    if rounds not in known:
        scales = np.array([_deviation(evidence.history.amounts(name)) for name in AMOUNTS])
        sample = _sampled_rows(evidence)
        for _ in range(rounds):
            scores = _gains(evidence, scales, sample)
            scales = _learnt_scales(evidence, scales, sample, assigned(scores))
        pairs = evidence.distinct_rows[0].shape[1] * evidence.history.rows
        known[rounds] = (
            _gains(evidence, scales, np.arange(evidence.published.rows))
            if pairs <= _MOST_PAIRS
            else _gains_of_likely(evidence, scales, sample)
        )
    return known[rounds]


def _deviation(amounts: Integers) -> float:
    """Return the median deviation from the median, at least one step of the grid."""
    return max(float(np.median(np.abs(amounts - np.median(amounts)))), 1.0)


def _sampled_rows(evidence: Evidence) -> Integers:
    """Return some rows of each published customer, one customer after another."""
    order = np.argsort(evidence.owners, kind="stable")
    sizes = np.bincount(evidence.owners, minlength=evidence.shape[0])
    rank = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    stride = np.repeat(-(-sizes // _SAMPLED), sizes)
    return order[rank % stride == 0]


def _gains(evidence: Evidence, scales: Floats, rows: Integers) -> Floats:
    """Return the scores that some rows give; −∞ where a customer has too few purchases."""
    nearness, usual = _nearness(evidence, scales, rows)
    sampled = np.bincount(evidence.owners[rows], minlength=evidence.shape[0])
    return nearness + np.outer(sampled, usual) + row_count_scores(evidence)


def _gains_of_likely(evidence: Evidence, scales: Floats, sample: Integers) -> Floats:
    """Return the scores that a sample of rows gives; of likely customers, those of all rows."""
    nearness, usual = _nearness(evidence, scales, sample)
    sizes = evidence.row_counts
    sampled = np.bincount(evidence.owners[sample], minlength=evidence.shape[0])
    without = np.outer(sizes, usual) + row_count_scores(evidence)
    scores = without + nearness * (sizes / np.maximum(sampled, 1))[:, None]
    most = min(_CANDIDATES, evidence.shape[1])
    likely = np.argpartition(-scores, most - 1, axis=1)[:, :most]
    near = _nearness_of_likely(evidence, scales, likely)
    np.put_along_axis(scores, likely, np.take_along_axis(without, likely, axis=1) + near, axis=1)
    return scores


def _nearness(evidence: Evidence, scales: Floats, rows: Integers) -> tuple[Floats, Floats]:
    """Return how near the rows of each published customer are to each, and a row on average."""
    from scipy.sparse import csc_array

    distinct, which = np.unique(evidence.distinct_rows[1][rows], return_inverse=True)
    ones = np.ones(len(rows), np.float32)
    shape = (evidence.shape[0], len(distinct))
    owned = csc_array((ones, (evidence.owners[rows], which)), shape=shape)
    owned.sum_duplicates()
    times = np.bincount(which)
    total, nearness = np.zeros(evidence.shape[1]), np.zeros(evidence.shape)
    for block, distances in _distances(evidence, scales, distinct):
        total += times[block] @ distances
        nearness -= owned[:, block] @ distances
    return nearness, total / len(rows)


def _nearness_of_likely(evidence: Evidence, scales: Floats, likely: Integers) -> Floats:
    """Return how near all rows of each published customer are to the customers that are likely."""
    from sudare.transactions.attack._kernels_distance import nearest_purchases

    by_customer, starts = evidence.history.by_customer
    items = evidence.history.items[by_customer]
    amounts = _in_scales(evidence, scales, by_customer)
    distinct_rows, which = evidence.distinct_rows
    middles, sets = _middles(evidence, scales, np.arange(distinct_rows.shape[1]))
    rows = np.split(np.argsort(evidence.owners, kind="stable"), np.cumsum(evidence.row_counts)[:-1])

    def compared(number: int) -> Floats:
        own = which[rows[number]]
        own = own[np.argsort(sets[own], kind="stable")]
        theirs, their_starts = _purchases_of(likely[number], starts)
        dates, prices, quantities = (amount[theirs] for amount in amounts)
        out = np.empty((len(own), likely.shape[1]), np.float32)
        cost = np.empty(len(theirs), np.float32)
        for alike in _runs(sets[own]):
            in_set = _is_in_set(evidence, sets[own[alike.start]])
            extra = np.where(in_set[items[theirs]], np.float32(0), np.float32(_OTHER_ITEM))
            cells = np.ascontiguousarray(middles[own[alike]])
            nearest_purchases(
                cells, dates, prices, quantities, extra, their_starts, cost, out[alike]
            )
        total: Floats = np.minimum(out, np.float32(_FAR)).sum(axis=0, dtype=np.float64)
        return -total

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return np.stack(list(pool.map(compared, range(len(likely)))))


def _purchases_of(customers: Integers, starts: Integers) -> tuple[Integers, Integers]:
    """Return the places of some customers' purchases, and where each one's begin among these."""
    lengths = np.diff(starts)[customers]
    local = np.append(0, np.cumsum(lengths))
    return np.arange(local[-1]) + np.repeat(starts[customers] - local[:-1], lengths), local


def _is_in_set(evidence: Evidence, number: int) -> Flags:
    """Return by item whether it is in a published set; all are, if it is deleted."""
    inside = np.full(len(evidence.history.item_ids), number < 0)
    if number >= 0:
        inside[evidence.items.members_of(number)] = True
    return inside


def _in_scales(evidence: Evidence, scales: Floats, by_customer: Integers) -> list[Array]:
    """Return date, price and quantity of the purchases in units of their scales."""
    return [
        (evidence.history.amounts(name)[by_customer] / scale).astype(np.float32)
        for name, scale in zip(AMOUNTS, scales, strict=True)
    ]


def _distances(
    evidence: Evidence, scales: Floats, distinct: Integers
) -> Iterator[tuple[Integers, Floats]]:
    """Yield places in a list of distinct rows, and their distances to every customer."""
    from sudare.transactions.attack._kernels_distance import nearest_purchases

    history = evidence.history
    by_customer, starts = history.by_customer
    dates, prices, quantities = _in_scales(evidence, scales, by_customer)
    purchases_of = _purchases_by_set(evidence, by_customer)
    middles, sets = _middles(evidence, scales, distinct)

    def compared(block: Integers) -> tuple[Integers, Floats]:
        out = np.empty((len(block), evidence.shape[1]), np.float32)
        cost, extra = np.empty(history.rows, np.float32), np.empty(history.rows, np.float32)
        for alike in _runs(sets[block]):
            extra.fill(_OTHER_ITEM)
            extra[purchases_of(sets[block[alike.start]])] = 0.0
            nearest_purchases(
                np.ascontiguousarray(middles[block[alike]]),
                dates,
                prices,
                quantities,
                extra,
                starts,
                cost,
                out[alike],
            )
        return block, np.minimum(out, np.float32(_FAR))

    order = np.argsort(sets, kind="stable")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(compared, np.array_split(order, -(-len(order) // _BLOCK)))


def _runs(sets: Integers) -> list[slice]:
    """Return where equal sets of items stand, one after another."""
    ends = [0, *(np.flatnonzero(np.diff(sets)) + 1).tolist(), len(sets)]
    return [slice(start, stop) for start, stop in itertools.pairwise(ends)]


def _purchases_by_set(
    evidence: Evidence, by_customer: Integers
) -> Callable[[int], Integers | slice]:
    """Return a function that tells where the purchases of a set's items are; all if deleted."""
    items = evidence.history.items[by_customer]
    order = np.argsort(items, kind="stable")
    starts = np.searchsorted(items[order], np.arange(len(evidence.history.item_ids) + 1))

    def purchases_of(number: int) -> Integers | slice:
        if number < 0:
            return slice(None)
        members = evidence.items.members_of(number)
        return np.concatenate(
            [order[:0], *(order[starts[item] : starts[item + 1]] for item in members)]
        )

    return purchases_of


def _middles(evidence: Evidence, scales: Floats, distinct: Integers) -> tuple[Array, Integers]:
    """Return middle and half width of each amount in units of its scale, and the sets of items.

    A deleted amount is a range that holds everything, so that nothing is far from it.
    """
    sets, *ends = evidence.distinct_rows[0][:, distinct]
    middles = np.empty((len(distinct), 2 * len(AMOUNTS)), np.float32)
    for column, scale in enumerate(scales):
        low, high = ends[2 * column], ends[2 * column + 1]
        middles[:, 2 * column] = (low + high) / 2 / scale
        middles[:, 2 * column + 1] = (high - low) / 2 / scale
    return middles, sets


def _learnt_scales(
    evidence: Evidence, scales: Floats, rows: Integers, customers: Integers
) -> Floats:
    """Return the mean distance of rows to the nearest purchases of those they are assigned to."""
    history, published = evidence.history, evidence.published
    order, starts = history.by_customer
    bought = np.stack([history.amounts(name)[order] for name in AMOUNTS])
    cells = [published.amounts(name).take(rows) for name in AMOUNTS]
    low = np.stack([np.where(c.deleted, -np.inf, c.low) for c in cells])
    high = np.stack([np.where(c.deleted, np.inf, c.high) for c in cells])
    ends = np.searchsorted(evidence.owners[rows], np.arange(1, len(customers)))
    apart = np.empty((len(AMOUNTS), len(rows)))
    for own, customer in zip(np.split(np.arange(len(rows)), ends), customers, strict=True):
        theirs = bought[:, None, starts[customer] : starts[customer + 1]]
        outside = np.maximum(low[:, own, None] - theirs, theirs - high[:, own, None]).clip(min=0)
        nearest = (outside / scales[:, None, None]).sum(axis=0).argmin(axis=1)
        apart[:, own] = outside[:, np.arange(len(own)), nearest]
    return np.maximum(apart.mean(axis=1), 1.0)
