"""Which customers publish the same rows: pairs and cycles at the least cost, groups by exchange."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import Array, Flags, Integers
from sudare.transactions.assignment import assign
from sudare.transactions.mask.alignment import Baskets, OnShare

Groups = list[tuple[int, ...]]
_NEAR = 4  # partners by bound whose cost is computed at first
_SLACK = 4  # rows' worth of reduced cost that a pair may have in the first matching
_RIVALS = 12  # pairs whose cost is computed along with one that a matching uses on its bound
_NEVER = 2**50


@dataclass(repr=False)
class PairCosts:
    """The cost of every pair of customers: exact where known, a lower bound elsewhere."""

    baskets: Baskets
    least: Integers
    known: Flags
    assignments: int = 0

    @classmethod
    def bounded(cls, baskets: Baskets) -> "PairCosts":
        """Return bounds for all pairs; no customer is paired with itself."""
        least = baskets.pair_bounds()
        np.fill_diagonal(least, _NEVER)
        return cls(baskets, least, np.zeros(least.shape, dtype=np.bool_))

    def learn(self, pairs: Array, on_progress: OnShare | None = None) -> None:
        """Compute the cost of those pairs, shape (n, 2), that are not known yet."""
        pairs = np.unique(np.sort(pairs, axis=1), axis=0)
        pairs = pairs[~self.known[pairs[:, 0], pairs[:, 1]] & (pairs[:, 0] < pairs[:, 1])]
        a, b = pairs.T
        self.least[a, b] = self.least[b, a] = self.baskets.pair_costs(pairs, on_progress)
        self.known[a, b] = self.known[b, a] = True
        self.assignments += len(pairs)

    def learn_nearest(self, count: int, on_progress: OnShare | None = None) -> None:
        """Compute the cost of each customer with the partners that have the least bounds."""
        near = np.argsort(self.least, axis=1, kind="stable")[:, :count]
        who = np.repeat(np.arange(len(near)), near.shape[1])
        self.learn(np.stack([who, near.ravel()], axis=1), on_progress)

    def rivals(self, customers: Integers, prices: Integers) -> Integers:
        """Return the pairs of some customers that would be next in line, shape (n, 2)."""
        reduced = 2 * self.least[customers] - prices - prices[customers, None]
        reduced[self.known[customers]] = _NEVER
        near = np.argsort(reduced, axis=1, kind="stable")[:, :_RIVALS]
        return np.stack([np.repeat(customers, near.shape[1]), near.ravel()], axis=1)

    def doubled(self, cycle: Sequence[int]) -> int:
        """Return twice the cost of a cycle: the sum of its edges.

        In a cycle each customer covers the next, which costs half of what the two would cost as a
        pair; a pair is a cycle that goes there and back.
        """
        edges = np.array(list(zip(cycle, (*cycle[1:], cycle[0]), strict=True)))
        self.learn(edges)
        return int(self.least[edges[:, 0], edges[:, 1]].sum())


def cheapest_cycles(
    costs: PairCosts, on_progress: OnShare | None = None
) -> tuple[Groups, Integers]:
    """Return the cheapest cycles through all customers, and prices that prove it.

    Every customer has one who follows and one who precedes, which is an assignment problem. It is
    solved on lower bounds; the costs of the pairs that it uses, or would rather use, are computed,
    and so on until it uses none that is not known: then no other cycles are cheaper.

    Returns
    -------
    cycles
        Customers in the order in which each covers the next.
    prices
        Of each customer, with prices[i] + prices[j] ≤ 2 cost(i, j) for all pairs; their sum is
        twice the cost of the cycles.
    """
    costs.learn_nearest(_NEAR, on_progress)
    everybody = np.arange(len(costs.least))
    while True:
        following, u, v = assign(costs.least)
        prices = u + v
        used = np.stack([everybody, following], axis=1)
        if costs.known[everybody, following].all():
            return _cycles_of(following), prices
        wanted = ~costs.known & (2 * costs.least <= prices[:, None] + prices)
        costs.learn(np.concatenate([used, np.argwhere(wanted)]))


def _cycles_of(following: Array) -> Groups:
    seen, cycles = np.zeros(len(following), dtype=np.bool_), Groups()
    for first in range(len(following)):
        cycle, at = list[int](), first
        while not seen[at]:
            seen[at] = True
            cycle.append(at)
            at = int(following[at])
        if cycle:
            cycles.append(tuple(cycle))
    return cycles


def short_cycles(costs: PairCosts, on_progress: OnShare | None = None) -> Groups:
    """Return pairs and cycles of three: the cheapest cycles with the longer ones cut.

    A cycle of even length is never cheaper than the better half of its edges as pairs. One of odd
    length is cut into three neighbors and pairs, where that costs least.
    """
    cycles = Groups()
    for cycle in cheapest_cycles(costs, on_progress)[0]:
        cycles += [cycle] if len(cycle) <= 3 else _cut(costs, cycle)
    return cycles


def _cut(costs: PairCosts, cycle: tuple[int, ...]) -> Groups:
    odd = len(cycle) % 2
    choices = []
    for turn in range(len(cycle) if odd else 2):
        turned = cycle[turn:] + cycle[:turn]
        rest = turned[3:] if odd else turned
        pairs = [rest[start : start + 2] for start in range(0, len(rest), 2)]
        choices.append([turned[:3], *pairs] if odd else pairs)
    return min(choices, key=lambda parts: sum(map(costs.doubled, parts)))


def cheapest_pairs(costs: PairCosts, on_progress: OnShare | None = None) -> Groups:
    """Return the cheapest pairs; with an odd number of customers, one group has three.

    A perfect matching of least weight is sought on lower bounds, and the costs of the pairs that it
    uses are computed until it uses only known ones. Pairs are left out when the prices of
    :func:`cheapest_cycles` show that no better matching can use them.
    """
    from sudare.transactions.mask._kernels_pairs import ROW

    _, prices = cheapest_cycles(costs, on_progress)
    if len(prices) % 2:
        return _with_one_left(costs)
    slack = _SLACK * ROW
    while True:
        matched = _matching(costs.least, 2 * costs.least - prices[:, None] - prices <= 2 * slack)
        if len(matched) < len(prices) // 2:
            slack *= 2
            continue
        a, b = matched.T
        unsure = matched[~costs.known[a, b]]
        if len(unsure):
            costs.learn(np.concatenate([unsure, costs.rivals(unsure.ravel(), prices)]))
            continue
        gap = int(costs.least[a, b].sum()) - int(prices.sum()) // 2
        if gap <= slack:
            return [(int(i), int(j)) for i, j in matched]
        slack = gap


def _matching(weights: Integers, allowed: Flags) -> Integers:
    """Return a perfect matching of least weight, as far as there is one, shape (pairs, 2)."""
    from rustworkx import PyGraph, max_weight_matching

    a, b = np.nonzero(np.triu(allowed, 1))
    graph: PyGraph[int, int] = PyGraph(multigraph=False)
    graph.add_nodes_from(range(len(weights)))
    graph.add_edges_from(
        list(zip(a.tolist(), b.tolist(), (_NEVER - weights[a, b]).tolist(), strict=True))
    )
    matched = max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return np.sort(np.array(sorted(map(sorted, matched)), dtype=np.int64).reshape(-1, 2), axis=1)


def _with_one_left(costs: PairCosts) -> Groups:
    """Return pairs and one group of three: the customer who is cheapest to leave joins a pair."""
    count = len(costs.least)
    if count == 3:
        return [(0, 1, 2)]
    costs.learn_nearest(_NEAR)
    weights = np.full((count + 1, count + 1), _NEVER // 2)
    weights[:count, :count] = costs.least
    weights[count, :count] = weights[:count, count] = costs.least.min(axis=1)
    while True:
        matched = _matching(weights, np.ones(weights.shape, dtype=np.bool_))
        pairs = [(int(a), int(b)) for a, b in matched if b < count]
        if all(costs.known[pair] for pair in pairs):
            break
        costs.learn(np.array(pairs))
        weights[:count, :count] = costs.least
    (alone,) = set(range(count)) - {customer for pair in pairs for customer in pair}
    pairs.sort(key=lambda pair: int(costs.least[alone, list(pair)].min()))
    joined = [(*pair, alone) for pair in pairs[: 4 * _NEAR]]
    gains = costs.baskets.group_costs(joined) - [costs.least[pair] for pair in pairs[: 4 * _NEAR]]
    best = int(np.argmin(gains))
    return [*pairs[:best], joined[best], *pairs[best + 1 :]]
