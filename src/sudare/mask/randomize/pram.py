"""Post-randomisation (PRAM): each category is kept or exchanged by a known matrix."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from sudare.core import (
    Between,
    Categorical,
    Codes,
    Column,
    ColumnError,
    ColumnPlan,
    Draws,
    Floats,
    Label,
    Masker,
    Microdata,
    Plan,
    SettingError,
    counts_with_noise,
)
from sudare.engine.counting import label_counts

Rows = tuple[tuple[float, ...], ...]
SHARES_EPSILON = 0.5  # of the counts behind invariant matrices, of all columns of a step together
MOST_CATEGORIES = 4096  # of a column, for which a matrix of probabilities is made


def retention_matrix(categories: int, retain: float) -> Floats:
    """Return the matrix that keeps a category with probability ``retain``, else draws another.

    The others are equally likely. Rows are the true category and sum to 1.

    Examples
    --------
    >>> retention_matrix(3, 0.8).round(3).tolist()
    [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]
    """
    if categories == 1:
        return np.ones((1, 1))
    matrix = np.full((categories, categories), (1 - retain) / (categories - 1))
    np.fill_diagonal(matrix, retain)
    return matrix


def invariant_matrix(matrix: Floats, shares: Floats) -> Floats:
    """Return the matrix of two draws that leaves the shares what they are, in expectation.

    The first draw follows the matrix P; the second goes back from the category j seen to a
    category k with the probability that it was the true one, Q[j, k] = shares[k] P[k, j] /
    (shares @ P)[j]. Then ``shares @ P @ Q == shares``.

    Parameters
    ----------
    matrix
        Row-stochastic, shape (categories, categories).
    shares
        Share of the records that have each category, shape (categories,).

    Examples
    --------
    >>> shares = np.array([0.7, 0.2, 0.1])
    >>> made = invariant_matrix(retention_matrix(3, 0.8), shares)
    >>> (shares @ made).round(12).tolist()
    [0.7, 0.2, 0.1]
    """
    joint = shares[:, None] * matrix
    seen = joint.sum(axis=0)
    back = np.eye(len(shares))  # a category that is never seen need not go back
    back[seen > 0] = (joint[:, seen > 0] / seen[seen > 0]).T
    return matrix @ back


def invariant_retention(shares: Floats, retain: float) -> Floats:
    """Return ρI + (1 - ρ)1πᵀ: a category stays with ρ, or one is drawn by the shares π.

    Every category stays with ``retain`` or more, and the shares stay in expectation:
    ``shares @ R == shares``.

    Examples
    --------
    >>> made = invariant_retention(np.array([0.7, 0.2, 0.1]), 0.8)
    >>> made.diagonal().round(3).tolist()
    [0.94, 0.84, 0.82]
    """
    return retain * np.eye(len(shares)) + (1 - retain) * shares


def randomized(codes: Codes, matrix: Floats, uniform: Floats) -> Codes:
    """Draw a new code for each record from its row of the matrix; absent codes stay.

    Parameters
    ----------
    codes
        Shape (n,).
    matrix
        Row-stochastic, shape (categories, categories).
    uniform
        One draw in [0, 1) per record, shape (n,).
    """
    from sudare.mask.randomize._kernels import draw_codes

    size = len(matrix)
    last = size - 1 - np.argmax(matrix[:, ::-1] > 0, axis=1)  # a rounding gap must not go past it
    sums = np.cumsum(matrix, axis=1)
    sums += np.arange(size)[:, None]  # a draw is compared where its row is, as all draws ever were
    drawn = np.array(codes)
    draw_codes(sums, last, uniform, drawn)
    return drawn


def checked(column: Categorical, rows: Rows) -> Floats:
    """Return the rows given for a column as a matrix; refuse anything else."""
    size = len(column.labels)
    if len(rows) != size or any(len(row) != size for row in rows):
        raise SettingError(
            "Pram: the matrix of column '{column}' must have {size} rows and columns, one per "
            "category.",
            column=column.name,
            size=size,
        )
    matrix = np.array(rows, np.float64)
    if not (matrix >= 0).all() or not np.allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-6):
        raise SettingError(
            "Pram: the rows of the matrix of column '{column}' must be probabilities that add up "
            "to 1.",
            column=column.name,
        )
    return matrix / matrix.sum(axis=1, keepdims=True)


def refuse_many(column: str, categories: int) -> None:
    """Refuse more categories than a matrix of probabilities is made for."""
    if categories > MOST_CATEGORIES:
        raise ColumnError(
            "column '{column}' has {count} categories, and a matrix of probabilities is made for "
            "{limit} at most; recode the column first.",
            column=column,
            count=categories,
            limit=MOST_CATEGORIES,
        )


@dataclass(frozen=True, repr=False)
class PramPlan(ColumnPlan):
    """The matrix of each column, with the labels of its rows."""

    matrices: Mapping[str, Floats]
    labels: Mapping[str, tuple[Label, ...]]

    def _mask(self, column: Column, draws: Draws) -> Column:
        codes = column.coded.codes_in(self.labels[column.name])
        drawn = randomized(
            codes, self.matrices[column.name], draws.uniform(column.name, column.rows)
        )
        return replace(column.coded, codes=drawn, labels=self.labels[column.name])


@dataclass(frozen=True, repr=False)
class InvariantPlan(Plan):
    """What invariant matrices are made of, with how often each category occurs: secret.

    Attributes
    ----------
    retain
        Probability that a category stays, where no matrix is given.
    labels, given
        By column, its categories, and the matrix that is made invariant or None.
    counts
        By column, the records of each category, and by how many a single record can move that.
    """

    retain: float
    labels: Mapping[str, tuple[Label, ...]]
    given: Mapping[str, Floats | None]
    counts: Mapping[str, tuple[Floats, int]]

    def with_draws(self, draws: Draws) -> PramPlan:
        """Return the plan with matrices of noisy shares, which are the same for every record."""
        matrices = {name: self._matrix(name, draws.starting_at(0)) for name in self.labels}
        public = {n: {"labels": self.labels[n], "matrix": matrices[n]} for n in matrices}
        return PramPlan(replace(self.step, public=public), matrices, self.labels)

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        return self.with_draws(draws).transform(data, seed=draws)

    def _matrix(self, name: str, draws: Draws) -> Floats:
        counts, reach = self.counts[name]
        epsilon = SHARES_EPSILON / (2 * reach * len(self.labels))  # a record leaves a count for one
        noisy = counts_with_noise(counts, epsilon, draws.uniform(name, len(counts), lane=1))
        given = self.given[name]
        if given is None:
            return invariant_retention(noisy / noisy.sum(), self.retain)
        return invariant_matrix(given, noisy / noisy.sum())


class Pram(Masker):
    """Exchange categories at random with known probabilities.

    A category stays with probability ``retain`` and otherwise becomes one of the others, each
    equally likely; or it is exchanged by a matrix given for the column, with one row per true
    category, in the order of the labels. The matrix is public, so that an analyst can allow for
    it. Missing and not-applicable values stay what they are.

    An ``invariant`` matrix keeps the share of every category in expectation, so that tables of one
    variable need no correction: a category stays with probability ``retain``, and otherwise one of
    all is drawn in proportion to the shares, perhaps the same again. So every category stays with
    ``retain`` or more, frequent ones more often than rare ones. A matrix given for the column is
    made invariant in two steps. The shares are those of the records, or of the weights if these
    count.

    Notes
    -----
    The matrix is published, and must not tell a record: an invariant one is made of counts with
    discrete Laplace noise, drawn when the table is masked, with ε = 0.5 for all columns of a step.
    Expected counts of categories therefore move by 1 - ``retain`` times about 4 records for every
    column masked, and by weights with that many times the largest weight, which protects every
    record: of a few hundred records, the shares are not kept.

    References
    ----------
    Gouweleeuw, Kooiman, Willenborg and de Wolf (1998). Post randomisation for statistical
    disclosure control. Journal of Official Statistics 14(4) (also for the two-step invariant
    matrix).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, Pram(retain=0.9, columns=("region",)), seed=2)
    >>> sudare.loss.DirectComparison(columns=("region",))(data, masked.data).value
    0.11
    """

    works_on = "rows"
    relation = "drawn"
    takes = "categories"
    random = True

    retain: Annotated[float, Between(0, 1), "probability that a category stays"] = 0.8
    matrix: Annotated[
        Mapping[str, Rows] | None,
        "by column, the rows of its matrix in the order of the labels, in place of retain",
    ] = None
    invariant: Annotated[bool, "whether shares stay what they are in expectation"] = False
    weighted: Annotated[bool, "whether sampling weights count"] = False

    def chosen(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns named, those with a matrix of their own, or those whose role fits."""
        if self.columns is None and self.matrix:
            return replace(self, columns=tuple(self.matrix)).chosen(data)
        return super().chosen(data)

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        labels = {name: data[name].coded.labels for name in columns}
        for name in columns:
            refuse_many(name, len(labels[name]))
        given = {
            name: checked(data[name].coded, self.matrix[name])
            if self.matrix and name in self.matrix
            else None
            for name in columns
        }
        if self.invariant:
            counts = {name: self._counted(data, name) for name in columns}
            return InvariantPlan(self.step(columns, {}), self.retain, labels, given, counts)
        matrices = {
            name: retention_matrix(len(labels[name]), self.retain) if matrix is None else matrix
            for name, matrix in given.items()
        }
        public = {name: {"labels": labels[name], "matrix": matrices[name]} for name in columns}
        return PramPlan(self.step(columns, public), matrices, labels)

    def _counted(self, data: Microdata, name: str) -> tuple[Floats, int]:
        """Return how many records have each category, and by how many one can move that.

        Weights count in units of a power of two, of which the largest has at most 16: more would
        not be seen beside the noise, and a unit that told the largest weight would tell a record.
        """
        weights = data.weights_for(name) if self.weighted else None
        weighed = label_counts(data[name].coded, weights)
        if weights is None or not weighed.sum():
            return label_counts(data[name].coded), 1
        heaviest = data[data.with_role("weight")[0]].numeric.values.max()
        return weighed / 2.0 ** (np.frexp(heaviest)[1] - 4), 16
