"""Kernels of the conditions on a class: k, l-diversity and t-closeness of its sensitive values."""

import numpy as np

from sudare.core import Codes, Flags, Floats, Integers, kernel
from sudare.mask.anonymity.class_conditions import (
    ENTROPY,
    ORDERED,
    RECURSIVE,
    ClassConditions,
    Histograms,
)

_SLACK = 1e-12  # a class exactly at the limit is admitted whatever the order of its sums


@kernel
def admitted(values: Codes, size: int, conditions: ClassConditions) -> bool:
    """Return whether a class with these records by sensitive value may be published."""
    if size < conditions.k:
        return False
    for column in range(len(conditions.starts) - 1):
        first, last = conditions.starts[column], conditions.starts[column + 1]
        counts = values[first:last]
        if conditions.diversity and not _diverse(counts, size, conditions):
            return False
        if conditions.distances[column] and not _close(counts, size, conditions, column):
            return False
    return True


@kernel
def hopeless(values: Codes, size: int, conditions: ClassConditions) -> bool:
    """Return whether no part of a class may be published: too small, or too few values."""
    if size < conditions.k:
        return True
    if conditions.diversity:
        for column in range(len(conditions.starts) - 1):
            counts = values[conditions.starts[column] : conditions.starts[column + 1]]
            if _distinct(counts) < conditions.l - _SLACK:
                return True
    return False


@kernel
def _turned(values: Histograms, row: int, sign: int, counts: Codes) -> None:
    """Add the records of a row to a count of every value, or take them away."""
    for cell in range(values.starts[row], values.starts[row + 1]):
        counts[values.codes[cell]] += sign * values.counts[cell]


@kernel
def classes_rejected(values: Histograms, sizes: Integers, conditions: ClassConditions) -> Flags:
    """Return which classes may not be published, from their records by value."""
    flags, counts = np.ones(len(sizes), np.bool_), np.zeros(values.kinds, np.int32)
    for number in range(len(sizes)):
        if sizes[number] >= conditions.k:
            _turned(values, number, 1, counts)
            flags[number] = not admitted(counts, sizes[number], conditions)
            _turned(values, number, -1, counts)
    return flags


@kernel
def classes_hopeless(values: Histograms, sizes: Integers, conditions: ClassConditions) -> Flags:
    """Return of which classes no part may be published."""
    flags, counts = np.ones(len(sizes), np.bool_), np.zeros(values.kinds, np.int32)
    for number in range(len(sizes)):
        if sizes[number] >= conditions.k:
            _turned(values, number, 1, counts)
            flags[number] = hopeless(counts, sizes[number], conditions)
            _turned(values, number, -1, counts)
    return flags


@kernel
def _distinct(counts: Codes) -> int:
    number = 0
    for count in counts:
        number += count > 0
    return number


@kernel
def _diverse(counts: Codes, size: int, conditions: ClassConditions) -> bool:
    if (
        _distinct(counts) < conditions.l - _SLACK
    ):  # each kind of diversity asks for that many values
        return False
    if conditions.diversity == ENTROPY:
        entropy = 0.0
        for count in counts:
            if count > 0:
                entropy -= count / size * np.log(count / size)
        return bool(entropy >= np.log(conditions.l) - _SLACK)
    if conditions.diversity == RECURSIVE:
        falling = np.sort(counts)[::-1]
        rest = 0
        for rank in range(int(np.ceil(conditions.l - _SLACK)) - 1, len(falling)):
            rest += falling[rank]
        return bool(conditions.l <= 1 or falling[0] < conditions.c * rest)
    return True


@kernel
def _close(counts: Codes, size: int, conditions: ClassConditions, column: int) -> bool:
    first = conditions.starts[column]
    if conditions.distances[column] == ORDERED:
        apart = _ordered(counts, size, conditions.shares[first : first + len(counts)])
    else:
        apart = _along_levels(counts, size, conditions, column)
    return apart <= conditions.t + _SLACK


@kernel
def _ordered(counts: Codes, size: int, shares: Floats) -> float:
    work, apart = 0.0, 0.0
    for value in range(len(counts) - 1):
        work += counts[value] / size - shares[value]
        apart += abs(work)
    return float(apart / max(len(counts) - 1, 1))


@kernel
def _along_levels(counts: Codes, size: int, conditions: ClassConditions, column: int) -> float:
    """Return half the differences of the shares of all groups, averaged over the levels."""
    first, height, apart = conditions.starts[column], conditions.heights[column], 0.0
    for level in range(height):
        surplus = np.zeros(len(counts))
        for value in range(len(counts)):
            group = conditions.groups[level, first + value]
            surplus[group] += counts[value] / size - conditions.shares[first + value]
        for difference in surplus:
            apart += abs(difference)
    return float(apart / (2 * max(height, 1)))
