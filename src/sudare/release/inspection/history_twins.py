"""Twins in purchase histories: what is published in a row tells what another cell of it hides.

A cell is named by what most *other customers* have in rows that share published cells, one vote
each: whoever knows what things cost names the same without the original. A customer's own rows do
not count, and where two values have as many votes, nobody is named.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sudare.core import Array, Codes, Flags, Message, Names
from sudare.release.inspection.derivable_values import Telling
from sudare.release.inspection.findings import Finding, Severity
from sudare.release.inspection.masked_pair import joined
from sudare.transactions import AMOUNTS, History, MaskedHistory
from sudare.transactions.loss import contains

_ADDED = 0.3  # share named by others, of the cells that do not name themselves, to be reported


@dataclass(frozen=True, eq=False, repr=False)
class _ShownColumn:
    """One column of the rows that are published.

    Attributes
    ----------
    values, shown
        What was there, and what is published of it, as codes, shape (n,).
    hidden
        Which cells are not published as they were, shape (n,).
    """

    values: Codes
    shown: Codes
    hidden: Flags


def find_history_twins(history: History, masked: MaskedHistory) -> Iterator[Finding]:
    """Yield the columns, or else the pair of them, that name the original cells of a masked one.

    Prices that sets of items name are only noted: what a thing costs tells nothing about a customer
    that the set does not.
    """
    table, customers = _columns(history, masked), history.customers[~masked.gone]
    for name in (name for name, cells in table.items() if cells.hidden.any()):
        tellings = _tellings(customers, table, name, 1)
        telling = [columns for columns in tellings if tellings[columns].is_most]
        if not telling:
            tellings |= _tellings(customers, table, name, 2)
            telling = sorted(tellings, key=lambda columns: -tellings[columns].told)[:1]
        for columns in telling:
            of_sets = name == "price" and "item" in columns and table["item"].hidden.mean() > 1 / 2
            yield _finding(name, columns, tellings[columns], is_noted=of_sets)


def _columns(history: History, masked: MaskedHistory) -> dict[str, _ShownColumn]:
    """Return the columns of the rows that are published."""
    kept, cells = ~masked.gone, masked.items.cells
    is_exact = np.append(masked.items.sizes == 1, False)[cells] & contains(history, masked.items)
    table = {"item": _ShownColumn(history.items[kept], cells[kept] + 1, ~is_exact[kept])}
    for name in AMOUNTS:
        own, ranges = history.amounts(name)[kept], masked.amounts(name).without(masked.gone)
        low, high = ranges.low[kept], ranges.high[kept]
        shown = joined([_coded(low), _coded(high)]).astype(np.int32)
        table[name] = _ShownColumn(_coded(own), shown, (low != own) | (high != own))
    return table


def _coded(values: Array) -> Codes:
    codes: Codes = np.unique(values, return_inverse=True)[1].astype(np.int32)
    return codes


def _tellings(
    customers: Codes, table: Mapping[str, _ShownColumn], name: str, number: int
) -> dict[tuple[str, ...], Telling]:
    """Return how much others tell of a masked column, so many at once, where they add to it."""
    values, shown, hidden = table[name].values, table[name].shown, table[name].hidden
    surprising = hidden & ~_named(customers, values, shown)
    tellings = {}
    for columns in combinations([other for other in table if other != name], number):
        parts = [table[column].shown for column in columns]
        groups = (joined(parts), joined([*parts, shown]))
        named = max((hidden & _named(customers, values, own) for own in groups), key=np.sum)
        if (named & surprising).sum() > _ADDED * surprising.sum():
            tellings[columns] = Telling(float(named.sum()), int(hidden.sum()))
    return tellings


def _named(customers: Codes, values: Codes, groups: Array) -> Flags:
    """Return which values most other customers have in the rows of a group, shape (n,).

    Examples
    --------
    >>> _named(np.array([0, 1, 2, 2]), np.array([5, 5, 5, 6]), np.zeros(4, np.int64)).tolist()
    [True, True, True, False]
    """
    width = int(values.max(initial=0)) + 1
    cells, places = np.unique(groups * np.int64(width) + values, return_inverse=True)
    people = int(customers.max(initial=0)) + 1
    votes = np.bincount(np.unique(places * people + customers) // people)
    order = np.lexsort((votes, cells // width))
    last = np.append(np.diff(cells[order] // width) > 0, True)
    rivals = np.where(np.append(True, last[:-1]), 0, np.append(0, votes[order][:-1]))
    wins = np.zeros(len(cells), np.bool_)
    wins[order] = last & (votes[order] - 1 > rivals)
    named: Flags = wins[places]
    return named


def _finding(name: str, columns: tuple[str, ...], telling: Telling, *, is_noted: bool) -> Finding:
    facts = {"columns": Names.of(columns), "masked": name}
    detail = Message(
        "From '{columns}' and what is published of '{masked}' follows the original '{masked}' in "
        "{count} of the {hidden} {hidden:purchase|purchases} where it was masked: most other "
        "customers have it in purchases that show the same.",
        count=round(telling.told),
        hidden=telling.hidden,
        **facts,
    )
    # To delete the masked column as well changes little: the others name it without its rest.
    remedy = Message(
        "Publish '{columns}' in wider bands or larger families, or not at all.",
        columns=facts["columns"],
    )
    severity: Severity = "stop" if telling.is_most and not is_noted else "note"
    return Finding("twin", (*columns, name), round(telling.told), severity, detail, remedy)
