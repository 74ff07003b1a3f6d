"""Counts: group sizes, cross tables and weighted counts over any columns.

Codes of several columns become one whole number (mixed radix), so that counting is counting or
sorting numbers. Missing and not-applicable count as categories of their own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from sudare.core import Array, Column, Floats, Integers, SettingError, multiplied

_LARGEST_KEY = 2**62
_LARGEST_TABLE = 2**27  # cells of a dense cross table: one gigabyte
_SMALL_TABLE = 2**20  # up to this size a look-up table is cheaper than sorting 1/32 as many keys
_ABSENT = 2  # codes for missing and not applicable, below 0


@dataclass(frozen=True, eq=False)
class Groups:
    """Records grouped by equal values.

    Attributes
    ----------
    sizes
        Number of records of each group, shape (groups,).
    index
        Group of each record, shape (n,).
    copies
        How many records each entry of ``index`` represents, if not one.
    """

    sizes: Integers
    index: Integers
    copies: Integers | None = None

    @cached_property
    def example(self) -> Integers:
        """A record of each group, shape (groups,)."""
        example = np.empty(len(self.sizes), np.int64)
        example[self.index] = np.arange(len(self.index))
        return example

    @property
    def size_of_record(self) -> Integers:
        """Size of the group each record is in, shape (n,)."""
        return self.sizes[self.index]

    def sums(self, values: Array) -> Floats:
        """Return the sum of a number per record over each group, shape (groups,)."""
        counted = values if self.copies is None else values * self.copies
        sums = np.bincount(self.index, weights=counted, minlength=len(self.sizes))
        return sums.astype(np.float64)


def group_sizes(columns: Sequence[Column]) -> Integers:
    """Return the number of records of each group of equal values, in the order of the codes.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> group_sizes([data["sex"]]).tolist()
    [195, 205]
    """
    keys, cells = record_keys(columns)
    if columns[0].copies is not None:
        return _summed_copies(keys, cells, columns[0].copies)
    if cells <= 4 * len(keys):
        counts = np.bincount(keys, minlength=cells)
        return counts[counts > 0]
    keys.sort()
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return np.diff(starts, append=len(keys))


def _summed_copies(keys: Integers, cells: int, copies: Integers) -> Integers:
    """Return the copies of each key that occurs, in the order of the keys.

    Where both fit into one whole number, numbers are sorted instead of places: that is quicker.
    """
    bits = int(copies.max(initial=0)).bit_length()
    if cells <= 4 * len(keys) or cells > _LARGEST_KEY >> bits:
        return _tally(*renumbered(keys, cells), copies)
    packed = (keys << bits) | copies
    packed.sort()
    key = packed >> bits
    starts = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
    return np.add.reduceat(packed & ((1 << bits) - 1), starts)


def groups(columns: Sequence[Column]) -> Groups:
    """Return the groups of equal values, with the group of each record."""
    index, number = renumbered(*record_keys(columns))
    copies = columns[0].copies
    return Groups(_tally(index, number, copies), index, copies)


def cross_table(columns: Sequence[Column], weights: Floats | None = None) -> Floats:
    """Return the cross table of columns, one axis per column and one cell per code.

    Parameters
    ----------
    columns
        The columns; numbers are taken by their distinct values.
    weights
        Counted in place of 1, shape (n,).

    Returns
    -------
    counts
        Shape (labels of the first + 2, …): on each axis the labels come first, then
        not applicable, then missing, so that ``table[-1]`` is the missing ones.
    """
    coded = [column.coded for column in columns]
    shape = tuple(len(column.labels) + _ABSENT for column in coded)
    if prod(shape) > _LARGEST_TABLE:
        raise SettingError(
            "a cross table of these {count} columns has {cells} cells, more than {limit}; "
            "use fewer columns, or group them.",
            count=len(columns),
            cells=prod(shape),
            limit=_LARGEST_TABLE,
        )
    keys = np.zeros(coded[0].rows, np.int64)
    for column, radix in zip(coded, shape, strict=True):
        keys *= radix
        keys += np.where(column.codes < 0, radix + column.codes, column.codes)
    counted = multiplied(coded[0].copies, weights)
    return np.bincount(keys, weights=counted, minlength=prod(shape)).reshape(shape).astype(float)


def label_counts(column: Column, weights: Floats | None = None) -> Floats:
    """Return the (weighted) number of records of each label; absent values are left out."""
    return cross_table([column], weights)[:-_ABSENT]


def tally(keys: Integers, copies: Integers | None = None) -> tuple[Integers, Integers]:
    """Return the keys that occur, ascending, and the number of records of each.

    Examples
    --------
    >>> [part.tolist() for part in tally(np.array([7, 5, 7]), np.array([1, 2, 3]))]
    [[5, 7], [2, 4]]
    """
    if copies is None:
        return np.unique(keys, return_counts=True)
    levels, index = np.unique(keys, return_inverse=True)
    return levels, _tally(index, len(levels), copies)


def _tally(index: Integers, number: int, copies: Integers | None) -> Integers:
    """Return the number of records of each group; sums of copies stay exact below 2⁵³."""
    counts = np.bincount(index, weights=copies, minlength=number)
    return counts if copies is None else counts.astype(np.int64)


def record_keys(columns: Sequence[Column]) -> tuple[Integers, int]:
    """Return one whole number per record that says its codes, and how many there can be."""
    if not columns:
        raise SettingError("counting needs at least one column.")
    coded = [column.coded for column in columns]
    return joint_keys([(c.codes, len(c.labels) + _ABSENT) for c in coded], shift=_ABSENT)


def joint_keys(columns: Sequence[tuple[Array, int]], *, shift: int = 0) -> tuple[Integers, int]:
    """Return one whole number per record for several codes, and how many there can be.

    Parameters
    ----------
    columns
        Codes, shape (n,), and their number: codes plus ``shift`` are at least 0 and below it.
    shift
        Added to every code.

    Notes
    -----
    Where the product of the numbers would overflow, what was joined so far is renumbered first.
    """
    keys = np.zeros(len(columns[0][0]), np.int64)
    cells = 1
    for codes, radix in columns:
        if cells * radix > _LARGEST_KEY:
            keys, cells = renumbered(keys, cells)
        keys *= radix
        keys += codes
        keys += shift
        cells *= radix
    return keys, cells


@dataclass(frozen=True, eq=False)
class Finder:
    """Finds combinations of codes among those it knows.

    Attributes
    ----------
    radices
        Number of codes of each column, the two for absent values included.
    levels
        The keys known after each column at which keys had to be renumbered, by column.
    keys, combinations
        The keys of all columns in ascending order, and which combination each is.
    """

    radices: tuple[int, ...]
    levels: Mapping[int, Integers]
    keys: Integers
    combinations: Integers

    @classmethod
    def of(cls, codes: Sequence[Array], labels: Sequence[int]) -> "Finder":
        """Return what finds combinations of codes, (m,) by column, with the numbers of labels."""
        radices = tuple(number + _ABSENT for number in labels)
        levels: dict[int, Integers] = {}
        keys, cells = np.zeros(len(codes[0]), np.int64), 1
        for column, (own, radix) in enumerate(zip(codes, radices, strict=True)):
            if cells * radix > _LARGEST_KEY:
                levels[column], keys = np.unique(keys, return_inverse=True)
                cells = len(levels[column])
            keys = keys * radix + own + _ABSENT
            cells *= radix
        order = np.argsort(keys, kind="stable")
        return cls(radices, levels, keys[order], order)

    def find(self, codes: Sequence[Array]) -> Integers:
        """Return which combination each record has, shape (n,); -1 where it is not known."""
        keys = np.zeros(len(codes[0]), np.int64)
        known = np.ones(len(keys), np.bool_)
        for column, (own, radix) in enumerate(zip(codes, self.radices, strict=True)):
            if column in self.levels:
                keys, is_known = _position_in(self.levels[column], keys)
                known &= is_known
            keys = keys * radix + own + _ABSENT
        position, is_known = _position_in(self.keys, keys)
        return np.where(known & is_known, self.combinations[position], -1)


def _position_in(levels: Integers, keys: Integers) -> tuple[Integers, Array]:
    """Return the position of each key in an ascending list, and whether it is there."""
    positions = np.minimum(np.searchsorted(levels, keys), len(levels) - 1)
    return positions, levels[positions] == keys


def renumbered(keys: Integers, cells: int) -> tuple[Integers, int]:
    """Return keys as 0 … m - 1 in their own order, and m; by a table if one is affordable."""
    if cells > max(4 * len(keys), min(32 * len(keys), _SMALL_TABLE)):
        levels, index = np.unique(keys, return_inverse=True)
        return index, len(levels)
    used = np.zeros(cells, np.bool_)
    used[keys] = True
    number = np.cumsum(used) - 1
    return number[keys], int(number[-1]) + 1
