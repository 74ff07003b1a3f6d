"""Synthesis by regression (DRI, SRI): each number becomes what the others of its record say."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from sudare.core import MANY_RECORDS, Floats, Moments, significant, significant_above
from sudare.engine.counting import eigen, rebuilt
from sudare.mask.synthesis.linear import LinearMasker, LinearPlan, standardized

_NO_VARIANCE = 1e-12  # an eigenvalue of a correlation matrix that is rounding, or as good as


def leave_one_out(correlation: Floats) -> tuple[Floats, Floats]:
    """Return the regressions of every column on all others, from one factorization.

    With Ω the inverse of the correlation matrix, the slope of column i on column j is −Ωᵢⱼ/Ωᵢᵢ and
    the share of variance that is left over 1/Ωᵢᵢ. Where the matrix has no inverse, this is the
    limit of (R + εI)⁻¹ as ε goes to 0: a column that the others determine has nothing left over.

    Returns
    -------
    slopes
        Of standardized columns; column i of the matrix predicts variable i, shape (p, p).
    left_over
        Share of each column's variance that the others do not explain, shape (p,).

    Examples
    --------
    >>> slopes, left_over = leave_one_out(np.array([[1.0, 0.6], [0.6, 1.0]]))
    >>> slopes.round(3).tolist(), left_over.round(3).tolist()
    ([[0.0, 0.6], [0.6, 0.0]], [0.64, 0.64])
    """
    values, vectors = eigen(correlation)
    empty = values <= _NO_VARIANCE * max(values[-1], 0.0)
    inverse = np.divide(1.0, values, out=np.zeros_like(values), where=~empty)
    precision = rebuilt(inverse, vectors)
    null = rebuilt(empty.astype(np.float64), vectors)
    determined = np.diag(null) > _NO_VARIANCE
    rule = np.where(determined, null, precision)
    own = np.diag(rule)
    slopes = -rule / np.where(own > 0, own, 1.0)
    np.fill_diagonal(slopes, 0.0)
    return slopes, np.where(determined, 0.0, 1 / np.where(own > 0, own, np.inf))


def _published(size: float, records: float) -> float:
    """Return the size of noise with two digits; that of few records goes up to the next step."""
    return significant(size) if records >= MANY_RECORDS else significant_above(size, records)


class RegressionSynthesis(LinearMasker):
    """Replace every number by its least-squares prediction from the other columns.

    Without noise this is the slides' DRI; with noise, N(0, σ̂²) for each column with
    σ̂² = SSE / (n − p), their SRI. All p regressions come from one factorization of the correlation
    matrix. The standard deviation σ̂ of what the others do not explain is public; it is rounded to
    two digits, and the noise is as large as what is published.

    Learned from the records that have all columns, without sampling weights. A missing value counts
    as the mean of its column where it predicts others, and stays missing. A constant column stays
    constant. Means stay as they are without noise. Nothing keeps a number from becoming negative.

    Notes
    -----
    A column that the others determine exactly (a total and its parts) is returned **unchanged**,
    and so does every column when there are no more records than columns: ``residual_sd`` is then 0.
    Leave totals out, as the slides do.

    References
    ----------
    Sano, slides on synthetic data by orthogonal transformation: DRI and SRI.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.expenditure_like(2000, seed=1)
    >>> masked = sudare.apply(data, RegressionSynthesis(noise=False))
    >>> masked.steps[0].public["米"]["residual_sd"] > 0
    True
    """

    random = True

    noise: Annotated[bool, "add normal noise as large as the residuals (SRI, not DRI)"] = True

    def _plan(self, columns: Sequence[str], moments: Moments) -> LinearPlan:
        sd, correlation = standardized(moments)
        slopes, left_over = leave_one_out(correlation)
        unit = np.where(sd > 0, sd, 1.0)
        freedom = max(moments.weight - len(columns), 1.0)
        exact = sd * np.sqrt(left_over * moments.weight / freedom)
        residual_sd = np.array([_published(float(size), moments.weight) for size in exact])
        public = {
            name: {"residual_sd": float(size)}
            for name, size in zip(columns, residual_sd, strict=True)
        }
        return LinearPlan(
            self.step(columns, public),
            moments.mean,
            slopes * unit / unit[:, None],
            residual_sd * self.noise,
        )
