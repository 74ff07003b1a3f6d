"""The conditions on a class: k, l-diversity and t-closeness, as its kernels take them."""

from typing import NamedTuple

import numpy as np

from sudare.core import Array, CodeMatrix, CodeVector, Flags, FloatVector, Integers, IntegerVector

DISTINCT, ENTROPY, RECURSIVE = 1, 2, 3
EQUAL, ORDERED, HIERARCHICAL = 1, 2, 3


class ClassConditions(NamedTuple):
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
    starts: IntegerVector
    shares: FloatVector
    distances: IntegerVector
    groups: CodeMatrix
    heights: IntegerVector


class Histograms(NamedTuple):
    """The records of some rows by sensitive value; only values that a row has are kept.

    ``starts`` (rows + 1,) where the values of each row begin; ``codes`` and ``counts`` (cells,) its
    values and how often it has them; ``kinds`` the number of values there are.
    """

    starts: IntegerVector
    codes: CodeVector
    counts: CodeVector
    kinds: int


class ClassSpace(NamedTuple):
    """Working space for one class: its records by value (s,), zeros, and what is made of them."""

    counts: CodeVector
    most: IntegerVector
    surplus: FloatVector


def class_space(kinds: int, conditions: ClassConditions) -> ClassSpace:
    """Return working space for classes with some number of sensitive values."""
    values = max(kinds, len(conditions.shares))
    return ClassSpace(np.zeros(kinds, np.int32), np.empty(values, np.int64), np.empty(values))


def histograms(
    rows: Integers, codes: Array, number: int, kinds: int, copies: Integers | None = None
) -> Histograms:
    """Return the histograms of ``number`` rows, from the row and the value of each record."""
    cells, index = np.unique(rows.astype(np.int64) * kinds + codes, return_inverse=True)
    counts = np.bincount(index, copies, len(cells)).astype(np.int32)
    starts = np.searchsorted(cells, np.arange(number + 1) * kinds)
    return Histograms(
        starts, (cells - cells // max(kinds, 1) * kinds).astype(np.int32), counts, kinds
    )


def histogram(counts: Array) -> Histograms:
    """Return the histogram of one row from the count of every value, shape (s,)."""
    occurring = np.flatnonzero(counts)
    starts = np.array([0, len(occurring)])
    return Histograms(
        starts, occurring.astype(np.int32), counts[occurring].astype(np.int32), len(counts)
    )


def rejected(values: Histograms, sizes: Integers, conditions: ClassConditions) -> Flags:
    """Return which classes may not be published, from their records by sensitive value."""
    if not values.kinds:
        return np.asarray(sizes < conditions.k)
    from sudare.mask.anonymity._kernels_conditions import classes_rejected

    flags = np.ones(len(sizes), np.bool_)
    classes_rejected(values, sizes, conditions, class_space(values.kinds, conditions), flags)
    return flags


def hopeless(values: Histograms, sizes: Integers, conditions: ClassConditions) -> Flags:
    """Return of which classes no part may be published: too small, or too few values."""
    if not values.kinds:
        return np.asarray(sizes < conditions.k)
    from sudare.mask.anonymity._kernels_conditions import classes_hopeless

    flags = np.ones(len(sizes), np.bool_)
    classes_hopeless(values, sizes, conditions, class_space(values.kinds, conditions), flags)
    return flags
