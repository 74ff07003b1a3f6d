"""Counts of key combinations, and of secrets within them, in two tables on one code."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from sudare.core import Column, Flags, Floats, Integers, Numeric
from sudare.describe.pairing import class_codes, comparable_codes


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
        return (self.released == self.key_released) & (self.released > 0)

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
