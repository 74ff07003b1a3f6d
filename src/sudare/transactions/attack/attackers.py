"""Four attackers with maximum knowledge: by row counts, item sets, containment and likelihood."""

from math import lgamma
from typing import Annotated

import numpy as np

from sudare.core import AtLeast, Between, Flags, Floats, Integers
from sudare.transactions.assignment import assign
from sudare.transactions.attack.attacker import Attacker
from sudare.transactions.attack.evidence import Evidence

_ERROR = 0.01
_SPREAD = 20.0  # how alike the customers' shares of kept rows are, counted in rows


class RowCountAttacker(Attacker):
    """Compares how many rows a customer has.

    Rows are deleted, never added: who has fewer rows than were published is excluded. Of the
    others, the kept share is taken to vary between customers like a beta distribution around the
    kept share of the whole file.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> from sudare.transactions import MaskedHistory, published
    >>> history = purchases_like(30, seed=1)
    >>> RowCountAttacker().guess(history, published(MaskedHistory.of(history)))
    <Guess of 30 customers>
    """

    def _scores(self, evidence: Evidence) -> Floats:
        return row_count_scores(evidence)


class ItemSetAttacker(Attacker):
    """Compares which items a customer bought, not when, at what price or how often.

    A published set of items that the customer meets with some item of theirs counts the more, the
    fewer customers do; one that the customer does not meet counts against them.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> from sudare.transactions import MaskedHistory, published
    >>> history = purchases_like(30, seed=1)
    >>> ItemSetAttacker().guess(history, published(MaskedHistory.of(history)))
    <Guess of 30 customers>
    """

    error: Annotated[
        float,
        Between(0, 1, above=True, below=True),
        "probability that a published set is not met by its own customer",
    ] = 0.001

    def _scores(self, evidence: Evidence) -> Floats:
        from scipy.sparse import csr_array

        history, items = evidence.history, evidence.items
        shape = (len(history.item_ids), len(history.customer_ids))
        ones = np.ones(history.rows, np.float32)
        bought = csr_array((ones, (history.items, history.customers)), shape=shape)
        met = csr_array(
            (np.ones(len(items.members), np.float32), items.members, items.starts),
            shape=(len(items.sizes), len(history.item_ids)),
        ) @ (bought > 0).astype(np.float32)  # fmt: skip
        met.data[:] = 1.0
        shares = np.maximum(np.diff(met.indptr), 1) / len(history.customer_ids)
        gain = np.log((1 - self.error) / shares) - np.log(self.error)
        known = ~items.deleted
        pairs = (evidence.owners[known], items.cells[known])
        has = csr_array(
            (np.ones(known.sum(), np.float32), pairs), shape=(evidence.shape[0], len(items.sizes))
        )
        has.data[:] = 1.0
        scores: Floats = ((has * gain) @ met).toarray().astype(np.float64)
        return _only_larger(scores, evidence)


class ContainmentAttacker(Attacker):
    """Excludes every customer whose purchases cannot have become the published rows.

    Each published row needs a purchase of its own that lies in all its cells. Customers who can
    explain every row by itself are checked by a bipartite matching where they are few. With
    ``one_to_one``, pairs that fit in no complete assignment of customers are excluded as well, so
    that one certain customer narrows the choice for others.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> from sudare.transactions import MaskedHistory, published
    >>> history = purchases_like(30, seed=1)
    >>> ContainmentAttacker().guess(history, published(MaskedHistory.of(history)))
    <Guess of 30 customers>
    """

    most: Annotated[
        int, AtLeast(0), "candidates of a published customer up to which each is matched row by row"
    ] = 32

    def _scores(self, evidence: Evidence) -> Floats:
        reach, _ = evidence.compare(_ERROR)
        possible: Flags = reach == evidence.row_counts[:, None]
        possible &= evidence.row_counts[:, None] <= evidence.history.row_counts
        few = possible.sum(axis=1) <= self.most
        pairs = np.argwhere(possible & few[:, None])
        possible[pairs[:, 0], pairs[:, 1]] = evidence.explained(pairs)
        if self.one_to_one:
            possible = assignable(possible)
        return np.where(possible, 0.0, -np.inf)


