"""How many records share their keys: sizes of groups, and what each key adds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from sudare.core import Flags, Integers, Microdata
from sudare.engine.counting import group_sizes

_ABSENT = 2  # codes for missing and not applicable, below 0
_LARGEST_SUM = 2**61
_CLASSES = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, 49), (50, 99), (100, None))


@dataclass(frozen=True, eq=False)
class KeyGroups:
    """Groups of records with equal keys, by size.

    Attributes
    ----------
    sizes, groups
        Sizes that occur, ascending, and how many groups have each.
    """

    sizes: Integers
    groups: Integers

    @classmethod
    def of(cls, entries: Microdata, keys: Sequence[str]) -> "KeyGroups":
        """Return the groups of some keys.

        Examples
        --------
        >>> import sudare
        >>> found = KeyGroups.of(sudare.datasets.toy(), ["sex"])
        >>> found.smallest, found.records, found.below(200)
        (195, 400, 195)
        """
        by_size = np.bincount(group_sizes([entries[name] for name in keys]))
        present = np.flatnonzero(by_size)
        return cls(present, by_size[present])

    @property
    def records(self) -> int:
        """Number of records."""
        return int(self.sizes @ self.groups)

    @property
    def combinations(self) -> int:
        """Number of different combinations of keys."""
        return int(self.groups.sum())

    @property
    def smallest(self) -> int:
        """Size of the smallest group."""
        return int(self.sizes[0])

    @property
    def uniques(self) -> int:
        """Number of records that stand alone."""
        return self.below(2)

    def below(self, k: int) -> int:
        """Return how many records share their keys with fewer than k, themselves included."""
        small = self.sizes < k
        return int(self.sizes[small] @ self.groups[small])

    def classes(self) -> Iterator[tuple[str, int, bool]]:
        """Yield classes of sizes, their number of records, and whether they are one record."""
        for low, high in _CLASSES:
            inside = (self.sizes >= low) & (self.sizes <= (high or np.inf))
            label = f"{low}" if low == high else f"{low}–{high}" if high else f"{low}–"
            yield label, int(self.sizes[inside] @ self.groups[inside]), low == 1


def uniques_without(entries: Microdata, keys: Sequence[str]) -> dict[str, int]:
    """Return, by key, how many records would be unique if nobody knew it.

    The key of a record is a sum of one term for each column, so leaving a column out is leaving
    its term out.
    """
    columns = [entries[name].coded for name in keys]
    radices = [len(column.labels) + _ABSENT for column in columns]
    if len(keys) == 1 or prod(radices) > _LARGEST_SUM:
        return {
            left_out: KeyGroups.of(entries, [name for name in keys if name != left_out]).uniques
            if len(keys) > 1
            else 0
            for left_out in keys
        }
    strides = np.concatenate(([1], np.cumprod(radices[:-1], dtype=np.int64)))
    sums = np.zeros(entries.rows, np.int64)
    for column, stride in zip(columns, strides, strict=True):
        sums += (column.codes + np.int64(_ABSENT)) * stride
    alone = None if entries.copies is None else entries.copies == 1
    return {
        name: _uniques(sums - (column.codes + np.int64(_ABSENT)) * stride, alone)
        for name, column, stride in zip(keys, columns, strides, strict=True)
    }


def _uniques(sums: Integers, alone: Flags | None) -> int:
    """Return how many records have a key that no other record has."""
    packed = sums * 2 if alone is None else sums * 2 + ~alone  # one bit for more than one record
    packed.sort()
    key = packed >> 1
    differs = key[1:] != key[:-1]
    first, last = np.concatenate(([True], differs)), np.concatenate((differs, [True]))
    return int((first & last & (packed & 1 == 0)).sum())
