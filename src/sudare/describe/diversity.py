"""How diverse, and how near the whole table, the sensitive values of classes of records are.

Formulas over counts: only values that occur in a class are stored, so that a column of many
different numbers costs no more than its records.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from sudare.core import AtLeast, Codes, Column, ColumnError, Floats, Integers, Microdata
from sudare.describe.hierarchies import Hierarchy, extended, leaf_of_record
from sudare.engine.counting import tally

# Settings that the methods of k-anonymity share with the measures.
Diversity = Annotated[
    Literal["distinct", "entropy", "recursive"],
    "what l counts: different values, their entropy, or all but the commonest",
]
Recursion = Annotated[
    float, AtLeast(0, above=True), "recursive diversity: r1 must be below c (rl + … + rm)"
]
Closeness = Annotated[
    Literal["equal", "ordered", "hierarchical"] | None,
    "how far apart two sensitive values are; by default by rank if they have an order",
]
Sensitive = Annotated[tuple[str, ...] | None, "sensitive columns; by default those with that role"]


@dataclass(frozen=True, eq=False)
class Spread:
    """The sensitive values of each class, as counts of the pairs that occur, sorted by class.

    Attributes
    ----------
    classes
        Class of each pair, shape (pairs,).
    values
        Value of each pair, shape (pairs,), ascending in each class.
    counts
        Records of each pair, shape (pairs,).
    sizes
        Records of each class, shape (classes,).
    shares
        Distribution of the values in the whole table, shape (values,).
    """

    classes: Integers
    values: Integers
    counts: Integers
    sizes: Integers
    shares: Floats

    @property
    def starts(self) -> Integers:
        """The first pair of each class."""
        return np.searchsorted(self.classes, np.arange(len(self.sizes)))

    def summed(self, numbers: Floats) -> Floats:
        """Return the sum of a number per pair over each class."""
        return np.bincount(self.classes, numbers, len(self.sizes)).astype(np.float64)


def spread(classes: Integers, values: Codes | Integers, copies: Integers | None = None) -> Spread:
    """Return the counts of values 0 … by class 0 …, both of shape (n,).

    Parameters
    ----------
    classes, values
        Of each entry, shape (n,).
    copies
        How many records each entry represents, if not one.
    """
    kinds = int(values.max()) + 1
    keys, counts = tally(classes * np.int64(kinds) + values, copies)
    of_value = np.bincount(values, weights=copies, minlength=kinds)
    return Spread(
        keys // kinds,
        keys % kinds,
        counts,
        np.bincount(classes, weights=copies).astype(np.int64),
        of_value / of_value.sum(),
    )


def united(parts: Spread, classes: Integers, members: Integers) -> Spread:
    """Return classes that are unions of others, and may overlap.

    Parameters
    ----------
    parts
        Classes that do not overlap.
    classes, members
        A union, 0 …, and one of the classes in it, shape (pairs,); each pair occurs once.

    Examples
    --------
    >>> parts = spread(np.array([0, 1, 2]), np.array([0, 1, 1]))
    >>> distinct(united(parts, np.array([0, 1, 1]), np.array([0, 0, 1]))).tolist()
    [1.0, 2.0]
    """
    kinds = len(parts.shares)
    starts = np.append(parts.starts, len(parts.values))
    number = np.diff(starts)[members]
    steps = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)
    entries = np.repeat(starts[members], number) + steps
    keys, counts = tally(
        np.repeat(classes, number) * np.int64(kinds) + parts.values[entries], parts.counts[entries]
    )
    sizes = np.bincount(classes, weights=parts.sizes[members]).astype(np.int64)
    return Spread(keys // kinds, keys % kinds, counts, sizes, parts.shares)


def sensitive_columns(
    method: str, data: Microdata, named: Sequence[str] | None, keys: Sequence[str]
) -> tuple[str, ...]:
    """Return the sensitive columns named, or those with that role; none of them is a key."""
    sensitive = data.sensitive if named is None else tuple(named)
    sensitive = tuple(name for name in sensitive if name not in keys)
    if not sensitive:
        raise ColumnError(
            "{method}: there is no sensitive column besides the keys; name the sensitive columns, "
            "or give them that role.",
            method=method,
        )
    return sensitive


def value_codes(column: Column) -> Integers:
    """Return the values that occur as 0 …, in their order; not applicable and missing come last."""
    codes = column.coded.codes.astype(np.int64)
    last = len(column.coded.labels)
    placed = np.where(codes < 0, last + 2 + codes, codes)
    return np.unique(placed, return_inverse=True)[1]


def value_groups(column: Column, hierarchy: Hierarchy) -> Integers:
    """Return the groups of the values that occur at each level below the last, (levels, values)."""
    leaves = leaf_of_record(column, hierarchy)
    example = np.unique(value_codes(column), return_index=True)[1]
    groups = extended(hierarchy, absent=not column.known.all())[:-1, leaves[example]]
    return np.stack([np.unique(row, return_inverse=True)[1] for row in groups])


def distinct(given: Spread) -> Floats:
    """Return the number of different values of each class.

    Examples
    --------
    >>> distinct(spread(np.array([0, 0, 0, 1]), np.array([0, 1, 1, 1]))).tolist()
    [2.0, 1.0]
    """
    return np.bincount(given.classes, minlength=len(given.sizes)).astype(np.float64)


def effective(given: Spread) -> Floats:
    """Return the exponential of the entropy of each class: as many equally frequent values."""
    share = given.counts / given.sizes[given.classes]
    return np.exp(given.summed(-share * np.log(share)))


def recursive(given: Spread, c: float) -> Floats:
    """Return the largest l of each class with r₁ < c · (r_l + … + r_m), at least 1.

    r₁ ≥ r₂ ≥ … are the counts of the values of the class.
    """
    order = np.lexsort((-given.counts, given.classes))
    falling = given.counts[order]
    starts = given.starts
    reached = np.cumsum(falling)
    end = reached[np.append(starts[1:], len(falling)) - 1]
    left = end[given.classes] - reached + falling  # r_l + … + r_m
    holds = falling[starts][given.classes] < c * left
    rank = np.arange(len(falling)) - starts[given.classes] + 1
    return np.maximum.reduceat(np.where(holds, rank, 1), starts).astype(np.float64)


def equal_distance(given: Spread) -> Floats:
    """Return the earth mover's distance of each class from the whole, all values equally far.

    Examples
    --------
    >>> equal_distance(spread(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 0]))).tolist()
    [0.25, 0.25]
    """
    surplus = given.counts / given.sizes[given.classes] - given.shares[given.values]
    return given.summed(np.maximum(surplus, 0))


def ordered_distance(given: Spread) -> Floats:
    """Return the earth mover's distance of each class, values being as far apart as their ranks.

    Between two values that occur in a class its cumulated share a stands still, so that the sum of
    |a - Q| over the cumulated shares Q of the whole comes from sums of Q, cut where Q passes a.
    """
    kinds = len(given.shares)
    whole = np.cumsum(given.shares)[:-1]
    before = np.concatenate(([0.0], np.cumsum(whole)))
    share = given.counts / given.sizes[given.classes]
    reached = np.cumsum(share)
    reached -= (reached[given.starts] - share[given.starts])[given.classes]
    last = np.append(given.classes[1:] != given.classes[:-1], True)
    until = np.where(last, kinds - 1, np.append(given.values[1:], 0))
    work = _between(reached, given.values, until, whole, before)
    first = given.values[given.starts]  # nothing is reached below the first value
    return (given.summed(work) + before[first]) / max(kinds - 1, 1)


def _between(reached: Floats, low: Integers, high: Integers, whole: Floats, sums: Floats) -> Floats:
    """Return Σ |reached − whole[i]| over low ≤ i < high."""
    cut = np.clip(np.searchsorted(whole, reached), low, high)
    below = reached * (cut - low) - (sums[cut] - sums[low])
    above = sums[high] - sums[cut] - reached * (high - cut)
    return np.asarray(below + above)


def hierarchical_distance(given: Spread, groups: Integers) -> Floats:
    """Return the earth mover's distance of each class, values being as far as their common group.

    Two values that first meet at level i of H are i / H apart. The distance is then the mean over
    the levels below the last, ``groups`` of shape (H, values), of the distance between groups.
    """
    levels = []
    for level in groups:
        in_group = np.bincount(level, given.shares)
        keys, index = np.unique(
            given.classes * np.int64(len(in_group)) + level[given.values], return_inverse=True
        )
        counts = np.bincount(index, given.counts)
        classes = keys // len(in_group)
        surplus = counts / given.sizes[classes] - in_group[keys % len(in_group)]
        levels.append(np.bincount(classes, np.maximum(surplus, 0), len(given.sizes)))
    return np.mean(levels, axis=0) if levels else np.zeros(len(given.sizes))


def is_ordered(column: Column) -> bool:
    """Return whether the values of a column have an order: numbers and ordinal categories."""
    return column.scale != "nominal"


def histogram_codes(columns: Sequence[Column]) -> tuple[Codes, Integers]:
    """Return value codes of several columns, one after another, (n, q), and where each begins."""
    codes = [value_codes(column) for column in columns]
    starts = np.cumsum([0, *(int(code.max()) + 1 for code in codes)])
    shifted = [code + start for code, start in zip(codes, starts, strict=False)]
    rows = columns[0].rows if columns else 0
    table = np.stack(shifted, axis=1) if shifted else np.zeros((rows, 0))
    return table.astype(np.int32), starts.astype(np.int64)
