"""Kernels of customer anonymity: what it costs that two customers publish the same rows.

Rows are four whole numbers: date, price and quantity in units of 1 / SCALE standard deviations,
and the item. Two rows published as one cost |x − y| per amount, at most 2 (both cells deleted),
and 1 when the items differ: whole numbers, so that sums are exact in any order.
"""

from typing import NamedTuple

import numpy as np

from sudare.core import (
    CodeMatrix,
    CodeVector,
    FlagVector,
    IntegerMatrix,
    IntegerVector,
    as_matrix,
    inlined,
    kernel,
)

SCALE = 2**16  # units of one standard deviation, and of one cell that is lost
CAP = 2 * SCALE  # two cells deleted
ROW = 4 * SCALE  # a row deleted
_FAR = 2**60
_PASSES = 2  # of row reduction, before paths are sought


class AssignmentSpace(NamedTuple):
    """An assignment of n rows to m columns, and working space; there may be room for larger ones.

    ``columns`` (n,) gets the column of each row, ``u`` (n,) and ``v`` (m,) the prices that prove
    it; ``rows``, ``nearest``, ``origin`` and ``done`` (m,) and ``free`` (n,) are working space.
    """

    columns: CodeVector
    u: IntegerVector
    v: IntegerVector
    rows: CodeVector
    nearest: IntegerVector
    origin: CodeVector
    done: FlagVector
    free: IntegerVector


def assignment_space(rows: int, columns: int) -> AssignmentSpace:
    """Return room for assignments of up to so many rows and columns."""
    return AssignmentSpace(
        np.empty(rows, np.int32),
        np.empty(rows, np.int64),
        np.empty(columns, np.int64),
        np.empty(columns, np.int32),
        np.empty(columns, np.int64),
        np.empty(columns, np.int32),
        np.empty(columns, np.bool_),
        np.empty(rows, np.int64),
    )


@kernel
def assign_rows(costs: IntegerMatrix, space: AssignmentSpace) -> int:
    """Find the cheapest column of each row; see :func:`assigned`."""
    return assigned(costs, space)


@inlined
def assigned(costs: CodeMatrix | IntegerMatrix, space: AssignmentSpace) -> int:
    """Find the cheapest column of each row, and return the least cost.

    ``costs`` are whole numbers, shape (n, m) with n ≤ m. Jonker and Volgenant's algorithm: rows
    bid for columns first, then shortest paths place the rows that are left.

    No column is assigned twice. For the prices, u + v ≤ cost everywhere, equality where assigned,
    and v ≤ 0, 0 where no row is: their sum is the least cost.
    """
    n, m = costs.shape
    columns, rows, u, v = space.columns[:n], space.rows[:m], space.u[:n], space.v[:m]
    nearest, origin, done = space.nearest[:m], space.origin[:m], space.done[:m]
    columns[:], rows[:], v[:], waiting = -1, -1, 0, n
    for i in range(n):
        space.free[i] = i
    for _ in range(_PASSES):
        waiting = _bid(costs, space.free, waiting, columns, rows, v)
    for i in range(n):
        if columns[i] >= 0:
            u[i] = costs[i, columns[i]] - v[columns[i]]
        else:
            u[i] = _two_best(costs[i], v)[0]
    for turn in range(waiting):
        _place(costs, space.free[turn], columns, rows, u, v, nearest, origin, done)
    return _sum(u) + _sum(v)


@inlined
def _sum(values: IntegerVector) -> int:
    total = 0
    for value in values:
        total += value
    return total


@inlined
def _two_best(row: CodeVector | IntegerVector, v: IntegerVector) -> tuple[int, int, int, int]:
    """Return the least reduced cost of a row and the second, and their columns."""
    best, second, j, other = _FAR, _FAR, 0, 0
    for t in range(len(row)):
        reduced = row[t] - v[t]
        if reduced < second:
            if reduced < best:
                second, other, best, j = best, j, reduced, t
            else:
                second, other = reduced, t
    return best, second if len(row) > 1 else best, j, other


@inlined
def _bid(
    costs: CodeMatrix | IntegerMatrix,
    free: IntegerVector,
    waiting: int,
    columns: CodeVector,
    rows: CodeVector,
    v: IntegerVector,
) -> int:
    """Let each free row take its best column at the price of the second best; keep who is out."""
    k, out, budget = 0, 0, 4 * len(costs)
    while k < waiting:
        i = free[k]
        k += 1
        best, second, j, other = _two_best(costs[i], v)
        if best < second:
            v[j] -= second - best
        elif rows[j] >= 0:
            j = other
        loser = rows[j]
        rows[j], columns[i] = i, j
        if loser >= 0:
            columns[loser] = -1
            if best < second and budget > 0:
                k, budget = k - 1, budget - 1
                free[k] = loser
            else:
                free[out] = loser
                out += 1
    return out


