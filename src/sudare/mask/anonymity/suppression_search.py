"""Which key cells to suppress until every record has k matches, with few cells suppressed.

Rows are distinct combinations of keys, so that the cost grows with these and not with records; a
set of columns is a whole number, bit j being column j. Sets are tried from the cheapest on:
no row loses more than the cheapest set that makes it safe.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from math import comb

import numpy as np

from sudare.core import Flags, Floats, Integers
from sudare.engine.counting import KeyRows, subsets

Level = tuple[int, ...]  # sets of columns that cost the same

_MOST_SETS = 1024  # all sets of 10 columns; of more columns only the small sets are tried
_KINDS = 64  # kinds of missing columns that are counted; leaving out the rarest errs to safety
_PATIENCE = 1.3  # cells within this factor of the best are taken together
_WIDE = 10  # columns beyond which every pair of rows may be looked at, for all sets at once
_BUCKET_BITS = 14
_SCATTER = np.uint64(0x9E3779B97F4A7C15)  # odd, so that the high bits depend on all of a key
_PAIRS_PER_KEYING = 50_000  # pairs that are looked at in the time of one grouping by keys


def levels(costs: Sequence[float]) -> list[Level]:
    """Return the sets of columns by cost, then by size, those that cost the same together.

    Examples
    --------
    >>> levels([1.0, 1.0, 3.0])
    [(1, 2), (3,), (4,), (5, 6), (7,)]
    """
    columns = range(len(costs))
    largest, sets = 0, 0
    while largest < len(costs) and sets + comb(len(costs), largest + 1) <= _MOST_SETS:
        largest += 1
        sets += comb(len(costs), largest)
    priced = sorted(
        (round(sum(costs[c] for c in chosen), 9), size, sum(1 << c for c in chosen))
        for size in range(1, max(largest, 1) + 1)
        for chosen in combinations(columns, size)
    )
    return [tuple(m for *_, m in same) for _, same in groupby(priced, key=lambda p: p[:2])]


def suppress_wildcards(rows: KeyRows, k: int, costs: Sequence[float]) -> KeyRows:
    """Make cells missing until every row matches k records, missing matching everything.

    A suppressed cell also helps the rows that now match it, so single columns are tried again
    after each level. Counts never fall, so what is safe stays safe. Rows are left with fewer
    matches only if there are fewer than k records. Cells that are fixed, as they were blank before,
    match each other only; where too few records share them, others lose these columns.
    """
    everyone = np.arange(len(rows.sizes))
    counts = rows.matches(everyone)
    if rows.fixed is not None:
        rows = _with_givers(rows, np.flatnonzero(counts < k), k, np.asarray(costs))
        counts = rows.matches(everyone)
    tried = levels(costs)
    singles = [level for level in tried if level[0].bit_count() == 1]
    while (counts < k).any():
        for level in tried:
            rows, counts = _relieved(rows, counts, level, k)
            rows, counts = _settled(rows, counts, singles, k)
            if (counts >= k).all():
                return rows
        # Only small sets were tried, or none is left: rows at risk lose one more column.
        blanked = _losing_one_more(rows, np.flatnonzero(counts < k), costs)
        if blanked is None:
            return rows
        rows = blanked
        counts = rows.matches(everyone)
    return rows


def _with_givers(rows: KeyRows, risky: Integers, k: int, costs: Floats) -> KeyRows:
    """Suppress cells of other rows for rows that would lack matches even without all their values.

    Such a row has blanks that fewer than k records share. The rows that are nearest to it lose the
    values in which they differ from it or, where they are blank, it loses its own.
    """
    bits = 1 << np.arange(len(costs), dtype=np.int64)
    everything = int(bits.sum())
    spent = rows.spent()
    for row in risky:
        alone = np.array([row])
        if rows.matches(alone, everything & ~int(spent[row]))[0] >= k:
            continue
        differs = (rows.terms != rows.terms[row]) & (rows.terms != 0) & (rows.terms[row] != 0)
        apart = differs.any(axis=1)
        lacking = k - int(rows.sizes[~apart].sum())
        fixed = (rows.spent()[:, None] & bits) != 0
        price = (differs & ~fixed) @ costs * rows.sizes + (differs & fixed) @ costs * rows.sizes[
            row
        ]
        givers = np.flatnonzero(apart)
        per_record = price[givers] / np.minimum(rows.sizes[givers], max(lacking, 1))
        givers = givers[np.lexsort((rows.sums[givers], per_record))]
        enough = int(np.searchsorted(np.cumsum(rows.sizes[givers]), lacking)) + 1
        sets = np.zeros(len(rows.sizes), np.int64)
        for giver in givers[: enough if lacking > 0 else 0]:
            sets[giver] |= int((differs[giver] & ~fixed[giver]) @ bits)
            sets[row] |= int((differs[giver] & fixed[giver]) @ bits)
        rows = rows.blanking(sets)
    return rows


def _settled(
    rows: KeyRows, counts: Integers, singles: Sequence[Level], k: int
) -> tuple[KeyRows, Integers]:
    """Suppress single columns as long as that makes rows safe."""
    left = len(counts) + 1
    while 0 < (now := int((counts < k).sum())) < left:
        left = now
        for level in singles:
            rows, counts = _relieved(rows, counts, level, k)
    return rows, counts


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows at risk that are safe without some columns, by equal values in the other columns."""

    left_out: int
    rows: Integers
    cell: Integers


