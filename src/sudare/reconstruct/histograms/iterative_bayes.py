"""Iterative Bayes: the histogram of the true records by the EM algorithm (eq. 6)."""

from typing import Annotated

import numpy as np

from sudare.core import AtLeast
from sudare.reconstruct.estimator import Estimate
from sudare.reconstruct.histograms.histogram import Histogram, HistogramEstimate, HistogramEstimator
from sudare.reconstruct.mixture import maximize
from sudare.reconstruct.released import Released


class IterativeBayes(HistogramEstimator):
    """Estimate the histogram of the true records by iterated Bayes' rule.

    The share of every cell of the cross table is estimated by maximum likelihood (eq. 6), starting
    from even shares. The transition of a cell is the product of the columns' own; it is applied
    axis by axis, so that a round costs the number of cells times a small factor. But cells multiply
    with every column: name few columns. Numbers are cut into ``classes`` of equal width between
    their public bounds, and taken as even within a class; columns that were not randomized keep
    their place.

    ``fit(data, steps).table`` is the histogram. The weights make the randomized records agree with
    it: mass of cells in which no record was published is lost to them. Records with an absent
    value do not count and have weight 1.

    References
    ----------
    Agrawal, Srikant and Thomas (2005). Privacy preserving OLAP. SIGMOD.
    Hasegawa, Hamada and Kikuchi, Efficient reconstruction algorithm for multivariate statistics:
    eq. 6.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy(2000)
    >>> masked = sudare.apply(data, sudare.mask.RetentionReplacement(retain=0.4), seed=7)
    >>> estimate = IterativeBayes(columns=("region",)).fit(masked.data, masked.steps)
    >>> estimate.table.round(2).tolist()
    [0.02, 0.09, 0.33, 0.15, 0.15, 0.05, 0.06, 0.15]
    """

    rounds: Annotated[int, AtLeast(1), "largest number of rounds"] = 200
    tolerance: Annotated[
        float, AtLeast(0), "a round that gains less mean log-likelihood is the last"
    ] = 1e-9

    def _estimate(self, released: Released, histogram: Histogram) -> Estimate:
        cells = len(histogram.observed)
        ascent = maximize(
            histogram.transition,
            histogram.observed,
            np.full(cells, 1 / cells),
            rounds=self.rounds,
            tolerance=self.tolerance,
        )
        return HistogramEstimate(
            method=type(self).__name__,
            columns=tuple(released.names),
            weights=histogram.weights(ascent.shares),
            log_likelihood=ascent.log_likelihood,
            converged=ascent.converged,
            error=0.0,
            data=released.data,
            table=ascent.shares.reshape(histogram.transition.shape),
            axes=tuple(axis.labels for axis in histogram.transition.axes),
        )
