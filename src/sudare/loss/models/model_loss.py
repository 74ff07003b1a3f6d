"""Model-based loss: how much worse a model predicts from masked inputs (Sano and Hattori)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from sudare.core import (
    Array,
    AtLeast,
    Categorical,
    ColumnError,
    Floats,
    Integers,
    Microdata,
    Result,
    SettingError,
    TablePair,
    multiplied,
)
from sudare.describe.pairing import TableMeasure
from sudare.describe.regression.logit import Fit, collapse, fit_logit, predict
from sudare.loss.models.class_scores import Scores, confusion, scores

Score = Literal["recall", "precision", "f", "accuracy"]
Undefined = Literal["drop", "zero"]
Start = Sequence[Floats | None] | None


@dataclass(frozen=True, eq=False)
class Modelled:
    """A model's scores, and its fit for a warm start of larger ones; ``None`` without inputs."""

    scores: Scores
    fit: Fit | None


def model_scores(
    inputs: Sequence[Array],
    target: Array,
    *,
    weights: Floats | None = None,
    undefined: Undefined = "drop",
    start: Start = None,
) -> Modelled:
    """Fit a multinomial logit to categorical inputs and score it on the data it was fitted to.

    Parameters
    ----------
    inputs
        Codes from 0, each of shape (n,). Without any, the most frequent class is predicted.
    target
        Codes from 0, shape (n,).
    weights
        Positive numbers, shape (n,).
    undefined
        What becomes of the precision and F of a class that is never predicted: "drop" leaves it
        out of the mean, "zero" counts it as 0.
    start
        Effects of a smaller model, one table per input, to begin from.

    Examples
    --------
    >>> fitted = model_scores([np.array([0, 0, 1, 1])], np.array([0, 0, 1, 0]))
    >>> fitted.scores.recall, fitted.scores.accuracy
    (0.5, 0.75)
    """
    if not inputs:
        _, counts = collapse([np.zeros(len(target), np.int64)], target, weights)
        return Modelled(scores(confusion(counts, counts.argmax(axis=1)), undefined), None)
    rows, counts = collapse(inputs, target, weights)
    fit = fit_logit(rows, counts, start=start)
    return Modelled(scores(confusion(counts, predict(fit, rows)), undefined), fit)


def cross_validated(
    inputs: Sequence[Array],
    target: Array,
    folds: Integers,
    *,
    weights: Floats | None = None,
    undefined: Undefined = "drop",
) -> Scores:
    """Score predictions of each fold by a model fitted to the others, all folds together.

    Parameters
    ----------
    inputs, target, weights, undefined
        As for :func:`model_scores`.
    folds
        Number of the fold of each record, shape (n,).
    """
    classes = int(target.max()) + 1
    levels = [int(codes.max()) + 1 for codes in inputs]
    table = np.zeros((classes, classes))
    for fold in np.unique(folds):
        held = folds == fold
        trained, tested = (
            collapse(
                [codes[part] for codes in inputs],
                target[part],
                None if weights is None else weights[part],
                classes=classes,
            )
            for part in (~held, held)
        )
        fit = fit_logit(*trained, levels=levels)
        table += confusion(tested[1], predict(fit, tested[0]))
    return scores(table, undefined)


def level_codes(column: Categorical) -> Integers:
    """Return codes from 0 in which missing and not applicable are levels of their own."""
    size = len(column.labels)
    return np.where(column.codes < 0, size - 1 - column.codes, column.codes).astype(np.int64)


