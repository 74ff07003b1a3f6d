"""Bounded Laplace noise: numbers move by Laplace noise cut at their bounds (eq. 2, 3)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from sudare.core import AtLeast, BoundedNoise, Masker, Microdata, Numeric, Plan, SettingError
from sudare.mask.randomize.privacy_budget import Possible, RandomizationPlan, public_bounds


class BoundedLaplace(Masker):
    """Add Laplace noise that keeps numbers between public bounds.

    The published number lies between the bounds a and b with a density that falls as
    exp(-|difference| / φ) from the true one, drawn exactly by the inverse of its distribution.
    φ is ``scale_ratio`` times the width b - a, so that the local privacy is ε = 1 /
    ``scale_ratio``. The noise is not centered near a bound; an
    [estimator](../guide/randomization.md) allows for it.

    The step publishes φ, the bounds and ε.

    Notes
    -----
    The bounds are public. Give them as ``bounds``; otherwise they are the smallest and the largest
    value of the data, widened to round numbers (multiples of 1, 2 or 5 times a power of ten, a
    fifth to a tenth of the range), which the step then publishes. Missing and not-applicable values
    stay what they are and are not protected. A column of whole numbers is rounded when it is
    written to a type without fractions; that costs no privacy, and estimators may neglect it
    (theorem 1).

    References
    ----------
    Hasegawa, Hamada and Kikuchi, Efficient reconstruction algorithm for multivariate statistics:
    eq. 2 and 3.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> method = BoundedLaplace(scale_ratio=0.5, bounds={"age": (0, 100)})
    >>> sudare.apply(data, method, seed=1).steps[0].public["age"]
    {'low': 0.0, 'high': 100.0, 'scale': 50.0, 'epsilon': 2.0}
    """

    works_on = "rows"
    relation = "drawn"
    takes = "numbers"
    random = True

    scale_ratio: Annotated[
        float | Mapping[str, float],
        AtLeast(0, above=True),
        "φ over the width of the bounds, that is 1/ε; one number, or one per column",
    ] = 0.5
    bounds: Possible = None

    def chosen(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns named, those with a number of their own, or those whose role fits."""
        own = self.scale_ratio if isinstance(self.scale_ratio, Mapping) else self.bounds
        if self.columns is None and own is not None:
            return replace(self, columns=tuple(own)).chosen(data)
        return super().chosen(data)

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        channels = {}
        for name in columns:
            column = data.span(name)
            if isinstance(column, Numeric):
                low, high = public_bounds(type(self).__name__, column, self.bounds)
                channels[name] = BoundedNoise(low, high, self._scale_ratio(name) * (high - low))
        public = {name: channel.public() for name, channel in channels.items()}
        return RandomizationPlan(self.step(columns, public), channels)

    def _scale_ratio(self, column: str) -> float:
        if not isinstance(self.scale_ratio, Mapping):
            return self.scale_ratio
        if column not in self.scale_ratio:
            raise SettingError(
                "BoundedLaplace: scale_ratio has no number for column '{column}'.", column=column
            )
        return self.scale_ratio[column]
