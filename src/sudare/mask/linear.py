"""Linear masking: each record becomes the mean plus its deviation times a matrix, plus noise.

Orthogonal transformation and synthesis by regression differ in the matrix only. The plan is a mean
and a matrix learnt from moments, so a table of any length is masked block by block.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from sudare.core.columns import Numeric
from sudare.core.draws import Draws
from sudare.core.errors import ColumnError
from sudare.core.masker import Plan
from sudare.core.microdata import Microdata
from sudare.core.types import Floats
from sudare.engine.moments import Moments, moments

_BLOCK_CELLS = 1 << 17  # of a block of records: one megabyte


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
        masked = transformed(columns, self.mean, self.matrix)

        def finish(place: int) -> Numeric:
            column, values, sd = columns[place], masked[place], self.noise_sd[place]
            if sd:
                noise = draws.normal(column.name, column.rows)
                noise *= sd
                values += noise
            values[~column.known] = np.nan
            return replace(column, values=values)

        with ThreadPoolExecutor() as pool:  # draws are keyed by column, so any order will do
            return data.replacing(pool.map(finish, range(len(columns))))


def transformed(columns: Sequence[Numeric], mean: Floats, matrix: Floats) -> Floats:
    """Return the mean plus each record's deviation times the matrix, shape (p, n).

    A missing value counts as the mean. Blocks have one shape whatever the number of records, so
    that a record gets the same number to the last digit in any partition.

    Examples
    --------
    >>> columns = [Numeric("x", np.array([1.0, 3.0])), Numeric("y", np.array([5.0, np.nan]))]
    >>> swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> transformed(columns, np.array([2.0, 6.0]), swap).tolist()
    [[1.0, 2.0], [5.0, 7.0]]
    """
    rows, size = columns[0].rows, max(64, _BLOCK_CELLS // len(columns) // 64 * 64)
    found = np.empty((len(columns), rows))
    block = np.zeros((len(columns), size))
    product = np.empty_like(block)
    across, holes = np.ascontiguousarray(matrix.T), [not column.known.all() for column in columns]
    for start in range(0, rows, size):
        end = min(start + size, rows)
        for line, column, centre, hole in zip(block, columns, mean, holes, strict=True):
            np.subtract(column.values[start:end], centre, out=line[: end - start])
            if hole:
                line[np.isnan(line)] = 0
        np.matmul(across, block, out=product)
        np.add(product[:, : end - start], mean[:, None], out=found[:, start:end])
    return found


def numbers(data: Microdata, names: Sequence[str]) -> list[Numeric]:
    """Return the columns of these names, which hold numbers."""
    found = [data[name] for name in names]
    if not all(isinstance(column, Numeric) for column in found):
        raise TypeError("a linear plan takes numbers")
    return [column for column in found if isinstance(column, Numeric)]


def complete_moments(method: str, data: Microdata, names: Sequence[str]) -> Moments:
    """Return the moments of the records that have all columns; refuse a table that has none."""
    found = moments(numbers(data, names))
    if found.weight == 0:
        raise ColumnError(
            "{method}: no record has a value in all {count} columns; choose fewer, or impute "
            "first.",
            method=method,
            count=len(names),
        )
    return found


def standardized(found: Moments) -> tuple[Floats, Floats]:
    """Return standard deviations and correlations, with zeros for constant columns.

    Examples
    --------
    >>> sd, correlation = standardized(moments([Numeric("x", np.full(3, 0.1))]))
    >>> sd.tolist(), correlation.tolist()
    ([0.0], [[0.0]])
    """
    constant = found.sd <= 1e-14 * np.abs(found.mean)  # rounding leaves a trace of deviation
    sd = np.where(constant, 0.0, found.sd)
    unit = np.where(constant, np.inf, sd)
    correlation = found.covariance / np.outer(unit, unit)
    np.fill_diagonal(correlation, np.where(constant, 0.0, 1.0))
    return sd, correlation
