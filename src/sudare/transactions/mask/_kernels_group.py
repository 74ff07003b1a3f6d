"""Kernels of customer anonymity: rows of three and more customers side by side, and exchanges.

Numba caches a kernel by the date of its own file: after a change in ``_kernels_assignment``, touch
this one.
"""

import numpy as np

from sudare.core import Codes, Floats, Integers, kernel
from sudare.transactions.mask._kernels_assignment import ROW, SCALE, assign, row_costs

_SWEEPS = 3  # a group is realigned at most this often; more gains little


@kernel
def amount_cost(
    low: float, high: float, total: float, squares: float, k: int, step: float
) -> float:
    """Return the summed error of k values in their hull, at most k cells deleted.

    ``total`` and ``squares`` are the sums of the values and of their squares, ``step`` the grid.
    """
    width = high - low
    if width <= 0:
        return 0.0
    below = squares - 2 * low * total + k * low * low
    above = squares - 2 * high * total + k * high * high
    return min((below + above + k * width * step) / (2 * (width + step)), float(k * SCALE))


@kernel
def hull_costs(
    amounts: Codes, items: Codes, steps: Floats, others: Integers, rows: Integers
) -> Codes:
    """Return the cost of each published row with each row of one more customer, shape (m, n).

    ``others`` are the rows published together so far, shape (m, k - 1); ``rows`` is where the
    customer's rows begin and end.
    """
    m, k = others.shape[0], others.shape[1] + 1
    begin, end = rows
    costs = np.empty((m, end - begin), np.int32)
    line = np.empty(end - begin)
    goods = items[begin:end]
    for t in range(m):
        line[:] = 0.5  # to round
        for a in range(3):
            values, step = amounts[a], steps[a]
            origin = values[others[t, 0]]  # squares from here keep their digits
            low = high = total = squares = 0.0
            for other in others[t]:
                value = float(values[other] - origin)
                low, high = min(low, value), max(high, value)
                total += value
                squares += value * value
            mine = values[begin:end]
            for j in range(end - begin):
                x = float(mine[j] - origin)
                line[j] += amount_cost(
                    min(low, x), max(high, x), total + x, squares + x * x, k, step
                )
        distinct = np.unique(items[others[t]])
        for j in range(end - begin):
            count = len(distinct) + 1
            for item in distinct:
                if item == goods[j]:
                    count -= 1
            line[j] += SCALE * k * (1 - 1 / count)
            costs[t, j] = int(line[j])
    return costs


@kernel
def align(
    amounts: Codes, items: Codes, steps: Floats, starts: Integers, members: Integers
) -> tuple[Integers, int]:
    """Return which rows of some customers are published as one, shape (m, k), and the cost.

    The customer with the fewest rows, who comes first in ``members``, gives m; the others join one
    by one, smallest first, each by an assignment to the hulls so far. Then each in turn is taken
    out and reassigned, until nothing gets better. For two customers the first step is optimal.
    """
    k = len(members)
    m, deleted = starts[members[0] + 1] - starts[members[0]], 0
    rows = np.empty((m, k), np.int64)
    rows[:, 0] = np.arange(starts[members[0]], starts[members[0] + 1])
    least = 0
    for member in range(1, k):
        span = starts[members[member] : members[member] + 2]
        deleted += span[1] - span[0] - m
        if member == 1:
            base = starts[members[0] : members[0] + 2]
            costs = row_costs(amounts, items, base, span)
        else:
            costs = hull_costs(amounts, items, steps, rows[:, :member].copy(), span)
        columns, u, v = assign(costs)
        rows[:, member] = span[0] + columns
        least = u.sum() + v.sum()
    if k > 2:
        least = _realign(amounts, items, steps, starts, members, rows, least)
    return rows, least + ROW * deleted


@kernel
def _realign(
    amounts: Codes,
    items: Codes,
    steps: Floats,
    starts: Integers,
    members: Integers,
    rows: Integers,
    least: int,
) -> int:
    """Take each customer out in turn and reassign their rows, while that helps; return the cost."""
    k, unchanged, turn = len(members), 0, 0
    others = np.empty((len(rows), k - 1), np.int64)
    while unchanged < k and turn < _SWEEPS * k:
        member = turn % k
        span = starts[members[member] : members[member] + 2]
        others[:, :member], others[:, member:] = rows[:, :member], rows[:, member + 1 :]
        columns, u, v = assign(hull_costs(amounts, items, steps, others, span))
        unchanged += 1
        if u.sum() + v.sum() < least:
            least, unchanged = u.sum() + v.sum(), 0
            rows[:, member] = span[0] + columns
        turn += 1
    return least


