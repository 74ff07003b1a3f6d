"""Linear masking: each record becomes the mean plus its deviation times a matrix, plus noise.

Orthogonal transformation and synthesis by regression differ in the matrix only. The plan is a mean
and a matrix learnt from moments, so a table of any length is masked block by block.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from sudare.core.columns import Numeric
from sudare.core.draws import Draws
from sudare.core.errors import ColumnError
from sudare.core.masker import Masker, Plan, WorksOn
from sudare.core.method import Takes
from sudare.core.microdata import Microdata
from sudare.core.moments import Moments
from sudare.core.types import Floats, Role
from sudare.engine.moments import moments_of
from sudare.engine.threads import side_by_side

_BLOCK_CELLS = 1 << 16  # of a block of records: half a megabyte
_BLOCKS_IN_A_STRETCH = 16  # a generator is set up for each column of a stretch


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
        size = _block_rows(len(columns)) * _BLOCKS_IN_A_STRETCH
        masked = np.empty((len(columns), data.rows))

        def mask(start: int) -> None:
            stretch = slice(start, min(start + size, data.rows))
            found = masked[:, stretch]
            values = [column.values[stretch] for column in columns]
            transformed(values, self.mean, self.matrix, out=found)
            here = draws.starting_at(draws.first_row + start)
            for line, column, own, sd in zip(found, columns, values, self.noise_sd, strict=True):
                if sd:
                    noise = here.normal(column.name, len(line))
                    noise *= sd
                    np.add(line, noise, out=line)
                line[np.isnan(own)] = np.nan

        side_by_side(mask, range(0, data.rows, size))
        return data.replacing(
            replace(column, values=line) for column, line in zip(columns, masked, strict=True)
        )


class LinearMasker(Masker):
    """A masker with a linear plan, learnt from the records that have all columns."""

    works_on: ClassVar[WorksOn] = "rows"
    takes: ClassVar[Takes] = "numbers"
    roles: ClassVar[tuple[Role, ...]] = ("key", "sensitive")

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> LinearPlan:
        return self.plan(columns, moments_of(data, columns))

    def plan(self, columns: Sequence[str], found: Moments) -> LinearPlan:
        """Return the plan from moments alone, so that the table need not be in memory."""
        return self._plan(columns, complete(type(self).__name__, found))

    @abstractmethod
    def _plan(self, columns: Sequence[str], found: Moments) -> LinearPlan: ...


def transformed(columns: Sequence[Floats], mean: Floats, matrix: Floats, *, out: Floats) -> None:
    """Write the mean plus each record's deviation times the matrix, shape (p, n).

    A missing value counts as the mean. Blocks have one shape whatever the number of records, so
    that a record gets the same number to the last digit in any partition.

    Examples
    --------
    >>> columns = [np.array([1.0, 3.0]), np.array([5.0, np.nan])]
    >>> swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> found = np.empty((2, 2))
    >>> transformed(columns, np.array([2.0, 6.0]), swap, out=found)
    >>> found.tolist()
    [[1.0, 2.0], [5.0, 7.0]]
    """
    rows, size = len(columns[0]), _block_rows(len(columns))
    block = np.zeros((len(columns), size))
    product = np.empty_like(block)
    across = np.ascontiguousarray(matrix.T)
    for start in range(0, rows, size):
        end = min(start + size, rows)
        for line, column, centre in zip(block, columns, mean, strict=True):
            np.subtract(column[start:end], centre, out=line[: end - start])
        if np.isnan(block.sum()):
            block[np.isnan(block)] = 0
        np.matmul(across, block, out=product)
        np.add(product[:, : end - start], mean[:, None], out=out[:, start:end])


def _block_rows(columns: int) -> int:
    return max(64, _BLOCK_CELLS // columns // 64 * 64)


def numbers(data: Microdata, names: Sequence[str]) -> list[Numeric]:
    """Return the columns of these names, which hold numbers."""
    found = [data[name] for name in names]
    if not all(isinstance(column, Numeric) for column in found):
        raise TypeError("a linear plan takes numbers")
    return [column for column in found if isinstance(column, Numeric)]


def complete_moments(method: str, data: Microdata, names: Sequence[str]) -> Moments:
    """Return the moments of the records that have all columns; refuse a table that has none."""
    return complete(method, moments_of(data, names))


def complete(method: str, found: Moments) -> Moments:
    """Return moments as they are; refuse those of no record."""
    if found.weight == 0:
        raise ColumnError(
            "{method}: no record has a value in all {count} columns; choose fewer, or impute "
            "first.",
            method=method,
            count=len(found.mean),
        )
    return found


def standardized(found: Moments) -> tuple[Floats, Floats]:
    """Return standard deviations and correlations, with zeros for constant columns.

    Examples
    --------
    >>> from sudare.engine.moments import moments
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
