"""Naive Bayes from randomized data: tables behind the noise, turned into a classifier."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sudare.core import (
    Array,
    AtLeast,
    Categorical,
    Codes,
    ColumnError,
    Declared,
    Floats,
    Label,
    Microdata,
    Step,
)
from sudare.reconstruct.mixture import Matrix, maximize
from sudare.reconstruct.readings import ColumnReading, reading
from sudare.reconstruct.released import channel_of

_NAME = "NaiveBayes"
_ROUNDS = 500
_TOLERANCE = 1e-10


def shares_behind(counts: Floats, matrix: Floats, prior: Floats) -> Floats:
    """Return the most probable shares of the true categories, given published counts.

    Iterative Bayes (eq. 6) for one column, with a Dirichlet prior.

    Parameters
    ----------
    counts
        Published records of each category, shape (published,).
    matrix
        Probability of each published category by true one, shape (true, published).
    prior
        Records' worth of each category before any is seen, not negative, shape (true,).

    Examples
    --------
    >>> matrix = np.array([[0.75, 0.25], [0.25, 0.75]])
    >>> shares_behind(np.array([40.0, 60.0]), matrix, np.zeros(2)).round(3).tolist()
    [0.3, 0.7]
    """
    even = np.full(len(matrix), 1 / len(matrix))
    total = counts.sum() + prior.sum()
    if total == 0:
        return even
    # The prior is a second channel without noise, through which that many records were seen.
    both = np.concatenate((matrix.T, np.eye(len(matrix))))
    seen = np.concatenate((counts, prior)) / total
    return maximize(Matrix(both), seen, even, rounds=_ROUNDS, tolerance=_TOLERANCE).shares


@dataclass(frozen=True, eq=False, repr=False)
class NaiveBayesModel:
    """A classifier: the shares of the target, and of each column's categories by target.

    Attributes
    ----------
    labels
        The classes of the target.
    shares
        Their shares, shape (classes,).
    tables
        By column, the estimated shares of the true categories in each class of the target, shape
        (classes, categories); rows sum to 1.
    readings
        By column, its categories and how it was randomized.
    """

    labels: tuple[Label, ...]
    shares: Floats
    tables: Mapping[str, Floats]
    readings: Mapping[str, ColumnReading]

    @property
    def information(self) -> dict[str, float]:
        """Mutual information of each column and the target, in bits, from the tables.

        It says where a budget is well spent: usable as ``weights`` for other records.
        """
        return {name: self._information(table) for name, table in self.tables.items()}

    def _information(self, table: Floats) -> float:
        overall = self.shares @ table
        ratio = np.divide(table, overall, out=np.ones_like(table), where=table > 0)
        return float(self.shares @ (table * np.log2(ratio)).sum(axis=1))

    def predict_proba(self, data: Microdata) -> Floats:
        """Return the probability of each class for records that were not masked.

        A value that is missing, or a category that the steps do not know, says nothing.

        Parameters
        ----------
        data
            A table with the columns of the model; numbers as they were before any step.
        """
        scores = np.tile(_logs(self.shares), (data.rows, 1))
        for name, table in self.tables.items():
            codes = self.readings[name].codes(data[name])
            known = codes >= 0
            scores[known] += _logs(table).T[codes[known]]
        scores -= scores.max(axis=1, keepdims=True)
        odds = np.exp(scores)
        return odds / odds.sum(axis=1, keepdims=True)

    def predict(self, data: Microdata) -> Array:
        """Return the most probable class of each record, as a label."""
        labels: Array = np.array(self.labels, object)
        return labels[self.predict_proba(data).argmax(axis=1)]

    def __repr__(self) -> str:
        return f"<NaiveBayesModel of {len(self.labels)} classes from {len(self.tables)} columns>"


class NaiveBayes(Declared):
    """Predict a target that was not randomized from columns that were.

    For each column and each class of the target, the shares of the true categories are estimated
    from the published ones by the known probabilities of the steps, the most probable ones given
    a prior: first for all records together (each category starts with one record's worth), then
    by class, where the overall shares count as ``prior`` records. The tables make a naive Bayes
    classifier, which takes the columns as independent within a class.

    Only one-way tables by the target are needed, and these come out well even when every record
    publishes a single column ([Pk-sampling](../methods/pk-sampling.md)); missing values are left
    out, column by column. The estimator sees the published data and the steps, nothing else.

    Notes
    -----
    Numbers with bounded Laplace noise are cut into ``classes`` classes of one width. A step whose
    matrix is not published cannot be allowed for and is taken as nothing done.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy(20_000)
    >>> steps = [sudare.mask.Intervals(), sudare.mask.PkSampling(k=5)]
    >>> masked = sudare.apply(data, steps, seed=7)
    >>> model = NaiveBayes(target="condition").fit(masked.data, masked.steps)
    >>> max(model.information, key=model.information.get)
    'age'
    >>> model.predict_proba(data).shape
    (20000, 2)
    """

    target: Annotated[str, "column to predict; its values must be the true ones"]
    columns: Annotated[
        tuple[str, ...] | None, "columns to predict from; by default those that steps randomized"
    ] = None
    prior: Annotated[
        float, AtLeast(0), "how many records the overall shares count for in each class"
    ] = 20.0
    classes: Annotated[int, AtLeast(2), "classes into which numbers with noise are cut"] = 16

    def fit(self, data: Microdata, steps: Iterable[Step]) -> NaiveBayesModel:
        """Estimate the tables from published data and the steps that led to them."""
        done = tuple(steps)
        target = self._target(data, done)
        names = self.columns or [n for n in data.names if channel_of(_NAME, n, done) is not None]
        if not names:
            raise ColumnError(
                "{method}: the steps randomize no column of this table by known probabilities.",
                method=_NAME,
            )
        readings = {name: reading(_NAME, data[name], done, self.classes) for name in names}
        size = len(target.labels)
        shares = np.bincount(target.codes[target.known], minlength=size).astype(np.float64)
        tables = {
            name: self._table(read, read.codes(data[name]), target.codes, size)
            for name, read in readings.items()
        }
        return NaiveBayesModel(target.labels, shares / shares.sum(), tables, readings)

    def _target(self, data: Microdata, steps: tuple[Step, ...]) -> Categorical:
        target = data[self.target]
        if any(self.target in step.columns for step in steps):
            raise ColumnError(
                "NaiveBayes: the target '{column}' was masked; its values must be the true ones.",
                column=self.target,
            )
        if not isinstance(target, Categorical) or target.empty:
            raise ColumnError(
                "NaiveBayes: the target '{column}' must hold categories.", column=self.target
            )
        return target

    def _table(self, reading: ColumnReading, published: Codes, classes: Codes, size: int) -> Floats:
        """Return the shares of the true categories by class of the target."""
        known = (published >= 0) & (classes >= 0)
        width = reading.matrix.shape[1]
        cells = classes[known] * width + published[known]
        counts = np.bincount(cells, minlength=size * width).reshape(size, width).astype(np.float64)
        overall = shares_behind(counts.sum(axis=0), reading.matrix, np.ones(len(reading.labels)))
        return np.stack([shares_behind(c, reading.matrix, self.prior * overall) for c in counts])


def _logs(shares: Floats) -> Floats:
    """Return logarithms; a share of 0 is improbable, not impossible."""
    return np.log(np.maximum(shares, 1e-9))
