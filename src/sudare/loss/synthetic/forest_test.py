"""Two-sample test by a forest: whether a classifier can tell the two tables apart."""

from typing import Annotated

import numpy as np

from sudare.core import AtLeast, Flags, Floats, Integers, Result, TablePair, say
from sudare.describe.decision_trees import Forest
from sudare.describe.pairing import TableMeasure
from sudare.loss.synthetic.classifiers import folds, in_order, spread, tree_inputs

_FOLDS = 3
_MOST = 5_000  # records of each table that are used


def area_under_curve(masked: Floats, original: Floats) -> float:
    """Return the chance that a masked record scores above an original one; ties count a half.

    Examples
    --------
    >>> area_under_curve(np.array([1.0, 2.0]), np.array([0.0, 2.0]))
    0.625
    """
    ordered = np.sort(original)
    below = np.searchsorted(ordered, masked, "left") + np.searchsorted(ordered, masked, "right")
    return float(below.mean() / (2 * len(ordered)))


class ForestTest(TableMeasure):
    """Whether a forest can tell masked records from original ones it has not seen.

    Both tables are stacked, and a random forest learns from two thirds of the records which table
    each is from, and judges the last third; so in turn. The value is twice the area under its ROC
    curve less 1, at least 0: 0 where the tables cannot be told apart, 1 where every record can. The
    parts say which columns gave them away: the value, shared out by their importance. Tables with
    as many records are taken to be in the same order, and both versions of a record are held out
    together: otherwise the forest would remember one and be wrong about the other.

    The first note is the headline: one sentence with the interval (95 %). Where values of the
    original come back in other records, as from trees, the forest is wrong more often than by
    chance, and a second note says that it may miss what differs. This test sees what
    logistic propensities miss, interactions, bounds and numbers that no longer round; it does not
    say whether an analysis is harmed. Missing and not applicable are values; sampling weights are
    not used.

    References
    ----------
    Lopez-Paz and Oquab (2017). Revisiting classifier two-sample tests. ICLR 2017.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> ForestTest()(data, data).notes[0]
    'a classifier cannot tell the two tables apart: it is right about 50 % of pairs (45 % to 55 %).'
    """

    kind = "loss"
    formula = "2 · area under the ROC curve of a forest on unseen records − 1, at least 0"
    needs = "records"

    trees: Annotated[int, AtLeast(1), "number of trees in the forest"] = 60
    min_leaf: Annotated[int, AtLeast(1), "smallest number of records in a leaf"] = 5

    def _measure(self, pair: TablePair) -> Result:
        old, new = tree_inputs(pair.before, pair.after, pair.columns)
        if len(old) == len(new):
            both = spread(in_order(old, new), _MOST)
            old, new = old[both], new[both]
        else:
            old, new = (each[spread(in_order(each), _MOST)] for each in (old, new))
        inputs = np.vstack([old, new])
        masked = np.arange(len(inputs)) >= len(old)
        fold = np.concatenate([folds(len(each), _FOLDS) for each in (old, new)])
        area, importance = self._judged(inputs, masked, fold)
        value = max(2 * area - 1, 0.0)
        # The variance of an area is at most A(1 − A) over the smaller number of records.
        reach = 1.959963984540054 * np.sqrt(max(area * (1 - area), 1e-9) / min(len(old), len(new)))
        low, high = (float(np.clip(x, 0, 1)) for x in (area - reach, area + reach))
        return self.result(
            value,
            parts={name: value * part for name, part in zip(pair.columns, importance, strict=True)},
            interval=(max(2 * low - 1, 0.0), max(2 * high - 1, 0.0)),
            notes=(headline(area, low, high), *copies_note(high)),
        )

    def _judged(self, inputs: Floats, masked: Flags, fold: Integers) -> tuple[float, list[float]]:
        """Return the mean area under the curve of unseen records, and the columns' importance."""
        areas, importance = [], np.zeros(inputs.shape[1])
        for held_out in range(_FOLDS):
            seen, unseen = fold != held_out, fold == held_out
            if len({*masked[seen]}) < 2 or len({*masked[unseen]}) < 2:
                continue
            forest = Forest.judging(
                inputs[unseen], inputs[seen], masked[seen].astype(np.int64),
                trees=self.trees, min_leaf=self.min_leaf,
            )  # fmt: skip
            score = forest.shares[:, 1]
            areas.append(area_under_curve(score[masked[unseen]], score[~masked[unseen]]))
            importance += forest.importance
        total = importance.sum()
        shares = importance / total if total > 0 else importance
        return float(np.mean(areas)) if areas else 0.5, shares.tolist()


def copies_note(high: float) -> tuple[str, ...]:
    """Return a warning where a classifier is wrong more often than by chance.

    Examples
    --------
    >>> copies_note(0.52), len(copies_note(0.42))
    ((), 1)
    """
    if high >= 0.5:
        return ()
    return (
        say(
            "It is wrong more often than by chance, as values of unseen records occur in the other "
            "table: the masked one copies. Differences may be hidden; membership inference tells "
            "what the copies give away."
        ),
    )


def headline(area: float, low: float, high: float) -> str:
    """Return in one sentence whether a classifier can tell two tables apart."""
    percents = {"percent": round(100 * area), "low": round(100 * low), "high": round(100 * high)}
    if low <= 0.5:
        return say(
            "a classifier cannot tell the two tables apart: it is right about {percent} % of pairs "
            "({low} % to {high} %).",
            **percents,
        )
    return say(
        "a classifier can tell the two tables apart: of an original and a masked record it knows "
        "which is which in {percent} % of pairs ({low} % to {high} %).",
        **percents,
    )
