"""The density ratio (eq. 12, algorithm 1): weights that are a model of the randomized record.

w(z) = Σ_r α_r φ_r(z) with features φ_r ≥ 0 and coefficients α_r ≥ 0. What was published has the
density f_i = Σ_j P(y_i | y_j) w(y_j) / n = (PΦα)_i / n: once PΦ is known, a round of the ascent costs a
few passes over it, and the n × n matrix is not needed again.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core.channels import BoundedNoise
from sudare.core.columns import Numeric
from sudare.core.types import Floats
from sudare.engine.counts import groups
from sudare.reconstruct.estimator import Estimate, Estimator
from sudare.reconstruct.mixture import Ascent, Matrix, joined, maximize
from sudare.reconstruct.pairs import Pairs, Singles
from sudare.reconstruct.released import Released, Stratum, disagreement

Model = Callable[[Stratum], Singles]  # from records to their features
_BLOCK = 1 << 16  # records whose features are made together
_FOLDS = 3


@dataclass(frozen=True, eq=False)
class Sample:
    """Distinct records of a stratum, in an order that does not depend on that of the table.

    Attributes
    ----------
    records
        The distinct records.
    shares
        Share of each among all of the sample.
    """

    records: Stratum
    shares: Floats

    @classmethod
    def of(cls, stratum: Stratum) -> "Sample":
        """Return the distinct records of a stratum."""
        found = groups(stratum.columns)
        _, first = np.unique(found.index, return_index=True)
        return cls(stratum.take(first), found.sizes / len(stratum.rows))


@dataclass(frozen=True, eq=False)
class Problem:
    """The likelihood of a sample under one model.

    Attributes
    ----------
    model
        Φ as a function of records, so that all records can be weighted afterwards.
    means
        Mean of each feature over the sample: c with Σ c_r α_r = 1 (eq. 11).
    spread
        PΦ, every column divided by its mean, shape (distinct records, features).
    shares
        Share of each distinct record.
    """

    model: Model
    means: Floats
    spread: Singles
    shares: Floats

    def ascend(self, rounds: int, tolerance: float) -> Ascent:
        """Return the ascent; its shares are c_r α_r."""
        return ascend(self.spread, self.shares, rounds, tolerance)

    def held_out(self, rounds: int, tolerance: float) -> float:
        """Return the mean log-likelihood of records that the ascent did not see."""
        fold = np.arange(len(self.shares)) % _FOLDS
        total = 0.0
        for number in range(_FOLDS):
            left, kept = fold == number, fold != number
            if left.any() and kept.any():
                found = ascend(self.spread[kept], self.shares[kept], rounds, tolerance)
                density = Matrix(self.spread[left]).seen(found.shares)
                total += float(self.shares[left] @ np.log(np.maximum(density, 1e-300)))
        return total

    def weights(self, stratum: Stratum, ascent: Ascent) -> Floats:
        """Return the weights of records under the model found, 1 on average."""
        alpha = (ascent.shares / self.means).astype(np.float32)
        starts = range(0, len(stratum.rows), _BLOCK)
        parts = (np.arange(s, min(s + _BLOCK, len(stratum.rows))) for s in starts)
        found = np.concatenate([self.model(stratum.take(part)) @ alpha for part in parts])
        return np.asarray(found / found.mean(dtype=np.float64), np.float64)


def ascend(spread: Singles, shares: Floats, rounds: int, tolerance: float) -> Ascent:
    """Climb the likelihood of eq. 12 over the coefficients of the features."""
    start = np.full(spread.shape[1], 1 / spread.shape[1])
    observed = shares / shares.sum()
    return maximize(Matrix(spread), observed, start, rounds=rounds, tolerance=tolerance)


def problems(sample: Sample, models: Sequence[Model]) -> list[Problem]:
    """Return the problem of each model on a sample; the tiles of P are made once for all."""
    features = [model(sample.records) for model in models]
    means = [sample.shares @ part for part in features]
    means = [np.where(mean > 0, mean, 1.0) for mean in means]  # a category that does not occur
    weighted = [
        part * (sample.shares[:, None] / mean).astype(np.float32)
        for part, mean in zip(features, means, strict=True)
    ]
    pairs = Pairs.of(sample.records.columns, sample.records.channels)
    spread = pairs.spread(np.concatenate(weighted, axis=1))
    parts = np.split(spread, np.cumsum([len(mean) for mean in means])[:-1], axis=1)
    return [
        Problem(model, mean, np.ascontiguousarray(part), sample.shares)
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
        posed = [self._pose(stratum) for stratum in strata]
        best = self._best(posed, [len(stratum.rows) for stratum in strata])
        halves = np.ones((2, released.data.rows))
        ascents: list[Ascent] = []
        sizes: list[float] = []
        for stratum, candidates in zip(strata, posed, strict=True):
            for half, problem in enumerate(candidate[best] for candidate in candidates):
                ascents.append(problem.ascend(self.rounds, self.tolerance))
                sizes.append(len(stratum.rows) / len(candidates))
                halves[half:, stratum.rows] = problem.weights(stratum, ascents[-1])
        columns = [released.data[name] for name in released.channels]
        exact = all(len(candidates) == 1 for candidates in posed)
        return self.estimate(
            released,
            halves.mean(axis=0),
            log_likelihood=joined([ascent.log_likelihood for ascent in ascents], sizes),
            converged=all(ascent.converged for ascent in ascents),
            error=0.0 if exact else disagreement(columns, *halves),
        )

    def _pose(self, stratum: Stratum) -> list[list[Problem]]:
        """Return, for all records or for two samples of a large table, a problem per model."""
        if len(stratum.rows) <= self.landmarks:
            samples = [stratum]
        else:
            dealt = np.random.default_rng(self.seed).permutation(len(stratum.rows))
            size = min(self.landmarks, len(dealt) // 2)
            samples = [stratum.take(dealt[:size]), stratum.take(dealt[size : 2 * size])]
        posed = []
        for sample in map(Sample.of, samples):
            posed.append(problems(sample, self._models(sample)))
        return posed

    def _best(self, posed: Sequence[Sequence[Sequence[Problem]]], sizes: Sequence[int]) -> int:
        """Return which model foretells held-out records best, over all strata."""
        models = len(posed[0][0])
        if models == 1:
            return 0
        scores = np.zeros(models)
        for candidates, size in zip(posed, sizes, strict=True):
            for problem_of_model in candidates[:1]:
                held = [p.held_out(self.rounds, _COARSE) for p in problem_of_model]
                scores += size * np.array(held)
        return int(np.argmax(scores))


_COARSE = 1e-5  # enough to tell one width from another


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
