"""Kernels of the attacks on histories: loops that NumPy cannot say, with twins in the tests.

A purchase is a row (date, price, quantity, item, customer) of whole numbers, a published row is
(lowest and highest date, price and quantity) and a list of items, empty where the item is deleted.
"""

from typing import Any, NamedTuple

import numpy as np

from sudare.core import Codes, Integers, kernel


class Purchases(NamedTuple):
    """The original rows in the orders in which they are looked up.

    Attributes
    ----------
    tables
        The rows by item, by date, by price, by quantity and by customer, shape (5, rows, 5).
    item_starts, customer_starts
        Where each item starts in the first table, and each customer in the last.
    """

    tables: Codes
    item_starts: Integers
    customer_starts: Integers


class Cells(NamedTuple):
    """Distinct published rows.

    Attributes
    ----------
    ends
        Lowest and highest date, price and quantity, shape (cells, 6).
    sets
        Set of items of each; the last set is empty, for the deleted ones.
    set_starts, members
        Items of each set, ascending.
    order, first, last
        Which table of purchases is shortest for each, and the part of it to look at.
    """

    ends: Codes
    sets: Codes
    set_starts: Integers
    members: Codes
    order: Integers
    first: Integers
    last: Integers


class Owners(NamedTuple):
    """Which published customers have which distinct row, how often: a sparse matrix by row."""

    starts: Integers
    holders: Codes
    times: Integers


@kernel
def named(names: Any, item: int) -> Any:
    """Return whether a list of items, ascending, holds one; the empty list holds all."""
    low, high = 0, len(names)
    if high == 0:
        return True
    while low < high:
        middle = (low + high) // 2
        if names[middle] < item:
            low = middle + 1
        else:
            high = middle
    return low < len(names) and names[low] == item


@kernel
def tally(table: Any, ends: Any, names: Any, counts: Any, touched: Any, count: int) -> Any:
    """Count the purchases of each customer that a published row contains.

    ``counts`` gets the numbers, ``touched`` the customers that have one, after the ``count`` that
    it holds. Returns how many those are now.
    """
    d0, d1, p0, p1, q0, q1 = ends[0], ends[1], ends[2], ends[3], ends[4], ends[5]
    for row in range(len(table)):
        purchase = table[row]
        if (
            d0 <= purchase[0] <= d1
            and p0 <= purchase[1] <= p1
            and q0 <= purchase[2] <= q1
            and named(names, purchase[3])
        ):
            customer = purchase[4]
            if counts[customer] == 0:
                touched[count] = customer
                count += 1
            counts[customer] += 1
    return count


@kernel
def look_up(cell: int, cells: Any, bought: Any, counts: Any, touched: Any) -> Any:
    """Count the purchases of each customer that a distinct published row contains."""
    all_ends, sets, set_starts, members, order, first, last = cells
    names = members[set_starts[sets[cell]] : set_starts[sets[cell] + 1]]
    if order[cell] > 0:
        part = bought.tables[order[cell], first[cell] : last[cell]]
        return tally(part, all_ends[cell], names, counts, touched, 0)
    count = 0
    for item in names:
        part = bought.tables[0, bought.item_starts[item] : bought.item_starts[item + 1]]
        count = tally(part, all_ends[cell], names[:0], counts, touched, count)
    return count


@kernel
def meet(
    numbers: Any, owners: Any, cells: Any, bought: Any, odds: float, reach: Any, gain: Any
) -> None:
    """Add what some distinct published rows say about their owners.

    Parameters
    ----------
    numbers
        The distinct rows of a block of published customers.
    owners
        Those who have them, by their index in the block.
    odds
        Of a row being like one of the customer's own, against like any row at all.
    reach
        Gets, for each owner and customer, how many of the owner's rows the customer's can explain
        at most, each row by itself.
    gain
        Gets the logarithm of how much likelier each owner's rows are as the customer's.
    """
    starts, holders, times = owners
    row_counts = bought.customer_starts[1:] - bought.customer_starts[:-1]
    rows = bought.tables.shape[1]
    counts = np.zeros(len(row_counts), np.int64)
    touched = np.empty(len(row_counts), np.int64)
    for at in range(len(numbers)):
        count = look_up(numbers[at], cells, bought, counts, touched)
        total = counts[touched[:count]].sum()
        for customer in touched[:count]:
            many = counts[customer]
            counts[customer] = 0
            weight = np.log1p(odds * many * rows / (total * row_counts[customer]))
            for entry in range(starts[at], starts[at + 1]):
                reach[holders[entry], customer] += min(times[entry], many)
                gain[holders[entry], customer] += times[entry] * weight