class LikelihoodAttacker(Attacker):
    """Asks how likely the published rows are as those of each customer.

    A published row is one of the customer's purchases, drawn at random, or with a small
    probability one of anybody's; how likely the number of rows is counts as well.

    Examples
    --------
    >>> from sudare.datasets import purchases_like
    >>> from sudare.transactions import MaskedHistory, published
    >>> history = purchases_like(30, seed=1)
    >>> LikelihoodAttacker().guess(history, published(MaskedHistory.of(history)))
    <Guess of 30 customers>
    """

    error: Annotated[
        float,
        Between(0, 1, above=True, below=True),
        "probability that a published row is like none of its customer's purchases",
    ] = _ERROR

    def _scores(self, evidence: Evidence) -> Floats:
        return evidence.compare(self.error)[1] + row_count_scores(evidence)


def row_count_scores(evidence: Evidence) -> Floats:
    """Return the log-likelihood of each published number of rows, beta-binomial."""
    kept, whole = evidence.row_counts[:, None], evidence.history.row_counts
    share = (kept.sum() + 1) / (whole.sum() + 2)
    a, b = _SPREAD * share, _SPREAD * (1 - share)
    gone = np.maximum(whole - kept, 0)
    none = np.zeros(1, np.int64)
    ways = -np.log(whole + 1) - log_beta(kept, gone, 1, 1)
    scores: Floats = ways + log_beta(kept, gone, a, b) - log_beta(none, none, a, b)
    return _only_larger(scores, evidence)


def log_beta(x: Integers, y: Integers, a: float, b: float) -> Floats:
    """Return the logarithm of the beta function of x + a and y + b, for whole x and y.

    Examples
    --------
    >>> np.exp(log_beta(np.array([0, 2]), np.array([0, 1]), 1, 1)).round(6).tolist()
    [1.0, 0.083333]
    """

    def log_gamma(counts: Integers, shift: float) -> Floats:
        return np.array([lgamma(n + shift) for n in range(int(counts.max()) + 1)])[counts]

    return log_gamma(x, a) + log_gamma(y, b) - log_gamma(x + y, a + b)


def _only_larger(scores: Floats, evidence: Evidence) -> Floats:
    """Exclude the customers with fewer rows than were published."""
    fewer = evidence.row_counts[:, None] > evidence.history.row_counts
    return np.where(fewer, -np.inf, scores)


def assignable(possible: Flags) -> Flags:
    """Return the pairs that some complete assignment of different customers uses.

    Given one such assignment, another uses a pair exactly if those who would have to move can do
    so in a cycle, or in a chain that ends with a customer nobody has: the strong components of
    who could take whose customer, where one more node represents the customers nobody has. Without
    a complete assignment nothing is excluded.

    Examples
    --------
    >>> assignable(np.array([[True, False, False], [True, True, True]])).tolist()
    [[True, False, False], [False, True, True]]
    """
    some = possible.any(axis=1)
    pairs = possible[some]
    if pairs.shape[0] > pairs.shape[1]:
        return possible
    taken = assign(~pairs)[0]
    n = len(taken)
    if not pairs[np.arange(n), taken].all():
        return possible
    free = np.ones(pairs.shape[1], dtype=np.bool_)
    free[taken] = False
    could_take = np.zeros((n + 1, n + 1), dtype=np.bool_)
    could_take[:n, :n] = pairs[:, taken]
    could_take[:n, n] = pairs[:, free].any(axis=1)
    could_take[n] = free.any()
    group = strong_components(could_take)
    holder = np.full(pairs.shape[1], group[n])
    holder[taken] = group[:n]
    allowed = possible.copy()
    allowed[some] = pairs & (group[:n, None] == holder)
    return allowed


def strong_components(edges: Flags) -> Integers:
    """Return the component of each node, those of one being on a cycle: Kosaraju's algorithm.

    Edges say whether one can go from a node (row) to another (column), shape (n, n).

    Examples
    --------
    >>> strong_components(np.array([[0, 1, 0], [1, 0, 1], [0, 0, 0]]) > 0).tolist()
    [0, 0, 2]
    """
    finished, unseen = list[int](), np.ones(len(edges), dtype=np.bool_)
    for root in range(len(edges)):
        path = [root] if unseen[root] else []
        unseen[root] = False
        while path:
            onward = edges[path[-1]] & unseen
            if onward.any():
                path.append(int(onward.argmax()))
                unseen[path[-1]] = False
            else:
                finished.append(path.pop())
    component, back = np.full(len(edges), -1), np.ascontiguousarray(edges.T)
    for root in reversed(finished):
        reached = [root] if component[root] < 0 else []
        component[reached] = root
        while reached:
            others = np.flatnonzero(back[reached.pop()] & (component < 0))
            component[others] = root
            reached += others.tolist()
    return component
