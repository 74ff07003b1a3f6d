"""The kernel of the assignment problem: the cheapest column of each row, and why it is."""

from typing import NamedTuple

import numpy as np

from sudare.core import CodeMatrix, CodeVector, IntegerMatrix, IntegerVector, inlined, kernel

_FAR = 2**61
_CLOSED = -(2**62)  # the price of a column that a path has passed: it is never nearer again
_PASSES = 2  # of row reduction, before paths are sought


class AssignmentSpace(NamedTuple):
    """An assignment of n rows to m columns, and working space; there may be room for larger ones.

    ``columns`` (n,) gets the column of each row, ``u`` (n,) and ``v`` (m,) the prices that prove
    it; ``rows``, ``nearest``, ``origin``, ``prices``, ``passed`` and ``reached`` (m,) and ``free``
    (n,) are working space.
    """

    columns: CodeVector
    u: IntegerVector
    v: IntegerVector
    rows: CodeVector
    nearest: IntegerVector
    origin: CodeVector
    prices: IntegerVector
    passed: CodeVector
    reached: IntegerVector
    free: IntegerVector


def assignment_space(rows: int, columns: int) -> AssignmentSpace:
    """Return room for assignments of up to ``rows`` rows and ``columns`` columns."""
    return AssignmentSpace(
        np.empty(rows, np.int32),
        np.empty(rows, np.int64),
        np.empty(columns, np.int64),
        np.empty(columns, np.int32),
        np.empty(columns, np.int64),
        np.empty(columns, np.int32),
        np.empty(columns, np.int64),
        np.empty(columns, np.int32),
        np.empty(columns, np.int64),
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
        _place(costs, space.free[turn], columns, rows, u, v, space)
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
    space: AssignmentSpace,
) -> None:
    """Give a row a column along the shortest path, and move the prices.

    Of columns that are equally near, the first that is free is taken, or else the first: ways and
    prices count double here, and one more to a column that is not free.
    """
    nearest, origin, prices = (
        space.nearest[: len(v)],
        space.origin[: len(v)],
        space.prices[: len(v)],
    )
    for t in range(len(v)):
        nearest[t], prices[t] = _FAR, 2 * v[t] - (1 if rows[t] >= 0 else 0)
    i, way, steps = start, 0, 0
    while True:
        least, j = _nearer(costs[i], 2 * (way - u[i]), i, prices, nearest, origin), 0
        while nearest[j] != least:
            j += 1
        way = least >> 1
        if rows[j] < 0:
            break
        space.passed[steps], space.reached[steps] = j, way
        nearest[j], prices[j] = _FAR, _CLOSED
        i, steps = rows[j], steps + 1
    u[start] += way
    for step in range(steps):
        t = space.passed[step]
        u[rows[t]] += way - space.reached[step]
        v[t] -= way - space.reached[step]
    _follow(start, j, columns, rows, origin)


@inlined
def _nearer(
    row: CodeVector | IntegerVector,
    shift: int,
    i: int,
    prices: IntegerVector,
    nearest: IntegerVector,
    origin: CodeVector,
) -> int:
    """Note which columns are nearer from a row, and return the least way to any: no branch."""
    least = _FAR
    for t in range(len(prices)):
        reduced = 2 * row[t] - prices[t] + shift
        if reduced < nearest[t]:
            nearest[t], origin[t] = reduced, i
        least = min(least, nearest[t])
    return least


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
