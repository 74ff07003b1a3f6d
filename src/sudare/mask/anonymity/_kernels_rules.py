"""Kernels of the conditions on a class: k, l-diversity and t-closeness of its sensitive values."""

import numpy as np

from sudare.core import Codes, Flags, Floats, Integers, kernel
from sudare.mask.anonymity.class_rules import ENTROPY, ORDERED, RECURSIVE, Histograms, Rules

_SLACK = 1e-12  # a class exactly at the limit is admitted whatever the order of its sums


@kernel
def admitted(values: Codes, size: int, rules: Rules) -> bool:
    """Return whether a class with these records by sensitive value may be published."""
    if size < rules.k:
        return False
    for column in range(len(rules.starts) - 1):
        first, last = rules.starts[column], rules.starts[column + 1]
        counts = values[first:last]
        if rules.diversity and not _diverse(counts, size, rules):
            return False
        if rules.distances[column] and not _close(counts, size, rules, column):
            return False
    return True


@kernel
def hopeless(values: Codes, size: int, rules: Rules) -> bool:
    """Return whether no part of a class may be published: too small, or too few values."""
    if size < rules.k:
        return True
    if rules.diversity:
        for column in range(len(rules.starts) - 1):
            counts = values[rules.starts[column] : rules.starts[column + 1]]
            if _distinct(counts) < rules.l - _SLACK:
                return True
    return False


@kernel
def _turned(values: Histograms, place: int, sign: int, counts: Codes) -> None:
    """Add the records of a row to a count of every value, or take them away."""
    for cell in range(values.starts[place], values.starts[place + 1]):
        counts[values.codes[cell]] += sign * values.counts[cell]


@kernel
def classes_rejected(values: Histograms, sizes: Integers, rules: Rules) -> Flags:
    """Return which classes may not be published, from their records by value."""
    flags, counts = np.ones(len(sizes), np.bool_), np.zeros(values.kinds, np.int32)
    for place in range(len(sizes)):
        if sizes[place] >= rules.k:
            _turned(values, place, 1, counts)
            flags[place] = not admitted(counts, sizes[place], rules)
            _turned(values, place, -1, counts)
    return flags


@kernel
def classes_hopeless(values: Histograms, sizes: Integers, rules: Rules) -> Flags:
    """Return of which classes no part may be published."""
    flags, counts = np.ones(len(sizes), np.bool_), np.zeros(values.kinds, np.int32)
    for place in range(len(sizes)):
        if sizes[place] >= rules.k:
            _turned(values, place, 1, counts)
            flags[place] = hopeless(counts, sizes[place], rules)
            _turned(values, place, -1, counts)
    return flags


@kernel
def _distinct(counts: Codes) -> int:
    number = 0
    for count in counts:
        number += count > 0
    return number


@kernel
def _diverse(counts: Codes, size: int, rules: Rules) -> bool:
    if _distinct(counts) < rules.l - _SLACK:  # each kind of diversity asks for that many values
        return False
    if rules.diversity == ENTROPY:
        entropy = 0.0
        for count in counts:
            if count > 0:
                entropy -= count / size * np.log(count / size)
        return bool(entropy >= np.log(rules.l) - _SLACK)
    if rules.diversity == RECURSIVE:
        falling = np.sort(counts)[::-1]
        rest = 0
        for place in range(int(np.ceil(rules.l - _SLACK)) - 1, len(falling)):
            rest += falling[place]
        return bool(rules.l <= 1 or falling[0] < rules.c * rest)
    return True


@kernel
def _close(counts: Codes, size: int, rules: Rules, column: int) -> bool:
    first = rules.starts[column]
    if rules.distances[column] == ORDERED:
        apart = _ordered(counts, size, rules.shares[first : first + len(counts)])
    else:
        apart = _along_levels(counts, size, rules, column)
    return apart <= rules.t + _SLACK


@kernel
def _ordered(counts: Codes, size: int, shares: Floats) -> float:
    work, apart = 0.0, 0.0
    for place in range(len(counts) - 1):
        work += counts[place] / size - shares[place]
        apart += abs(work)
    return float(apart / max(len(counts) - 1, 1))


@kernel
def _along_levels(counts: Codes, size: int, rules: Rules, column: int) -> float:
    """Return half the differences of the shares of all groups, averaged over the levels."""
    first, height, apart = rules.starts[column], rules.heights[column], 0.0
    for level in range(height):
        surplus = np.zeros(len(counts))
        for place in range(len(counts)):
            group = rules.groups[level, first + place]
            surplus[group] += counts[place] / size - rules.shares[first + place]
        for difference in surplus:
            apart += abs(difference)
    return float(apart / (2 * max(height, 1)))
