"""Kernels of customer anonymity: what it costs that two customers publish the same rows.

Rows are four whole numbers: date, price and quantity in units of 1 / SCALE standard deviations,
and the item. Two rows published as one cost |x − y| per amount, at most 2 (both cells deleted),
and 1 when the items differ: whole numbers, so that sums are exact in any order.
"""

import numpy as np

from sudare.core import Array, Codes, Integers, kernel

SCALE = 2**16  # units of one standard deviation, and of one cell that is lost
CAP = 2 * SCALE  # two cells deleted
ROW = 4 * SCALE  # a row deleted
_FAR = 2**60
_PASSES = 2  # of row reduction, before paths are sought


@kernel
def assign(costs: Array) -> tuple[Codes, Integers, Integers]:
    """Return the cheapest column of each row, and the prices of rows and columns that prove it.

    ``costs`` are whole numbers, shape (n, m) with n ≤ m. Jonker and Volgenant's algorithm: rows
    bid for columns first, then shortest paths place the rows that are left.

    Returns
    -------
    columns
        Column of each row, shape (n,); no column twice.
    u, v
        Prices with u + v ≤ cost everywhere, equality where assigned, and v ≤ 0, 0 where no row
        is: their sum is the least cost.
    """
    n, m = costs.shape
    columns, rows = np.full(n, -1, np.int32), np.full(m, -1, np.int32)
    u, v = np.zeros(n, np.int64), np.zeros(m, np.int64)
    free: Integers = np.arange(n)
    for _ in range(_PASSES):
        free = _bid(costs, free, columns, rows, v)
    for i in range(n):
        if columns[i] >= 0:
            u[i] = costs[i, columns[i]] - v[columns[i]]
        else:
            u[i] = np.min(costs[i] - v)
    nearest, origin = np.empty(m, np.int64), np.empty(m, np.int32)
    for i in free:
        _place(costs, i, columns, rows, u, v, nearest, origin)
    return columns, u, v


@kernel
def _two_best(row: Array, v: Integers) -> tuple[int, int, int, int]:
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


@kernel
def _bid(costs: Array, free: Integers, columns: Codes, rows: Codes, v: Integers) -> Integers:
    """Let each free row take its best column at the price of the second best; return who is out."""
    k, out, budget = 0, 0, 4 * len(costs)
    waiting = len(free)
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
    return free[:out]


@kernel
def _place(
    costs: Array,
    start: int,
    columns: Codes,
    rows: Codes,
    u: Integers,
    v: Integers,
    nearest: Integers,
    origin: Codes,
) -> None:
    """Give a row a column along the shortest path, and move the prices."""
    nearest[:] = _FAR
    done = np.zeros(len(v), np.bool_)
    i, base = start, 0
    while True:
        row, shift, low, j = costs[i], base - u[i], _FAR, -1
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
    for passed in np.flatnonzero(done):
        u[rows[passed]] += base - nearest[passed]
        v[passed] -= base - nearest[passed]
    _follow(start, j, columns, rows, origin)


@kernel
def _follow(start: int, column: int, columns: Codes, rows: Codes, origin: Codes) -> None:
    """Reassign along a path that ends in a free column."""
    i = -1
    while i != start:
        i = origin[column]
        rows[column] = i
        columns[i], column = column, columns[i]


@kernel
def row_costs(amounts: Codes, items: Codes, first: Integers, second: Integers) -> Codes:
    """Return the cost of every row of one customer with every row of another, shape (n, m).

    ``amounts`` has shape (3, rows); ``first`` and ``second`` are where a customer's rows begin and
    end.
    """
    costs = np.empty((first[1] - first[0], second[1] - second[0]), np.int32)
    dates, prices, quantities = amounts
    dates, prices = dates[second[0] : second[1]], prices[second[0] : second[1]]
    quantities, goods = quantities[second[0] : second[1]], items[second[0] : second[1]]
    for i in range(len(costs)):
        row = costs[i]
        date, price, quantity = amounts[:, first[0] + i]
        item = items[first[0] + i]
        for j in range(len(goods)):
            row[j] = (
                min(abs(date - dates[j]), CAP)
                + min(abs(price - prices[j]), CAP)
                + min(abs(quantity - quantities[j]), CAP)
                + (SCALE if item != goods[j] else 0)
            )
    return costs


@kernel
def pair_costs(amounts: Codes, items: Codes, starts: Integers, pairs: Integers) -> Integers:
    """Return the least cost of each pair of customers, shape (pairs,)."""
    least = np.empty(len(pairs), np.int64)
    for number in range(len(pairs)):
        a, b = pairs[number]
        if starts[a + 1] - starts[a] > starts[b + 1] - starts[b]:
            a, b = b, a
        costs = row_costs(amounts, items, starts[a : a + 2], starts[b : b + 2])
        _, u, v = assign(costs)
        least[number] = u.sum() + v.sum() + ROW * (costs.shape[1] - costs.shape[0])
    return least


@kernel
def transport_bounds(counts: Codes, gaps: Integers, sizes: Integers) -> Integers:
    """Return a lower bound of the cost of one amount for all pairs, shape (customers, customers).

    ``counts[c, t]`` of the rows of customer c lie at or below level t, and ``gaps[t]`` is the way
    from there to the next level. When a customer with n rows is matched with one with n + s rows,
    at least max(F − G, G − F − s, 0) of the matches cross the gap, where F and G are their counts.
    """
    customers, levels = counts.shape
    bounds = np.zeros((customers, customers), np.int64)
    for i in range(customers):
        for j in range(i):
            a, b = (i, j) if sizes[i] <= sizes[j] else (j, i)
            surplus, below, other, total = sizes[b] - sizes[a], counts[a], counts[b], 0
            for t in range(levels):
                ahead = below[t] - other[t]
                total += gaps[t] * max(ahead, -ahead - surplus, 0)
            bounds[i, j] = bounds[j, i] = total
    return bounds


@kernel
def items_in_common(items: Codes, starts: Integers) -> Integers:
    """Return how many rows of each pair of customers can have equal items.

    ``items`` ascend within each customer.
    """
    customers = len(starts) - 1
    common = np.zeros((customers, customers), np.int64)
    for i in range(customers):
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
    return common
