"""Kernels of customer anonymity: what it costs that two customers publish the same rows.

Rows are four whole numbers: date, price and quantity in units of 1 / SCALE standard deviations,
and the item. Two rows published as one cost |x − y| per amount, at most 2 (both cells deleted),
and 1 when the items differ: whole numbers, so that sums are exact in any order.
"""

from sudare.core import (
    CodeMatrix,
    CodeVector,
    IntegerMatrix,
    IntegerVector,
    as_matrix,
    inlined,
    kernel,
)
from sudare.transactions._kernels_assignment import AssignmentSpace, assigned

SCALE = 2**16  # units of one standard deviation, and of one cell that is lost
CAP = 2 * SCALE  # two cells deleted
ROW = 4 * SCALE  # a row deleted


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
