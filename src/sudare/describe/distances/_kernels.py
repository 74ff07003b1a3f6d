"""Kernels of the attacks by nearest records. Each has a NumPy twin in the tests."""

from math import exp
from typing import NamedTuple

import numpy as np

from sudare.core import FloatMatrix, FloatVector, IntegerVector, inlined, kernel

CHUNK = 64  # records whose distances are taken together
TIE = 1e-12  # difference of distances that counts as none
_EARLY = 8  # columns after which a chunk that is too far away is left


class Points(NamedTuple):
    """Who is looked for, and among whom.

    Attributes
    ----------
    targets
        Shape (n, p).
    others
        The records of the other table, by column, shape (p, k); those of a chunk are alike.
    lowest, highest
        The smallest and the largest value of each chunk, by column, shape (p, chunks).
    skipped
        Which other record each target itself is, shape (n,); -1 where none is.
    """

    targets: FloatMatrix
    others: FloatMatrix
    lowest: FloatMatrix
    highest: FloatMatrix
    skipped: IntegerVector


class Secrets(NamedTuple):
    """What the nearest records are asked for: whether their value lies between two bounds.

    Attributes
    ----------
    values
        Of the other records, shape (k,).
    low, high
        Of the targets, shape (n,).
    """

    values: FloatVector
    low: FloatVector
    high: FloatVector


class Nearest(NamedTuple):
    """What is known of the nearest records of each target, shape (n,).

    Attributes
    ----------
    distance, second
        To the nearest record and to the next one; infinite where there is none.
    ties, hits
        How many records are at the smallest distance, and how many of these have the secret.
    """

    distance: FloatVector
    second: FloatVector
    ties: FloatVector
    hits: FloatVector


@inlined
def box_distances(points: Points, target: int, bounds: FloatVector) -> int:
    """Find how far each chunk is at least, by the box around it; return which may be nearest."""
    record = points.targets[target]
    for chunk in range(bounds.shape[0]):
        bounds[chunk] = 0.0
    for column in range(points.lowest.shape[0]):
        value, low, high = record[column], points.lowest[column], points.highest[column]
        for chunk in range(bounds.shape[0]):
            beyond = max(low[chunk] - value, value - high[chunk])
            bounds[chunk] += min(max(beyond, 0.0), 1.0)
    first = 0
    for chunk in range(bounds.shape[0]):
        if bounds[chunk] < bounds[first]:
            first = chunk
    return first


@inlined
def chunk_distances(
    points: Points, target: int, start: int, size: int, limit: float, apart: FloatVector
) -> bool:
    """Find the distances of a chunk of records; False where all are beyond the limit."""
    for at in range(size):
        apart[at] = 0.0
    record = points.targets[target]
    for column in range(points.others.shape[0]):
        value, others = record[column], points.others[column][start : start + size]
        for at in range(size):
            apart[at] += min(abs(value - others[at]), 1.0)
        if column % _EARLY == _EARLY - 1 or column == points.others.shape[0] - 1:
            within = np.int32(0)
            for at in range(size):
                within += np.int32(apart[at] <= limit)
            if within == 0:
                return False
    return True


@kernel
def find_nearest(
    points: Points, secrets: Secrets, nearest: Nearest, apart: FloatVector, bounds: FloatVector
) -> None:
    """Find the nearest records of every target, how many there are, and what they say.

    The chunk that may be nearest comes first, so that most others need not be looked at.
    """
    chunks = bounds.shape[0]
    for target in range(points.targets.shape[0]):
        first = box_distances(points, target, bounds)
        best, second, ties, hits = np.inf, np.inf, 0.0, 0.0
        low, high, own = secrets.low[target], secrets.high[target], points.skipped[target]
        for turn in range(-min(chunks, 1), chunks):
            chunk = first if turn < 0 else turn
            if turn == first or bounds[chunk] > second + TIE:
                continue
            start = chunk * CHUNK
            size = min(CHUNK, points.others.shape[1] - start)
            if not chunk_distances(points, target, start, size, second + TIE, apart):
                continue
            for at in range(size):
                distance, other = apart[at], start + at
                if distance > second + TIE or other == own:
                    continue
                if distance < best - TIE:
                    second, best, ties, hits = best, distance, 0.0, 0.0
                elif distance < second:
                    second = max(distance, best)
                if distance <= best + TIE:
                    ties += 1.0
                    if low <= secrets.values[other] <= high:
                        hits += 1.0
        nearest.distance[target], nearest.second[target] = best, second
        nearest.ties[target], nearest.hits[target] = ties, hits


@kernel
def count_common(
    first: Points,
    second: Points,
    reach: FloatVector,
    other_reach: FloatVector,
    common: FloatVector,
    apart: FloatVector,
    other_apart: FloatVector,
    bounds: FloatVector,
) -> None:
    """Count the records that are within reach of a target by two sets of columns at once."""
    for target in range(first.targets.shape[0]):
        limit, other_limit = reach[target] + TIE, other_reach[target] + TIE
        box_distances(first, target, bounds)
        total = 0.0
        for chunk in range(bounds.shape[0]):
            if bounds[chunk] > limit:
                continue
            start = chunk * CHUNK
            size = min(CHUNK, first.others.shape[1] - start)
            if not chunk_distances(first, target, start, size, limit, apart):
                continue
            if not chunk_distances(second, target, start, size, other_limit, other_apart):
                continue
            for at in range(size):
                if apart[at] <= limit and other_apart[at] <= other_limit:
                    total += 1.0
        common[target] = total


@kernel
def add_densities(
    points: Points, bandwidth: float, density: FloatVector, apart: FloatVector, bounds: FloatVector
) -> None:
    """Find the sum of exp(−distance / bandwidth) over the records around every target."""
    far = 30.0 * bandwidth  # what is farther adds less than 1e-13
    for target in range(points.targets.shape[0]):
        total = 0.0
        own = points.skipped[target]
        box_distances(points, target, bounds)
        for chunk in range(bounds.shape[0]):
            if bounds[chunk] > far:
                continue
            start = chunk * CHUNK
            size = min(CHUNK, points.others.shape[1] - start)
            if not chunk_distances(points, target, start, size, far, apart):
                continue
            for at in range(size):
                if apart[at] <= far and start + at != own:
                    total += exp(-apart[at] / bandwidth)
        density[target] = total
