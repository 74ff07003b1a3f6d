"""Retention–replacement: a category stays, or is drawn from all categories (eq. 1)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated

from sudare.core import Between, Masker, Microdata, Plan, SettingError
from sudare.mask.randomize.privacy_budget import Domain, RandomizationPlan, replacement


class RetentionReplacement(Masker):
    """Keep each category with a known probability, else draw one from all of them.

    A category stays with probability ρ = ``retain``; otherwise one of all |A| categories of the
    column is drawn, each equally likely, the true one too. Numbers are not taken: see
    [bounded Laplace noise](bounded-laplace.md).

    The step publishes ρ, the categories, the transition matrix and ε = ln((1 + (|A| - 1)ρ) /
    (1 - ρ)), which is all that an [estimator](../guide/randomization.md) needs.

    Notes
    -----
    The categories are public. Give them as ``domains``, or they are those of the column's list
    of labels; a table that was read has on it what occurs, so that a category which one person
    has is then published as existing. Missing and not-applicable values stay what they are and
    are not protected: make them a category first if being missing tells something.

    References
    ----------
    Agrawal, Srikant and Thomas (2005). Privacy preserving OLAP. SIGMOD.
    Hasegawa, Hamada and Kikuchi, Efficient reconstruction algorithm for multivariate statistics:
    eq. 1.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, RetentionReplacement(retain=0.5, columns=("sex",)), seed=1)
    >>> masked.steps[0].public["sex"]["matrix"].tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """

    works_on = "rows"
    relation = "drawn"
    takes = "categories"
    random = True

    retain: Annotated[
        float | Mapping[str, float],
        Between(0, 1),
        "probability that a category is kept without a draw; one number, or one per column",
    ] = 0.8
    domains: Annotated[
        Mapping[str, Domain] | None,
        "by column, the categories that can be drawn; by default its list of labels",
    ] = None

    def chosen(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns named, those with a number of their own, or those whose role fits."""
        if self.columns is None and isinstance(self.retain, Mapping):
            return replace(self, columns=tuple(self.retain)).chosen(data)
        return super().chosen(data)

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        channels = {
            name: replacement(data[name].coded, self._retain(name), self.domains)
            for name in columns
        }
        public = {name: channel.public() for name, channel in channels.items()}
        return RandomizationPlan(self.step(columns, public), channels)

    def _retain(self, column: str) -> float:
        if not isinstance(self.retain, Mapping):
            return self.retain
        if column not in self.retain:
            raise SettingError(
                "RetentionReplacement: retain has no number for column '{column}'.", column=column
            )
        return self.retain[column]
