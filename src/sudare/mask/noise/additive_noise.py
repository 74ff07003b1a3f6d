"""Additive noise: each number moves by an independent normal draw."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from sudare.core import (
    AtLeast,
    Column,
    ColumnPlan,
    Draws,
    Masker,
    Microdata,
    Plan,
    noise_grid,
    on_public_grid,
    significant_above,
)
from sudare.engine.counting import moments_of

Ratio = Annotated[
    float, AtLeast(0), "standard deviation of the noise relative to that of the column"
]


def noise_size(data: Microdata, column: str, sd_ratio: float) -> float:
    """Return the standard deviation of the noise of a column, of two digits and not too small."""
    moments = moments_of(data, [column])
    return significant_above(sd_ratio * float(moments.sd[0]), moments.weight)


@dataclass(frozen=True, repr=False)
class NoisePlan(ColumnPlan):
    """The standard deviation of the noise of each column."""

    noise_sd: Mapping[str, float]

    def _mask(self, column: Column, draws: Draws) -> Column:
        column = column.numeric
        values = column.values.copy()
        size = self.noise_sd[column.name]
        draws.add_normal(column.name, values, size)
        return replace(column, values=on_public_grid(values, noise_grid(size)))


class Noise(Masker):
    """Add independent normal noise to numbers.

    The noise of a column has mean 0 and ``sd_ratio`` times the column's standard deviation (over
    the records that have a value), rounded up to two digits, and to fewer for less than 200
    records. Its size is public, so that an analyst can allow for it: the variance of the column is
    that of the masked one less its square. Missing and not-applicable values stay what they are;
    whole numbers and dates are rounded only when they are written to a type that has no fractions.
    All others are rounded to a 2²⁴th of the noise, because the last digits of a sum tell which
    numbers it can come from.

    References
    ----------
    Kim (1986). A method for limiting disclosure in microdata based on random noise and
    transformation. Proceedings of the ASA Section on Survey Research Methods.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, Noise(sd_ratio=0.1, columns=("income",)), seed=1)
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
        noise_sd = {name: noise_size(data, name, self.sd_ratio) for name in columns}
        public = {name: {"noise_sd": sd} for name, sd in noise_sd.items()}
        return NoisePlan(self.step(columns, public), noise_sd)
