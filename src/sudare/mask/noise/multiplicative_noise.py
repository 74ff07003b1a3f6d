"""Multiplicative noise: each number is multiplied by an independent factor around 1."""

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from sudare.core import (
    AtLeast,
    Column,
    ColumnPlan,
    Draws,
    Floats,
    Masker,
    Microdata,
    Plan,
    factor_bits,
    significant_bits,
)


def factors(normal: Floats, sd: float) -> Floats:
    """Return log-normal factors with mean 1 and a given standard deviation.

    With log-variance v = ln(1 + sd²) and log-mean -v/2 the mean is 1 and the variance eᵛ - 1 = sd².

    Parameters
    ----------
    normal
        Standard normal draws, shape (n,).
    sd
        Standard deviation of the factors.

    Examples
    --------
    >>> factors(np.array([-1.0, 0.0, 1.0]), 0.1).round(3).tolist()
    [0.901, 0.995, 1.099]
    """
    log_variance = np.log1p(sd**2)
    return np.exp(np.sqrt(log_variance) * normal - log_variance / 2)


@dataclass(frozen=True, repr=False)
class MultiplicativeNoisePlan(ColumnPlan):
    """The standard deviation of the factors."""

    sd: float

    def _mask(self, column: Column, draws: Draws) -> Column:
        column = column.numeric
        if self.sd == 0:
            return column
        drawn = factors(draws.normal(column.name, column.rows), self.sd)
        return replace(column, values=significant_bits(column.values * drawn, factor_bits(self.sd)))


class MultiplicativeNoise(Masker):
    """Multiply numbers by independent random factors around 1.

    Factors are log-normal with mean 1 and standard deviation ``sd_ratio``: the noise of a number
    has ``sd_ratio`` times the number itself as standard deviation, so that large numbers are
    protected as well as small ones. Signs are kept, zeros stay zero, and means are kept in
    expectation. The size of the factors is public: E[masked²] = (1 + ``sd_ratio``²) · E[x²].
    Missing and not-applicable values stay what they are. Numbers keep some 24 binary digits more
    than the noise leaves of them: the last ones of a product tell what it can come from.

    References
    ----------
    Kim and Winkler (2003). Multiplicative noise for masking continuous data. Research Report
    Series, Statistics 2003-01, U.S. Bureau of the Census.

    Notes
    -----
    The report truncates normal factors (its first method) or adds noise to logarithms (its
    second). Log-normal factors are the second, with the shift that makes their mean 1.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masker = MultiplicativeNoise(sd_ratio=0.1, columns=("income",))
    >>> masked = sudare.apply(data, masker, seed=1)
    >>> masked.steps[0].public["income"]
    {'factor_sd': 0.1}
    """

    works_on = "rows"
    relation = "drawn"
    takes = "numbers"
    random = True
    roles = ("key", "sensitive")

    sd_ratio: Annotated[
        float, AtLeast(0), "standard deviation of the noise relative to the number it is added to"
    ] = 0.1

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        public = {name: {"factor_sd": self.sd_ratio} for name in columns}
        return MultiplicativeNoisePlan(self.step(columns, public), self.sd_ratio)
