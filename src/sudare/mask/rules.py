"""The conditions on a class: k, l-diversity and t-closeness, as its kernels take them."""

from typing import NamedTuple

import numpy as np

from sudare.core.types import Codes, Flags, Floats, Integers

DISTINCT, ENTROPY, RECURSIVE = 1, 2, 3
EQUAL, ORDERED, HIERARCHICAL = 1, 2, 3


class Rules(NamedTuple):
    """What a class must meet; s counts the sensitive values of all q columns, one after another.

    ``starts`` (q + 1,) where the values of each column begin; ``shares`` (s,) the distribution in
    the whole table; ``diversity`` and ``distances`` (q,) which kind, 0 for none; ``groups``
    (levels, s) and ``heights`` (q,) the hierarchies of the values.
    """

    k: int
    diversity: int
    l: float  # noqa: E741 - the letter of the paper
    c: float
    t: float
    starts: Integers
    shares: Floats
    distances: Integers
    groups: Codes
    heights: Integers


def rejected(values: Codes, sizes: Integers, rules: Rules) -> Flags:
    """Return which classes may not be published, from their records by sensitive value, (…, s)."""
    if not values.shape[1]:
        return np.asarray(sizes < rules.k)
    from sudare.mask._kernels_rules import classes_rejected

    return classes_rejected(values, sizes, rules)


def hopeless(values: Codes, sizes: Integers, rules: Rules) -> Flags:
    """Return of which classes no part may be published: too small, or too few values."""
    if not values.shape[1]:
        return np.asarray(sizes < rules.k)
    from sudare.mask._kernels_rules import classes_hopeless

    return classes_hopeless(values, sizes, rules)