@kernel
def align_all(
    amounts: Codes, items: Codes, steps: Floats, starts: Integers, groups: Integers
) -> Integers:
    """Return the cost of each group of customers, groups of shape (groups, k)."""
    costs = np.empty(len(groups), np.int64)
    for number in range(len(groups)):
        _, costs[number] = align(amounts, items, steps, starts, groups[number])
    return costs


@kernel
def group_guess(costs: Integers, sizes: Integers, members: Integers) -> float:
    """Return about what a group costs, from the costs of its pairs.

    The rows that are deleted are counted; the rest is the sum over pairs, 2/k of it, which is
    right for items that all differ.
    """
    k, fewest, rows, apart = len(members), sizes[members[0]], 0, 0.0
    for number in range(k):
        a = members[number]
        fewest, rows = min(fewest, sizes[a]), rows + sizes[a]
        for b in members[:number]:
            apart += costs[a, b] - ROW * abs(sizes[a] - sizes[b])
    return 2 * apart / k + ROW * float(rows - k * fewest)


@kernel
def exchange_gain(
    costs: Integers, sizes: Integers, groups: Integers, counts: Integers, move: Integers
) -> float:
    """Return by how much two groups get worse, about, when one member of each is exchanged.

    ``groups`` are padded to one width, ``counts`` members count; ``move`` is a group, a position
    in it, another group and a position in that. The groups are left as they were.
    """
    group, i, other, j = move
    before = group_guess(costs, sizes, groups[group, : counts[group]])
    before += group_guess(costs, sizes, groups[other, : counts[other]])
    groups[group, i], groups[other, j] = groups[other, j], groups[group, i]
    after = group_guess(costs, sizes, groups[group, : counts[group]])
    after += group_guess(costs, sizes, groups[other, : counts[other]])
    groups[group, i], groups[other, j] = groups[other, j], groups[group, i]
    return after - before


@kernel
def anneal(
    costs: Integers,
    sizes: Integers,
    near: Integers,
    groups: Integers,
    counts: Integers,
    positions: Integers,
    draws: Floats,
    heat: float,
) -> None:
    """Exchange members of groups at random, worse ones with the chance that the heat allows.

    ``near`` are the nearest customers of each; ``positions`` has the group of each customer
    and the position in it, shape (customers, 2); ``draws`` shape (moves, 4). ``groups`` and
    ``positions`` change.
    """
    move = np.empty(4, np.int64)
    for t in range(len(draws)):
        a = int(draws[t, 0] * len(sizes))
        b = near[a, int(draws[t, 1] * near.shape[1])]
        move[:2], move[2] = positions[a], positions[b, 0]
        move[3] = int(draws[t, 2] * counts[move[2]])
        c = groups[move[2], move[3]]
        if move[0] == move[2] or c == b:
            continue
        worse = exchange_gain(costs, sizes, groups, counts, move)
        if worse < 0 or (heat > 0 and draws[t, 3] < np.exp(-worse / heat)):
            groups[move[0], move[1]], groups[move[2], move[3]] = c, a
            positions[a], positions[c] = move[2:], move[:2]


@kernel
def exchanges(
    costs: Integers,
    sizes: Integers,
    near: Integers,
    groups: Integers,
    counts: Integers,
    positions: Integers,
) -> tuple[Integers, Floats]:
    """Return the exchanges that bring a customer to a near one, shape (n, 4), and what they cost.

    The cost is a guess from pairs; it is infinite where nothing would change.
    """
    width = groups.shape[1]
    moves = np.zeros((len(sizes) * near.shape[1] * width, 4), np.int64)
    worse = np.full(len(moves), np.inf)
    at = 0
    for a in range(len(sizes)):
        for b in near[a]:
            other = positions[b, 0]
            for j in range(counts[other]):
                if other != positions[a, 0] and groups[other, j] != b:
                    moves[at, :2], moves[at, 2], moves[at, 3] = positions[a], other, j
                    worse[at] = exchange_gain(costs, sizes, groups, counts, moves[at])
                    at += 1
    return moves[:at], worse[:at]
