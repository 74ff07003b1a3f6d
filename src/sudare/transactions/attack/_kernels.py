"""Kernels of the attacks on histories: loops that NumPy cannot say, with twins in the tests.

A purchase is a row (date, price, quantity, item, customer) of whole numbers, a published row is
(lowest and highest date, price and quantity) and a list of items, empty where the item is deleted.
"""

import math
from typing import NamedTuple

from sudare.core import (
    CodeCube,
    CodeMatrix,
    CodeVector,
    FloatMatrix,
    IntegerMatrix,
    IntegerVector,
    inlined,
    kernel,
)


class Purchases(NamedTuple):
    """The original rows in the orders in which they are looked up.

    Attributes
    ----------
    tables
        The rows by item, by date, by price, by quantity and by customer, shape (5, rows, 5).
    item_starts, customer_starts
        Where each item starts in the first table, and each customer in the last.
    """

    tables: CodeCube
    item_starts: IntegerVector
    customer_starts: IntegerVector


class PurchaseCells(NamedTuple):
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

    ends: CodeMatrix
    sets: CodeVector
    set_starts: IntegerVector
    members: CodeVector
    order: IntegerVector
    first: IntegerVector
    last: IntegerVector


class Owners(NamedTuple):
    """Which published customers have which distinct row, how often: a sparse matrix by row."""

    starts: IntegerVector
    holders: CodeVector
    times: IntegerVector


class Tallied(NamedTuple):
    """Working space: purchases by customer, zeros, and who has some, shape (customers,)."""

    counts: IntegerVector
    touched: IntegerVector


@inlined
def named(names: CodeVector, item: int) -> bool:
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


@inlined
def contained(purchase: CodeVector, ends: CodeVector, names: CodeVector) -> bool:
    """Return whether a published row contains a purchase."""
    return (
        ends[0] <= purchase[0] <= ends[1]
        and ends[2] <= purchase[1] <= ends[3]
        and ends[4] <= purchase[2] <= ends[5]
        and named(names, purchase[3])
    )


@inlined
def tally(
    table: CodeMatrix, ends: CodeVector, names: CodeVector, tallied: Tallied, count: int
) -> int:
    """Count the purchases of each customer that a published row contains.

    The customers that have one are noted after the ``count`` that are noted already. Returns how
    many those are now.
    """
    for row in range(len(table)):
        if contained(table[row], ends, names):
            customer = table[row, 4]
            if tallied.counts[customer] == 0:
                tallied.touched[count] = customer
                count += 1
            tallied.counts[customer] += 1
    return count


@inlined
def look_up(cell: int, cells: PurchaseCells, bought: Purchases, tallied: Tallied) -> int:
    """Count the purchases of each customer that a distinct published row contains."""
    chosen, ends = cells.sets[cell], cells.ends[cell]
    names = cells.members[cells.set_starts[chosen] : cells.set_starts[chosen + 1]]
    if cells.order[cell] > 0:
        part = bought.tables[cells.order[cell], cells.first[cell] : cells.last[cell]]
        return tally(part, ends, names, tallied, 0)
    count = 0
    for item in names:
        sold = bought.tables[0, bought.item_starts[item] : bought.item_starts[item + 1]]
        count = tally(sold, ends, names[:0], tallied, count)
    return count


@kernel
def meet(
    numbers: IntegerVector,
    owners: Owners,
    cells: PurchaseCells,
    bought: Purchases,
    odds: float,
    tallied: Tallied,
    reach: IntegerMatrix,
    gain: FloatMatrix,
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
    counts, rows = tallied.counts, bought.tables.shape[1]
    for at in range(len(numbers)):
        count, total = look_up(numbers[at], cells, bought, tallied), 0
        for customer in tallied.touched[:count]:
            total += counts[customer]
        for customer in tallied.touched[:count]:
            many = counts[customer]
            counts[customer] = 0
            own = bought.customer_starts[customer + 1] - bought.customer_starts[customer]
            weight = math.log1p(odds * many * rows / (total * own))
            for entry in range(starts[at], starts[at + 1]):
                reach[holders[entry], customer] += min(times[entry], many)
                gain[holders[entry], customer] += times[entry] * weight
