"""Costs of pairs and groups against plain trials, and the bounds that avoid them."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linear_sum_assignment

from sudare.core.types import Array
from sudare.datasets import purchases_like
from sudare.transactions import History, MaskedHistory
from sudare.transactions.assignment import assign
from sudare.transactions.loss.cell_error import range_error
from sudare.transactions.mask._kernels_group import Rows, alignment_space, hull_costs
from sudare.transactions.mask._kernels_pairs import (
    CAP,
    SCALE,
    count_items_in_common,
    row_costs,
    transport_bounds,
)
from sudare.transactions.mask.alignment import Baskets, views
from sudare.transactions.mask.grouping import (
    PairCosts,
    _matching,
    _tightened,
    cheapest_cycles,
    cheapest_pairs,
)
from tests.transactions.strategies import histories


@st.composite
def cost_tables(draw: st.DrawFn) -> Array:
    n = draw(st.integers(1, 7))
    m = draw(st.integers(n, 9))
    cells = draw(
        st.lists(
            st.integers(0, draw(st.sampled_from([1, 5, 10**6]))), min_size=n * m, max_size=n * m
        )
    )
    return np.array(cells, dtype=np.int32).reshape(n, m)


@given(cost_tables())
def test_assignments_are_the_cheapest_and_prices_prove_it(costs: Array) -> None:
    columns, u, v = assign(costs)
    rows = np.arange(len(costs))
    assert len(set(columns.tolist())) == len(costs)
    least = costs[linear_sum_assignment(costs)].sum()
    assert costs[rows, columns].sum() == least == u.sum() + v.sum()
    assert (u[:, None] + v <= costs).all()
    assert (v <= 0).all()


def all_pairs(count: int) -> Array:
    return np.argwhere(np.triu(np.ones((count, count)), 1))


@given(histories(most_rows=25))
def test_bounds_are_never_above_the_cost(history: History) -> None:
    baskets = Baskets.of(MaskedHistory.of(history))
    pairs = all_pairs(len(baskets.sizes))
    bounds = baskets.pair_bounds()
    assert (bounds == bounds.T).all()
    if len(pairs):
        assert (bounds[pairs[:, 0], pairs[:, 1]] <= baskets.pair_costs(pairs)).all()


def test_bounds_are_near_the_cost_for_histories_like_the_real_one() -> None:
    baskets = Baskets.of(MaskedHistory.of(purchases_like(30, seed=1)))
    pairs = all_pairs(30)
    costs = baskets.pair_costs(pairs)
    share = baskets.pair_bounds()[pairs[:, 0], pairs[:, 1]].sum() / costs.sum()
    assert 0.9 < share <= 1


@given(st.lists(st.integers(0, 5 * CAP), min_size=1, max_size=20))
def test_views_bring_no_values_farther_apart_than_they_cost(values: list[int]) -> None:
    column = np.array(values, dtype=np.int32)
    apart = np.minimum(np.abs(column[:, None] - column), CAP)
    for view in views(column):
        assert (np.abs(view[:, None] - view) <= apart).all()


def test_kernels_do_what_numpy_does() -> None:
    rng = np.random.default_rng(1)
    amounts = rng.integers(0, 4 * CAP, (3, 12), dtype=np.int32)
    items = np.sort(rng.integers(0, 4, 12).astype(np.int32).reshape(2, 6)).ravel()
    a, b = amounts[:, :5], amounts[:, 5:]
    expected = np.minimum(np.abs(a[:, :, None] - b[:, None]), CAP).sum(axis=0)
    expected += SCALE * (items[:5, None] != items[5:])
    costs, common = np.empty((5, 7), np.int32), np.zeros((2, 2), np.int64)
    row_costs(amounts, items, 0, 5, costs)
    assert (costs == expected).all()
    count_items_in_common(items, np.array([0, 6, 12]), common)
    counted = [np.bincount(part, minlength=4) for part in (items[:6], items[6:])]
    assert common[0, 1] == common[1, 0] == np.minimum(*counted).sum()


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=5),
    st.lists(st.integers(0, 9), min_size=1, max_size=5),
)
def test_amounts_travel_at_least_as_far_as_the_bound_says(x: list[int], y: list[int]) -> None:
    x, y = sorted([x, y], key=len)
    grid = np.arange(10)
    counts = np.array([[np.sum(np.array(part) <= t) for t in grid[:-1]] for part in (x, y)])
    bound, sizes = np.zeros((2, 2), np.int64), np.array([len(x), len(y)])
    transport_bounds(counts.astype(np.int32), np.diff(grid), sizes, bound)
    costs = np.abs(np.subtract.outer(x, y))
    assert bound[0, 1] == bound[1, 0] <= costs[linear_sum_assignment(costs)].sum()


def group_cost(baskets: Baskets, rows: Array) -> float:
    """The error of some rows published as one, written down plainly, in units of SCALE."""
    k, total = len(rows), 0.0
    for values, step in zip(baskets.amounts, baskets.steps, strict=True):
        grid = np.rint(values[rows] / (step or 1))
        errors = range_error(grid, np.full(k, grid.min()), np.full(k, grid.max())) * step
        total += min(float(errors.sum()), k * SCALE)
    return total + SCALE * k * (1 - 1 / len(np.unique(baskets.items[rows])))


@given(histories(most_rows=12))
def test_hulls_cost_what_the_utility_says(history: History) -> None:
    baskets = Baskets.of(MaskedHistory.of(history))
    if history.rows < 3:
        return
    held = Rows(baskets.amounts, baskets.items, baskets.steps, baskets.starts)
    others, costs = np.arange(2).reshape(1, 2), np.empty((1, history.rows - 2), np.int32)
    hull_costs(held, others, 2, -1, 2, alignment_space(1, history.rows, 3), costs)
    for column in range(history.rows - 2):
        expected = group_cost(baskets, np.array([0, 1, column + 2]))
        assert costs[0, column] == pytest.approx(expected, abs=8)


def test_three_customers_are_aligned_nearly_as_well_as_can_be() -> None:
    rng = np.random.default_rng(3)
    for _ in range(5):
        history = History.from_rows(
            ["1"] * 4 + ["2"] * 4 + ["3"] * 4,
            rng.integers(0, 300, 12),
            rng.integers(0, 3, 12).astype(str),
            rng.integers(1, 100, 12),
            rng.integers(1, 50, 12),
        )
        baskets = Baskets.of(MaskedHistory.of(history))
        orders = [np.array(order) for order in permutations(range(4))]
        best = min(
            sum(group_cost(baskets, np.array([t, 4 + p[t], 8 + q[t]])) for t in range(4))
            for p in orders
            for q in orders
        )
        (cost,) = baskets.group_costs([(0, 1, 2)])
        assert best - 20 <= cost <= 1.1 * best


def test_most_assignments_are_avoided() -> None:
    costs = PairCosts.bounded(Baskets.of(MaskedHistory.of(purchases_like(60, seed=1))))
    cycles, prices = cheapest_cycles(costs)
    assert prices.sum() == sum(costs.doubled(cycle) for cycle in cycles)
    assert ((prices[:, None] + prices) <= 2 * costs.least).all()
    pairs = cheapest_pairs(costs)
    assert sorted(customer for pair in pairs for customer in pair) == list(range(60))
    assert costs.assignments < 60 * 59 / 2 / 3


def test_parts_of_odd_size_prove_what_cycles_do_not() -> None:
    """Six times three customers alike: cycles of three are cheap, and pairs must leave them."""
    rng, rows = np.random.default_rng(1), 6 * 3 * 20
    kind = np.repeat(np.arange(6), 60)
    history = History.from_rows(
        np.repeat(np.arange(18), 20).astype(str),
        60 * kind + rng.integers(0, 9, rows),
        np.char.add(kind.astype(str), rng.integers(0, 3, rows).astype(str)),
        100 * kind + rng.integers(1, 9, rows),
        rng.integers(1, 9, rows),
    )
    costs = PairCosts.bounded(Baskets.of(MaskedHistory.of(history)))
    pairs = np.array(cheapest_pairs(costs))
    costs.learn(np.argwhere(np.ones((18, 18), np.bool_)))
    best = _matching(costs.least, np.ones((18, 18), np.bool_))
    optimum = costs.least[tuple(best.T)].sum()
    assert costs.least[tuple(pairs.T)].sum() == optimum
    of_cycles = cheapest_cycles(costs)[1]
    cuts, prices, bound = _tightened(costs.least, of_cycles, best)
    assert of_cycles.sum() / 2 < 0.9 * optimum
    assert 0.999 * optimum < bound <= optimum
    assert ((prices[:, None] + prices) <= 2 * (costs.least - cuts)).all()


@given(histories(most_rows=30), st.data())
def test_no_release_with_even_odds_is_below_the_cheapest_cycles(
    history: History, data: st.DataObject
) -> None:
    """Customers on a ring; the published t is one of those some steps on, each equally likely."""
    costs = PairCosts.bounded(Baskets.of(MaskedHistory.of(history)))
    count = len(costs.least)
    if count < 2:
        return
    ring = data.draw(st.permutations(range(count)))
    steps = data.draw(st.sets(st.integers(0, count - 1), min_size=2))
    covered = [[ring[(t + step) % count] for step in steps] for t in range(count)]
    expected = sum(costs.baskets.group_costs(covered)) / len(steps)
    bound = cheapest_cycles(costs)[1].sum() / 2
    assert expected >= bound - 8 * count * history.rows  # ranges are rounded to whole units
