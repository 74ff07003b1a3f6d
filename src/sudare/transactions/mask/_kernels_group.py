"""Kernels of customer anonymity: rows of three and more customers side by side, and exchanges."""

import math
from typing import NamedTuple

import numpy as np

from sudare.core import (
    CodeMatrix,
    CodeVector,
    FloatMatrix,
    FloatVector,
    IntegerMatrix,
    IntegerVector,
    as_matrix,
    inlined,
    kernel,
)
from sudare.transactions._kernels_assignment import AssignmentSpace, assigned, assignment_space
from sudare.transactions.mask._kernels_pairs import ROW, SCALE, row_costs

_SWEEPS = 3  # a group is realigned at most this often; more gains little
_NOBODY = -1


class Rows(NamedTuple):
    """The rows of all customers: amounts (3, rows), items (rows,), the grid of each amount (3,)."""

    amounts: CodeMatrix
    items: CodeVector
    steps: FloatVector
    starts: IntegerVector


class AlignmentSpace(NamedTuple):
    """Room for the costs and the rows of the largest group, and working space."""

    costs: CodeVector
    rows: IntegerVector
    line: FloatVector
    distinct: CodeVector
    assignment: AssignmentSpace


def alignment_space(fewest: int, most: int, k: int) -> AlignmentSpace:
    """Return room for groups of k customers with up to so many rows, the first and the largest."""
    return AlignmentSpace(
        np.empty(fewest * most, np.int32),
        np.empty(fewest * k, np.int64),
        np.empty(most),
        np.empty(k, np.int32),
        assignment_space(fewest, most),
    )


class Exchangeable(NamedTuple):
    """Groups of customers between whom members are exchanged.

    ``costs`` of pairs and ``sizes``, the rows of each; ``near`` are the nearest customers of each.
    ``groups`` are padded to one width, ``counts`` members count; ``positions`` has the group of
    each customer and the position in it, shape (customers, 2).
    """

    costs: IntegerMatrix
    sizes: IntegerVector
    near: IntegerMatrix
    groups: IntegerMatrix
    counts: IntegerVector
    positions: IntegerMatrix


@inlined
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


@inlined
def _add_hulls(
    values: CodeVector,
    step: float,
    rows: IntegerVector,
    left_out: int,
    k: int,
    mine: CodeVector,
    line: FloatVector,
) -> None:
    """Add what one amount costs in the hull of some rows and each row of one more customer."""
    origin = values[rows[1 if left_out == 0 else 0]]  # squares from here keep their digits
    low = high = total = squares = 0.0
    for number in range(len(rows)):
        if number != left_out:
            value = float(values[rows[number]] - origin)
            low, high = min(low, value), max(high, value)
            total += value
            squares += value * value
    for j in range(len(mine)):
        x = float(mine[j] - origin)
        line[j] += amount_cost(min(low, x), max(high, x), total + x, squares + x * x, k, step)


@inlined
def _distinct(items: CodeVector, rows: IntegerVector, left_out: int, distinct: CodeVector) -> int:
    """Find the distinct items of some rows; return how many there are."""
    kinds = 0
    for number in range(len(rows)):
        item, kind = items[rows[number]], 0
        while kind < kinds and distinct[kind] != item:
            kind += 1
        if kind == kinds and number != left_out:
            distinct[kinds] = item
            kinds += 1
    return kinds


@inlined
def hull_costs(
    held: Rows,
    rows: IntegerMatrix,
    count: int,
    left_out: int,
    begin: int,
    space: AlignmentSpace,
    costs: CodeMatrix,
) -> None:
    """Find the cost of each published row with each row of one more customer, shape (m, n).

    ``rows`` (m, k) are published together, those of the first ``count`` members but one;
    ``begin`` is where the customer's rows begin.
    """
    size, k = costs.shape[1], count + (0 if 0 <= left_out < count else 1)
    line, goods = space.line[:size], held.items[begin : begin + size]
    for t in range(len(costs)):
        others = rows[t, :count]
        line[:] = 0.5  # to round
        for a in range(3):
            mine = held.amounts[a, begin : begin + size]
            _add_hulls(held.amounts[a], held.steps[a], others, left_out, k, mine, line)
        kinds = _distinct(held.items, others, left_out, space.distinct)
        for j in range(size):
            different = kinds + 1
            for item in space.distinct[:kinds]:
                if item == goods[j]:
                    different -= 1
            line[j] += SCALE * k * (1 - 1 / different)
            costs[t, j] = int(line[j])


@inlined
def _aligned(held: Rows, members: IntegerVector, rows: IntegerMatrix, space: AlignmentSpace) -> int:
    """Find which rows of some customers are published as one; see :func:`align`."""
    starts, k, m, deleted, least = held.starts, len(members), len(rows), 0, 0
    for t in range(m):
        rows[t, 0] = starts[members[0]] + t
    for member in range(1, k):
        begin, stop = starts[members[member]], starts[members[member] + 1]
        deleted += stop - begin - m
        costs = as_matrix(space.costs, m, stop - begin)
        if member == 1:
            row_costs(held.amounts, held.items, starts[members[0]], begin, costs)
        else:
            hull_costs(held, rows, member, _NOBODY, begin, space, costs)
        least = assigned(costs, space.assignment)
        for t in range(m):
            rows[t, member] = begin + space.assignment.columns[t]
    if k > 2:
        least = _realigned(held, members, rows, space, least)
    return least + ROW * deleted


