"""Propensity by trees: what a logistic regression does not see, against what chance gives."""

from typing import Annotated

import numpy as np

from sudare.core import AtLeast, Draws, Flags, Floats, Result, TablePair, say
from sudare.describe.decision_trees import SortedInputs
from sudare.describe.pairing import TableMeasure
from sudare.loss.synthetic.classifiers import in_order, spread, tree_inputs
from sudare.loss.synthetic.propensity import propensity_error

_MOST = 20_000  # records of each table that are used
_LEAVES = 5  # that a tree may have in small tables, where it would have one and see nothing


class TreePropensity(TableMeasure):
    """How well a tree tells masked records from original ones, beyond chance (CART pMSE).

    Both tables are stacked and a tree predicts which one a record is from; pMSE is the mean squared
    distance of its propensities from the share of masked records. Trees find structure by chance,
    so the same is done with the labels permuted: the value is how far pMSE is above the mean of
    those, as a share of how far it could be, at least 0. A note has pMSE, its ratio to that mean
    and its distance from it in standard deviations (standardized pMSE). The parts are the same
    value with one column at a time.

    Trees see interactions and bounds that the logistic regression of
    :class:`sudare.loss.Propensity` does not. Labels are codes in their order; missing and not
    applicable are values; sampling weights are not used. In small tables a leaf has a fifth of the
    records at most, since a single leaf would see nothing.

    References
    ----------
    Snoke, Raab, Nowok, Dibben and Slavkovic (2018). General and specific utility measures for
    synthetic data. Journal of the Royal Statistical Society A 181(3): section 3.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> TreePropensity()(data, data).value
    0.0
    """

    kind = "loss"
    formula = (
        "(pMSE of a tree − its mean with permuted labels) / (its largest value − that mean), "
        "at least 0"
    )
    needs = "records"

    min_leaf: Annotated[int, AtLeast(1), "smallest number of records in a leaf"] = 20
    permutations: Annotated[int, AtLeast(2), "how often the labels are permuted"] = 10
    draw: Annotated[int, AtLeast(0), "number that decides the permutations"] = 0

    def _measure(self, pair: TablePair) -> Result:
        tables = tree_inputs(pair.before, pair.after, pair.columns)
        old, new = (each[spread(in_order(each), _MOST)] for each in tables)
        inputs = np.vstack([old, new])
        masked = np.arange(len(inputs)) >= len(old)
        value, error, chance = self._score(inputs, masked)
        parts = {
            name: self._score(inputs[:, [at]], masked)[0] for at, name in enumerate(pair.columns)
        }
        note = say(
            "pMSE {error}: {ratio} times what samples of one population have; standardized, {sd}.",
            error=f"{error:.2g}",
            ratio=f"{error / max(chance.mean(), 1e-300):.2f}" if chance.mean() > 0 else "1.00",
            sd=f"{(error - chance.mean()) / (chance.std() or 1.0):.1f}",
        )
        return self.result(value, parts=parts, notes=(note,))

    def _score(self, inputs: Floats, masked: Flags) -> tuple[float, float, Floats]:
        """Return pMSE beyond chance, pMSE, and pMSE of permuted labels."""
        share = float(masked.mean())
        draws, learnt = Draws(self.draw), SortedInputs.of(inputs)
        error = self._error(inputs, learnt, masked, share)
        orders = (
            np.argsort(draws.uniform("labels", len(masked), lane=number))
            for number in range(self.permutations)
        )
        chance = np.array([self._error(inputs, learnt, masked[order], share) for order in orders])
        room = share * (1 - share) - chance.mean()
        return max((error - chance.mean()) / room, 0.0) if room > 0 else 0.0, error, chance

    def _error(self, inputs: Floats, learnt: SortedInputs, masked: Flags, share: float) -> float:
        if not 0 < share < 1:
            return 0.0
        classes = masked.astype(np.int64)
        leaf = min(self.min_leaf, max(len(classes) // _LEAVES, 1))
        tree = learnt.tree(classes, min_leaf=leaf)
        shares = tree.shares(inputs, classes, np.ones(len(classes)), inputs)
        return propensity_error(shares[:, 1], share)
