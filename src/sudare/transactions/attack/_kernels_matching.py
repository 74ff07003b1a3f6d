"""Kernels of the attacks on histories: whether a customer's purchases can be the rows published.

Every published row needs a purchase of its own that it contains: a matching.
"""

from typing import NamedTuple

import numpy as np

from sudare.core import CodeMatrix, FlagVector, IntegerMatrix, IntegerVector, inlined, kernel
from sudare.transactions.attack._kernels import PurchaseCells, Purchases, contained


class Matching(NamedTuple):
    """Distinct rows on the left, each needed some times, purchases on the right; all to be filled.

    Attributes
    ----------
    distinct, needs
        The rows on the left, and how many purchases of its own each needs.
    starts, ends
        Which purchases each row contains: those of row i are ends[starts[i]:starts[i + 1]].
    owner
        Row that has each purchase, -1 where it is free.
    free_from
        Where each row looks for a free purchase: one that was taken once is never free again.
    came_from
        Row from which the search came to each purchase.
    came_by
        Purchase by which the search came to each row.
    seen
        Number of the last search that came to each row.
    order, queue
        Rows, those with the fewest purchases first, and those that a search has come to.
    """

    distinct: IntegerVector
    needs: IntegerVector
    starts: IntegerVector
    ends: IntegerVector
    owner: IntegerVector
    free_from: IntegerVector
    came_from: IntegerVector
    came_by: IntegerVector
    seen: IntegerVector
    order: IntegerVector
    queue: IntegerVector


def matching_room(left: int, right: int, edges: int) -> Matching:
    """Return room for so many rows and purchases, and for a number of purchases in rows."""
    sizes = (left, left, left + 1, edges, right, left, right, left, left, left, left)
    return Matching(*(np.empty(size, np.int64) for size in sizes))


@inlined
def runs(numbers: IntegerVector, notes: Matching) -> int:
    """Find the distinct numbers of a sorted list, and how often each is there; return how many."""
    size = 0
    for number in numbers:
        if size == 0 or notes.distinct[size - 1] != number:
            notes.distinct[size], notes.needs[size] = number, 0
            size += 1
        notes.needs[size - 1] += 1
    return size


@inlined
def reachable(height: int, table: CodeMatrix, cells: PurchaseCells, notes: Matching) -> bool:
    """Find which purchases of a table each row contains; return whether there was room for them."""
    size = 0
    notes.starts[0] = 0
    for left in range(height):
        if size + len(table) > len(notes.ends):
            return False
        cell = notes.distinct[left]
        chosen, ends = cells.sets[cell], cells.ends[cell]
        names = cells.members[cells.set_starts[chosen] : cells.set_starts[chosen + 1]]
        for right in range(len(table)):
            if contained(table[right], ends, names):
                notes.ends[size] = right
                size += 1
        notes.starts[left + 1] = size
    return True


@inlined
def _rank(height: int, width: int, notes: Matching) -> None:
    """Put the rows with the fewest purchases first: counted by number, in ``came_from``."""
    before, starts = notes.came_from, notes.starts
    before[:width] = 0
    full = 0
    for left in range(height):
        degree = starts[left + 1] - starts[left]
        if degree < width:
            before[degree] += 1
        full += degree < width
    total = 0
    for degree in range(width):
        total, before[degree] = total + before[degree], total
    for left in range(height):
        degree = starts[left + 1] - starts[left]
        if degree < width:
            notes.order[before[degree]] = left
            before[degree] += 1
        else:
            notes.order[full] = left
            full += 1


@inlined
def free_end(root: int, search: int, notes: Matching) -> int:
    """Return a free purchase that a row can have if others move, or -1: a search breadth first."""
    starts, ends, owner, free_from = notes.starts, notes.ends, notes.owner, notes.free_from
    notes.queue[0], notes.seen[root], head, tail = root, search, 0, 1
    while head < tail:
        left = notes.queue[head]
        head += 1
        while free_from[left] < starts[left + 1] and owner[ends[free_from[left]]] >= 0:
            free_from[left] += 1
        if free_from[left] < starts[left + 1]:
            free = ends[free_from[left]]
            notes.came_from[free] = left
            return int(free)
        for right in ends[starts[left] : starts[left + 1]]:
            other = owner[right]
            if notes.seen[other] != search:
                notes.seen[other], notes.came_by[other] = search, right
                notes.came_from[right], notes.queue[tail] = left, other
                tail += 1
    return -1


@inlined
def covers(height: int, width: int, notes: Matching) -> bool:
    """Return whether every row can have as many purchases of its own as it needs."""
    _rank(height, width, notes)
    notes.owner[:width], notes.seen[:height] = -1, -1
    notes.free_from[:height] = notes.starts[:height]
    search = 0
    for root in notes.order[:height]:
        for _ in range(notes.needs[root]):
            end = free_end(root, search, notes)
            if end < 0:
                return False
            while notes.came_from[end] != root:
                notes.owner[end] = notes.came_from[end]
                end = notes.came_by[notes.owner[end]]
            notes.owner[end] = root
            search += 1
    return True


@kernel
def explain_pairs(
    pairs: IntegerMatrix,
    first: int,
    rows: IntegerVector,
    row_starts: IntegerVector,
    cells: PurchaseCells,
    bought: Purchases,
    notes: Matching,
    fits: FlagVector,
) -> int:
    """Find, for pairs of a published and an original customer, whether the one can be the other.

    ``rows`` holds the distinct row of every published row, ascending by customer, from
    ``row_starts`` on. Begins with the pair ``first``; returns the pair for which there was too
    little room in ``notes.ends``, or the number of pairs.
    """
    table, customer_starts = bought.tables[4], bought.customer_starts
    for number in range(first, len(pairs)):
        left, right = pairs[number, 0], pairs[number, 1]
        height = runs(rows[row_starts[left] : row_starts[left + 1]], notes)
        theirs = table[customer_starts[right] : customer_starts[right + 1]]
        if not reachable(height, theirs, cells, notes):
            return number
        fits[number] = covers(height, len(theirs), notes)
    return len(pairs)
