"""Readings: the true categories behind a published column, and how to find them in other data."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import (
    MISSING,
    BoundedNoise,
    Categorical,
    Codes,
    Column,
    ColumnError,
    Floats,
    Label,
    Numeric,
    Step,
    label_codes,
)
from sudare.reconstruct.released import channel_of


@dataclass(frozen=True, eq=False)
class ColumnReading:
    """How to read one published column.

    Attributes
    ----------
    labels
        The categories that the true value may have.
    matrix
        Probability of each published category (column) by true one (row).
    breaks
        The numbers at which a new category begins, if true values are numbers.
    """

    labels: tuple[Label, ...]
    matrix: Floats
    breaks: Floats | None = None

    def codes(self, column: Column) -> Codes:
        """Return the category of each record; one that is not known counts as missing."""
        if isinstance(column, Numeric) and self.breaks is not None:
            codes = np.searchsorted(self.breaks, column.values, side="right").astype(np.int32)
            codes[~column.known] = MISSING
            return codes
        coded = column.coded
        moved: Codes = label_codes(coded.labels, self.labels, MISSING)[coded.codes]
        return np.maximum(moved, MISSING)  # not applicable counts as missing, too


def reading(method: str, column: Column, steps: Sequence[Step], classes: int) -> ColumnReading:
    """Return how to read a published column, given all that was done to it.

    Randomized numbers are cut into classes of one width between their bounds; all true values of
    a class count as its middle.

    Parameters
    ----------
    method
        Who asks, for the errors.
    column
        As published.
    steps
        What was done, in order.
    classes
        Into how many classes randomized numbers are cut.
    """
    channel = channel_of(method, column.name, steps)
    if isinstance(channel, BoundedNoise):
        edges = np.linspace(channel.low, channel.high, classes + 1)
        middles = (edges[:-1] + edges[1:]) / 2
        cumulative = channel.cumulative(edges[None, :], middles[:, None])
        return ColumnReading(tuple(middles.tolist()), np.diff(cumulative, axis=1), edges[1:-1])
    facts = [step.public[column.name] for step in steps if column.name in step.public]
    breaks = next((fact["breaks"] for fact in facts if "breaks" in fact), None)
    if channel is not None:
        return ColumnReading(channel.labels, channel.matrix(), breaks)
    if isinstance(column, Categorical):
        return ColumnReading(column.labels, np.eye(len(column.labels)), breaks)
    raise ColumnError(
        "{method}: column '{column}' holds numbers that were not randomized; leave it out, or make "
        "categories of it.",
        method=method,
        column=column.name,
    )
