"""Which customers publish the same rows: pairs and cycles at the least cost, groups by exchange."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import Array, Flags, Floats, Integers
from sudare.transactions.assignment import assign
from sudare.transactions.mask.alignment import Baskets, OnShare

Groups = list[tuple[int, ...]]
_NEAR = 4  # partners by bound whose cost is computed at first for a group of three
_SLACK = 4  # rows' worth of reduced cost that a pair may have in the first matching
_RIVALS = 5  # pairs whose cost is computed along with one that a matching uses on its bound
_CUTS = 12  # rounds in which parts of odd size are sought
_NO_SHARE = 1e-6
_FEW = 256  # customers whose matching takes less than better prices
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
    solved on lower bounds; the costs of the pairs that it uses, or might rather use, are computed,
    and so on until it uses none that is not known: then no other cycles are cheaper.

    Returns
    -------
    cycles
        Customers in the order in which each covers the next.
    prices
        Of each customer, with prices[i] + prices[j] ≤ 2 cost(i, j) for all pairs; their sum is
        twice the cost of the cycles.
    """
    from sudare.transactions.mask._kernels_pairs import ROW

    costs.learn_nearest(1, on_progress)
    everybody = np.arange(len(costs.least))
    while True:
        following, u, v = assign(costs.least)
        prices = u + v
        used = np.stack([everybody, following], axis=1)
        if costs.known[everybody, following].all():
            return _cycles_of(following), prices
        wanted = ~costs.known & (2 * costs.least <= prices[:, None] + prices + ROW)
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
    uses are computed until it uses only known ones. Pairs are left out when prices, those of
    :func:`cheapest_cycles` or better ones, show that no better matching can use them.
    """
    from sudare.transactions.mask._kernels_pairs import ROW

    _, prices = cheapest_cycles(costs, on_progress)
    if len(prices) % 2:
        return _with_one_left(costs)
    slack, cuts, bound, tightened = _SLACK * ROW, np.zeros_like(costs.least), prices.sum() // 2, 0
    of_cycles = prices
    while True:
        reduced = 2 * (costs.least - cuts) - prices[:, None] - prices
        # Prices cost every perfect matching the same; without them, most of one is found at once.
        beyond = 2 * costs.least - of_cycles[:, None] - of_cycles
        matched = _matching(beyond, reduced <= 2 * slack)
        if len(matched) < len(prices) // 2:
            slack *= 2
            continue
        a, b = matched.T
        unsure = matched[~costs.known[a, b]]
        gap = int(costs.least[a, b].sum() - bound)
        if not len(unsure) and gap <= slack:
            return [(int(i), int(j)) for i, j in matched]
        if gap > slack and len(prices) > _FEW and tightened < (1 if len(unsure) else 2):
            tightened += 1
            cuts, prices, bound = _tightened(costs.least, of_cycles, matched)
            gap = int(costs.least[a, b].sum() - bound)
        if len(unsure):
            costs.learn(np.concatenate([unsure, costs.rivals(unsure.ravel(), prices)]))
        else:
            slack = gap


def _tightened(
    least: Integers, prices: Integers, matched: Integers
) -> tuple[Integers, Integers, int]:
    """Return better prices than those of cycles: of pairs, of customers, and what they prove.

    Of an odd number of customers, one has a partner elsewhere: what each pair that leaves such a
    part is asked for is paid at least once. A linear program on few pairs finds parts and prices;
    the prices of customers are then those of the assignment that is left, so that they are right
    whatever the program found.

    Parameters
    ----------
    least
        The cost of each pair, shape (n, n).
    prices
        Those of the cheapest cycles, shape (n,).
    matched
        A perfect matching, shape (n / 2, 2).
    """
    from sudare.transactions.mask._kernels_pairs import ROW

    above = (2 * least - prices[:, None] - prices) / (2 * ROW)
    used = np.triu(above <= 1, 1)
    used[matched[:, 0], matched[:, 1]] = True
    parts, paid = np.zeros((len(least), 0)), np.zeros(0)
    for _ in range(_CUTS):
        paid, worth, part = _relaxed(above, used, parts)
        cheap = np.triu(above - worth[:, None] - worth - _paid_between(parts, paid) < 0, 1)
        odd = np.flatnonzero(np.bincount(part) % 2)
        if not len(odd) and not (cheap & ~used).any():
            break
        used |= cheap
        parts = np.hstack([parts, part[:, None] == odd])
    whole = np.floor(paid * ROW)
    cuts = _paid_between(parts[:, : len(paid)], whole).astype(np.int64)
    _, u, v = assign(least - cuts)
    return cuts, u + v, int(whole.sum()) + int((u + v).sum()) // 2


def _relaxed(above: Floats, used: Flags, parts: Floats) -> tuple[Floats, Floats, Integers]:
    """Match by shares, at least one of which leaves each part.

    Returns what is paid for leaving a part, what a customer is worth, and the parts that nothing
    joins.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    a, b = np.nonzero(used)
    pairs = np.arange(len(a))
    ends = csr_array((np.ones(2 * len(a)), (np.r_[a, b], np.r_[pairs, pairs])))
    leaving = csr_array(-1.0 * (parts[a] != parts[b]).T)
    least = {"A_ub": leaving, "b_ub": -np.ones(parts.shape[1])}
    shares = linprog(above[a, b], A_eq=ends, b_eq=np.ones(len(above)), **least)
    joined = shares.x > _NO_SHARE
    graph = csr_array((pairs[joined] + 1, (a[joined], b[joined])), shape=above.shape)
    paid = np.maximum(-shares.ineqlin.marginals, 0)
    return paid, shares.eqlin.marginals, connected_components(graph, directed=False)[1]


def _paid_between(parts: Floats, paid: Floats) -> Floats:
    """Return what is paid by each pair of which one is in a part and the other is not."""
    own = parts @ paid
    return own[:, None] + own - 2 * (parts * paid) @ parts.T


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