@dataclass(frozen=True, eq=False)
class Relief:
    """What suppressing in each cell would bring: rows sorted by cell, and two sums by cell."""

    rows: Integers
    cell: Integers
    suppressed: Flags  # which rows must be suppressed so that their whole cell is safe
    paid: Integers  # records suppressed, by cell
    relieved: Integers  # records made safe, by cell


def relief(cells: Cells, counts: Integers, sizes: Integers, k: int) -> Relief:
    """Return which rows of each cell to suppress.

    A row that loses the columns gives its records to all others of the cell, which then match it.
    So those with fewest matches are suppressed, until these gifts make the others safe.
    """
    risky = np.flatnonzero(counts[cells.rows] < k)
    rows, cell = cells.rows[risky], cells.cell[risky]
    order = np.lexsort((rows, -sizes[rows], counts[rows], cell))
    rows, cell = rows[order], cell[order]
    starts = np.concatenate(([True], cell[1:] != cell[:-1])) if len(rows) else np.zeros(0, bool)
    cell = np.cumsum(starts) - 1
    given = np.cumsum(sizes[rows]) - sizes[rows]
    given -= given[starts][cell]
    suppressed = counts[rows] + given < k
    paid = np.bincount(cell, weights=sizes[rows] * suppressed).astype(np.int64)
    relieved = np.bincount(cell, weights=sizes[rows]).astype(np.int64)
    return Relief(rows, cell, suppressed, paid, relieved)


def _relieved(rows: KeyRows, counts: Integers, level: Level, k: int) -> tuple[KeyRows, Integers]:
    """Suppress the sets of one level where they suffice, cells that relieve most rows first."""
    risky = np.flatnonzero(counts < k)
    cells = list[Cells]()
    for left_out, matches in zip(level, _matches(rows, risky, level), strict=True):
        safe = risky[(matches >= k) & (rows.spent()[risky] & left_out == 0)]
        if len(safe):
            cell = np.unique(rows.keys(safe, left_out), return_inverse=True)[1]
            cells.append(Cells(left_out, safe, cell))
    if not cells:
        return rows, counts
    counts, blanked = counts.copy(), np.zeros(len(counts), np.int64)
    offers = [relief(c, counts, rows.sizes, k) for c in cells]
    bar = max(float((offer.relieved / offer.paid).max()) for offer in offers)
    while True:
        for candidates in cells:
            offer = relief(candidates, counts, rows.sizes, k)
            taken = (offer.relieved >= bar * offer.paid)[offer.cell]
            helped = taken & ~offer.suppressed
            counts[offer.rows[helped]] += offer.paid[offer.cell[helped]]
            lost = offer.rows[taken & offer.suppressed]
            counts[lost] = k  # they match at least as many; the exact number is not needed
            blanked[lost] |= candidates.left_out
        if bar <= 1:
            break
        bar = max(1.0, bar / _PATIENCE)
    rows = rows.blanking(blanked)
    risky = np.flatnonzero(counts < k)
    counts[risky] = np.maximum(counts[risky], rows.matches(risky, kinds=_KINDS))
    return rows, counts


