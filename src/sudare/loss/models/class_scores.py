"""How well predicted classes agree with actual ones: macro precision, recall, F and accuracy."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from sudare.core import Flags, Floats


@dataclass(frozen=True)
class Scores:
    """Macro means over the classes that occur, and the share predicted correctly."""

    precision: float
    recall: float
    f: float
    accuracy: float


def confusion(counts: ArrayLike, predicted: ArrayLike) -> Floats:
    """Tabulate actual (rows) by predicted class (columns), shape (classes, classes).

    Parameters
    ----------
    counts
        Counts or summed weights of the actual classes by collapsed row, shape (m, classes).
    predicted
        Predicted class of each row, shape (m,).

    Examples
    --------
    >>> confusion([[3, 1], [0, 2], [1, 1]], [0, 1, 0]).tolist()
    [[4.0, 0.0], [2.0, 2.0]]
    """
    table, label = np.asarray(counts, dtype=np.float64), np.asarray(predicted)
    if table.ndim != 2 or label.shape != (len(table),):
        raise ValueError(f"{label.size} predictions do not fit counts of shape {table.shape}.")
    if not np.issubdtype(label.dtype, np.integer):
        raise ValueError(f"predicted classes must be integer codes, not {label.dtype}.")
    classes = table.shape[1]
    if label.size and not 0 <= label.min() <= label.max() < classes:
        raise ValueError(f"predicted classes must be codes of the {classes} classes.")
    result = np.zeros((classes, classes))
    np.add.at(result.T, label, table)
    return result


def scores(table: ArrayLike, undefined: Literal["drop", "zero"] = "drop") -> Scores:
    """Score a confusion table (actual × predicted), as in Sano and Hattori, section 4.4.

    Precision of a class is the correct share of the records *predicted* as it, recall the correct
    share of the records that *are* of it, F their harmonic mean; each is averaged over classes
    with equal weight. Classes that never occur are left out altogether.

    Parameters
    ----------
    table
        From `confusion`, shape (classes, classes).
    undefined
        A class that is never predicted has no precision, and no F; a class that is predicted but
        never correctly has precision and recall 0, and F = 0/0. ``"drop"`` leaves such values out
        of the mean (R's ``na.rm``; a model that predicts fewer classes can then score higher),
        ``"zero"`` counts them as 0. If nothing is left, the mean is 0.

    Notes
    -----
    The paper's words are followed; its printed fractions have g_a· and g_·a exchanged.

    Examples
    --------
    >>> scores([[3, 1, 0], [1, 3, 0], [0, 0, 0]])
    Scores(precision=0.75, recall=0.75, f=0.75, accuracy=0.75)
    >>> scores([[4, 0], [2, 0]]).recall, scores([[4, 0], [2, 0]]).f
    (0.5, 0.8)
    >>> scores([[4, 0], [2, 0]], "zero").f
    0.4
    """
    if undefined not in ("drop", "zero"):
        raise ValueError(f'undefined must be "drop" or "zero", got {undefined!r}.')
    g = np.asarray(table, dtype=np.float64)
    if g.ndim != 2 or g.shape[0] != g.shape[1] or not g.sum() > 0:
        raise ValueError("a confusion table must be square and hold at least one record.")
    occurs = g.sum(axis=1) > 0
    correct, actual, predicted = g.diagonal(), g.sum(axis=1), g.sum(axis=0)
    recall = correct[occurs] / actual[occurs]
    right = occurs & (correct > 0)
    # F = 2pr/(p + r) = 2 · correct/(actual + predicted), undefined without a correct record
    f = 2 * correct[right] / (actual + predicted)[right]
    precision = (correct / np.where(predicted > 0, predicted, 1))[occurs & (predicted > 0)]
    return Scores(
        precision=_mean(precision, occurs, undefined),
        recall=float(recall.mean()),
        f=_mean(f, occurs, undefined),
        accuracy=float(correct.sum() / g.sum()),
    )


def _mean(defined: Floats, occurs: Flags, undefined: str) -> float:
    among = defined.size if undefined == "drop" else int(occurs.sum())
    return float(defined.sum() / max(among, 1))
