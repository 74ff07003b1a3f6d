"""The lattice of full-domain generalizations: each key at one level of its hierarchy.

Records are collapsed to their distinct combinations of leaves. The keys are settled one after
another; a table that has some keys settled and the others at their leaves is rolled up from the
table before it, so that counting touches ever fewer rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sudare.core import Codes, CodeVector, Integers, IntegerVector
from sudare.engine.counting import joint_keys, renumbered
from sudare.mask.anonymity.class_conditions import Histograms, histograms

_LARGEST_CODE = 2**31 - 1


class LevelTable(NamedTuple):
    """Rows that are alike on the keys settled so far (the prefix) and on the leaves of the rest.

    ``origin`` (rows,) the prefix without the key settled last; ``prefix`` (rows,) the class by the
    keys settled; ``example`` (rows,) a distinct combination of the row; ``counts``
    (rows,) its records; ``values`` its records by sensitive value; ``sizes`` (prefixes,).
    """

    origin: CodeVector
    prefix: CodeVector
    example: CodeVector
    counts: IntegerVector
    values: Histograms
    sizes: IntegerVector

    @property
    def weight(self) -> int:
        """How much room the table takes, in rows and sensitive values of rows."""
        return len(self.counts) + len(self.values.counts)


@dataclass(frozen=True, eq=False)
class Lattice:
    """Distinct combinations of leaves, and the groups they fall into.

    Keys are in the order in which they are settled: those with most values first, since they
    shrink the tables and tell soonest what must be suppressed.

    Attributes
    ----------
    keys
        Position of each key among the columns given, shape (keys,).
    codes
        Leaves of each combination, shape (keys, m).
    counts
        Records of each combination, shape (m,).
    values
        Records of each combination by sensitive value.
    groups
        By key, shape (levels, leaves + 2).
    suffixes
        Number of the combination of the keys after each key, shape (keys, m).
    index
        Combination of each record, shape (n,).
    """

    keys: tuple[int, ...]
    codes: Codes
    counts: Integers
    values: Histograms
    groups: tuple[Codes, ...]
    suffixes: Codes
    index: Integers

    @property
    def records(self) -> int:
        """Number of records."""
        return int(self.counts.sum())

    @property
    def heights(self) -> Integers:
        """The number of levels of each key, shape (keys,)."""
        return np.array([len(groups) for groups in self.groups])

    def table(self) -> LevelTable:
        """Return the table in which no key is settled."""
        rows = len(self.counts)
        nothing = np.zeros(rows, np.int32)
        everyone = np.array([self.records])
        row = np.arange(rows, dtype=np.int32)
        return LevelTable(nothing, nothing, row, self.counts, self.values, everyone)

    def table_at(self, levels: Integers) -> LevelTable:
        """Return the table with all keys settled, at once; quick where the keys are many.

        Classes are told apart by sums of random numbers of 63 bits: two are taken for one with a
        probability of 2⁻⁶³ each.
        """
        numbers = np.zeros(len(self.counts), np.int64)
        for key, level in enumerate(levels.tolist()):
            numbers += self._hashes[key][level][self.codes[key]]
        example, index = _distinct(numbers)
        sizes = np.bincount(index, self.counts).astype(np.int64)
        rows = np.arange(len(sizes), dtype=np.int32)
        return LevelTable(
            rows, rows, example, sizes, _gathered(self.values, index, len(sizes)), sizes
        )

    @cached_property
    def _hashes(self) -> list[Integers]:
        """A random number for every group of a key and level, by leaf, shape (levels, leaves)."""
        numbers = np.random.default_rng(0)  # a hash, the same in every run
        return [
            np.stack([numbers.integers(1, 2**63 - 1, int(row.max()) + 1)[row] for row in groups])
            for groups in self.groups
        ]

    def settled(self, table: LevelTable, key: int, level: int) -> LevelTable:
        """Return the table with a key settled at a level.

        ``table`` has the keys before it settled, or the key itself at a lower level.
        """
        from sudare.mask.anonymity.lattice._kernels import roll, rolling_space

        rows = len(table.counts)
        # Few arrays, since each costs as much as looking at a hundred rows.
        rolled, sums = np.empty((5, rows), np.int32), np.zeros((2, rows), np.int64)
        keys = self.codes[key], self.groups[key][level], self.suffixes[key]
        made, classes = roll(
            table.origin, table.example, table.counts, *keys, *rolling_space(rows), rolled, sums
        )
        origin, prefix, example, row_of, _ = rolled
        return LevelTable(  # copies, since tables are kept and should not keep what they do not use
            origin[:made].copy(),
            prefix[:made].copy(),
            example[:made].copy(),
            sums[0, :made].copy(),
            _gathered(table.values, row_of, made),
            sums[1, :classes].copy(),
        )


def _distinct(numbers: Integers) -> tuple[Codes, Codes]:
    """Return the first row of each distinct number, and the place of each row's number.

    As ``numpy.unique`` does, which sorts stably and so takes four times as long.
    """
    order = np.argsort(numbers).astype(np.int32)
    ordered = numbers[order]
    begins = np.append(True, ordered[1:] != ordered[:-1])[: len(order)]
    index = np.empty(len(order), np.int32)
    index[order] = np.cumsum(begins, dtype=np.int32) - 1
    return np.minimum.reduceat(order, np.flatnonzero(begins)), index


def begun(table: LevelTable) -> LevelTable:
    """Return a table as the start for the next key: what was settled is now the origin."""
    return table._replace(origin=table.prefix)


def by_class(table: LevelTable) -> Histograms:
    """Return the records of each class by sensitive value."""
    return _gathered(table.values, table.prefix, len(table.sizes))


def _gathered(values: Histograms, targets: Codes, number: int) -> Histograms:
    """Return the histograms of rows put together, each at its target of ``number``."""
    starts = np.zeros(number + 1, np.int64)
    if not values.kinds:
        return values._replace(starts=starts)
    from sudare.mask.anonymity.lattice._kernels import gather

    ends, order = np.zeros(number + 1, np.int64), np.empty(len(targets), np.int64)
    codes, counts = np.empty_like(values.codes), np.empty_like(values.counts)
    whole = np.zeros(values.kinds, np.int32)
    cells = gather(
        values, targets, ends, order, whole, Histograms(starts, codes, counts, values.kinds)
    )
    return Histograms(starts, codes[:cells].copy(), counts[:cells].copy(), values.kinds)


def lattice_of(
    leaves: Sequence[Codes],
    groups: Sequence[Codes],
    values: Codes,
    copies: Integers | None = None,
) -> Lattice:
    """Return the lattice of some records.

    Parameters
    ----------
    leaves
        Leaf of each record, by key.
    groups
        Groups of the leaves, by key.
    values
        One code per record and sensitive column, shifted so that columns do not overlap,
        shape (n, q); q may be 0. The number of codes is that of the histogram.
    copies
        How many records each entry represents, if not one.
    """
    index, rows = renumbered(*joint_keys(_pairs(leaves, groups)))
    example = np.empty(rows, np.int64)
    example[index[::-1]] = np.arange(len(index))[::-1]
    by_size = sorted(
        range(len(leaves)), key=lambda key: (-np.count_nonzero(np.bincount(leaves[key])), key)
    )
    codes = np.ascontiguousarray(np.stack([leaves[key][example] for key in by_size]))
    ordered = tuple(groups[key] for key in by_size)
    return Lattice(
        keys=tuple(by_size),
        codes=codes,
        counts=np.bincount(index, weights=copies, minlength=rows).astype(np.int64),
        values=_histograms(index, rows, values, copies),
        groups=ordered,
        suffixes=_suffixes(codes, ordered),
        index=index,
    )


def _pairs(leaves: Sequence[Codes], groups: Sequence[Codes]) -> list[tuple[Codes, int]]:
    return [(codes, table.shape[1]) for codes, table in zip(leaves, groups, strict=True)]


def _histograms(index: Integers, rows: int, values: Codes, copies: Integers | None) -> Histograms:
    columns = values.shape[1]
    own = None if copies is None else np.repeat(copies, columns)
    kinds = int(values.max(initial=-1)) + 1
    return histograms(np.repeat(index, columns), values.ravel(), rows, kinds, own)


def _suffixes(codes: Codes, groups: Sequence[Codes]) -> Codes:
    suffixes, number = np.zeros(codes.shape, np.int32), 1
    for key in range(len(codes) - 1, 0, -1):
        joint, number = joint_keys([(codes[key], groups[key].shape[1]), (suffixes[key], number)])
        if number > _LARGEST_CODE:
            joint, number = renumbered(joint, number)
        suffixes[key - 1] = joint
    return suffixes
