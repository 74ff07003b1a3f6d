"""Classification: a model trained on masked records, tried on original ones it has not seen."""

from typing import Annotated, Literal

import numpy as np

from sudare.core import (
    Array,
    AtLeast,
    Between,
    Draws,
    Flags,
    Floats,
    Integers,
    Microdata,
    MissingPartError,
    Numeric,
    Result,
    TablePair,
)
from sudare.describe.decision_trees import SortedInputs
from sudare.describe.regression import Design
from sudare.engine.counting import quantile_codes, quantile_edges
from sudare.loss.models.predictive import PredictiveLoss

Learner = Literal["tree", "logistic"]


class ClassificationLoss(PredictiveLoss):
    """How much worse a classifier predicts when it was trained on masked records.

    A part of the records is held out. One classifier learns from the original of the others, one
    from their masked version; both predict the held-out originals. The value is the difference of
    their mean recall over the classes, so that a rare class counts like a frequent one. It can be
    below 0: masking then helped the classifier.

    Notes
    -----
    Numbers that are to predict are cut into quarters of the original. Records without a value of
    the target do not take part. The logistic regression is that of scikit-learn (``pip install
    'sudare[models]'``).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> ClassificationLoss(target="education")(data, data).value
    0.0
    """

    formula = "mean recall learned from original records − mean recall learned from masked ones"
    counted = "Records held out from learning that have a value of the target."
    pairs = True

    learner: Annotated[Learner, "a decision tree, or logistic regression"] = "tree"
    held_out: Annotated[
        float, Between(0, 1, above=True, below=True), "share of the records held out"
    ] = 0.3
    split: Annotated[int, AtLeast(0), "number that decides which records are held out"] = 0

    def _measure(self, pair: TablePair) -> Result:
        target = self.target_in(pair)
        design = Design.of(
            pair.before, pair.after, [name for name in pair.columns if name != target]
        )
        (old, _), (new, _) = design.matrix(pair.before), design.matrix(pair.after)
        if pair.before[target].empty:
            return self.result(0)
        truth, edges = _classes(pair.before, target, None)
        taught, _ = _classes(pair.after, target, edges)
        known = truth != ""
        if known.sum() < 2:
            return self.result(0)
        lot = self._lot(new, taught, old, truth)
        order = np.argsort(lot)  # a tree must not depend on the order of records
        test = np.zeros(len(lot), np.bool_)
        held_out = round(self.held_out * known.sum())
        test[order[known[order]][: np.clip(held_out, 1, known.sum() - 1)]] = True
        scores = []
        for inputs, classes in ((old, truth), (new, taught)):
            train = order[(~test & (classes != ""))[order]]
            scores.append(self._recall(inputs[train], classes[train], old[test], truth[test]))
        return self.result(scores[0] - scores[1])

    def _lot(self, *facts: Array) -> Floats:
        """Return a draw in [0, 1) for every record, whatever the order of the records.

        Draws are dealt to the records sorted by what they hold; those that hold the same in every
        respect can be exchanged.
        """
        lot = np.empty(len(facts[0]))
        lot[np.lexsort([_mixed(values) for values in facts])] = Draws(self.split).uniform(
            "lot", len(lot)
        )
        return lot

    def _recall(self, inputs: Floats, classes: Array, unseen: Floats, truth: Array) -> float:
        """Return the mean recall over the classes; that of a constant guess where none is left."""
        kinds = np.unique(classes)
        if len(kinds) < 2:
            guess = np.full(len(truth), kinds[0] if len(kinds) else "")
        else:
            guess = kinds[self._guessed(inputs, np.searchsorted(kinds, classes), unseen)]
        return float(np.mean([(guess[truth == kind] == kind).mean() for kind in np.unique(truth)]))

    def _guessed(self, inputs: Floats, classes: Integers, unseen: Floats) -> Integers:
        """Return the number of the class of each record that was not seen."""
        if self.learner == "tree":
            tree = SortedInputs.of(inputs).tree(classes, min_leaf=10)
            shares = tree.shares(inputs, classes, np.ones(len(classes)), unseen)
            return np.asarray(shares.argmax(axis=1), np.int64)
        try:
            from sklearn.linear_model import LogisticRegression
        except ImportError:
            raise MissingPartError(
                "ClassificationLoss needs scikit-learn; install it with: "
                "pip install 'sudare[models]'."
            ) from None
        return LogisticRegression(max_iter=200).fit(inputs, classes).predict(unseen)


def _mixed(facts: Array) -> Array:
    """Return a number for each record that is the same where inputs, or classes, are."""
    if facts.ndim == 1:
        return np.unique(facts, return_inverse=True)[1]
    mixed: Floats = facts @ (1 + Draws(0).uniform("mixed", facts.shape[1]))
    return np.round(mixed, 9)


def _classes(data: Microdata, target: str, edges: Floats | None) -> tuple[Array, Floats | None]:
    """Return the class of every record as text, empty where unknown; numbers in quarters."""
    column = data[target]
    known: Flags = column.known
    if not isinstance(column, Numeric):
        labels = np.array([str(label) for label in column.coded.labels], dtype=object)
        return np.where(known, labels[column.coded.codes], ""), None
    if edges is None:
        edges = quantile_edges(column, 4)
    classes = quantile_codes(column, edges).astype(str).astype(object)
    return np.where(known, classes, ""), edges
