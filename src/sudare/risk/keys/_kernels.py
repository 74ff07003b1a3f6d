"""Kernels of the search for minimal uniques. They have a twin in the tests."""

from typing import NamedTuple

import numpy as np

from sudare.core import CodeMatrix, CodeVector, IntegerVector, inlined, kernel

CHAINS_TOO_SHORT, POOL_TOO_SMALL = -1, -2
_MOST_COLUMNS = 64  # a set of columns is the bits of one whole number


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

    last: CodeVector
    before: CodeVector
    row: CodeVector
    members: IntegerVector


class KeyCodes(NamedTuple):
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

    codes: CodeMatrix
    unknown: IntegerVector
    barred: IntegerVector


class Pool(NamedTuple):
    """Groups of rows, of one set of columns after another.

    Attributes
    ----------
    rows
        The rows of the groups one after another, shape (room,).
    ends
        Where each group ends, counted from the first row of its set, shape (room,).
    """

    rows: CodeVector
    ends: CodeVector


@inlined
def is_minimal(row: int, members: int, chains: UniqueChains) -> bool:
    """Return whether no unique of the row was found on a part of these columns."""
    entry = chains.last[row]
    while entry >= 0:
        if chains.members[entry] & ~members == 0:
            return False
        entry = chains.before[entry]
    return True


@inlined
def _room(
    rows: CodeVector, ends: CodeVector, codes: CodeVector, unknown: int, table: CodeMatrix
) -> int:
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


@inlined
def _tally(
    group: CodeVector,
    codes: CodeVector,
    barred: IntegerVector,
    members: int,
    table: CodeMatrix,
) -> tuple[int, int]:
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


@inlined
def _place(
    group: CodeVector, codes: CodeVector, values: int, table: CodeMatrix, kept: CodeVector
) -> None:
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


@inlined
def _note(
    group: CodeVector,
    codes: CodeVector,
    members: int,
    table: CodeMatrix,
    chains: UniqueChains,
    used: int,
) -> int:
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


@inlined
def _split(
    rows: CodeVector,
    ends: CodeVector,
    keys: KeyCodes,
    column: int,
    members: int,
    table: CodeMatrix,
    chains: UniqueChains,
    used: int,
    kept: CodeVector,
    stops: CodeVector,
) -> tuple[int, int, int]:
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
    kept, stops
        Get the groups that may hold uniques on more columns.

    Returns
    -------
    filled, parts, used
        How much of ``kept`` and of ``stops`` is filled, and the number of uniques now.
    """
    codes, count, alone = keys.codes[column], table[0], table[1]
    start, seen = table[2], table[3]
    last_one = column == 0  # column 0 is added last: its groups are not needed
    parts, filled, first = 0, 0, 0
    for last in ends:
        group = rows[first:last]
        first = last
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
    return filled, parts, used


@kernel
def visit(depth: int, keys: KeyCodes, table: CodeMatrix, chains: UniqueChains, pool: Pool) -> int:
    """Visit the sets of up to ``depth`` columns: split the groups of each by each column below it.

    A set is visited right after the one that it extends by a column, so that the pool holds the
    groups of the sets on the way to it only.

    Parameters
    ----------
    keys
        All rows.
    table
        Zeros, shape (4, number of codes).
    chains
        Where minimal uniques are noted.
    pool
        Begins with all rows as one group.

    Returns
    -------
    int
        The number of uniques, or which of ``chains`` and ``pool`` has no room for what might come.
    """
    # By level: the columns compared, the next to join and where they end, and the groups' places.
    members, column, below = (
        np.empty(_MOST_COLUMNS, np.int64),
        np.empty(_MOST_COLUMNS, np.int64),
        np.empty(_MOST_COLUMNS, np.int64),
    )
    rows_end, ends_end = np.empty(_MOST_COLUMNS, np.int64), np.empty(_MOST_COLUMNS, np.int64)
    level, used = 1, 0
    rows_end[0], ends_end[0] = 0, 0
    members[1], column[1], below[1] = 0, 0, len(keys.codes)
    rows_end[1], ends_end[1] = keys.codes.shape[1], 1
    while level > 0:
        if column[level] == below[level]:
            level -= 1
            continue
        joining = column[level]
        column[level] += 1
        rows = pool.rows[rows_end[level - 1] : rows_end[level]]
        ends = pool.ends[ends_end[level - 1] : ends_end[level]]
        if used + len(rows) > len(chains.row):
            return CHAINS_TOO_SHORT
        size = _room(rows, ends, keys.codes[joining], keys.unknown[joining], table)
        if joining > 0 and max(rows_end[level], ends_end[level]) + size > len(pool.rows):
            return POOL_TOO_SMALL
        wider = members[level] | 1 << joining
        kept, stops = pool.rows[rows_end[level] :], pool.ends[ends_end[level] :]
        filled, parts, used = _split(
            rows, ends, keys, joining, wider, table, chains, used, kept, stops
        )
        if parts > 0 and level < depth:
            rows_end[level + 1], ends_end[level + 1] = (
                rows_end[level] + filled,
                ends_end[level] + parts,
            )
            level += 1
            members[level], column[level], below[level] = wider, 0, joining
    return used
