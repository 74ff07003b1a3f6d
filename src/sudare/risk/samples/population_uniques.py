"""Population uniques: how many records of a sample are alone in the whole population."""

from collections.abc import Callable
from math import exp, lgamma, prod
from typing import Annotated, Literal

import numpy as np

from sudare.core import Between, Integers, Result, TablePair, say
from sudare.describe.pairing import TableMeasure
from sudare.engine.counting import group_sizes
from sudare.risk.samples.sampling import sampling_fraction

Estimator = Literal["pitman", "zayatz", "negative-binomial"]


def zayatz(sizes: Integers, fraction: float) -> float:
    """Return the share of records that are population uniques, classes being as in the sample.

    If classes had the sizes of the sample's in the population too, a class of size k would give a
    sample unique with probability k π (1 − π)^(k − 1); Bayes' rule then says how many sample
    uniques are population uniques.

    Parameters
    ----------
    sizes
        Number of records of each combination of keys, shape (g,).
    fraction
        Sampling fraction π.

    References
    ----------
    Zayatz (1991). Estimation of the percent of unique population elements on a microdata file using
    the sample. Statistical Research Division Report 91/08, U.S. Bureau of the Census.

    Examples
    --------
    >>> zayatz(np.array([1, 1, 2]), 0.5)  # 2 · (2/3 · 1/2) / (2/3 · 1/2 + 1/3 · 1/2) of 4 records
    0.3333333333333333
    """
    size, classes = np.unique(sizes, return_counts=True)
    seen = classes * size * fraction * (1 - fraction) ** (size - 1.0)
    alone = int((sizes == 1).sum())
    return float(alone * seen[0] / seen.sum() / sizes.sum()) if alone else 0.0


def pitman(sizes: Integers, fraction: float) -> float:
    """Return the share of records that are population uniques under Pitman's sampling formula.

    θ and α are the maximum likelihood estimates from the sample; a population of N then has an
    expected Γ(θ + 1) / Γ(θ + α) · Γ(N + θ + α − 1) / Γ(N + θ) of its N records alone.

    Parameters
    ----------
    sizes
        Number of records of each combination of keys, shape (g,).
    fraction
        Sampling fraction.

    References
    ----------
    Hoshino (2001). Applying Pitman's sampling formula to microdata disclosure risk assessment.
    Journal of Official Statistics 17(4).
    """
    if (sizes == 1).all():
        return 1.0  # the likelihood has no maximum: all it says is that everybody is alone
    if not (sizes == 1).any():
        return 0.0
    population = sizes.sum() / fraction
    alpha, theta = _pitman_fit(sizes)
    logs = lgamma(theta + 1) - lgamma(theta + alpha)
    logs += lgamma(population + theta + alpha - 1) - lgamma(population + theta)
    return float(np.exp(min(logs, 0.0)))


def _pitman_fit(sizes: Integers) -> tuple[float, float]:
    """Return the maximum likelihood estimates of α in (0, 1) and θ > −α, where the scores are 0."""
    from scipy.special import expit, psi

    n, u = int(sizes.sum()), len(sizes)
    size, classes = np.unique(sizes, return_counts=True)

    def rise(alpha: float, theta: float) -> float:
        return float(psi(theta / alpha + u) - psi(theta / alpha + 1)) / alpha

    def best_theta(alpha: float) -> float:
        def score(log: float) -> float:
            theta = exp(log) - alpha
            return rise(alpha, theta) - float(psi(theta + n) - psi(theta + 1))

        return exp(_falling_root(score, -30.0, 50.0)) - alpha

    def score(logit: float) -> float:
        alpha = float(expit(logit))
        theta = best_theta(alpha)
        within = float(classes @ (psi(1 - alpha) - psi(size - alpha)))
        return (u - 1 - theta * rise(alpha, theta)) / alpha + within

    alpha = float(expit(_falling_root(score, -15.0, 15.0)))
    return alpha, best_theta(alpha)


def _falling_root(score: Callable[[float], float], low: float, high: float) -> float:
    """Return where a score goes from above 0 to below, by halving; else the end it points to."""
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if score(middle) > 0 else (low, middle)
    return low


