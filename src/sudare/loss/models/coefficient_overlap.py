"""Regression coefficients: how far their intervals before and after masking overlap."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import Column, Floats, Microdata, Numeric, Result, TablePair, say
from sudare.describe.regression import Design, linear_fit, logistic_fit
from sudare.loss.models.predictive import PredictiveLoss

_REACH = 1.959963984540054  # of an interval of 95 %, in standard errors


def interval_overlap(before: Floats, after: Floats) -> Floats:
    """Return how far 95 % intervals overlap: 1 where they agree, 0 where they do not meet.

    Each argument has coefficients and standard errors, shape (2, p). The overlap is the mean of
    its shares in both intervals.

    Examples
    --------
    >>> fit = np.array([[1.0], [0.5]])
    >>> interval_overlap(fit, fit), interval_overlap(fit, fit + [[9.0], [0.0]])
    (array([1.]), array([0.]))
    """
    low = np.maximum(*(fit[0] - _REACH * fit[1] for fit in (before, after)))
    high = np.minimum(*(fit[0] + _REACH * fit[1] for fit in (before, after)))
    common = np.maximum(high - low, 0.0)
    widths = [2 * _REACH * fit[1] for fit in (before, after)]
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = [np.where(width > 0, common / width, 0.0) for width in widths]
    same = (before == after).all(axis=0)
    return np.where(same, 1.0, (shares[0] + shares[1]) / 2)


@dataclass(frozen=True)
class Coefficient:
    """A coefficient of a regression before and after masking.

    Attributes
    ----------
    column, label
        The input, and which of its labels; empty for a number.
    before, after
        Estimate and standard error.
    overlap
        How far the intervals of 95 % overlap.
    """

    column: str
    label: str
    before: tuple[float, float]
    after: tuple[float, float]
    overlap: float


def coefficients(
    before: Microdata, after: Microdata, target: str, inputs: Sequence[str]
) -> tuple[Coefficient, ...]:
    """Fit a regression to a table before and after masking; see :class:`CoefficientOverlap`.

    Coefficients that the original cannot tell are left out.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> [fitted.overlap for fitted in coefficients(data, data, "income", ["age"])]
    [1.0]
    """
    design = Design.of(before, after, inputs)
    first, second = _fitted_twice(design, before, after, target)
    overlap = interval_overlap(first, second)
    return tuple(
        Coefficient(
            column,
            label,
            (float(first[0, position]), float(first[1, position])),
            (float(second[0, position]), float(second[1, position])),
            float(overlap[position]),
        )
        for position, (column, label) in enumerate(design.terms(), 1)
        if first[1, position] > 0
    )


class CoefficientOverlap(PredictiveLoss):
    """How little the confidence intervals of a regression overlap before and after masking.

    A number is predicted by least squares, a category (its most frequent label against the others)
    by logistic regression, from all other columns. The value is 1 minus the mean overlap of the
    coefficients' intervals; the parts are those of each input. Coefficients that the original
    cannot tell do not count. Sampling weights count.

    References
    ----------
    Karr, Kohnen, Oganian, Reiter and Sanil (2006). A framework for evaluating the utility of data
    altered to protect confidentiality. The American Statistician 60(3).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> CoefficientOverlap(target="income")(data, data).value
    0.0
    """

    formula = "1 − mean overlap of the confidence intervals of the coefficients"

    def _measure(self, pair: TablePair) -> Result:
        target = self.target_in(pair)
        design = Design.of(
            pair.before, pair.after, [name for name in pair.columns if name != target]
        )
        owners = [column for column, _ in design.terms()]
        first, second = _fitted_twice(design, pair.before, pair.after, target)
        overlap = interval_overlap(first, second)[1:]
        estimated = first[1, 1:] > 0
        if not estimated.any():
            return self.result(0, notes=(say("no coefficient was compared: none is estimable."),))
        parts = {
            name: 1 - float(overlap[mine].mean())
            for name in dict.fromkeys(owners)
            if (mine := estimated & np.array([owner == name for owner in owners])).any()
        }
        return self.result(1 - overlap[estimated].mean(), parts=parts)


def _fitted_twice(
    design: Design, before: Microdata, after: Microdata, target: str
) -> tuple[Floats, Floats]:
    """Return estimates and standard errors before and after, each of shape (2, 1 + p)."""
    label = _reference(before[target])
    first = _fit(design.matrix(before)[0], before[target], label, before.weights)
    return first, _fit(design.matrix(after)[0], after[target], label, after.weights)


def _reference(column: Column) -> str | None:
    """Return the most frequent label of a category; None for a number."""
    if isinstance(column, Numeric):
        return None
    coded = column.coded
    counts = np.bincount(coded.codes[coded.codes >= 0], minlength=len(coded.labels) or 1)
    return str(coded.labels[int(counts.argmax())]) if len(coded.labels) else ""


def _fit(inputs: Floats, target: Column, label: str | None, weights: Floats | None) -> Floats:
    known = target.known
    chosen = None if weights is None else weights[known]
    if not known.any():
        return np.zeros((2, inputs.shape[1] + 1))
    if label is None and isinstance(target, Numeric):
        return linear_fit(inputs[known], target.values[known], chosen)
    labels = np.array([str(name) == label for name in target.coded.labels] or [False])
    return logistic_fit(inputs[known], labels[target.coded.codes[known]], chosen)
