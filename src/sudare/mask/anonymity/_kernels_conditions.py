"""Kernels of the conditions on a class: k, l-diversity and t-closeness of its sensitive values."""

import math

from sudare.core import CodeVector, FlagVector, FloatVector, IntegerVector, inlined, kernel
from sudare.mask.anonymity.class_conditions import (
    ENTROPY,
    ORDERED,
    RECURSIVE,
    ClassConditions,
    ClassSpace,
    Histograms,
)

_SLACK = 1e-12  # a class exactly at the limit is admitted whatever the order of its sums


@kernel
def classes_rejected(
    values: Histograms,
    sizes: IntegerVector,
    conditions: ClassConditions,
    space: ClassSpace,
    flags: FlagVector,
) -> None:
    """Take the flags away from the classes that may be published, from their records by value."""
    for number in range(len(sizes)):
        if sizes[number] >= conditions.k:
            _turned(values, number, 1, space.counts)
            flags[number] = not admitted(space.counts, sizes[number], conditions, space)
            _turned(values, number, -1, space.counts)


@kernel
def classes_hopeless(
    values: Histograms,
    sizes: IntegerVector,
    conditions: ClassConditions,
    space: ClassSpace,
    flags: FlagVector,
) -> None:
    """Take the flags away from the classes of which some part may be published."""
    for number in range(len(sizes)):
        if sizes[number] >= conditions.k:
            _turned(values, number, 1, space.counts)
            flags[number] = _hopeless(space.counts, sizes[number], conditions)
            _turned(values, number, -1, space.counts)


@inlined
def admitted(values: CodeVector, size: int, conditions: ClassConditions, space: ClassSpace) -> bool:
    """Return whether a class with these records by sensitive value may be published."""
    if size < conditions.k:
        return False
    for column in range(len(conditions.starts) - 1):
        counts = values[conditions.starts[column] : conditions.starts[column + 1]]
        if conditions.diversity and not _diverse(counts, size, conditions, space.most):
            return False
        if conditions.distances[column] and not _close(
            counts, size, conditions, column, space.surplus
        ):
            return False
    return True


@inlined
def _hopeless(values: CodeVector, size: int, conditions: ClassConditions) -> bool:
    """Return whether no part of a class may be published: too small, or too few values."""
    if size < conditions.k:
        return True
    if conditions.diversity:
        for column in range(len(conditions.starts) - 1):
            counts = values[conditions.starts[column] : conditions.starts[column + 1]]
            if _distinct(counts) < conditions.l - _SLACK:
                return True
    return False


@inlined
def _turned(values: Histograms, row: int, sign: int, counts: CodeVector) -> None:
    """Add the records of a row to a count of every value, or take them away."""
    for cell in range(values.starts[row], values.starts[row + 1]):
        counts[values.codes[cell]] += sign * values.counts[cell]


@inlined
def _distinct(counts: CodeVector) -> int:
    number = 0
    for count in counts:
        number += count > 0
    return number


@inlined
def _diverse(
    counts: CodeVector, size: int, conditions: ClassConditions, most: IntegerVector
) -> bool:
    """Return whether a column is diverse; each kind of diversity asks for l values."""
    if _distinct(counts) < conditions.l - _SLACK:
        return False
    if conditions.diversity == ENTROPY:
        entropy = 0.0
        for count in counts:
            if count > 0:
                entropy -= count / size * math.log(count / size)
        return entropy >= math.log(conditions.l) - _SLACK
    if conditions.diversity == RECURSIVE and conditions.l > 1:
        return _recursive(counts, math.ceil(conditions.l - _SLACK) - 1, conditions.c, most)
    return True


@inlined
def _recursive(counts: CodeVector, left_out: int, c: float, most: IntegerVector) -> bool:
    """Return whether the most frequent value has fewer records than c times the rare ones have.

    The ``left_out`` most frequent values are not counted as rare; ``most`` gets their records.
    """
    rest, kept, highest = 0, 0, 0
    for count in counts:
        rest, highest = rest + count, max(highest, count)
        if kept < left_out:
            kept += 1
            most[kept - 1] = 0
        rank = kept
        while rank > 0 and most[rank - 1] < count:
            if rank < kept:
                most[rank] = most[rank - 1]
            rank -= 1
        if rank < kept:
            most[rank] = count
    for rank in range(kept):
        rest -= most[rank]
    return highest < c * rest


@inlined
def _close(
    counts: CodeVector, size: int, conditions: ClassConditions, column: int, surplus: FloatVector
) -> bool:
    first = conditions.starts[column]
    if conditions.distances[column] == ORDERED:
        apart = _ordered(counts, size, conditions.shares[first : first + len(counts)])
    else:
        apart = _along_levels(counts, size, conditions, column, surplus)
    return apart <= conditions.t + _SLACK


@inlined
def _ordered(counts: CodeVector, size: int, shares: FloatVector) -> float:
    work, apart = 0.0, 0.0
    for value in range(len(counts) - 1):
        work += counts[value] / size - shares[value]
        apart += abs(work)
    return float(apart / max(len(counts) - 1, 1))


@inlined
def _along_levels(
    counts: CodeVector, size: int, conditions: ClassConditions, column: int, surplus: FloatVector
) -> float:
    """Return half the differences of the shares of all groups, averaged over the levels."""
    first, height, apart = conditions.starts[column], conditions.heights[column], 0.0
    for level in range(height):
        surplus[: len(counts)] = 0
        for value in range(len(counts)):
            group = conditions.groups[level, first + value]
            surplus[group] += counts[value] / size - conditions.shares[first + value]
        for value in range(len(counts)):
            apart += abs(surplus[value])
    return float(apart / (2 * max(height, 1)))