def negative_binomial(sizes: Integers, fraction: float, cells: float) -> float:
    """Return the share of records that are population uniques, counts being Poisson–gamma.

    The count of each of K cells is Poisson with a mean that is gamma distributed with shape α and
    scale Nβ, α β K = 1; β follows from the variance of the sample's counts over all cells. Then
    (1 + Nβ)^−(1 + α) of the N people are alone. With no more variance than a Poisson has, all cells
    are alike and e^−N/K are.

    Parameters
    ----------
    sizes
        Number of records of each combination of keys, shape (g,).
    fraction
        Sampling fraction.
    cells
        Number K of combinations that are possible; at least those that occur.

    References
    ----------
    Bethlehem, Keller and Pannekoek (1990). Disclosure control of microdata. Journal of the American
    Statistical Association 85(409).

    Examples
    --------
    >>> round(negative_binomial(np.array([1, 1, 6]), 0.5, 100.0), 4)
    0.1145
    """
    n = float(sizes.sum())
    population, cells = n / fraction, max(cells, float(len(sizes)))
    variance = float((sizes.astype(np.float64) ** 2).sum()) / cells - (n / cells) ** 2
    beta = (cells * variance / n - 1) / n
    if beta <= 0:
        return float(np.exp(-population / cells))
    return float((1 + population * beta) ** -(1 + 1 / (cells * beta)))


class PopulationUniques(TableMeasure):
    """The share of records that are likely to be alone with their keys in the whole population.

    A sample unique need not be a population unique: someone outside the sample may share its keys.
    Three estimators from how many combinations of keys occur once, twice, …:

    - "pitman": Pitman's sampling formula, fitted by maximum likelihood (Hoshino); good where the
      keys make many and small groups;
    - "zayatz": the sizes of groups in the population are taken to be as in the sample;
    - "negative-binomial": Poisson counts with gamma means over all combinations that are possible
      (Bethlehem).

    The value is that of the estimator chosen, never above the share of sample uniques, which
    is what remains where the table is the whole population; the parts are those of all three.
    Missing and not-applicable count as values of their own; of sampling weights only the sum is
    used.

    References
    ----------
    Hoshino (2001). Applying Pitman's sampling formula to microdata disclosure risk assessment.
    Journal of Official Statistics 17(4).

    Zayatz (1991). Estimation of the percent of unique population elements on a microdata file using
    the sample. Statistical Research Division Report 91/08, U.S. Bureau of the Census.

    Bethlehem, Keller and Pannekoek (1990). Disclosure control of microdata. Journal of the American
    Statistical Association 85(409).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> result = PopulationUniques(columns=("sex", "region", "education"))(data)
    >>> result.value < sudare.risk.Uniques(columns=("sex", "region", "education"))(data).value
    True
    """

    kind = "risk"
    of_release = True
    formula = (
        "expected number of sample uniques that are alone in the population / number of records"
    )
    counted = "The records of the sample; the sum of the weights is the size of the population."
    needs = "counts"
    roles = ("key",)

    estimator: Annotated[Estimator, "which of the three estimates is the value"] = "pitman"
    sampling_fraction: Annotated[
        float | None,
        Between(0, 1, above=True),
        "share of the population that is in the sample; by default from the weights",
    ] = None

    def _measure(self, pair: TablePair) -> Result:
        after = pair.released(pair.columns)
        keys = [after[name] for name in pair.columns]
        sizes = group_sizes(keys)
        fraction = sampling_fraction(after, self.sampling_fraction)
        cells = prod(float(len(np.unique(key.coded.codes))) for key in keys)
        alone = float((sizes == 1).sum() / after.records)
        estimates: dict[Estimator, float] = {
            "pitman": pitman(sizes, fraction),
            "zayatz": zayatz(sizes, fraction),
            "negative-binomial": negative_binomial(sizes, fraction, cells),
        }
        if fraction == 1:
            estimates = dict.fromkeys(estimates, alone)
        named = {
            say("Pitman"): min(estimates["pitman"], alone),
            say("Zayatz"): min(estimates["zayatz"], alone),
            say("negative binomial"): min(estimates["negative-binomial"], alone),
        }
        return self.result(min(estimates[self.estimator], alone), parts=named)
