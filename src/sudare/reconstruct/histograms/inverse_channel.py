"""The inverse channel: unbiased shares of the true cells, with standard errors."""

from dataclasses import dataclass, field, replace

import numpy as np

from sudare.core import ColumnError, Floats
from sudare.reconstruct.estimator import Estimate
from sudare.reconstruct.histograms.histogram import (
    Histogram,
    HistogramAxis,
    HistogramEstimate,
    HistogramEstimator,
    Kronecker,
)
from sudare.reconstruct.released import Released

_WORST = 1e6  # how much an inverse may blow up what chance did to a share


@dataclass(frozen=True, eq=False)
class UnbiasedEstimate(HistogramEstimate):
    """A histogram from the inverse transition.

    Attributes
    ----------
    unbiased
        The shares whose expectations are the true ones. Some may be below 0 or above 1.
    standard_errors
        Of the unbiased shares: by how much the randomization and the sample make them vary.
    """

    unbiased: Floats = field(default_factory=lambda: np.ones(()), repr=False)
    standard_errors: Floats = field(default_factory=lambda: np.zeros(()), repr=False)


class InverseChannel(HistogramEstimator):
    """Estimate the histogram of the true records by inverting the published transition.

    Published shares are on average the transition applied to the true ones, so its inverse applied
    to them is unbiased, cell by cell: ``fit(data, steps).unbiased``, with ``standard_errors``. Sums
    and differences of cells are unbiased too. Where cells are rare the result may be negative;
    ``table`` is the nearest histogram (by squared distance) without negative shares, from which the
    weights are made. The inverse is applied axis by axis.

    Prefer it to :class:`IterativeBayes` for rare cells and where an error must be stated: maximum
    likelihood has the smaller error over all cells, but draws rare cells towards 0 or away from it.

    Notes
    -----
    A published cell k has the share s_k of n records; with w the inverse's row of a true cell, the
    estimate is Σ w_k s_k and its variance (Σ w_k² s_k − (Σ w_k s_k)²) / n. Records are taken as
    drawn independently. Columns that were not randomized keep their place. Numbers in classes are
    taken as even within a class, which is a bias of its own.

    References
    ----------
    Warner (1965), Randomized response. Journal of the American Statistical Association 60. Agrawal,
    Srikant and Thomas (2005). Privacy preserving OLAP. SIGMOD. Duchi, Shalev-Shwartz, Singer and
    Chandra (2008). Efficient projections onto the l1-ball. ICML: the nearest histogram.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy(2000)
    >>> masked = sudare.apply(data, sudare.mask.RetentionReplacement(retain=0.4), seed=7)
    >>> estimate = InverseChannel(columns=("sex",)).fit(masked.data, masked.steps)
    >>> estimate.unbiased.round(2).tolist(), estimate.standard_errors.round(2).tolist()
    ([0.49, 0.51], [0.03, 0.03])
    """

    def _estimate(self, released: Released, histogram: Histogram) -> Estimate:
        transition = histogram.transition
        inverse = Kronecker(
            [
                _inverted(axis, name)
                for axis, name in zip(transition.axes, released.names, strict=True)
            ]
        )
        squared = Kronecker([replace(axis, matrix=_squared(axis)) for axis in inverse.axes])
        unbiased = inverse.seen(histogram.observed)
        spread = squared.seen(histogram.observed) - unbiased**2
        shares = nearest_shares(unbiased)
        seen = transition.seen(shares)
        some = histogram.observed > 0
        likelihood = float(histogram.observed[some] @ np.log(np.maximum(seen[some], 1e-300)))
        return UnbiasedEstimate(
            method=type(self).__name__,
            columns=tuple(released.names),
            weights=histogram.weights(shares),
            log_likelihood=np.array([likelihood, likelihood]),
            converged=True,
            error=0.0,
            data=released.data,
            table=shares.reshape(transition.shape),
            axes=tuple(axis.labels for axis in transition.axes),
            unbiased=unbiased.reshape(transition.shape),
            standard_errors=np.sqrt(spread.clip(min=0) / histogram.known.sum()).reshape(
                transition.shape
            ),
        )


def nearest_shares(values: Floats) -> Floats:
    """Return the nearest numbers, by squared distance, that are 0 or more and sum to 1.

    Examples
    --------
    >>> nearest_shares(np.array([0.7, 0.5, -0.2])).round(6).tolist()
    [0.6, 0.4, 0.0]
    """
    falling = np.sort(values)[::-1]
    excess = (np.cumsum(falling) - 1) / np.arange(1, len(values) + 1)
    cut = excess[np.flatnonzero(falling > excess)[-1]]
    return np.maximum(values - cut, 0.0)


def _inverted(axis: HistogramAxis, name: str) -> HistogramAxis:
    """Return an axis whose transition leads back from published to true cells."""
    if axis.matrix is None:
        return axis
    if np.linalg.cond(axis.matrix) > _WORST:
        raise ColumnError(
            "InverseChannel: column '{column}' was randomized so strongly that its transition "
            "cannot be inverted; use fewer classes, or IterativeBayes.",
            column=name,
        )
    inverse: Floats = np.asarray(np.linalg.inv(axis.matrix), np.float64)
    return replace(axis, matrix=inverse, retain=None)


def _squared(axis: HistogramAxis) -> Floats | None:
    return None if axis.matrix is None else axis.matrix**2
