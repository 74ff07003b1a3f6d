"""Kernels of Mondrian: cutting boxes of records in two, as long as both sides may be published."""

from typing import NamedTuple

from sudare.core import (
    CodeMatrix,
    CodeVector,
    FlagVector,
    FloatMatrix,
    FloatVector,
    IntegerMatrix,
    IntegerVector,
    inlined,
    kernel,
)
from sudare.mask.anonymity._kernels_conditions import admitted
from sudare.mask.anonymity.class_conditions import ClassConditions, ClassSpace

_NONE = -1
_CODES_PER_ROW, _FEW_CODES = 4, 64  # up to that many, codes are counted in a table, else sorted


class Box(NamedTuple):
    """Distinct records, moved so that those of a box are together, and what is known of the keys.

    ``codes`` (n, keys), ``values`` (n, q) and ``copies`` (n,), the number of records alike, move
    with ``order`` (n,). ``positions`` (keys, codes) is where each code lies, ``joints`` (keys,
    codes) the level at which a code and the next one first have a common group, and ``flat``
    (keys,) whether that never falls from code to code; ``strict`` says that records with one code
    of a key stay together.
    """

    codes: CodeMatrix
    values: CodeMatrix
    copies: IntegerVector
    order: IntegerVector
    positions: FloatMatrix
    joints: CodeMatrix
    flat: FlagVector
    strict: bool


class BoxSpace(NamedTuple):
    """Working space: of each key its ends, width and rank (keys,); codes and records by code.

    ``codes`` and ``counts`` have room for :func:`room` entries; ``waiting`` (n + 1, 2) are boxes
    that are still to be cut.
    """

    low: CodeVector
    high: CodeVector
    widths: FloatVector
    by_width: IntegerVector
    ranked: IntegerVector
    codes: CodeVector
    counts: IntegerVector
    waiting: IntegerMatrix


def room(rows: int) -> int:
    """Return how many codes of a key are counted at most."""
    return _CODES_PER_ROW * rows + _FEW_CODES + 1


@inlined
def _swap(box: Box, first: int, second: int) -> None:
    for key in range(box.codes.shape[1]):
        box.codes[first, key], box.codes[second, key] = (
            box.codes[second, key],
            box.codes[first, key],
        )
    for column in range(box.values.shape[1]):
        box.values[first, column], box.values[second, column] = (
            box.values[second, column],
            box.values[first, column],
        )
    box.copies[first], box.copies[second] = box.copies[second], box.copies[first]
    box.order[first], box.order[second] = box.order[second], box.order[first]


@inlined
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


@inlined
def _size(box: Box, first: int, last: int) -> int:
    """Return the number of records in a box."""
    size = 0
    for row in range(first, last):
        size += box.copies[row]
    return size


@inlined
def _span(box: Box, first: int, last: int, key: int) -> tuple[int, int]:
    """Return the lowest and the highest code of a key."""
    low = high = box.codes[first, key]
    for row in range(first + 1, last):
        low, high = min(low, box.codes[row, key]), max(high, box.codes[row, key])
    return low, high


@inlined
def _extent(box: Box, first: int, last: int, space: BoxSpace) -> None:
    """Find the lowest and the highest code of each key."""
    space.low[:] = box.codes[first]
    space.high[:] = box.codes[first]
    for row in range(first + 1, last):
        codes = box.codes[row]
        for key in range(len(codes)):
            space.low[key] = min(space.low[key], codes[key])
            space.high[key] = max(space.high[key], codes[key])


@inlined
def _joint(box: Box, key: int, code: int, following: int) -> int:
    """Return the level at which two codes that follow each other have a common group."""
    joint = box.joints[key, following - 1]
    if not box.flat[key]:
        for between in range(code, following - 1):
            joint = max(joint, box.joints[key, between])
    return int(joint)


@inlined
def _sift(codes: CodeVector, counts: IntegerVector, root: int, size: int) -> None:
    """Move an entry of a heap down to where it belongs."""
    code, count, child = codes[root], counts[root], 2 * root + 1
    while child < size:
        if child + 1 < size and codes[child + 1] > codes[child]:
            child += 1
        if codes[child] <= code:
            break
        codes[root], counts[root] = codes[child], counts[child]
        root, child = child, 2 * child + 1
    codes[root], counts[root] = code, count


