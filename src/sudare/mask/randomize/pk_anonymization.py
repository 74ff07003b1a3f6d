"""Pk-anonymization: randomization calibrated so that no record can be pinned to a person."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from sudare.core import (
    AtLeast,
    BoundedNoise,
    Channel,
    Column,
    ColumnError,
    Masker,
    Microdata,
    Numeric,
    Plan,
    Replacement,
    SettingError,
    noise_scale,
    replacement_retain,
)
from sudare.mask.randomize.privacy_budget import (
    Domain,
    Possible,
    RandomizationPlan,
    budget_shares,
    public_bounds,
    replacement,
)


class PkAnonymization(Masker):
    """Randomize the keys so that no record belongs to a person with probability above 1/k.

    Categories go through [retention–replacement](retention-replacement.md), numbers through
    [bounded Laplace noise](bounded-laplace.md). k and the number of records n fix the total budget
    Σ ε = ln((n - 1) / (k - 1)) / 2 (eq. 4), which the columns share equally or by ``weights``; from
    its ε each column gets its ρ or φ. A column of weight 0 gets nothing: it is drawn evenly
    over its categories or bounds. Columns that can tell nothing, with one category or one number,
    take no share.

    Only the columns chosen (by default the keys) are randomized and counted. The step publishes
    what [estimators](../guide/randomization.md) need: ρ, categories and matrix, or φ and bounds,
    and ε of each column. `sudare.mask.privacy` sums up k and ε.

    Notes
    -----
    Categories and bounds are public. Give them as ``domains`` and ``bounds``; otherwise they are
    the column's list of labels, and the smallest and largest number of the data, widened to round
    numbers, which the step then publishes. The budget depends on the data through n only. Missing
    and not-applicable values stay what they are: a record is hidden only among those that lack the
    same keys, which `sudare.mask.privacy` counts when it is given the table. Make them a category
    first if that is too few. k also needs an order of the records that tells nothing.

    References
    ----------
    Hasegawa, Hamada and Kikuchi, Efficient reconstruction algorithm for multivariate statistics:
    eq. 4.
    Ikarashi, Chida and Takahashi (2009), its reference 11: Pk-anonymity.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, PkAnonymization(k=5, weights={"age": 2}), seed=7)
    >>> bounds = sudare.mask.privacy(masked.steps, rows=data.rows)
    >>> round(bounds.k, 9)
    5.0
    >>> {name: round(epsilon, 2) for name, epsilon in bounds.by_column.items()}
    {'sex': 0.38, 'age': 0.77, 'region': 0.38, 'education': 0.38, 'occupation': 0.38}
    """

    works_on = "rows"
    relation = "drawn"
    random = True

    k: Annotated[
        float,
        AtLeast(1, above=True),
        "no record belongs to a given person with a probability above 1/k",
    ] = 3.0
    weights: Annotated[
        Mapping[str, float] | None,
        AtLeast(0),
        "by column, its share of the budget relative to the others; 1 where none is given",
    ] = None
    domains: Annotated[
        Mapping[str, Domain] | None,
        "by column, the categories that can be drawn; by default its list of labels",
    ] = None
    bounds: Possible = None

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        self._refuse(data, columns)
        open_channels = {name: self._channel(data.span(name)) for name in columns}
        given = self.weights or {}
        weights = [
            given.get(name, 1.0) if _tells(channel) else 0.0
            for name, channel in open_channels.items()
        ]
        shares = self._shares(data.records, weights) if any(weights) else [0.0] * len(weights)
        channels = {
            name: _with_epsilon(channel, share)
            for (name, channel), share in zip(open_channels.items(), shares, strict=True)
        }
        public = {name: channel.public() for name, channel in channels.items()}
        return RandomizationPlan(self.step(columns, public), channels)

    def _shares(self, rows: int, weights: Sequence[float]) -> Sequence[float]:
        """Return ε of each column, given their weights."""
        return budget_shares(self.k, rows, weights).tolist()

    def _channel(self, column: Column) -> Channel:
        if isinstance(column, Numeric):
            return BoundedNoise(*public_bounds(type(self).__name__, column, self.bounds), 1.0)
        return replacement(column.coded, 0.0, self.domains)

    def _refuse(self, data: Microdata, columns: tuple[str, ...]) -> None:
        if data.records < self.k:
            raise SettingError(
                "{method}: there are {rows} records, fewer than k = {k}.",
                method=type(self).__name__,
                rows=data.records,
                k=f"{self.k:g}",
            )
        for setting in (self.weights, self.domains, self.bounds):
            for name in setting or {}:
                if name not in columns:
                    raise ColumnError(
                        "{method}: column '{column}' has a setting but is not randomized; name it "
                        "among the columns, or make it a key.",
                        method=type(self).__name__,
                        column=name,
                    )


def _tells(channel: Channel) -> bool:
    if isinstance(channel, Replacement):
        return len(channel.labels) > 1
    return channel.low < channel.high


def _with_epsilon(channel: Channel, epsilon: float) -> Channel:
    if isinstance(channel, Replacement):
        return Replacement(channel.labels, replacement_retain(epsilon, len(channel.labels)))
    return BoundedNoise(channel.low, channel.high, noise_scale(epsilon, channel.high - channel.low))
