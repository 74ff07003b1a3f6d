"""Correlated noise: noise with the correlations of the data, so that these stay what they are."""

from dataclasses import dataclass, replace

import numpy as np

from sudare.core import (
    Draws,
    Floats,
    Masker,
    Microdata,
    Plan,
    noise_grid,
    on_public_grid,
    significant_above,
)
from sudare.engine.counting import product, root, sd_and_correlation
from sudare.mask.noise.additive_noise import Ratio


def mixing_matrix(correlation: Floats, noise_sd: Floats) -> Floats:
    """Return the matrix that turns independent standard normal draws into correlated noise.

    Parameters
    ----------
    correlation
        Shape (p, p).
    noise_sd
        Shape (p,).

    Returns
    -------
    mixing
        Shape (p, p): ``mixing @ mixing.T`` has these correlations and the variances asked for. It
        is symmetric up to the scales, so that the order of columns does not matter.
    """
    return noise_sd[:, None] * root(correlation)


@dataclass(frozen=True, repr=False)
class CorrelatedNoisePlan(Plan):
    """The matrix that mixes the draws of all columns, shape (p, p), and the size of the noise.

    Sizes are rounded, shape (p,): they decide how finely numbers are published, and nothing else.
    """

    mixing: Floats
    sizes: Floats

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        names = self.step.columns
        independent = np.stack([draws.normal(name, data.rows) for name in names])
        columns = [data[name].numeric for name in names]
        mixed = product(self.mixing, independent)
        return data.replacing(
            replace(column, values=on_public_grid(column.values + noise, noise_grid(size)))
            for column, noise, size in zip(columns, mixed, self.sizes, strict=True)
        )


class CorrelatedNoise(Masker):
    """Add normal noise that is correlated as the numbers are.

    The noise has mean 0 and covariance ``sd_ratio``² · Σ, Σ being the covariance of the numbers:
    each column gets noise of ``sd_ratio`` times its standard deviation, as with :class:`Noise`,
    and correlations stay what they were. The masked covariance is (1 + ``sd_ratio``²) · Σ, so that
    an analyst gets Σ by dividing. What is published is the ratio, which is a setting, and nothing
    that was computed from the numbers: sizes rounded one by one would change correlations, and
    exact ones tell a record to who knows all others.

    Standard deviations are over the records that have a value, correlations over those that have
    both. A constant column gets no noise. Missing and not-applicable values stay what they are,
    and the other values of such a record get the noise they would have got. Numbers are rounded to
    a 2²⁴th of their noise.

    References
    ----------
    Kim (1986). A method for limiting disclosure in microdata based on random noise and
    transformation. Proceedings of the ASA Section on Survey Research Methods.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, CorrelatedNoise(sd_ratio=0.1), seed=1)
    >>> sorted(masked.steps[0].public)
    ['age', 'income']
    >>> round(sudare.loss.MeanAbsoluteError(unit="sd")(data, masked.data).parts["income"], 3)
    0.071
    """

    works_on = "rows"
    relation = "drawn"
    takes = "numbers"
    random = True
    roles = ("key", "sensitive")

    sd_ratio: Ratio = 0.1

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        sd, correlation = sd_and_correlation(data, columns)
        noise_sd = self.sd_ratio * sd
        mixing = mixing_matrix(correlation, noise_sd)
        public = {name: {"noise_ratio": self.sd_ratio} for name in columns}
        sizes = np.array([significant_above(size) for size in noise_sd])
        return CorrelatedNoisePlan(self.step(columns, public), mixing, sizes)
