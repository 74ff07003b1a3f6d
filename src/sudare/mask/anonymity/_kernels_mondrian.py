"""Kernels of Mondrian: cutting boxes of records in two, as long as both sides may be published."""

from typing import NamedTuple

import numpy as np

from sudare.core import Codes, Flags, Floats, Integers, kernel
from sudare.mask.anonymity._kernels_conditions import admitted
from sudare.mask.anonymity.class_conditions import ClassConditions

_NONE = -1


class Box(NamedTuple):
    """Distinct records, moved so that those of a box are together, and what is known of the keys.

    ``codes`` (n, keys), ``values`` (n, q) and ``copies`` (n,), the number of records alike, move
    with ``order`` (n,). ``positions`` (keys, codes) is where each code lies, ``joints`` (keys,
    codes) the level at which a code and the next one first have a common group, and ``flat``
    (keys,) whether that never falls from code to code; ``strict`` says that records with one code
    of a key stay together.
    """

    codes: Codes
    values: Codes
    copies: Integers
    order: Integers
    positions: Floats
    joints: Codes
    flat: Flags
    strict: bool


@kernel
def _swap(box: Box, first: int, second: int) -> None:
    for key in range(box.codes.shape[1]):
        box.codes[first, key], box.codes[second, key] = (
            box.codes[second, key],
            box.codes[first, key],
        )
    for column in range(box.values.shape[1]):
        held = box.values[first, column]
        box.values[first, column] = box.values[second, column]
        box.values[second, column] = held
    box.copies[first], box.copies[second] = box.copies[second], box.copies[first]
    box.order[first], box.order[second] = box.order[second], box.order[first]


@kernel
def _parted(box: Box, first: int, last: int, key: int, highest: int) -> int:
    """Move records with codes up to ``highest`` to the front; return where the others begin."""
    low, high = first, last - 1
    while low <= high:
        if box.codes[low, key] <= highest:
            low += 1
        elif box.codes[high, key] > highest:
            high -= 1
        else:
            _swap(box, low, high)
            low += 1
            high -= 1
    return low


@kernel
def _size(box: Box, first: int, last: int) -> int:
    """Return the number of records in a box."""
    return int(box.copies[first:last].sum())


@kernel
def _extent(box: Box, first: int, last: int, low: Codes, high: Codes) -> None:
    """Find the lowest and the highest code of each key."""
    low[:] = box.codes[first]
    high[:] = box.codes[first]
    for row in range(first + 1, last):
        codes = box.codes[row]
        for key in range(len(codes)):
            low[key] = min(low[key], codes[key])
            high[key] = max(high[key], codes[key])


@kernel
def _joint(box: Box, key: int, code: int, following: int) -> int:
    """Return the level at which two codes that follow each other have a common group."""
    if box.flat[key]:
        return int(box.joints[key, following - 1])
    return int(box.joints[key, code:following].max())


@kernel
def _tallied(
    box: Box, first: int, last: int, key: int, low: int, high: int
) -> tuple[Codes, Integers]:
    """Return the codes of a key that occur in a box, ascending, and how many records have each."""
    rows = last - first
    if high - low > 4 * rows + 64:
        order = np.argsort(box.codes[first:last, key], kind="mergesort")
        codes, counts = np.empty(rows, np.int32), np.zeros(rows, np.int64)
        kept = -1
        for offset in order:
            code = box.codes[first + offset, key]
            if kept < 0 or code != codes[kept]:
                kept += 1
                codes[kept] = code
            counts[kept] += box.copies[first + offset]
        return codes[: kept + 1], counts[: kept + 1]
    tally = np.zeros(high - low + 1, np.int64)
    for row in range(first, last):
        tally[box.codes[row, key] - low] += box.copies[row]
    occurring = np.flatnonzero(tally)
    return (occurring + low).astype(np.int32), tally[occurring]


