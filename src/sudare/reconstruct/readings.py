"""Readings: what a published column says about the true categories, by its steps."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sudare.core.channels import BoundedNoise, published_channel
from sudare.core.columns import MISSING, Categorical, Column, Label, Numeric
from sudare.core.errors import ColumnError
from sudare.core.masker import Step
from sudare.core.types import Codes, Floats


@dataclass(frozen=True, eq=False)
class Reading:
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
        place = {label: code for code, label in enumerate(self.labels)}
        found = np.array([place.get(label, MISSING) for label in coded.labels] + [MISSING] * 2)
        return found[coded.codes].astype(np.int32)  # codes -2 and -1 index the last two entries


def reading(column: Column, steps: Iterable[Step], classes: int) -> Reading:
    """Return how to read a published column, given all that was done to it.

    Randomized numbers are cut into classes of one width between their bounds; all true values of
    a class count as its middle.

    Parameters
    ----------
    column
        As published.
    steps
        What was done, in order.
    classes
        Into how many classes randomized numbers are cut.
    """
    facts = [step.public[column.name] for step in steps if column.name in step.public]
    breaks = next((fact["breaks"] for fact in facts if "breaks" in fact), None)
    matrices = [_matrix(column, fact) for fact in facts if "matrix" in fact]
    noise = [channel for fact in facts if isinstance(channel := published_channel(fact), BoundedNoise)]
    if noise:
        return _of_numbers(column, noise, classes)
    if not isinstance(column, Categorical):
        raise ColumnError(
            "column '{column}' holds numbers that no step randomized; put them into intervals "
            "first.",
            column=column.name,
        )
    matrix = np.eye(len(column.labels))
    for factor in matrices:
        matrix = matrix @ factor
    return Reading(column.labels, matrix, breaks)


def _matrix(column: Column, fact: Mapping[str, Any]) -> Floats:
    matrix: Floats = np.asarray(fact["matrix"], np.float64)
    if not isinstance(column, Categorical) or tuple(fact["labels"]) != column.labels:
        raise ColumnError(
            "the categories of column '{column}' are not those that its step publishes.",
            column=column.name,
        )
    return matrix


def _of_numbers(column: Column, noise: list[BoundedNoise], classes: int) -> Reading:
    if len(noise) > 1:
        raise ColumnError(
            "column '{column}' was randomized more than once; that cannot be undone.",
            column=column.name,
        )
    channel = noise[0]
    edges = np.linspace(channel.low, channel.high, classes + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    cumulative = channel.cumulative(edges[None, :], middles[:, None])
    return Reading(tuple(middles.tolist()), np.diff(cumulative, axis=1), edges[1:-1])
