"""Hybrid synthesis: between original and synthetic numbers, with the same means and covariances."""

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from sudare.core import Between, Draws, Flags, Floats, Masker, Microdata, Plan, Role, Takes, WorksOn
from sudare.engine.counting import (
    block_moments,
    eigen,
    product,
    pseudoinverse,
    rebuilt,
    root,
)
from sudare.mask.synthesis.linear import complete_moments, numbers

_NO_VARIANCE = 1e-12  # a share of the largest eigenvalue that is rounding


def unrelated(noise: Floats, deviations: Floats, complete: Flags) -> Floats:
    """Return noise with mean 0 and covariance I that does not correlate with the deviations.

    Exactly so over the complete records, if these are more than twice the columns.

    Parameters
    ----------
    noise
        Independent standard normal draws, shape (p, n).
    deviations
        Deviations from the mean, 0 where there is no value, shape (p, n).
    complete
        Which records have all values, shape (n,).
    """
    inside, given = noise[:, complete], deviations[:, complete]
    inside = inside - inside.mean(axis=1, keepdims=True)
    slopes = product(pseudoinverse(product(given, given.T)), product(given, inside.T))
    inside = inside - product(slopes.T, given)
    sizes, directions = eigen(block_moments(inside).covariance)
    empty = sizes <= _NO_VARIANCE * max(sizes[-1], 1.0)
    inverse = np.divide(1.0, np.sqrt(np.maximum(sizes, 0)), out=np.zeros_like(sizes), where=~empty)
    adjusted = noise.copy()
    adjusted[:, complete] = product(rebuilt(inverse, directions), inside)
    return adjusted


@dataclass(frozen=True, repr=False)
class HybridPlan(Plan):
    """Means, covariances, and how similar to the original the numbers stay."""

    mean: Floats
    covariance: Floats
    similarity: float

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        columns = numbers(data, self.step.columns)
        values = np.stack([column.values for column in columns])
        complete = ~np.isnan(values).any(axis=0)
        deviations = np.nan_to_num(values - self.mean[:, None])
        noise = np.stack([draws.normal(column.name, column.rows) for column in columns])
        if complete.any():
            noise = unrelated(noise, deviations, complete)
        half = root((1 - self.similarity**2) * self.covariance)
        mixed = self.mean[:, None] + self.similarity * deviations + product(half, noise)
        mixed[np.isnan(values)] = np.nan
        return data.replacing(replace(c, values=v) for c, v in zip(columns, mixed, strict=True))


class HybridSynthesis(Masker):
    """Mix numbers with synthetic ones so that means and covariances stay exactly the same.

    Each record becomes μ + α (x − μ) + e, with α the ``similarity`` and e normal noise of
    covariance (1 − α²) Σ that does not correlate with the numbers. So α is the correlation of every
    column with its original: with 1 nothing changes, with 0 the records are fully synthetic, and
    least squares on the masked columns give the estimates and errors of the original whatever α.

    Learnt from the records that have all columns, without sampling weights, and exact for these.
    A missing value counts as the mean and stays missing. A constant column stays constant. Nothing
    keeps a number from becoming negative, and skewed columns become less so.

    Notes
    -----
    Means and covariances are exact if more records are complete than twice the columns, and
    otherwise approximate.

    References
    ----------
    Muralidhar and Sarathy (2008). Generating sufficiency-based non-synthetic perturbed data.
    Transactions on Data Privacy 1(1), with one α for all variables and no further ones given.

    Examples
    --------
    >>> import numpy as np
    >>> import sudare
    >>> data = sudare.datasets.expenditure_like(500, seed=1)
    >>> masked = sudare.apply(data, HybridSynthesis(similarity=0.6), seed=1).data
    >>> before, after = data["米"].values, masked["米"].values
    >>> bool(np.isclose(before.var(), after.var()))
    True
    >>> float(np.corrcoef(before, after)[0, 1].round(6))
    0.6
    """

    works_on: ClassVar[WorksOn] = "table"
    takes: ClassVar[Takes] = "numbers"
    random: ClassVar[bool] = True
    roles: ClassVar[tuple[Role, ...]] = ("key", "sensitive")

    similarity: Annotated[
        float, Between(0, 1), "correlation of each column with its original: 0 is fully synthetic"
    ] = 0.5

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        moments = complete_moments(type(self).__name__, data, columns)
        return HybridPlan(self.step(columns, {}), moments.mean, moments.covariance, self.similarity)