@kernel
def reachable(rows: Any, table: Any, cells: Any) -> Any:
    """Return which purchases of a table each published row contains, as starts and row numbers."""
    all_ends, sets, set_starts, members = cells[0], cells[1], cells[2], cells[3]
    starts = np.zeros(len(rows) + 1, np.int64)
    reached = np.empty(8 * len(rows) + len(table), np.int64)
    size = 0
    for left in range(len(rows)):
        if size + len(table) > len(reached):
            longer = np.empty(2 * len(reached) + len(table), np.int64)
            longer[:size] = reached[:size]
            reached = longer
        ends = all_ends[rows[left]]
        names = members[set_starts[sets[rows[left]]] : set_starts[sets[rows[left]] + 1]]
        d0, d1, p0, p1, q0, q1 = ends[0], ends[1], ends[2], ends[3], ends[4], ends[5]
        for right in range(len(table)):
            purchase = table[right]
            if (
                d0 <= purchase[0] <= d1
                and p0 <= purchase[1] <= p1
                and q0 <= purchase[2] <= q1
                and named(names, purchase[3])
            ):
                reached[size] = right
                size += 1
        starts[left + 1] = size
    return starts, reached


class Matching(NamedTuple):
    """Which place on the left has each end on the right, and notes of the search for free ends.

    Attributes
    ----------
    owner
        Place that has each end, -1 where it is free.
    free_from
        Where each place looks for a free end: an end that was taken once is never free again.
    came_from
        Place from which the search came to each end.
    came_by
        End by which the search came to each place.
    seen
        Number of the last search that came to each place.
    """

    owner: Integers
    free_from: Integers
    came_from: Integers
    came_by: Integers
    seen: Integers


@kernel
def free_end(root: int, search: int, starts: Any, ends: Any, notes: Any, queue: Any) -> Any:
    """Return a free end that a place can have if others move, or -1: a search breadth first."""
    owner, free_from, came_from, came_by, seen = notes
    queue[0], seen[root], head, tail = root, search, 0, 1
    while head < tail:
        left = queue[head]
        head += 1
        while free_from[left] < starts[left + 1] and owner[ends[free_from[left]]] >= 0:
            free_from[left] += 1
        if free_from[left] < starts[left + 1]:
            free = ends[free_from[left]]
            came_from[free] = left
            return free
        for right in ends[starts[left] : starts[left + 1]]:
            other = owner[right]
            if seen[other] != search:
                seen[other], came_by[other], came_from[right] = search, right, left
                queue[tail] = other
                tail += 1
    return -1


@kernel
def covers(starts: Any, ends: Any, needs: Any, width: int) -> Any:
    """Return whether every place on the left can have as many ends of its own as it needs."""
    height = len(starts) - 1
    none, queue = np.full(width, -1, np.int64), np.empty(height, np.int64)
    notes = Matching(
        none, starts[:-1].copy(), none.copy(), queue.copy(), np.full(height, -1, np.int64)
    )
    search = 0
    for root in np.argsort(starts[1:] - starts[:-1]):
        for _ in range(needs[root]):
            end = free_end(root, search, starts, ends, notes, queue)
            if end < 0:
                return False
            while notes.came_from[end] != root:
                notes.owner[end] = notes.came_from[end]
                end = notes.came_by[notes.owner[end]]
            notes.owner[end] = root
            search += 1
    return True


@kernel
def runs(numbers: Any) -> Any:
    """Return the distinct numbers of a sorted list, and how often each stands there."""
    distinct, times = np.empty_like(numbers), np.zeros(len(numbers), np.int64)
    size = 0
    for number in numbers:
        if size == 0 or distinct[size - 1] != number:
            distinct[size] = number
            size += 1
        times[size - 1] += 1
    return distinct[:size], times[:size]


@kernel
def explain_pairs(pairs: Any, rows: Any, row_starts: Any, cells: Any, bought: Any) -> Any:
    """Return, for pairs of a published and an original customer, whether the one can be the other.

    ``rows`` holds the distinct row of every published row, ascending by customer, from
    ``row_starts`` on.
    """
    table, customer_starts = bought[0][4], bought[2]
    fits = np.zeros(len(pairs), np.bool_)
    for number in range(len(pairs)):
        left, right = pairs[number, 0], pairs[number, 1]
        mine, needs = runs(rows[row_starts[left] : row_starts[left + 1]])
        theirs = table[customer_starts[right] : customer_starts[right + 1]]
        starts, ends = reachable(mine, theirs, cells)
        fits[number] = covers(starts, ends, needs, len(theirs))
    return fits
