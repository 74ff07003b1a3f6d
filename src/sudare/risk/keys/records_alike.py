"""Records that look alike: what suppression hides of a person whose keys an attacker knows."""

from collections.abc import Sequence

import numpy as np

from sudare.core import Column, Integers, TablePair
from sudare.engine.counting import groups


def records_alike(columns: Sequence[Column], copies: Integers | None = None) -> Integers:
    """Return how many released records look like each one, blanks included, shape (n,).

    A blank fits every value, but is no company to records that show one: methods blank equal keys
    alike, so whoever sees a value released knows that the blanks beside it are of others. Nor does
    it hide a person among records with other values, as the attacker knows the suppressed one.
    ``copies`` says how many records each entry stands for.

    Examples
    --------
    >>> from sudare.core import Categorical
    >>> released = Categorical("age", np.array([0, 0, 0, -1]), ("20", "90"))
    >>> records_alike([released]).tolist()
    [3, 3, 3, 1]
    """
    index = groups(list(columns)).index
    sizes = np.zeros(int(index.max(initial=-1)) + 1, np.int64)
    np.add.at(sizes, index, 1 if copies is None else copies)
    return sizes[index]


def released_alike(pair: TablePair, names: Sequence[str]) -> Integers:
    """Return :func:`records_alike` of the released table of two, by some keys, shape (n,)."""
    return records_alike([pair.after[name] for name in names], pair.after.copies)


def has_suppressed(pair: TablePair, name: str) -> bool:
    """Return whether masking suppressed values of a column."""
    return bool(pair.after[name].suppressed_since(pair.before[name]).any())