@inlined
def _realigned(
    held: Rows, members: IntegerVector, rows: IntegerMatrix, space: AlignmentSpace, least: int
) -> int:
    """Take each customer out in turn and reassign their rows, while that helps; return the cost."""
    k, unchanged, turn = len(members), 0, 0
    while unchanged < k and turn < _SWEEPS * k:
        member = turn % k
        begin, stop = held.starts[members[member]], held.starts[members[member] + 1]
        costs = as_matrix(space.costs, len(rows), stop - begin)
        hull_costs(held, rows, k, member, begin, space, costs)
        cost = assigned(costs, space.assignment)
        unchanged += 1
        if cost < least:
            least, unchanged = cost, 0
            for t in range(len(rows)):
                rows[t, member] = begin + space.assignment.columns[t]
        turn += 1
    return least


@kernel
def align(held: Rows, members: IntegerVector, rows: IntegerMatrix, space: AlignmentSpace) -> int:
    """Find which rows of some customers are published as one, shape (m, k); return the cost.

    The customer with the fewest rows, who comes first in ``members``, gives m; the others join one
    by one, smallest first, each by an assignment to the hulls so far. Then each in turn is taken
    out and reassigned, until nothing gets better. For two customers the first step is optimal.
    """
    return _aligned(held, members, rows, space)


@kernel
def align_all(
    held: Rows, groups: IntegerMatrix, space: AlignmentSpace, costs: IntegerVector
) -> None:
    """Find the cost of each group of customers, groups of shape (groups, k)."""
    for number in range(len(groups)):
        first = groups[number, 0]
        m = held.starts[first + 1] - held.starts[first]
        rows = as_matrix(space.rows, m, groups.shape[1])
        costs[number] = _aligned(held, groups[number], rows, space)


@inlined
def group_guess(state: Exchangeable, group: int) -> float:
    """Return about what a group costs, from the costs of its pairs.

    The rows that are deleted are counted; the rest is the sum over pairs, 2/k of it, which is
    right for items that all differ.
    """
    k, sizes = state.counts[group], state.sizes
    members, rows, apart = state.groups[group], 0, 0.0
    fewest = sizes[members[0]]
    for number in range(k):
        a = members[number]
        fewest, rows = min(fewest, sizes[a]), rows + sizes[a]
        for b in members[:number]:
            apart += state.costs[a, b] - ROW * abs(sizes[a] - sizes[b])
    return float(2 * apart / k + ROW * float(rows - k * fewest))


@inlined
def exchange_gain(state: Exchangeable, group: int, i: int, other: int, j: int) -> float:
    """Return by how much two groups get worse, about, when one member of each is exchanged.

    The members at ``i`` and ``j``; the groups are left as they were.
    """
    groups, guess = state.groups, 0.0
    for sign in range(-1, 3, 2):  # as it is, then exchanged
        guess += sign * (group_guess(state, group) + group_guess(state, other))
        groups[group, i], groups[other, j] = groups[other, j], groups[group, i]
    return guess


@kernel
def anneal(state: Exchangeable, draws: FloatMatrix, heat: float) -> None:
    """Exchange members of groups at random, worse ones with the chance that the heat allows.

    ``draws`` have the shape (moves, 4); groups and positions change.
    """
    near, groups, positions = state.near, state.groups, state.positions
    for t in range(len(draws)):
        a = int(draws[t, 0] * len(state.sizes))
        b = near[a, int(draws[t, 1] * near.shape[1])]
        group, i, other = positions[a, 0], positions[a, 1], positions[b, 0]
        j = int(draws[t, 2] * state.counts[other])
        c = groups[other, j]
        if group == other or c == b:
            continue
        worse = exchange_gain(state, group, i, other, j)
        if worse < 0 or (heat > 0 and draws[t, 3] < math.exp(-worse / heat)):
            groups[group, i], groups[other, j] = c, a
            positions[a, 0], positions[a, 1] = other, j
            positions[c, 0], positions[c, 1] = group, i


@kernel
def find_exchanges(state: Exchangeable, moves: IntegerMatrix, worse: FloatVector) -> int:
    """Find the exchanges that bring a customer to a near one, and what they cost; return how many.

    A move is a group, a position in it, another group and a position in that. The cost is a guess
    from pairs.
    """
    groups, positions, count = state.groups, state.positions, 0
    for a in range(len(state.sizes)):
        group, i = positions[a, 0], positions[a, 1]
        for b in state.near[a]:
            other = positions[b, 0]
            for j in range(state.counts[other]):
                if other != group and groups[other, j] != b:
                    moves[count, 0], moves[count, 1] = group, i
                    moves[count, 2], moves[count, 3] = other, j
                    worse[count] = exchange_gain(state, group, i, other, j)
                    count += 1
    return count
