"""Kernels of the search for minimal uniques. They have a twin in the tests."""

from typing import Any, NamedTuple

import numpy as np

from sudare.core import Array, kernel


class UniqueChains(NamedTuple):
    """Minimal uniques found so far, those of a row as a chain.

    Attributes
    ----------
    last
        Entry of the last unique of each row, or -1, shape (d,).
    before
        Entry of the one before it in the same row, or -1, shape (capacity,).
    row, members
        Which row, and which columns (bits of a whole number), shape (capacity,).
    """

    last: Array
    before: Array
    row: Array
    members: Array


class Keys(NamedTuple):
    """The distinct rows of the table that is searched.

    Attributes
    ----------
    codes
        By column, shape (m, d); below 0 where a value is missing and matches all.
    unknown
        How many are, by column, shape (m,).
    barred
        Columns on which a row cannot be alone, as bits: it has no value there, shape (d,).
    """

    codes: Array
    unknown: Array
    barred: Array


@kernel
def is_minimal(row: int, members: int, chains: UniqueChains) -> bool:
    """Return whether no unique of the row was found on a part of these columns."""
    entry = chains.last[row]
    while entry >= 0:
        if chains.members[entry] & ~members == 0:
            return False
        entry = chains.before[entry]
    return True


@kernel
def _room(rows: Array, ends: Array, codes: Array, unknown: int, table: Array) -> Any:
    """Return how much room groups need once those that match all are in each of them."""
    if unknown == 0:
        return len(rows)
    count, seen = table[0], table[3]
    size, first = 0, 0
    for last in ends:
        values, matching = 0, 0
        for row in rows[first:last]:
            code = codes[row]
            if code < 0:
                matching += 1
                continue
            if count[code] == 0:
                seen[values] = code
                values += 1
            count[code] += 1
        size += last - first + matching * values
        for number in range(values):
            count[seen[number]] = 0
        first = last
    return size


@kernel
def _tally(group: Array, codes: Array, barred: Array, members: int, table: Array) -> Any:
    """Count rows and candidates by code; return how many codes there are and how many match all."""
    count, alone, seen = table[0], table[1], table[3]
    values, unknown = 0, 0
    for row in group:
        code = codes[row]
        if code < 0:
            unknown += 1
            continue
        if count[code] == 0:
            seen[values] = code
            values += 1
        count[code] += 1
        alone[code] += barred[row] & members == 0
    return values, unknown


@kernel
def _place(group: Array, codes: Array, values: int, table: Array, kept: Array) -> None:
    """Put the rows of a group in the places of their codes, those that match all in each."""
    start, seen = table[2], table[3]
    for row in group:
        code = codes[row]
        if code >= 0:
            if start[code] >= 0:
                kept[start[code]] = row
                start[code] += 1
            continue
        for number in range(values):
            other = seen[number]
            if start[other] >= 0:
                kept[start[other]] = row
                start[other] += 1


@kernel
def _note(
    group: Array,
    codes: Array,
    members: int,
    table: Array,
    chains: UniqueChains,
    used: int,
) -> Any:
    """Note the rows of a group that are alone with their code, where that is minimal."""
    start, alone = table[2], table[1]
    for row in group:
        code = codes[row]
        lonely = code >= 0 and start[code] < 0 and alone[code] > 0
        if lonely and is_minimal(row, members, chains):
            chains.row[used] = row
            chains.members[used] = members
            chains.before[used] = chains.last[row]
            chains.last[row] = used
            used += 1
    return used


@kernel
def split(
    rows: Array,
    ends: Array,
    keys: Keys,
    column: int,
    members: int,
    table: Array,
    chains: UniqueChains,
    used: int,
) -> Any:
    """Split groups of rows by one more column, and note the rows that stay alone.

    Parameters
    ----------
    rows, ends
        The groups one after another, and where each ends.
    keys
        All rows.
    column
        Which column.
    members
        The columns compared so far and this one, as bits.
    table
        Zeros, shape (4, number of codes).
    chains
        Where minimal uniques are noted.
    used
        How many are.

    Returns
    -------
    rows, ends, used
        The groups that may hold uniques on more columns, and the number of uniques now.
    """
    codes, count, alone = keys.codes[column], table[0], table[1]
    start, seen = table[2], table[3]
    last_one = column == 0  # column 0 is added last: its groups are not needed
    size = 0 if last_one else _room(rows, ends, codes, keys.unknown[column], table)
    kept, stops = np.empty(size, np.int32), np.empty(size, np.int32)
    parts, filled, first = 0, 0, 0
    for last in ends:
        group, first = rows[first:last], last
        values, matching = _tally(group, codes, keys.barred, members, table)
        lonely = False
        for code in seen[:values]:
            start[code] = -1
            if alone[code] > 0 and count[code] + matching > 1:
                start[code] = filled
                if not last_one:
                    filled += count[code] + matching
                    stops[parts] = filled
                    parts += 1
            elif alone[code] > 0:
                lonely = True
        if not last_one:
            _place(group, codes, values, table, kept)
        if lonely:
            used = _note(group, codes, members, table, chains, used)
        for code in seen[:values]:
            count[code] = 0
            alone[code] = 0
    return kept[:filled], stops[:parts], used


@kernel
def visit(
    rows: Array,
    ends: Array,
    members: int,
    below: int,
    depth: int,
    keys: Keys,
    table: Array,
    chains: UniqueChains,
    used: int,
) -> Any:
    """Split groups by each column below one, and the parts further, up to ``depth`` columns more.

    Parameters
    ----------
    rows, ends
        The groups one after another, and where each ends.
    members
        The columns compared so far, as bits.
    below
        Which columns may join: those before this one.
    keys, table, chains, used
        As for :func:`split`.

    Returns
    -------
    int
        The number of uniques now, or -1 where ``chains`` is too short for what might come.
    """
    for column in range(below):
        if used + len(rows) > len(chains.row):
            return -1
        wider = members | 1 << column
        kept, stops, used = split(rows, ends, keys, column, wider, table, chains, used)
        if len(stops) and depth > 1:
            used = visit(kept, stops, wider, column, depth - 1, keys, table, chains, used)
            if used < 0:
                return used
    return used