def _matches(rows: KeyRows, risky: Integers, level: Level) -> Iterator[Integers]:
    """Yield, for each set of a level, how many records match each row without its columns.

    Rows that have lost one of the columns already need not be right.
    """
    keyings = len(level) * min(len(rows.by_blanks), _KINDS)
    wide = rows.terms.shape[1] > _WIDE
    if wide and len(risky) * len(rows.sizes) < _PAIRS_PER_KEYING * keyings:
        sets = sorted({part for members in level for part in subsets(members) if part})
        counts = rows.matches_without(risky, sets)
        yield from counts.T[np.searchsorted(sets, level)]
        return
    for left_out in level:
        matches = np.zeros(len(risky), np.int64)
        free = np.flatnonzero(rows.spent()[risky] & left_out == 0)
        matches[free] = rows.matches(risky[free], left_out, kinds=_KINDS)
        yield matches


def _losing_one_more(rows: KeyRows, risky: Integers, costs: Sequence[float]) -> KeyRows | None:
    """Suppress the column that brings a row most matches for its cost; None if none is left."""
    bits = 1 << np.arange(len(costs), dtype=np.int64)
    matches = np.stack(list(_matches(rows, risky, tuple(bits.tolist()))))
    gains = matches / np.where(np.asarray(costs) > 0, costs, 1e-9)[:, None]
    gains[rows.spent()[risky] & bits[:, None] != 0] = -1.0
    if (gains < 0).all():
        return None
    sets = np.zeros(len(rows.sizes), np.int64)
    sets[risky] = np.where(gains.max(axis=0) >= 0, 1 << gains.argmax(axis=0), 0)
    return rows.blanking(sets)


def suppress_categories(rows: KeyRows, k: int, costs: Sequence[float]) -> KeyRows:
    """Make cells missing until every row equals k records, missing being a value of its own.

    Rows at risk go together: a set of columns is suppressed where the rows that become equal have
    k records. The few that are left at the end join the class that costs least.
    """
    blanked: KeyRows | None = rows
    while blanked is not None:
        rows = blanked
        for level in levels(costs):
            rows = _moved(rows, level, k)
        risky = np.flatnonzero(class_sizes(rows) < k)
        if not len(risky):
            return rows
        enough = rows.sizes[risky].sum() >= k  # if so, only small sets were tried
        blanked = _losing_one_more(rows, risky, costs) if enough else None
    while (risky := np.flatnonzero(class_sizes(rows) < k)).size:
        rows, joined = _joined(rows, int(risky[0]), k, np.asarray(costs))
        if not joined:
            break
    return rows


def _moved(rows: KeyRows, level: Level, k: int) -> KeyRows:
    """Suppress the sets of one level where rows become equal to k records, large moves first."""
    classes = Classes.of(rows, k)
    movers = {left_out: _movers(rows, classes, k, left_out) for left_out in level}
    changed = False
    for left_out in sorted(level, key=lambda s: -int(rows.sizes[movers[s]].sum())):
        moving = _movers(rows, classes, k, left_out) if changed else movers[left_out]
        if not len(moving):
            continue
        sets = np.zeros(len(rows.sizes), np.int64)
        sets[moving] = left_out
        rows, changed = rows.blanking(sets), True
        classes = Classes.of(rows, k)
    return rows