class ModelLoss(TableMeasure):
    """How much worse each original variable can be predicted from the others once masked.

    A multinomial logit predicts a variable from all other columns, once as they were and once as
    they are masked; the target is the original both times. The loss is the difference in a score
    (macro recall by default: the one that the paper found to behave as a loss should). The value is
    the mean over the targets, whose losses are the parts.

    Missing and not-applicable values are levels of an input; records without a value of the target
    do not count for it. A class that is never predicted has no precision and no F: dropping it from
    the mean can make a masked table look better than the original.

    References
    ----------
    Sano and Hattori. Utility evaluation of global recoding by classification performance of
    discrimination model, eq. 6 and section 4.4.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy(2000)
    >>> masked = sudare.apply(data, sudare.mask.GlobalRecode(min_share=0.3)).data
    >>> ModelLoss(target="education")(data, masked).value > 0
    True
    """

    kind = "loss"
    formula = (
        "score of the model with original inputs − score with masked inputs, mean over the targets"
    )
    counted = "Records that have a value of the target."
    needs = "counts"
    pairs = True
    takes = "categories"

    target: Annotated[str | None, "the variable to predict; by default each in turn"] = None
    score: Annotated[Score, "what is compared"] = "recall"
    undefined: Annotated[Undefined, "how classes that are never predicted count"] = "drop"
    folds: Annotated[
        int, AtLeast(0), "folds of cross-validation; 0 scores the data the model was fitted to"
    ] = 0
    weighted: Annotated[bool, "whether sampling weights count"] = False

    def _measure(self, pair: TablePair) -> Result:
        targets = self._targets(pair)
        if len(set(pair.columns) | set(targets)) < 2:
            raise SettingError(
                "ModelLoss: the target cannot be its own input; name at least two columns."
            )
        losses = {}
        for target in targets:
            inputs = [name for name in pair.columns if name != target]
            losses[target] = self._lost(pair, target, inputs)
        return self.result(np.mean(list(losses.values())), parts=losses)

    def _lost(self, pair: TablePair, target: str, inputs: Sequence[str]) -> float:
        """Return how much the score of one target falls."""
        together = [target, *inputs]
        if self.folds:
            selected = pair.on(together, inputs)
            good, masked = (
                self._validated(selected, t, target, inputs)
                for t in (selected.before, selected.after)
            )
            return good - masked
        original, selected = pair.original(together), pair.on([target], inputs)
        good = self._fitted(original, original, target, inputs)
        return good - self._fitted(selected.before, selected.after, target, inputs)

    def _fitted(
        self, before: Microdata, table: Microdata, target: str, inputs: Sequence[str]
    ) -> float:
        """Return the score on the records that a model was fitted to."""
        goal = before[target].coded
        known = goal.codes >= 0
        weights = multiplied(before.copies, self._weights(before))
        modelled = model_scores(
            [level_codes(table[name].coded)[known] for name in inputs],
            goal.codes[known],
            weights=None if weights is None else weights[known],
            undefined=self.undefined,
        )
        return float(getattr(modelled.scores, self.score))

    def _validated(
        self, pair: TablePair, table: Microdata, target: str, inputs: Sequence[str]
    ) -> float:
        """Return the score on records that models were not fitted to."""
        goal = pair.before[target].coded
        known = np.flatnonzero(goal.codes >= 0)
        sides = [level_codes(d[n].coded)[known] for d in (pair.after, pair.before) for n in inputs]
        copies = None if pair.before.copies is None else pair.before.copies[known]
        dealt, folds, counted = dealt_copies([*sides, goal.codes[known]], self.folds, copies)
        known, weights = known[dealt], self._weights(pair.before)
        scores = cross_validated(
            [level_codes(table[name].coded)[known] for name in inputs],
            goal.codes[known],
            folds,
            weights=multiplied(counted, None if weights is None else weights[known]),
            undefined=self.undefined,
        )
        return float(getattr(scores, self.score))

    def _targets(self, pair: TablePair) -> tuple[str, ...]:
        def values(name: str) -> Categorical:
            return pair.original([name])[name].coded

        if self.target is not None:
            check_target(values(self.target))
            return (self.target,)
        targets = tuple(name for name in pair.columns if occurring(values(name)) > 1)
        if not targets:
            raise ColumnError(
                "ModelLoss: no column has two categories, so there is nothing to predict."
            )
        return targets

    def _weights(self, before: Microdata) -> Floats | None:
        if not self.weighted or before.weights is None:
            return None
        if (before.weights <= 0).any():
            raise ColumnError(
                "ModelLoss: {count} {count:weight is|weights are} zero; leave these records out.",
                count=int((before.weights <= 0).sum()),
            )
        return before.weights


def check_target(column: Categorical) -> None:
    """Refuse a target that leaves nothing to predict."""
    if occurring(column) < 2:
        raise ColumnError(
            "column '{column}' has {count} {count:category|categories}, so there is nothing to "
            "predict.",
            column=column.name,
            count=occurring(column),
        )


def occurring(column: Categorical) -> int:
    """Return the number of categories that occur."""
    return len(np.unique(column.codes[column.codes >= 0]))


def dealt_folds(columns: Sequence[Array], folds: int) -> Integers:
    """Deal the records to folds like cards, equal records one after the other, shape (n,).

    Every kind of record is spread evenly over the folds, whatever the order of the records.
    """
    order = np.lexsort(tuple(columns))
    dealt = np.empty(len(order), np.int64)
    dealt[order] = np.arange(len(order)) % folds
    return dealt


def dealt_copies(
    columns: Sequence[Array], folds: int, copies: Integers | None
) -> tuple[Integers, Integers, Integers | None]:
    """Deal entries of several records each: an entry, a fold and its records in that fold.

    Examples
    --------
    >>> [dealt.tolist() for dealt in dealt_copies([np.array([1, 0])], 2, np.array([4, 3]))]
    [[1, 1, 0, 0], [0, 1, 1, 0], [2, 1, 2, 2]]
    """
    if copies is None:
        return np.arange(len(columns[0])), dealt_folds(columns, folds), None
    order = np.lexsort(tuple(columns))
    shares = np.minimum(copies[order], folds)
    entries = np.repeat(order, shares)
    turn = np.arange(len(entries)) - np.repeat(np.cumsum(shares) - shares, shares)
    first = np.repeat(np.cumsum(copies[order]) - copies[order], shares)
    return entries, (first + turn) % folds, -(-(copies[entries] - turn) // folds)
