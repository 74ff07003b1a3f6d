"""Estimators: from randomized records and public steps to the statistics of the true ones."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from sudare.core import ColumnError, Floats, Method, Microdata, Numeric, Step
from sudare.engine.counting import cross_table
from sudare.reconstruct.released import Released


@dataclass(frozen=True, eq=False)
class Estimate:
    """The result of an estimator.

    Attributes
    ----------
    method
        Name of the estimator.
    columns
        The columns whose joint distribution was estimated.
    weights
        One weight per randomized record, shape (n,), at least 0 and 1 on average: a statistic of
        the records so weighted estimates that of the true records. Give them to scikit-learn as
        ``sample_weight``.
    log_likelihood
        Mean log-likelihood per record, up to a constant, at the start and after each round; it
        never falls.
    converged
        Whether the last round gained less than the tolerance.
    error
        What the computation itself may be wrong by: half the largest difference between the
        shares of any category (of any tenth of the numbers) that two halves of the
        computation find. 0 where it is exact.
    """

    method: str
    columns: tuple[str, ...]
    weights: Floats = field(repr=False)
    log_likelihood: Floats = field(repr=False)
    converged: bool
    error: float
    data: Microdata = field(repr=False)

    @property
    def effective_rows(self) -> float:
        """How many equally weighted records would vary as much (Kish)."""
        return float(self.weights.sum() ** 2 / (self.weights**2).sum())

    def mean(self, column: str) -> float:
        """Return the estimated mean of a column of numbers; absent values do not count."""
        values = self.data[column]
        if not isinstance(values, Numeric):
            raise ColumnError("column '{column}' does not hold numbers.", column=column)
        known = values.known
        return float(np.average(values.values[known], weights=self.weights[known]))

    def shares(self, *columns: str) -> Floats:
        """Return the estimated shares of the cells of a table, one axis per column.

        Numbers are taken by their distinct values; records with an absent value do not count.
        """
        counts = cross_table([self.data[name] for name in columns], self.weights)
        inner = counts[(slice(0, -2),) * len(columns)]
        return inner / inner.sum()


class Estimator(Method, ABC):
    """An estimator with its settings. ``fit`` sees randomized records and public steps only.

    Without ``columns`` it uses those that the steps randomized, and in addition the sensitive
    columns of categories, so that their relation to the others is estimated too.
    """

    roles = ("key", "sensitive")

    columns: Annotated[
        tuple[str, ...] | None,
        "columns whose joint distribution is estimated; by default those that the steps "
        "randomized and the sensitive categories",
    ] = None

    def fit(self, data: Microdata, steps: Sequence[Step]) -> Estimate:
        """Estimate the distribution of the true records.

        Parameters
        ----------
        data
            The randomized table.
        steps
            What was done to it, as published.
        """
        named = None if self.columns is None else self.chosen(data)
        released = Released.of(type(self).__name__, data, tuple(steps), named)
        self.refuse_empty(data, released.names)
        return self._fit(released)

    @abstractmethod
    def _fit(self, released: Released) -> Estimate: ...

    def estimate(self, released: Released, weights: Floats, **more: object) -> Estimate:
        """Return an estimate under this estimator's name."""
        return Estimate(
            method=type(self).__name__,
            columns=tuple(released.names),
            weights=weights,
            data=released.data,
            **more,  # type: ignore[arg-type]
        )
