"""Linear masking: each record becomes the mean plus its deviation times a matrix, plus noise.

Orthogonal transformation and synthesis by regression differ in the matrix only. The plan is a mean
and a matrix learned from moments, so a table of any length is masked block by block.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sudare.core import (
    ColumnError,
    Combination,
    Draws,
    Floats,
    Masker,
    Microdata,
    Moments,
    Numeric,
    Plan,
    noise_grid,
    on_public_grid,
)
from sudare.engine.counting import moments_of, product, side_by_side

_BLOCK_CELLS = 1 << 19  # of a block of records: few calls, long enough for threads


@dataclass(frozen=True, repr=False)
class LinearPlan(Plan):
    """The mean, the matrix that deviations are multiplied with, and the size of the noise.

    Attributes
    ----------
    mean
        Shape (p,).
    matrix
        Deviations, as rows, are multiplied with it from the right, shape (p, p).
    noise_sd
        Standard deviation of the normal noise of each column, shape (p,).
    """

    mean: Floats
    matrix: Floats
    noise_sd: Floats

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        columns = numbers(data, self.step.columns)
        masked = transformed([column.values for column in columns], self.mean, self.matrix)

        def finish(row: int) -> Numeric:
            column, line = columns[row], masked[row]
            if self.noise_sd[row]:
                draws.add_normal(column.name, line, self.noise_sd[row])
                line = on_public_grid(line, noise_grid(self.noise_sd[row]))
            return replace(column, values=line)

        return data.replacing(side_by_side(finish, range(len(columns))))

    def function_of(self, name: str) -> Combination | None:
        """Return the sum that makes a column, where it has no noise."""
        at = self.step.columns.index(name)
        if self.noise_sd[at]:
            return None
        weights, means = self.matrix[:, at].tolist(), self.mean.tolist()
        return Combination(means[at], tuple(zip(self.step.columns, means, weights, strict=True)))


class LinearMasker(Masker):
    """A masker with a linear plan, learned from the records that have all columns."""

    works_on = "rows"
    takes = "numbers"
    roles = ("key", "sensitive")

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> LinearPlan:
        return self.plan(columns, moments_of(data, columns))

    def plan(self, columns: Sequence[str], moments: Moments) -> LinearPlan:
        """Return the plan from moments alone, so that the table need not be in memory."""
        return self._plan(columns, complete(type(self).__name__, moments))

    @abstractmethod
    def _plan(self, columns: Sequence[str], moments: Moments) -> LinearPlan: ...


def transformed(columns: Sequence[Floats], mean: Floats, matrix: Floats) -> Floats:
    """Return the mean plus each record's deviation times the matrix, shape (p, n).

    A missing value counts as the mean, and stays missing. Terms are added up in an order of our
    own, so that a record gets the same number to the last digit in any partition and by any
    library.

    Examples
    --------
    >>> columns = [np.array([1.0, 3.0]), np.array([5.0, np.nan])]
    >>> swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> transformed(columns, np.array([2.0, 6.0]), swap).tolist()
    [[1.0, 2.0], [5.0, nan]]
    """
    rows = len(columns[0])
    at_once = max(1, _BLOCK_CELLS // len(columns))
    masked = np.empty((len(columns), rows))

    def transform(start: int) -> None:
        here = masked[:, start : start + at_once]
        deviations = np.empty(here.shape)
        for line, column, centre in zip(deviations, columns, mean, strict=True):
            np.subtract(column[start : start + at_once], centre, out=line)
        gaps = np.isnan(deviations) if np.isnan(deviations.sum()) else None
        if gaps is not None:
            deviations[gaps] = 0
        np.add(product(matrix.T, deviations), mean[:, None], out=here)
        if gaps is not None:
            here[gaps] = np.nan

    side_by_side(transform, range(0, rows, at_once))
    return masked


def numbers(data: Microdata, names: Sequence[str]) -> list[Numeric]:
    """Return the columns of these names, which hold numbers."""
    columns = [data[name] for name in names]
    if not all(isinstance(column, Numeric) for column in columns):
        raise TypeError("a linear plan takes numbers")
    return [column for column in columns if isinstance(column, Numeric)]


def complete_moments(method: str, data: Microdata, names: Sequence[str]) -> Moments:
    """Return the moments of the records that have all columns; refuse a table that has none."""
    return complete(method, moments_of(data, names))


def complete(method: str, moments: Moments) -> Moments:
    """Return moments as they are; refuse those of no record."""
    if moments.weight == 0:
        raise ColumnError(
            "{method}: no record has a value in all {count} columns; choose fewer, or impute "
            "first.",
            method=method,
            count=len(moments.mean),
        )
    return moments


def standardized(moments: Moments) -> tuple[Floats, Floats]:
    """Return standard deviations and correlations, with zeros for constant columns.

    Examples
    --------
    >>> from sudare.engine.counting.weighted_moments import moments
    >>> sd, correlation = standardized(moments([Numeric("x", np.full(3, 0.1))]))
    >>> sd.tolist(), correlation.tolist()
    ([0.0], [[0.0]])
    """
    constant = moments.sd <= 1e-14 * np.abs(moments.mean)  # rounding leaves a trace of deviation
    sd = np.where(constant, 0.0, moments.sd)
    unit = np.where(constant, np.inf, sd)
    correlation = moments.covariance / np.outer(unit, unit)
    np.fill_diagonal(correlation, np.where(constant, 0.0, 1.0))
    return sd, correlation
