"""Pk-sampling: each record publishes few of its keys, drawn at random, with the whole budget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sudare.core import AtLeast, Draws, Flags, Floats, Microdata, Plan, blanked
from sudare.mask.randomize.pk_anonymization import PkAnonymization
from sudare.mask.randomize.privacy_budget import RandomizationPlan, total_epsilon


def first_to_arrive(uniform: Floats, weights: Floats, number: int) -> Flags:
    """Return which columns each record draws, without replacement, in proportion to weights.

    Each column arrives after an exponential time of rate ``weight``; the first ones are drawn.

    Parameters
    ----------
    uniform
        Draws in [0, 1), shape (n, columns).
    weights
        Not negative, shape (columns,); a column of weight 0 is never drawn.
    number
        How many are drawn, at most as many as have a weight.

    Examples
    --------
    >>> first_to_arrive(np.array([[0.9, 0.5, 0.1]]), np.array([9.0, 1.0, 0.0]), 1).tolist()
    [[True, False, False]]
    """
    with np.errstate(divide="ignore"):
        times = np.where(weights > 0, -np.log1p(-uniform) / weights, np.inf)
    drawn = np.zeros(uniform.shape, np.bool_)
    np.put_along_axis(drawn, np.argsort(times, axis=1)[:, :number], values=True, axis=1)
    return drawn


@dataclass(frozen=True, repr=False)
class PkSamplingPlan(RandomizationPlan):
    """The channel of each column, and how columns are drawn."""

    weights: Floats
    answers: int

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        names = self.step.columns
        uniform = np.stack([draws.uniform(name, data.rows, lane=1) for name in names], axis=1)
        drawn = first_to_arrive(uniform, self.weights, self.answers)
        randomized = super()._transform(data, draws)
        return randomized.replacing(
            blanked(randomized[name], ~drawn[:, column]) for column, name in enumerate(names)
        )


class PkSampling(PkAnonymization):
    """Publish few keys of each record, drawn at random, and spend the whole budget on them.

    [Pk-anonymization](pk-anonymization.md) shares the budget among all keys, so that with many
    keys each value is nearly all noise. Here every record publishes only ``answers`` of its keys
    (the others become missing), each randomized with the same part of the budget Σ ε =
    ln((n - 1) / (k - 1)) / 2. What one record does not say others do: one key per record makes
    far better tables of each key by a target than ten keys each with a tenth of the budget. Put
    numbers into [intervals](intervals.md) first; `sudare.reconstruct.NaiveBayes` turns the tables
    into a model.

    Which keys a record publishes is drawn from the seed, evenly or by ``weights``, and never looks
    at the data. Tables of several keys at once need as many ``answers``.

    Notes
    -----
    k holds as in eq. 4. Let two records exchange their owners: each answer is then as likely up to
    the factor e^ε, whichever keys were drawn, because the draw does not depend on the owner; so
    any of the n - 1 exchanges is at least e^-2ε times as likely as the truth. As with the noise
    itself, the attacker must not know what was drawn for whom: for one who knows which keys a
    person was asked for, n is the number of records that publish the same keys.

    Missing and not-applicable values stay what they are when their key is drawn, and are not
    protected.

    References
    ----------
    Hasegawa, Hamada and Kikuchi, Efficient reconstruction algorithm for multivariate statistics:
    eq. 4.
    Nguyên, Xiao, Yang, Hui, Shin and Shin (2016). Collecting and analyzing data from smart device
    users with local differential privacy: drawing an attribute instead of sharing the budget.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, [sudare.mask.Intervals(), PkSampling(k=5)], seed=7)
    >>> bounds = sudare.mask.privacy(masked.steps, rows=data.rows)
    >>> round(bounds.k, 9), round(bounds.epsilon, 3), round(bounds.by_column["age"], 3)
    (5.0, 2.301, 2.301)
    """

    answers: Annotated[int, AtLeast(1), "how many keys each record publishes"] = 1
    weights: Annotated[
        Mapping[str, float] | None,
        AtLeast(0),
        "by column, its chance to be drawn relative to the others; 1 where none is given",
    ] = None

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        plan = super()._fit(data, columns)
        if not isinstance(plan, RandomizationPlan):
            raise TypeError(type(plan).__name__)
        given = self.weights or {}
        # A column whose ε is 0 tells nothing: it has one category, or nobody wants it.
        weights = np.array([given.get(n, 1.0) * (plan.channels[n].epsilon > 0) for n in columns])
        answers = min(self.answers, int((weights > 0).sum()))
        public = {name: {**facts, "answers": answers} for name, facts in plan.step.public.items()}
        return PkSamplingPlan(self.step(columns, public), plan.channels, weights, answers)

    def _shares(self, rows: int, weights: Sequence[float]) -> Sequence[float]:
        answers = min(self.answers, sum(weight > 0 for weight in weights))
        share = total_epsilon(self.k, rows) / answers
        return [share if weight > 0 else 0.0 for weight in weights]
