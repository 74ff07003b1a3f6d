"""Counts of key combinations, and of secrets within them, in two tables on one code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from sudare.core import Column, Flags, Floats, Integers, Microdata, Numeric
from sudare.describe.pairing import class_codes, comparable_codes
from sudare.engine.counting import joint_keys, renumbered


def exact_codes(before: Column, after: Column) -> tuple[Integers, Integers]:
    """Return both columns as codes that are equal where the values are; absent below 0."""
    if not isinstance(before, Numeric) or not isinstance(after, Numeric):
        return comparable_codes(before, after, 2)
    both = np.concatenate([before.values, after.values])
    known = ~np.isnan(both)
    codes = np.full(len(both), -1)
    codes[known] = np.unique(both[known], return_inverse=True)[1]
    codes[np.concatenate([before.not_applicable, after.not_applicable])] = -2
    return codes[: before.rows], codes[before.rows :]


def shared_keys(
    before: Microdata, after: Microdata, columns: Sequence[str]
) -> tuple[Integers, Integers, int]:
    """Return a number for each combination of keys in both tables, and how many there are."""
    pairs = [np.concatenate(exact_codes(before[name], after[name])) for name in columns]
    sized = [(codes, int(codes.max()) + 3) for codes in pairs]
    keys, size = renumbered(*joint_keys(sized, shift=2))
    return keys[: before.rows], keys[before.rows :], size


@dataclass(frozen=True, eq=False)
class SecretTable:
    """Keys by secrets: how many original and released records have each combination of both.

    Attributes
    ----------
    keys, secrets
        Of each combination that occurs in either table, shape (c,).
    original, released
        Numbers of records, shape (c,).
    key_original, key_released
        Numbers of records with the same keys, shape (c,).
    cell
        The combination that each original record has, shape (n,).
    """

    keys: Integers
    secrets: Integers
    original: Floats
    released: Floats
    key_original: Floats
    key_released: Floats
    cell: Integers

    @property
    def certain(self) -> Flags:
        """Which combinations have the only secret that released records with these keys have."""
        flags: Flags = (self.released == self.key_released) & (self.released > 0)
        return flags

    @classmethod
    def of(cls, keys: tuple[Integers, Integers], secrets: tuple[Integers, Integers]) -> Self:
        """Count two tables, given their keys and secrets as codes."""
        key, secret = np.concatenate(keys), np.concatenate(secrets)
        least = int(secret.min())
        width = int(secret.max()) - least + 1
        cells, index = np.unique(key * width + secret - least, return_inverse=True)
        old = np.arange(len(key)) < len(keys[0])
        counts = [
            np.bincount(index[side], minlength=len(cells)).astype(np.float64)
            for side in (old, ~old)
        ]
        which, size = cells // width, int(key.max()) + 1
        totals = [
            np.bincount(key[side], minlength=size)[which].astype(np.float64) for side in (old, ~old)
        ]
        return cls(
            which,
            cells % width + least,
            counts[0],
            counts[1],
            totals[0],
            totals[1],
            index[old],
        )


def secret_codes(before: Column, after: Column, classes: int) -> tuple[Integers, Integers]:
    """Return a sensitive column of both tables as codes; numbers in classes of equal count."""
    if isinstance(before, Numeric) and isinstance(after, Numeric):
        return class_codes(before, after, classes)
    return comparable_codes(before, after, classes)
