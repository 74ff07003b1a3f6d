"""The density ratio (eq. 12, algorithm 1): weights that are a model of the randomized record.

w(z) = Σ_r α_r φ_r(z) with features φ_r ≥ 0 and coefficients α_r ≥ 0. What was published has the
density f_i = Σ_j P(y_i | y_j) w(y_j) / n = (PΦα)_i / n: once PΦ is known, a round of the ascent
costs a few passes over it, and the n × n matrix is not needed again.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import BoundedNoise, Floats, Integers, Numeric
from sudare.engine.counting import groups, products_on_one_thread
from sudare.reconstruct.estimator import Estimate, Estimator
from sudare.reconstruct.mixture import Ascent, Matrix, joined, maximize, product
from sudare.reconstruct.pairs import Pairs, Singles
from sudare.reconstruct.released import Released, Stratum, disagreement

Model = Callable[[Stratum], Singles]  # from records to their features
_BLOCK = 1 << 16  # records whose features are made together
_FOLDS = 3
_TRIAL = 4096  # most records by which a model is chosen
_COARSE = 1e-5  # a tolerance that tells one model from another


@dataclass(frozen=True, eq=False)
class Sample:
    """Distinct records of a stratum, in an order that does not depend on that of the table.

    Attributes
    ----------
    records
        The distinct records.
    counts
        How many of the sample are equal to each.
    """

    records: Stratum
    counts: Integers

    @classmethod
    def of(cls, stratum: Stratum) -> "Sample":
        """Return the distinct records of a stratum."""
        kinds = groups(stratum.columns)
        _, first = np.unique(kinds.index, return_index=True)
        return cls(stratum.take(first), kinds.sizes)

    def some(self, most: int, seed: int) -> "Sample":
        """Return some of the distinct records, chosen at random."""
        if len(self.counts) <= most:
            return self
        chosen = np.random.default_rng(seed).permutation(len(self.counts))[:most]
        return Sample(self.records.take(chosen), self.counts[chosen])


@dataclass(frozen=True, eq=False)
class SampleLikelihood:
    """The likelihood of a sample under one model.

    Attributes
    ----------
    model
        Φ as a function of records, so that all records can be weighted afterwards.
    means
        Mean of each feature over the sample: c with Σ c_r α_r = 1 (eq. 11).
    spread
        PΦ, every column divided by its mean, shape (distinct records, features).
    counts
        How many records of the sample are equal to each distinct one.
    """

    model: Model
    means: Floats
    spread: Singles
    counts: Integers

    def ascend(self, rounds: int, tolerance: float) -> Ascent:
        """Return the ascent; its shares are c_r α_r."""
        return ascend(self.spread, self.counts, rounds, tolerance)

    def held_out(self, rounds: int, tolerance: float) -> float:
        """Return the log-likelihood of records that the ascent did not see, over the folds."""
        rng = np.random.default_rng(0)  # the same folds for every model
        total = 0.0
        for left in rng.multinomial(self.counts, np.full(_FOLDS, 1 / _FOLDS)).T:
            kept = self.counts - left
            if kept.any():
                fitted = ascend(self.spread[kept > 0], kept[kept > 0], rounds, tolerance)
                density = Matrix(self.spread[left > 0]).seen(fitted.shares)
                total += float(left[left > 0] @ np.log(np.maximum(density, 1e-300)))
        return total

    def weights(self, stratum: Stratum, ascent: Ascent) -> Floats:
        """Return the weights of records under the fitted model, 1 on average."""
        alpha = (ascent.shares / self.means).astype(np.float32)
        starts = range(0, len(stratum.rows), _BLOCK)
        parts = (np.arange(s, min(s + _BLOCK, len(stratum.rows))) for s in starts)
        ratios = np.concatenate([product(self.model(stratum.take(part)), alpha) for part in parts])
        return np.asarray(ratios / ratios.mean(dtype=np.float64), np.float64)


def ascend(spread: Singles, counts: Integers, rounds: int, tolerance: float) -> Ascent:
    """Climb the likelihood of eq. 12 over the coefficients of the features."""
    start = np.full(spread.shape[1], 1 / spread.shape[1])
    observed = counts / counts.sum()
    with products_on_one_thread:  # so small a product only waits for other threads
        return maximize(Matrix(spread), observed, start, rounds=rounds, tolerance=tolerance)


def problems(sample: Sample, models: Sequence[Model]) -> list[SampleLikelihood]:
    """Return the problem of each model on a sample; the tiles of P are made once for all."""
    features = [model(sample.records) for model in models]
    shares = sample.counts / sample.counts.sum()
    means = [product(shares, part) for part in features]
    means = [np.where(mean > 0, mean, 1.0) for mean in means]  # a category that does not occur
    weighted = [
        part * (shares[:, None] / mean).astype(np.float32)
        for part, mean in zip(features, means, strict=True)
    ]
    pairs = Pairs.of(sample.records.columns, sample.records.channels)
    spread = pairs.spread(np.concatenate(weighted, axis=1))
    parts = np.split(spread, np.cumsum([len(mean) for mean in means])[:-1], axis=1)
    return [
        SampleLikelihood(model, mean, np.ascontiguousarray(part), sample.counts)
        for model, mean, part in zip(models, means, parts, strict=True)
    ]


class DensityRatio(Estimator, ABC):
    """What the kernel and the linear model share."""

    rounds: int
    tolerance: float
    landmarks: int
    seed: int

    @abstractmethod
    def _models(self, sample: Sample) -> list[Model]:
        """Return the models to choose from, the same number for every sample."""

    def _fit(self, released: Released) -> Estimate:
        strata = [stratum for stratum in released.strata() if stratum.columns]
        samples = [self._samples(stratum) for stratum in strata]
        best = self._best([sample for part in samples for sample in part])
        halves = np.ones((2, released.data.rows))
        ascents: list[Ascent] = []
        sizes: list[float] = []
        for stratum, part in zip(strata, samples, strict=True):
            for half, sample in enumerate(part):
                (problem,) = problems(sample, [self._models(sample)[best]])
                ascents.append(problem.ascend(self.rounds, self.tolerance))
                sizes.append(len(stratum.rows) / len(part))
                halves[half:, stratum.rows] = problem.weights(stratum, ascents[-1])
        columns = [released.data[name] for name in released.channels]
        exact = all(len(part) == 1 for part in samples)
        return self.estimate(
            released,
            halves.mean(axis=0),
            log_likelihood=joined([ascent.log_likelihood for ascent in ascents], sizes),
            converged=all(ascent.converged for ascent in ascents),
            error=0.0 if exact else disagreement(columns, *halves),
        )

    def _samples(self, stratum: Stratum) -> list[Sample]:
        """Return all records of a stratum, or two samples of a large one."""
        if len(stratum.rows) <= self.landmarks:
            return [Sample.of(stratum)]
        dealt = np.random.default_rng(self.seed).permutation(len(stratum.rows))
        size = min(self.landmarks, len(dealt) // 2)
        return [Sample.of(stratum.take(part)) for part in (dealt[:size], dealt[size : 2 * size])]

    def _best(self, samples: Sequence[Sample]) -> int:
        """Return which model foretells held-out records best, over all samples."""
        trials = [sample.some(_TRIAL, self.seed) for sample in samples]
        models = [self._models(trial) for trial in trials]
        if len(models[0]) == 1:
            return 0
        scores = [
            [problem.held_out(self.rounds, _COARSE) for problem in problems(trial, candidates)]
            for trial, candidates in zip(trials, models, strict=True)
        ]
        return int(np.argmax(np.sum(scores, axis=0)))


def points(stratum: Stratum) -> Singles:
    """Return records as points, shape (n, p): a 0/1 column per category, and scaled numbers.

    Numbers are divided by the standard deviation of even numbers between their public bounds, so
    that they weigh about as much as a column of categories.
    """
    parts: list[Singles] = []
    for column, channel in zip(stratum.columns, stratum.channels, strict=True):
        if isinstance(channel, BoundedNoise) and isinstance(column, Numeric):
            unit = (channel.high - channel.low) / np.sqrt(12) or 1.0
            parts.append(((column.values - channel.low) / unit).astype(np.float32)[:, None])
        elif not isinstance(channel, BoundedNoise):
            codes = column.coded.codes_in(channel.labels)
            parts.append(np.eye(len(channel.labels), dtype=np.float32)[codes])
    return np.concatenate(parts, axis=1)
