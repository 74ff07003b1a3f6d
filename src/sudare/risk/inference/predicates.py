"""Predicates that an attacker reads off a release, or makes up: boxes over some columns."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sudare.core import Draws, Flags, Floats, Integers
from sudare.describe.distances import LARGEST, LEAST
from sudare.risk.inference.control import targets


@dataclass(frozen=True, eq=False)
class Predicate:
    """A statement about a record: some columns lie between bounds.

    Attributes
    ----------
    columns
        Numbers of the columns, shape (w,).
    low, high
        The bounds, both included, shape (w,).
    """

    columns: Integers
    low: Floats
    high: Floats

    def matching(self, points: Floats) -> Integers:
        """Return the records that it is true of."""
        left = np.arange(len(points))
        for column, low, high in zip(self.columns, self.low, self.high, strict=True):
            values = points[left, column]
            left = left[(values >= low) & (values <= high)]
        return left


def single_values(released: Floats, labeled: tuple[bool, ...], most: int) -> list[Predicate]:
    """Return predicates of one column that are true of one released record.

    Each value that occurs once in the release, and for numbers "no more than" the smallest and "no
    less than" the largest one.
    """
    predicates = []
    for column, is_labeled in enumerate(labeled):
        values, counts = np.unique(released[:, column], return_counts=True)
        bounds = [(value, value) for value in values[counts == 1]]
        numbers = values[(values <= LARGEST) & (values >= LEAST)]
        if not is_labeled and len(numbers):
            bounds += [(LEAST, numbers[0]), (numbers[-1], LARGEST)]
        at = np.array([column])
        predicates += [Predicate(at, np.array([low]), np.array([high])) for low, high in bounds]
    return [predicates[number] for number in targets(np.arange(len(predicates)), most)]


def of_released_records(
    released: Floats, labeled: tuple[bool, ...], width: int, count: int, draws: Draws
) -> Iterator[Predicate]:
    """Yield predicates about released records taken at random that are true of one of them only.

    Labels are equal to the record's, numbers no less than it above the median and no more below.
    """
    order = np.lexsort(released.T[::-1])  # what is drawn must not depend on the order of records
    rows = order[(draws.uniform("record", count) * len(released)).astype(np.int64)]
    middle = np.median(released, axis=0)
    for row, columns in zip(
        rows, _column_sets(released.shape[1], width, count, draws), strict=True
    ):
        values = released[row, columns]
        equal = np.array(labeled)[columns] | (values > LARGEST)
        above = values >= middle[columns]
        yield _bounded(columns, values, equal, above)


def made_up(
    released: Floats, labeled: tuple[bool, ...], width: int, count: int, draws: Draws
) -> Iterator[Predicate]:
    """Yield predicates of values taken at random between the least and the largest of a column.

    Of the release only the ranges and the labels are used, which anybody may know.
    """
    values = [np.unique(column) for column in released.T]
    spots, sides = (
        [draws.uniform(name, count, lane=column) for column in range(len(values))]
        for name in ("value", "side")
    )
    for number, columns in enumerate(_column_sets(len(values), width, count, draws)):
        equal = np.array([labeled[column] for column in columns])
        drawn = np.array([_drawn(values[c], spots[c][number], labeled[c]) for c in columns])
        above = np.array([sides[column][number] < 0.5 for column in columns])
        yield _bounded(columns, drawn, equal | (drawn > LARGEST), above)


def _drawn(values: Floats, spot: float, labeled: bool) -> float:  # noqa: FBT001 - a fact of a column
    numbers = values[values <= LARGEST]
    if labeled or not len(numbers):
        return float(values[int(spot * len(values))])
    return float(numbers[0] + spot * (numbers[-1] - numbers[0]))


def _bounded(columns: Integers, values: Floats, equal: Flags, above: Flags) -> Predicate:
    low = np.where(equal | above, values, LEAST)
    high = np.where(equal | ~above, values, LARGEST)
    return Predicate(columns, low, high)


def _column_sets(columns: int, width: int, count: int, draws: Draws) -> Iterator[Integers]:
    """Yield sets of columns taken at random, each of ``width`` or as many as there are."""
    lots = np.stack([draws.uniform("columns", count, lane=column) for column in range(columns)])
    yield from np.argsort(lots, axis=0)[: min(width, columns)].T
