"""The logit as a scikit-learn classifier (the only file here that imports scikit-learn)."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from sudare.core import Floats, Integers
from sudare.describe.regression.logit.counting import collapse, distinct
from sudare.describe.regression.logit.multinomial import Fit, fit_logit, predict, probabilities


class MultinomialLogit(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Unpenalized multinomial logit on categories; see `fit_logit`.

    Parameters
    ----------
    tolerance
        Limit of the gradient norm.
    max_iterations
        Limit of Newton steps.

    Attributes
    ----------
    classes_
        The classes in ascending order.
    categories_
        The categories of each input in ascending order.
    fit_
        The `Fit`, with log-likelihood and convergence.

    Notes
    -----
    Every distinct value of a column of X is a category, also of a column of numbers. Missing
    values are refused: make them a category. Weights must be positive.

    Examples
    --------
    >>> X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"], ["b", "y"]]
    >>> model = MultinomialLogit().fit(X, ["no", "no", "no", "yes", "no"])
    >>> model.predict_proba([["b", "y"]]).round(3).tolist()
    [[0.5, 0.5]]
    """

    classes_: NDArray[Any]
    categories_: list[NDArray[Any]]
    fit_: Fit
    n_iter_: int

    def __init__(self, *, tolerance: float = 1e-9, max_iterations: int = 1000) -> None:
        self.tolerance = tolerance
        self.max_iterations = max_iterations

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to inputs X, shape (n, inputs), and classes y, shape (n,)."""
        table, target = validate_data(self, X, y, dtype=None)
        check_classification_targets(target)
        self.classes_, label = np.unique(target, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                "MultinomialLogit: the target has one class, there is nothing to predict."
            )
        coded = [np.unique(column, return_inverse=True) for column in table.T]
        self.categories_ = [categories for categories, _ in coded]
        rows, counts = collapse([codes for _, codes in coded], label, sample_weight)
        self.fit_ = fit_logit(
            rows, counts, tolerance=self.tolerance, max_iterations=self.max_iterations
        )
        self.n_iter_ = max(self.fit_.iterations, 1)  # scikit-learn's contract: at least one
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Give the most probable class of each record; ties go to the first in `classes_`."""
        rows, row_of = self._distinct(X)
        return np.asarray(self.classes_[predict(self.fit_, rows)[row_of]])

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Give the class probabilities of each record, in the order of `classes_`."""
        rows, row_of = self._distinct(X)
        return np.asarray(probabilities(self.fit_, rows)[row_of], dtype=np.float64)

    def _distinct(self, X: ArrayLike) -> tuple[Integers, Integers]:
        check_is_fitted(self)
        table = validate_data(self, X, dtype=None, reset=False)
        codes = [
            _codes(column, categories, number)
            for number, (column, categories) in enumerate(
                zip(table.T, self.categories_, strict=True)
            )
        ]
        return distinct(codes)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _codes(column: NDArray[Any], categories: NDArray[Any], number: int) -> Integers:
    """Find each value among the categories; an unknown one is refused without being shown."""
    known = np.isin(column, categories)
    if not known.all():
        raise ValueError(
            f"MultinomialLogit: input {number} has {np.unique(column[~known]).size} categories "
            "that were not there in fit; recode them first."
        )
    return np.searchsorted(categories, column)