@dataclass(frozen=True, eq=False)
class Classes:
    """The rows that equal fewer than k records, and how many records have each key of the rest."""

    risky: Integers
    keys: Integers  # of the rest, ascending
    sizes: Integers
    bucketed: Floats  # records of the rest by bucket of their keys

    @classmethod
    def of(cls, rows: KeyRows, k: int) -> "Classes":
        """Return the classes of some rows."""
        keys, index = np.unique(rows.sums, return_inverse=True)
        sizes = np.bincount(index, weights=rows.sizes).astype(np.int64)
        safe = sizes >= k
        bucketed = _bucketed(_buckets(keys[safe]), sizes[safe])
        return cls(np.flatnonzero(~safe[index]), keys[safe], sizes[safe], bucketed)

    def records(self, keys: Integers) -> Integers:
        """Return how many records of the rest have each of some keys."""
        if not len(self.keys):
            return np.zeros(len(keys), np.int64)
        position = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[position] == keys, self.sizes[position], 0)


def class_sizes(rows: KeyRows) -> Integers:
    """Return how many records equal each row, missing being a value of its own."""
    index = np.unique(rows.sums, return_inverse=True)[1]
    return np.bincount(index, weights=rows.sizes).astype(np.int64)[index]


def _movers(rows: KeyRows, classes: Classes, k: int, left_out: int) -> Integers:
    """Return the rows at risk that are equal to k records if they lose some columns."""
    risky = classes.risky
    moves = rows.blanks[risky] & left_out == 0
    after = np.where(moves, rows.keys(risky, left_out), rows.sums[risky])
    # Rows whose bucket has fewer than k records equal fewer: the exact look is at the others.
    buckets = _buckets(after)
    some = np.flatnonzero((_bucketed(buckets, rows.sizes[risky]) + classes.bucketed)[buckets] >= k)
    if not moves[some].any():
        return risky[:0]
    keys, index = np.unique(after[some], return_inverse=True)
    together = np.bincount(index, weights=rows.sizes[risky[some]], minlength=len(keys))
    enough: Flags = (together + classes.records(keys))[index] >= k
    return risky[some[moves[some] & enough]]


def _buckets(keys: Integers) -> Integers:
    """Return a bucket for each key, the same for equal ones."""
    return (keys.astype(np.uint64) * _SCATTER >> np.uint64(64 - _BUCKET_BITS)).astype(np.int64)


def _bucketed(buckets: Integers, sizes: Integers) -> Floats:
    records = np.bincount(buckets, weights=sizes, minlength=1 << _BUCKET_BITS)
    return records.astype(np.float64, copy=False)


def _joined(rows: KeyRows, row: int, k: int, costs: Floats) -> tuple[KeyRows, bool]:
    """Make one row and the class nearest to it equal; without any class, suppress the row."""
    sizes = class_sizes(rows)
    safe = np.flatnonzero(sizes >= k)
    if not len(safe):
        return rows.blanking(np.full(len(sizes), (1 << len(costs)) - 1)), False
    differs = rows.terms[safe] != rows.terms[row]
    price = sizes[safe] * ((differs & (rows.terms[safe] != 0)) @ costs)
    price += sizes[row] * ((differs & (rows.terms[row] != 0)) @ costs)
    nearest = int(safe[np.lexsort((rows.sums[safe], price))[0]])
    left_out = int((rows.terms[nearest] != rows.terms[row]) @ (1 << np.arange(len(costs))))
    sets = np.zeros(len(sizes), np.int64)
    sets[rows.sums == rows.sums[nearest]] = left_out
    sets[rows.sums == rows.sums[row]] = left_out
    return rows.blanking(sets), True


def cells_suppressed(before: KeyRows, after: KeyRows) -> Integers:
    """Return the number of cells that were made missing in each column, shape (m,)."""
    lost = (before.terms != 0) & (after.terms == 0)
    return np.asarray(before.sizes @ lost, np.int64)
