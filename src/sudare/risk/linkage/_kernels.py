"""Kernels of the attacks: loops that NumPy cannot say. Each has a NumPy twin in the tests."""

from typing import NamedTuple

import numpy as np

from sudare.core import (
    FlagMatrix,
    FloatMatrix,
    FloatVector,
    IntegerVector,
    SingleMatrix,
    SingleVector,
    inlined,
    kernel,
)

_CHUNK = 64  # candidates looked at together; most chunks hold none
TIE = 1e-12  # relative difference of squared distances that counts as none


class Attack(NamedTuple):
    """What the attacker compares, in double precision.

    Attributes
    ----------
    synthetic, original
        Synthetic records, shape (n, p), and distinct originals, shape (m, p).
    weight
        Of each column in the squared distance, shape (p,).
    own
        Place of each record's own original, shape (n,).
    distance
        Squared distance to it, shape (n,).
    copies
        How many originals are equal to each, shape (m,).
    """

    synthetic: FloatMatrix
    original: FloatMatrix
    weight: FloatVector
    own: IntegerVector
    distance: FloatVector
    copies: IntegerVector


class Factors(NamedTuple):
    """Single-precision factors whose products bound from above how near originals are.

    Attributes
    ----------
    left, right
        Of records, shape (n, d), and originals, shape (m, d); the last column but one holds the
        lengths in the directions that are left over.
    left_rest, right_rest
        The directions that are left over, shapes (n, r) and (m, r).
    """

    left: SingleMatrix
    right: SingleMatrix
    left_rest: SingleMatrix
    right_rest: SingleMatrix


# Sums may be taken in any order: it is the same order for every pair of records.
@inlined(fastmath="reassoc contract nsz")
def squared_distance(record: FloatVector, other: FloatVector, weight: FloatVector) -> float:
    """Return the weighted squared distance of two records."""
    total = 0.0
    for column in range(record.shape[0]):
        gap = record[column] - other[column]
        total += weight[column] * gap * gap
    return total


@kernel
def own_distances(
    synthetic: FloatMatrix,
    original: FloatMatrix,
    own: IntegerVector,
    weight: FloatVector,
    distances: FloatVector,
) -> None:
    """Find the squared distance of each synthetic record to its own original, shape (n,)."""
    for record in range(synthetic.shape[0]):
        distances[record] = squared_distance(synthetic[record], original[own[record]], weight)


@kernel
def within_reach(
    sketch: FloatMatrix,
    reach: FloatVector,
    low: FloatMatrix,
    high: FloatMatrix,
    within: FlagMatrix,
) -> None:
    """Find whether a box may hold a point this near.

    Parameters
    ----------
    sketch, reach
        The points, shape (records, few), and how near, shape (records,).
    low, high
        Edges of the boxes, shape (boxes, few).
    within
        Gets the answers, shape (records, boxes).
    """
    for record in range(sketch.shape[0]):
        limit = reach[record] ** 2
        for box in range(low.shape[0]):
            apart = 0.0
            for axis in range(sketch.shape[1]):
                value = sketch[record, axis]
                apart += max(low[box, axis] - value, value - high[box, axis], 0.0) ** 2
            within[record, box] = apart <= limit


@kernel
def count_rivals(
    nearness: SingleMatrix,
    lowest: SingleVector,
    certain: SingleVector,
    records: IntegerVector,
    first: int,
    factors: Factors,
    attack: Attack,
    closer: IntegerVector,
    ties: IntegerVector,
    cap: int,
) -> None:
    """Count, for some records, the originals of a block that are nearer than their own.

    Parameters
    ----------
    nearness
        An upper bound of how near each original is, shape (records, block), single precision.
    lowest, certain
        Below the first an original is certainly not nearer; above the second it certainly is.
    records
        Numbers of the records, shape (records,).
    first
        Number of the block's first original.
    factors
        Those of which ``nearness`` is the product.
    attack
        The records and originals.
    closer, ties
        Numbers of nearer and of equally near originals, shape (n,); added to in place.
    cap
        A record with this many nearer originals needs no more counting.
    """
    for number in range(nearness.shape[0]):
        record, row, low = records[number], nearness[number], lowest[number]
        for start in range(0, row.shape[0], _CHUNK):
            chunk = row[start : start + _CHUNK]
            hits = np.int32(0)
            for at in range(chunk.shape[0]):
                hits += np.int32(chunk[at] >= low)
            if hits == 0:
                continue
            for at in range(chunk.shape[0]):
                rival = first + start + at
                if chunk[at] < low or rival == attack.own[record]:
                    continue
                near = chunk[at] + beyond_bound(factors, record, rival)
                if near < low:
                    continue
                order = 1 if near > certain[number] else compared(attack, record, rival)
                if order > 0:
                    closer[record] += attack.copies[rival]
                elif order == 0:
                    ties[record] += attack.copies[rival]
            if closer[record] >= cap:
                break


@kernel
def count_rivals_of_gaps(
    synthetic: FloatMatrix,
    own: IntegerVector,
    original: FloatMatrix,
    weight: FloatVector,
    closer: IntegerVector,
    ties: IntegerVector,
    cap: int,
) -> None:
    """Count the originals that are nearer to records than their own, by the numbers they have.

    Parameters
    ----------
    synthetic
        NaN where a number was suppressed, shape (records, p).
    own
        Place of each record's own original, shape (records,).
    original, weight
        Shapes (n, p) and (p,).
    closer, ties
        Get the numbers of nearer and of equally near originals, shape (records,).
    cap
        A record with this many nearer originals needs no more counting.
    """
    for record in range(synthetic.shape[0]):
        mine = known_distance(synthetic[record], original[own[record]], weight, np.inf)
        closer[record], ties[record] = 0, 0
        for rival in range(original.shape[0]):
            limit = mine * (1 + TIE)
            gap = known_distance(synthetic[record], original[rival], weight, limit)
            if gap > limit or rival == own[record]:
                continue
            if gap < mine * (1 - TIE):
                closer[record] += 1
            else:
                ties[record] += 1
            if closer[record] >= cap:
                break


@inlined
def known_distance(
    record: FloatVector, other: FloatVector, weight: FloatVector, limit: float
) -> float:
    """Return the squared distance over the numbers of a record, or one beyond the limit."""
    total = 0.0
    for column in range(record.shape[0]):
        gap = record[column] - other[column]
        if gap == gap:  # noqa: PLR0124 - a number that was suppressed is equal to nothing
            total += weight[column] * gap * gap
            if total > limit:
                break
    return total


@inlined(fastmath="reassoc contract nsz")
def beyond_bound(factors: Factors, record: int, rival: int) -> np.float32:
    """Return how far the directions that are left over are from the bound by their lengths."""
    rest, other = factors.left_rest[record], factors.right_rest[rival]
    total = np.float32(0)
    if rest.shape[0] == 0:
        return total
    for axis in range(rest.shape[0]):
        total += rest[axis] * other[axis]
    lengths = factors.left.shape[1] - 2
    return np.float32(total - factors.left[record, lengths] * factors.right[rival, lengths])


@inlined
def compared(attack: Attack, record: int, rival: int) -> int:
    """Return 1 if an original is nearer than the record's own, 0 if as near, -1 if farther."""
    mine = attack.distance[record]
    gap = squared_distance(attack.synthetic[record], attack.original[rival], attack.weight)
    if gap < mine * (1 - TIE):
        return 1
    return 0 if gap <= mine * (1 + TIE) else -1