@kernel
def _cut(box: Box, first: int, last: int, key: int, span: tuple[int, int], k: int) -> int:
    """Return the code after which to cut: nearest the middle, on the highest joints, or none.

    Where no cut between the largest groups leaves k records on both sides, the next ones are tried.
    """
    codes, counts = _tallied(box, first, last, key, span[0], span[1])
    size = counts.sum()
    best, highest, nearest, left = _NONE, 0, size, 0
    for position in range(len(codes) - 1):
        left += counts[position]
        right = size - left
        if left >= k and right >= k:
            joint = _joint(box, key, codes[position], codes[position + 1])
            apart = abs(left - right)
            if joint > highest or (joint == highest and apart < nearest):
                best, highest, nearest = codes[position], joint, apart
    return int(best)


@kernel
def _halved(box: Box, first: int, last: int, keys: Integers, k: int) -> int:
    """Part a box in the middle by its first key, ties by the next; records alike stay together."""
    size = _size(box, first, last)
    middle, start, stop, before = size // 2, first, last, 0  # records before start
    for key in keys:
        span = box.codes[start:stop, key]
        codes, counts = _tallied(box, start, stop, key, span.min(), span.max())
        position = 0
        while before + counts[position] <= middle:
            before += counts[position]
            position += 1
        start = _parted(box, start, stop, key, codes[position] - 1)
        stop = _parted(box, start, stop, key, codes[position])
    best, apart = _NONE, 0
    for edge, left in ((start, before), (stop, before + _size(box, start, stop))):
        nearer = best == _NONE or abs(left - middle) < apart
        if nearer and min(left, size - left) >= k:
            best, apart = edge, abs(left - middle)
    return best


@kernel
def _may_be_published(
    box: Box, first: int, last: int, conditions: ClassConditions, tally: Codes
) -> bool:
    size = _size(box, first, last)
    if size < conditions.k:
        return False
    if not len(tally):
        return True
    tally[:] = 0
    for row in range(first, last):
        for value in box.values[row]:
            tally[value] += box.copies[row]
    return admitted(tally, size, conditions)


@kernel
def _divided(
    box: Box,
    first: int,
    last: int,
    low: Codes,
    high: Codes,
    conditions: ClassConditions,
    tally: Codes,
) -> int:
    """Cut a box by its widest key for which both sides may be published; return where, or none."""
    keys = len(low)
    widths = np.empty(keys)
    for key in range(keys):
        widths[key] = box.positions[key, high[key]] - box.positions[key, low[key]]
    by_width = np.argsort(-widths, kind="mergesort")
    for rank in range(keys):
        key = by_width[rank]
        if high[key] == low[key]:
            continue
        if box.strict:
            code = _cut(box, first, last, key, (low[key], high[key]), conditions.k)
            middle = _NONE if code == _NONE else _parted(box, first, last, key, code)
        else:
            others = np.concatenate((by_width[:rank], by_width[rank + 1 :]))
            ranked = np.concatenate((by_width[rank : rank + 1], others))
            middle = _halved(box, first, last, ranked, conditions.k)
        if (
            middle != _NONE
            and _may_be_published(box, first, middle, conditions, tally)
            and _may_be_published(box, middle, last, conditions, tally)
        ):
            return middle
    return _NONE


@kernel
def boxes(box: Box, conditions: ClassConditions) -> Integers:
    """Return the box of each distinct record, from 0, after cutting as often as is allowed."""
    rows, keys = box.codes.shape
    index, number = np.empty(rows, np.int64), 0
    low, high = np.empty(keys, np.int32), np.empty(keys, np.int32)
    tally = np.zeros(len(conditions.shares), np.int32)
    waiting = [(0, rows)]
    while waiting:
        first, last = waiting.pop()
        middle = _NONE
        if last - first > 1 and _size(box, first, last) >= 2 * conditions.k:
            _extent(box, first, last, low, high)
            middle = _divided(box, first, last, low, high, conditions, tally)
        if middle == _NONE:
            for row in range(first, last):
                index[box.order[row]] = number
            number += 1
        else:
            waiting.append((middle, last))
            waiting.append((first, middle))
    return index