@inlined
def _place(
    costs: CodeMatrix | IntegerMatrix,
    start: int,
    columns: CodeVector,
    rows: CodeVector,
    u: IntegerVector,
    v: IntegerVector,
    nearest: IntegerVector,
    origin: CodeVector,
    done: FlagVector,
) -> None:
    """Give a row a column along the shortest path, and move the prices."""
    nearest[:] = _FAR
    done[:] = False
    i, base, j = start, 0, 0
    while True:
        row, shift, low = costs[i], base - u[i], _FAR
        for t in range(len(v)):
            if not done[t]:
                reduced = row[t] - v[t] + shift
                if reduced < nearest[t]:
                    nearest[t], origin[t] = reduced, i
                if nearest[t] < low or (nearest[t] == low and rows[t] < 0 <= rows[j]):
                    low, j = nearest[t], t
        base = low
        if rows[j] < 0:
            break
        done[j] = True
        i = rows[j]
    u[start] += base
    for passed in range(len(v)):
        if done[passed]:
            u[rows[passed]] += base - nearest[passed]
            v[passed] -= base - nearest[passed]
    _follow(start, j, columns, rows, origin)


@inlined
def _follow(
    start: int, column: int, columns: CodeVector, rows: CodeVector, origin: CodeVector
) -> None:
    """Reassign along a path that ends in a free column."""
    i = -1
    while i != start:
        i = origin[column]
        rows[column] = i
        columns[i], column = column, columns[i]


@inlined
def row_costs(
    amounts: CodeMatrix, items: CodeVector, first: int, second: int, costs: CodeMatrix
) -> None:
    """Find the cost of every row of one customer with every row of another, shape (n, m).

    ``amounts`` has shape (3, rows); ``first`` and ``second`` are where a customer's rows begin.
    """
    stop = second + costs.shape[1]
    dates, prices = amounts[0, second:stop], amounts[1, second:stop]
    quantities, goods = amounts[2, second:stop], items[second:stop]
    for i in range(len(costs)):
        row, item = costs[i], items[first + i]
        date, price, quantity = amounts[0, first + i], amounts[1, first + i], amounts[2, first + i]
        for j in range(len(goods)):
            row[j] = (
                min(abs(date - dates[j]), CAP)
                + min(abs(price - prices[j]), CAP)
                + min(abs(quantity - quantities[j]), CAP)
                + (SCALE if item != goods[j] else 0)
            )


@kernel
def pair_costs(
    amounts: CodeMatrix,
    items: CodeVector,
    starts: IntegerVector,
    pairs: IntegerMatrix,
    pool: CodeVector,
    space: AssignmentSpace,
    least: IntegerVector,
) -> None:
    """Find the least cost of each pair of customers, shape (pairs,).

    ``pool`` has room for the costs of all rows of one customer with all rows of the other.
    """
    for number in range(len(pairs)):
        a, b = pairs[number, 0], pairs[number, 1]
        if starts[a + 1] - starts[a] > starts[b + 1] - starts[b]:
            a, b = b, a
        n, m = starts[a + 1] - starts[a], starts[b + 1] - starts[b]
        costs = as_matrix(pool, n, m)
        row_costs(amounts, items, starts[a], starts[b], costs)
        least[number] = assigned(costs, space) + ROW * (m - n)


@kernel
def transport_bounds(
    counts: CodeMatrix, gaps: IntegerVector, sizes: IntegerVector, bounds: IntegerMatrix
) -> None:
    """Find a lower bound of the cost of one amount for all pairs, shape (customers, customers).

    ``counts[c, t]`` of the rows of customer c lie at or below level t, and ``gaps[t]`` is the way
    from there to the next level. When a customer with n rows is matched with one with n + s rows,
    at least max(F − G, G − F − s, 0) of the matches cross the gap, where F and G are their counts.
    Where ``bounds`` are larger already, they stay.
    """
    customers, levels = counts.shape
    for i in range(customers):
        for j in range(i):
            a, b = i, j
            if sizes[i] > sizes[j]:
                a, b = j, i
            surplus, below, other, total = sizes[b] - sizes[a], counts[a], counts[b], 0
            for t in range(levels):
                ahead = below[t] - other[t]
                total += gaps[t] * max(ahead, -ahead - surplus, 0)
            bounds[i, j] = bounds[j, i] = max(bounds[i, j], total)


@kernel
def count_items_in_common(items: CodeVector, starts: IntegerVector, common: IntegerMatrix) -> None:
    """Count how many rows of each pair of customers can have equal items.

    ``items`` ascend within each customer.
    """
    for i in range(len(starts) - 1):
        for j in range(i):
            x, y, matched = starts[i], starts[j], 0
            while x < starts[i + 1] and y < starts[j + 1]:
                if items[x] == items[y]:
                    matched += 1
                    x += 1
                    y += 1
                elif items[x] < items[y]:
                    x += 1
                else:
                    y += 1
            common[i, j] = common[j, i] = matched
