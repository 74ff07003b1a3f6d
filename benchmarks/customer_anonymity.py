"""2-anonymity of customers against bare assignments: how many are avoided, and the time."""

import time
from itertools import pairwise

import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.public import DATA
from sudare.core.types import Array
from sudare.datasets import purchases_like
from sudare.transactions import History, MaskedHistory, read_history
from sudare.transactions.mask._kernels_pairs import SCALE
from sudare.transactions.mask.alignment import Baskets
from sudare.transactions.mask.grouping import PairCosts, cheapest_pairs, short_cycles

_PLACES = 100  # the plain trial pairs customers at most this far apart by number of rows


def plain_cost(history: History, rows: list[Array]) -> float:
    """A pair as one writes it down: a table of costs, and SciPy's assignment."""
    fewer, more = sorted(rows, key=len)
    costs = (history.items[fewer][:, None] != history.items[more]).astype(np.float64)
    for name in ("date", "price", "quantity"):
        values = history.scaled(name)
        costs += np.minimum(np.abs(values[fewer][:, None] - values[more]), 2)
    return float(costs[linear_sum_assignment(costs)].sum() + 4 * (len(more) - len(fewer)))


def plain_seconds(history: History, tried: int) -> tuple[float, int]:
    """Time of the plain trial from a sample of its pairs, and how many pairs it has."""
    order, starts = history.by_customer
    mine = [order[a:b] for a, b in pairwise(starts)]
    ranked = np.argsort(history.row_counts, kind="stable")
    pairs = np.argwhere(np.triu(np.ones((len(ranked), len(ranked))), 1))
    pairs = pairs[pairs[:, 1] - pairs[:, 0] <= _PLACES]
    sample = pairs[np.random.default_rng(1).permutation(len(pairs))[:tried]]
    start = time.process_time()
    for a, b in sample:
        plain_cost(history, [mine[ranked[a]], mine[ranked[b]]])
    return (time.process_time() - start) * len(pairs) / len(sample), len(pairs)


def main() -> None:
    small = PairCosts.bounded(Baskets.of(MaskedHistory.of(purchases_like(20, seed=1))))
    cheapest_pairs(small)  # compile
    final = DATA / "pwscup2018_final_T.csv"
    history = read_history(final) if final.exists() else purchases_like(1000)
    start = time.process_time()
    costs = PairCosts.bounded(Baskets.of(MaskedHistory.of(history)))
    pairs = np.array(cheapest_pairs(costs))
    ours, computed = time.process_time() - start, costs.assignments
    theirs, plain = plain_seconds(history, tried=1000)
    whole = 4 * history.rows * SCALE
    print(
        f"optimal pairs of {len(costs.least)} customers: U "
        f"{costs.least[pairs[:, 0], pairs[:, 1]].sum() / whole:.6f}, {computed} assignments where "
        f"a trial within {_PLACES} places takes {plain} (ratio {computed / plain:.3f}); CPU: "
        f"sudare {ours:.0f} s, SciPy {theirs:.0f} s for its assignments (ratio {ours / theirs:.2f})"
    )
    start = time.process_time()
    cycles = short_cycles(costs)
    doubled = sum(costs.doubled(cycle) for cycle in cycles)
    more = time.process_time() - start
    print(f"cycles of two and three: U {doubled / (2 * whole):.6f}, {more:.0f} s more")


if __name__ == "__main__":
    main()
