"""Combining what several versions of a table say: point, variance, degrees of freedom, interval."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from sudare.core import Flags, Floats, SettingError

Rule = Literal["fitted", "proper", "full", "partial", "missing"]
_LARGE_SAMPLES = ("fitted", "proper")  # what lies between the versions is known, not estimated


@dataclass(frozen=True, eq=False)
class Combined:
    """An estimate from m versions of a table; each array has the shape of one estimate.

    Attributes
    ----------
    estimate
        Mean of the m estimates, q̄.
    variance
        Its variance by the rule, T.
    within
        Mean of the m variances, v̄.
    between
        Variance between the m estimates, b; NaN of a single one.
    freedom
        Degrees of freedom of the t distribution.
    adjusted
        Where T of fully synthetic data was negative and v̄ took its place.
    """

    estimate: Floats
    variance: Floats
    within: Floats
    between: Floats
    freedom: Floats
    adjusted: Flags

    def interval(self, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Return the ends of the confidence interval."""
        from scipy.special import ndtri, stdtrit

        if not 0 < confidence < 1:
            raise SettingError("confidence must be above 0 and below 1.")
        tail = (1 + confidence) / 2
        endless = np.isinf(self.freedom)
        quantile = np.where(
            endless, ndtri(tail), stdtrit(np.where(endless, 1.0, self.freedom), tail)
        )
        half = quantile * np.sqrt(self.variance)
        return self.estimate - half, self.estimate + half


def combine(
    estimates: ArrayLike, variances: ArrayLike, *, rule: Rule, size_ratio: float = 1.0
) -> Combined:
    """Combine the estimates that m versions of a table give into one, with its variance.

    With q̄ and b the mean and variance of the m estimates, v̄ the mean of their variances and k the
    size of a version as a multiple of the original's:

    ============  ====================  =========================================
    rule          variance T            degrees of freedom
    ============  ====================  =========================================
    ``fitted``    v̄ (k + 1/m)           ∞
    ``proper``    v̄ (k + (1 + k)/m)     ∞
    ``full``      (1 + 1/m) b − v̄       (m − 1) (1 − v̄ / ((1 + 1/m) b))²
    ``partial``   b/m + v̄               (m − 1) (1 + v̄ / (b/m))²
    ``missing``   (1 + 1/m) b + v̄       (m − 1) (1 + v̄ / ((1 + 1/m) b))²
    ============  ====================  =========================================

    Parameters
    ----------
    estimates
        One per version along the first axis, shape (m,) or (m, …); m is at least 2, but one
        version is enough for ``fitted`` and ``proper``.
    variances
        Their squared standard errors as each version gives them, of the same shape.
    rule
        How the versions were made, as the Step says: ``fitted`` if all columns of all records were
        drawn from models fitted to the original, ``proper`` if the models were fitted to a Bayesian
        bootstrap of it, ``partial`` if columns or records stayed as they were, ``missing`` if only
        missing values were imputed. ``full`` is the older rule for fully synthetic data, for
        versions each of which is a sample of another synthetic population.
    size_ratio
        k, for ``fitted`` and ``proper``.

    Notes
    -----
    T of fully synthetic data can be negative when m is small; then v̄ takes its place with m − 1
    degrees of freedom, as for a synthetic table of the size of the original. Its degrees of
    freedom are at least 1.

    References
    ----------
    Raab, Nowok and Dibben (2016). Practical data synthesis for large samples. Journal of Privacy
    and Confidentiality 7(3): T_s and T_p. Raghunathan, Reiter and Rubin (2003). Multiple imputation
    for statistical disclosure limitation. Journal of Official Statistics 19(1); the adjustment is
    that of Reiter (2002) in 18(4). Reiter (2003). Inference for partially synthetic, public use
    microdata sets. Survey Methodology 29(2). Rubin (1987). Multiple Imputation
    for Nonresponse in Surveys.

    Examples
    --------
    >>> pooled = combine([10.0, 12.0, 14.0], [2.0, 2.0, 2.0], rule="partial")
    >>> float(pooled.estimate), round(float(pooled.variance), 3), round(float(pooled.freedom), 3)
    (12.0, 3.333, 12.5)
    """
    points, squares = np.asarray(estimates, np.float64), np.asarray(variances, np.float64)
    _check(points, squares, rule)
    if not size_ratio > 0:
        raise SettingError("combine: size_ratio must be above 0.")
    m = len(points)
    estimate, within = points.mean(axis=0), squares.mean(axis=0)
    between = points.var(axis=0, ddof=1) if m > 1 else np.full(np.shape(estimate), np.nan)
    if rule in _LARGE_SAMPLES:
        drawn = 1 / m if rule == "fitted" else (1 + size_ratio) / m
        endless, none = np.full(np.shape(estimate), np.inf), np.zeros(np.shape(estimate), np.bool_)
        return Combined(estimate, within * (size_ratio + drawn), within, between, endless, none)
    spread = between / m if rule == "partial" else (1 + 1 / m) * between
    sign = -1 if rule == "full" else 1
    with np.errstate(divide="ignore", invalid="ignore"):  # b = 0: all versions agree
        freedom = np.where(spread > 0, (m - 1) * (1 + sign * within / spread) ** 2, np.inf)
    variance = np.asarray(spread + sign * within)
    adjusted = np.asarray(variance <= 0) & (rule == "full")
    freedom = np.where(adjusted, m - 1, np.maximum(freedom, 1.0))
    variance = np.where(adjusted, within, variance)
    return Combined(estimate, variance, within, between, freedom, adjusted)


def _check(points: Floats, squares: Floats, rule: str) -> None:
    if rule not in get_args(Rule):
        raise SettingError("combine: rule must be one of {known}.", known=", ".join(get_args(Rule)))
    if points.ndim == 0 or points.shape != squares.shape:
        raise SettingError("combine: there must be one variance for each estimate.")
    if len(points) < (1 if rule in _LARGE_SAMPLES else 2):
        raise SettingError("combine needs the estimates of at least 2 versions.")
    if not (np.isfinite(points).all() and (squares >= 0).all()):
        raise SettingError("combine: estimates must be finite, and variances 0 or more.")
