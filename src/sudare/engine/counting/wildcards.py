"""Counts with missing values as wildcards: a missing value matches every value.

Each cell becomes a whole number, its term, and missing becomes 0. The sum of a record's terms tells
it from every other record, and leaving columns out of the comparison is leaving terms out of the
sum. Not applicable is a value like any other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Annotated, Literal, Self

import numpy as np

from sudare.core import (
    MISSING,
    Array,
    Categorical,
    Codes,
    Column,
    Flags,
    Floats,
    Integers,
    SettingError,
)
from sudare.engine.counting.counts import Groups, groups
from sudare.engine.counting.threads import side_by_side

# The setting by which a method takes missing keys.
MissingKeys = Annotated[
    Literal["suppressed", "category", "wildcard"],
    "which missing keys match every value: those that masking suppressed, none, or all",
]

_LARGEST_KEY = 2**62
_MOST_COLUMNS = 60  # a set of columns is the bits of one whole number
_BLOCK = 512
_PAIRS_AT_ONCE = 1 << 20
_SAMPLE = 64
_LOOPED_PER_KEYING = 50_000  # the same in a compiled loop that ends at the first difference
_PAIRS_PER_KEYING = 5000  # pairs of rows that are compared in the time of one grouping by keys


@dataclass(frozen=True, eq=False)
class KeyRows:
    """Distinct combinations of keys, and how many records have each.

    Sets of columns are whole numbers: bit j is column j.

    Attributes
    ----------
    terms
        Shape (d, m); 0 where the value is missing.
    sizes
        Number of records, or their summed weights, shape (d,).
    fixed
        The set of columns of each row that cannot be suppressed, shape (d,); None for no column.
    """

    terms: Integers
    sizes: Array
    fixed: Integers | None = None

    @cached_property
    def sums(self) -> Integers:
        """Key of each row over all columns, missing being a value of its own, shape (d,)."""
        return self.terms.sum(axis=1)

    @cached_property
    def blanks(self) -> Integers:
        """The set of columns that are missing in each row, shape (d,)."""
        bits = np.left_shift(1, np.arange(self.terms.shape[1], dtype=np.int64))
        return (self.terms == 0) @ bits

    def spent(self) -> Integers:
        """Return the set of columns of each row that are missing or cannot be, shape (d,)."""
        return self.blanks if self.fixed is None else self.blanks | self.fixed

    @cached_property
    def by_blanks(self) -> tuple[tuple[int, Integers], ...]:
        """Each set of missing columns that occurs, with its rows, the most frequent first."""
        order = np.argsort(self.blanks, kind="stable")
        kinds, starts = np.unique(self.blanks[order], return_index=True)
        members = zip(kinds.tolist(), np.split(order, starts[1:]), strict=True)
        return tuple(sorted(members, key=lambda kind: (-len(kind[1]), kind[0])))

    def keys(self, rows: Integers, left_out: int) -> Integers:
        """Return the key of some rows over the columns that are not left out."""
        keys = self.sums[rows]
        for column in columns_in(left_out):
            keys -= self.terms[rows, column]
        return keys

    def matches(self, rows: Integers, left_out: int = 0, *, kinds: int | None = None) -> Array:
        """Return how many records match each of some rows on the columns that are not left out.

        Two records match where their values are equal or one of them is missing. The cost grows
        with the distinct rows and with the kinds of missing columns, not with pairs of records.

        Parameters
        ----------
        rows
            The rows whose matches are counted.
        left_out
            A set of columns that are not compared.
        kinds
            Count only the records with the most frequent sets of missing columns, so many of them:
            a lower bound where the sets are many, and quick.
        """
        compared = self.blanks[rows] | left_out
        owns = np.unique(compared).tolist()
        others = self.by_blanks[:kinds]
        if len(rows) * len(self.sizes) < _PAIRS_PER_KEYING * len(owns) * len(others):
            return self._compared(rows, left_out)
        counts = np.zeros(len(rows), self.sizes.dtype)
        for own in owns:
            members = np.flatnonzero(compared == own)
            for blank, candidates in others:
                wanted = self.keys(rows[members], own | blank)
                counts[members] += _matching_sizes(
                    wanted, self.keys(candidates, own | blank), self.sizes[candidates]
                )
        return counts

    def matches_without(self, rows: Integers, sets: Sequence[int]) -> Integers:
        """Return how many records match each row on the columns outside of each set.

        Every pair of rows is looked at once for all sets, in place of once for each: quick where
        the sets are many and small. They have at most as many columns as the largest of them, and
        with a set all of its subsets are among them, the empty set left out.

        Returns
        -------
        counts
            Shape (rows, sets).
        """
        some = self.terms[:: len(self.terms) // _SAMPLE + 1]  # the most telling columns come first
        order = np.argsort([-len(set(column.tolist())) for column in some.T], kind="stable")
        position = np.argsort(order)
        base, most = len(order) + 1, max(members.bit_count() for members in sets)
        numbers = np.zeros(base**most, np.int32)  # of the empty set, the first
        for number, members in enumerate(sets, start=1):
            digits = sorted(int(position[column]) + 1 for column in columns_in(members))
            numbers[sum(d * base**i for i, d in enumerate(reversed(digits)))] = number
        counts = _differences(self.terms[:, order], self.sizes, rows, most, numbers, len(sets) + 1)
        # From sets of columns that differ to sets outside of which nothing does.
        number_of = {0: 0, **{members: n for n, members in enumerate(sets, start=1)}}
        totals = np.empty((len(rows), len(sets)), np.int64)
        for number, members in enumerate(sets):
            parts = [number_of[subset] for subset in subsets(members)]
            totals[:, number] = counts[:, parts].sum(axis=1)
        return totals

    def pairs(self) -> Iterator[tuple[Integers, Integers]]:
        """Yield every pair of rows that match, (row, other), each row with itself, in blocks.

        All pairs of a row are in one block. Blocks bound what is held at a time; the cost grows
        with the pairs.
        """
        counts = replace(self, sizes=np.ones(len(self.sizes), np.int64)).matches(
            np.arange(len(self.sizes))
        )
        bounds = np.searchsorted(np.cumsum(counts), np.arange(0, counts.sum(), _PAIRS_AT_ONCE)[1:])
        for rows in np.split(np.arange(len(counts)), np.unique(bounds)):
            if len(rows):
                yield self._pairs_of(rows)

    def _pairs_of(self, rows: Integers) -> tuple[Integers, Integers]:
        owners, others = list[Integers](), list[Integers]()
        for own in np.unique(self.blanks[rows]).tolist():
            members = rows[self.blanks[rows] == own]
            for blank, candidates in self.by_blanks:
                keys = self.keys(candidates, own | blank)
                order = np.argsort(keys, kind="stable")
                wanted = self.keys(members, own | blank)
                first = np.searchsorted(keys[order], wanted, "left")
                number = np.searchsorted(keys[order], wanted, "right") - first
                steps = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)
                owners.append(np.repeat(members, number))
                others.append(candidates[order[np.repeat(first, number) + steps]])
        return np.concatenate(owners), np.concatenate(others)

    def _compared(self, rows: Integers, left_out: int) -> Array:
        """Return the same by comparing every pair of rows: for few rows of many kinds."""
        columns = [c for c in range(self.terms.shape[1]) if not left_out >> c & 1]
        if self.sizes.dtype.kind == "i":
            return _differences(
                self.terms[:, columns], self.sizes, rows, 0, np.zeros(1, np.int32), 1
            )[:, 0]
        counts = np.empty(len(rows), self.sizes.dtype)
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            equal = np.ones((len(block), len(self.sizes)), np.bool_)
            for column in columns:
                own, others = self.terms[block, column, None], self.terms[:, column]
                equal &= (own == others) | (own == 0) | (others == 0)
            counts[start : start + _BLOCK] = equal @ self.sizes
        return counts

    def totals(self, amounts: Floats) -> Floats:
        """Return the summed amounts of all rows that match each row, itself included, shape (d, k).

        Rows without missing values match no others of their kind, so that only pairs with a missing
        value are compared; where they are too many, rows are found by their keys.
        """
        blank = np.flatnonzero(self.blanks)
        keyings = amounts.shape[1] * (1 + len(set(self.blanks[blank].tolist()))) ** 2
        if len(blank) * len(amounts) > _LOOPED_PER_KEYING * keyings:
            everyone = np.arange(len(amounts))
            return np.column_stack(
                [replace(self, sizes=column).matches(everyone) for column in amounts.T]
            )
        from sudare.engine.counting._kernels_wildcards import add_matches

        some = self.terms[:: len(self.terms) // _SAMPLE + 1]  # the most telling columns come first
        columns = np.argsort([-len(set(column.tolist())) for column in some.T], kind="stable")
        order = np.argsort(self.terms[:, columns[0]], kind="stable")
        ordered, totals = amounts[order], np.empty_like(amounts)
        added = ordered.copy()
        terms = np.ascontiguousarray(self.terms[order][:, columns])
        add_matches(terms, self.blanks[order] > 0, ordered, added)
        totals[order] = added
        return totals

    def blanking(self, sets: Integers) -> Self:
        """Return the rows with more columns missing, a set for each row, shape (d,)."""
        bits = np.arange(self.terms.shape[1], dtype=np.int64)
        missing = (sets[:, None] >> bits) & 1 == 1
        return replace(self, terms=np.where(missing, 0, self.terms))


def columns_in(members: int) -> Iterator[int]:
    """Yield the columns of a set, in ascending order.

    Examples
    --------
    >>> list(columns_in(0b1101))
    [0, 2, 3]
    """
    column = 0
    while members >> column:
        if members >> column & 1:
            yield column
        column += 1


def subsets(members: int) -> Iterator[int]:
    """Yield every subset of a set of columns, itself and the empty set included.

    Examples
    --------
    >>> list(subsets(0b101))
    [5, 4, 1, 0]
    """
    subset = members
    while subset:
        yield subset
        subset = (subset - 1) & members
    yield 0


def check_column_count(columns: Sequence[object], most: int) -> None:
    """Refuse more key columns than can be compared."""
    if len(columns) > most:
        raise SettingError(
            "at most {limit} key columns can be compared, got {count}; use fewer columns.",
            limit=most,
            count=len(columns),
        )


def key_terms(columns: Sequence[Column]) -> Integers:
    """Return the terms of the cells, shape (n, m).

    Notes
    -----
    Terms are the digits of one mixed-radix number, and sums are exact, while that number has 62
    bits; beyond, each category gets a random number of 63 bits, and two records that differ have
    equal sums with a probability of 2⁻⁶³.
    """
    check_column_count(columns, _MOST_COLUMNS)
    coded = [column.coded for column in columns]
    radices = [len(column.labels) + 2 for column in coded]
    hashed = prod(radices) > _LARGEST_KEY
    numbers = np.random.default_rng(0)  # a hash, the same in every run; nothing is drawn from it
    terms = np.empty((coded[0].rows, len(coded)), np.int64)
    for position, (column, radix) in enumerate(zip(coded, radices, strict=True)):
        digits = np.where(column.codes == MISSING, 0, column.codes + 2)
        digits[column.not_applicable] = 1
        values = np.arange(radix, dtype=np.int64) * (1 if hashed else prod(radices[:position]))
        if hashed:
            values[1:] = numbers.integers(1, 2**63 - 1, radix - 1)
        terms[:, position] = values[digits]
    return terms


def with_blank_value(column: Column, blanks: Flags | None = None) -> Categorical:
    """Return the column with some missing values, or all, as a value of their own, the last one.

    Examples
    --------
    >>> sex = Categorical("sex", np.array([0, 1, -1]), ("female", "male"))
    >>> with_blank_value(sex).codes.tolist()
    [0, 1, 2]
    """
    coded = column.coded
    marked = coded.missing if blanks is None else blanks
    codes = np.where(marked, len(coded.labels), coded.codes)
    return replace(coded, codes=codes, labels=(*coded.labels, None), written=None)


def without_blank_value(column: Column) -> Column:
    """Return the column as it was before some missing values became a value of their own."""
    coded = column.coded
    if not coded.labels or coded.labels[-1] is not None:
        return column
    codes = np.where(coded.codes == len(coded.labels) - 1, MISSING, coded.codes)
    return replace(coded, codes=codes, labels=coded.labels[:-1])


def wildcard_sizes(columns: Sequence[Column], kinds: Groups | None = None) -> Integers:
    """Return how many records match each record, missing values matching everything, shape (n,).

    ``kinds`` are the groups of equal records, where they are known.

    Examples
    --------
    >>> from sudare.core import Categorical
    >>> sex = Categorical("sex", np.array([0, 0, 1, -1]), ("female", "male"))
    >>> wildcard_sizes([sex]).tolist()
    [3, 3, 2, 4]
    """
    rows, index = distinct_rows(columns, kinds)
    counts = rows.totals(rows.sizes[:, None].astype(np.float64))
    return counts[index, 0].astype(np.int64)


def distinct_rows(
    columns: Sequence[Column], kinds: Groups | None = None
) -> tuple[KeyRows, Integers]:
    """Return the distinct combinations of keys, and which of them each record has, shape (n,)."""
    equal = kinds or groups(columns)
    terms = key_terms([column.take(equal.example) for column in columns])
    return KeyRows(terms, equal.sizes), equal.index


def _differences(
    terms: Integers, sizes: Array, rows: Integers, most: int, numbers: Codes, sets: int
) -> Integers:
    """Return the records that differ from each row in each set of columns, shape (rows, sets)."""
    from sudare.engine.counting._kernels_wildcards import CHUNK, count_differences

    columns = np.ascontiguousarray(terms.T)
    records, wanted = sizes.astype(np.int64), rows.astype(np.int64)
    counts = np.zeros((len(rows), sets), np.int64)

    def count(start: int) -> None:
        part = slice(start, start + _BLOCK)
        differing = np.empty(CHUNK, np.int64)
        count_differences(columns, records, wanted[part], most, numbers, counts[part], differing)

    side_by_side(count, range(0, len(rows), _BLOCK))
    return counts


def _matching_sizes(wanted: Integers, keys: Integers, sizes: Array) -> Array:
    """Return the summed sizes of the keys that equal each key wanted."""
    levels, index = np.unique(wanted, return_inverse=True)
    position = np.minimum(np.searchsorted(levels, keys), len(levels) - 1)
    hit = levels[position] == keys
    sums = np.bincount(position[hit], weights=sizes[hit], minlength=len(levels))
    return sums.astype(sizes.dtype)[index]
