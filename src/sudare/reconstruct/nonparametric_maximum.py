"""The nonparametric maximum: every randomized record gets the weight that likelihood gives it."""

from typing import Annotated

import numpy as np

from sudare.core import AtLeast, Floats, Integers
from sudare.engine.counting import groups
from sudare.reconstruct.estimator import Estimate, Estimator
from sudare.reconstruct.mixture import Ascent, joined, maximize
from sudare.reconstruct.pairs import Pairs
from sudare.reconstruct.released import Released, Stratum, disagreement


def likeliest_weights(stratum: Stratum, *, rounds: int, tolerance: float) -> tuple[Floats, Ascent]:
    """Return the weights of records, 1 on average, that maximize the likelihood of eq. 12.

    Equal records are taken together.
    """
    if not stratum.columns:  # nothing here was randomized
        return np.ones(len(stratum.rows)), Ascent(np.ones(1), np.zeros(1), converged=True)
    kinds = groups(stratum.columns)
    _, first = np.unique(kinds.index, return_index=True)
    shares = kinds.sizes / len(stratum.rows)
    pairs = Pairs.of([column.take(first) for column in stratum.columns], stratum.channels)
    ascent = maximize(pairs, shares, shares, rounds=rounds, tolerance=tolerance)
    return (ascent.shares / shares)[kinds.index], ascent


class NonparametricMaximum(Estimator):
    """Weight the randomized records so that they are most likely, with no model for the weights.

    It maximizes eq. 12 over the weights themselves: the true distribution is sought among all
    those on the randomized records. Multiplicative steps never lower the likelihood. The maximum
    lies on few records, the fewer the more was randomized, so that ``effective_rows`` can become
    small; fewer ``rounds`` stop earlier, nearer to even weights.

    Columns that were not randomized are known: records that differ there, or in what is absent,
    are estimated apart, so that the relation of the others to them is estimated too.

    Notes
    -----
    The transition matrix is never held as a whole: products are made tile by tile (tiles are kept
    where that takes at most a gigabyte). A table longer than ``block`` is dealt at random into
    blocks that are estimated by themselves; `Estimate.error` then says how far two halves of the
    blocks are apart.

    References
    ----------
    Hasegawa, Hamada and Kikuchi, Efficient reconstruction algorithm for multivariate statistics:
    eq. 12 and 13.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy(2000)
    >>> masked = sudare.apply(data, sudare.mask.RetentionReplacement(retain=0.4), seed=7)
    >>> estimate = NonparametricMaximum(columns=("region",)).fit(masked.data, masked.steps)
    >>> estimate.shares("region").round(2).tolist()
    [0.02, 0.09, 0.33, 0.15, 0.15, 0.05, 0.06, 0.15]
    """

    rounds: Annotated[int, AtLeast(1), "largest number of rounds"] = 10
    tolerance: Annotated[
        float, AtLeast(0), "a round that gains less mean log-likelihood is the last"
    ] = 1e-7
    block: Annotated[int, AtLeast(2), "largest number of records estimated together"] = 8_192
    seed: Annotated[int, AtLeast(0), "which records share a block"] = 0

    def _fit(self, released: Released) -> Estimate:
        weights = np.ones(released.data.rows)
        half = np.zeros(released.data.rows, np.int64)
        ascents: list[Ascent] = []
        sizes: list[float] = []
        for stratum in released.strata():
            for number, block in enumerate(self._blocks(len(stratum.rows))):
                part = stratum.take(block)
                estimated, ascent = likeliest_weights(
                    part, rounds=self.rounds, tolerance=self.tolerance
                )
                weights[part.rows] = estimated
                half[part.rows] = number % 2
                ascents.append(ascent)
                sizes.append(len(part.rows))
        columns = [released.data[name] for name in released.channels]
        halves = weights * (half == 0), weights * (half == 1)
        return self.estimate(
            released,
            weights,
            log_likelihood=joined([ascent.log_likelihood for ascent in ascents], sizes),
            converged=all(ascent.converged for ascent in ascents),
            error=disagreement(columns, *halves) if half.any() else 0.0,
        )

    def _blocks(self, rows: int) -> list[Integers]:
        number = -(-rows // self.block)
        if number == 1:
            return [np.arange(rows)]
        return np.array_split(np.random.default_rng(self.seed).permutation(rows), number)