@inlined
def _sort(codes: CodeVector, counts: IntegerVector, size: int) -> None:
    """Sort codes, and counts with them, in ascending order: heap sort."""
    for turn in range(size // 2):
        _sift(codes, counts, size // 2 - 1 - turn, size)
    for last in range(size - 1, 0, -1):
        codes[0], codes[last] = codes[last], codes[0]
        counts[0], counts[last] = counts[last], counts[0]
        _sift(codes, counts, 0, last)


@inlined
def _tallied(
    box: Box, first: int, last: int, key: int, low: int, high: int, space: BoxSpace
) -> int:
    """Find the codes of a key that occur in a box, ascending, and how many records have each."""
    rows, kept = last - first, 0
    if high - low < _CODES_PER_ROW * rows + _FEW_CODES + 1:
        space.counts[: high - low + 1] = 0
        for row in range(first, last):
            space.counts[box.codes[row, key] - low] += box.copies[row]
        for offset in range(high - low + 1):
            if space.counts[offset] > 0:
                space.codes[kept], space.counts[kept] = low + offset, space.counts[offset]
                kept += 1
        return kept
    for row in range(rows):
        space.codes[row], space.counts[row] = box.codes[first + row, key], box.copies[first + row]
    _sort(space.codes, space.counts, rows)
    for row in range(rows):
        if kept > 0 and space.codes[kept - 1] == space.codes[row]:
            space.counts[kept - 1] += space.counts[row]
        else:
            space.codes[kept], space.counts[kept] = space.codes[row], space.counts[row]
            kept += 1
    return kept


@inlined
def _cut(box: Box, first: int, last: int, key: int, k: int, space: BoxSpace) -> int:
    """Return the code after which to cut: nearest the middle, on the highest joints, or none.

    Where no cut between the largest groups leaves k records on both sides, the next ones are tried.
    """
    size = _size(box, first, last)
    best, highest, nearest, left = _NONE, 0, size, 0
    kept = _tallied(box, first, last, key, space.low[key], space.high[key], space)
    for position in range(kept - 1):
        left += space.counts[position]
        right = size - left
        if left >= k and right >= k:
            joint = _joint(box, key, space.codes[position], space.codes[position + 1])
            apart = abs(left - right)
            if joint > highest or (joint == highest and apart < nearest):
                best, highest, nearest = space.codes[position], joint, apart
    return best


@inlined
def _halved(box: Box, first: int, last: int, k: int, space: BoxSpace) -> int:
    """Part a box in the middle by its first key, ties by the next; records alike stay together."""
    size = _size(box, first, last)
    middle, start, stop, before = size // 2, first, last, 0  # records before start
    for key in space.ranked:
        low, high = _span(box, start, stop, key)
        kept, position = _tallied(box, start, stop, key, low, high, space), 0
        while position < kept - 1 and before + space.counts[position] <= middle:
            before += space.counts[position]
            position += 1
        code = space.codes[position]
        start = _parted(box, start, stop, key, code - 1)
        stop = _parted(box, start, stop, key, code)
    best, apart = _NONE, 0
    for edge, left in ((start, before), (stop, before + _size(box, start, stop))):
        nearer = best == _NONE or abs(left - middle) < apart
        if nearer and min(left, size - left) >= k:
            best, apart = edge, abs(left - middle)
    return best


@inlined
def _may_be_published(
    box: Box, first: int, last: int, conditions: ClassConditions, tally: ClassSpace
) -> bool:
    size = _size(box, first, last)
    if size < conditions.k:
        return False
    if len(tally.counts) == 0:
        return True
    tally.counts[:] = 0
    for row in range(first, last):
        for value in box.values[row]:
            tally.counts[value] += box.copies[row]
    return admitted(tally.counts, size, conditions, tally)


@inlined
def _rank_by_width(box: Box, first: int, last: int, space: BoxSpace) -> None:
    """Rank the keys by how far the records of a box spread on them, the widest first."""
    _extent(box, first, last, space)
    for key in range(box.codes.shape[1]):
        width = box.positions[key, space.high[key]] - box.positions[key, space.low[key]]
        rank = key
        while rank > 0 and space.widths[rank - 1] < width:
            space.widths[rank] = space.widths[rank - 1]
            space.by_width[rank] = space.by_width[rank - 1]
            rank -= 1
        space.widths[rank], space.by_width[rank] = width, key


@inlined
def _middle(box: Box, first: int, last: int, rank: int, k: int, space: BoxSpace) -> int:
    """Cut a box by the key of a rank; return where, or none."""
    key = space.by_width[rank]
    if box.strict:
        code = _cut(box, first, last, key, k, space)
        return _NONE if code == _NONE else _parted(box, first, last, key, code)
    space.ranked[0] = key
    for other in range(len(space.by_width)):
        if other != rank:
            space.ranked[other + (other < rank)] = space.by_width[other]
    return _halved(box, first, last, k, space)


@inlined
def _divided(
    box: Box,
    first: int,
    last: int,
    conditions: ClassConditions,
    tally: ClassSpace,
    space: BoxSpace,
) -> int:
    """Cut a box by its widest key for which both sides may be published; return where, or none."""
    _rank_by_width(box, first, last, space)
    for rank in range(len(space.by_width)):
        key = space.by_width[rank]
        if space.high[key] == space.low[key]:
            continue
        middle = _middle(box, first, last, rank, conditions.k, space)
        fine = middle != _NONE
        for start, stop in ((first, middle), (middle, last)):
            fine = fine and _may_be_published(box, start, stop, conditions, tally)
        if fine:
            return middle
    return _NONE


@kernel
def boxes(
    box: Box,
    conditions: ClassConditions,
    tally: ClassSpace,
    space: BoxSpace,
    index: IntegerVector,
) -> None:
    """Find the box of each distinct record, from 0, after cutting as often as is allowed."""
    number, depth = 0, 1
    space.waiting[0, 0], space.waiting[0, 1] = 0, len(box.codes)
    while depth > 0:
        depth -= 1
        first, last = space.waiting[depth, 0], space.waiting[depth, 1]
        middle = _NONE
        if last - first > 1 and _size(box, first, last) >= 2 * conditions.k:
            middle = _divided(box, first, last, conditions, tally, space)
        if middle == _NONE:
            for row in range(first, last):
                index[box.order[row]] = number
            number += 1
        else:
            space.waiting[depth, 0], space.waiting[depth, 1] = middle, last
            space.waiting[depth + 1, 0], space.waiting[depth + 1, 1] = first, middle
            depth += 2
