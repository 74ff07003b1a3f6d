"""Post-randomisation (PRAM): each category is kept or exchanged by a known matrix."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

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
    Relation,
    SettingError,
    Takes,
    WorksOn,
    rounded_shares,
)
from sudare.engine.counting import label_counts

Rows = tuple[tuple[float, ...], ...]
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
    size = len(matrix)
    last = size - 1 - np.argmax(matrix[:, ::-1] > 0, axis=1)  # a rounding gap must not go past it
    # Row i of the sums, moved up by i, makes one ascending list: a single search finds all.
    ladder = np.cumsum(matrix, axis=1)
    ladder += np.arange(size)[:, None]
    known = codes >= 0
    old = codes[known]
    new = np.searchsorted(ladder.ravel(), old + uniform[known], side="right") - old * size
    drawn = codes.copy()
    drawn[known] = np.clip(new, 0, last[old])
    return drawn


def checked(column: Categorical, rows: Rows) -> Floats:
    """Return the rows given for a column as a matrix; refuse what is none."""
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
    rescaled: Floats = matrix / matrix.sum(axis=1, keepdims=True)
    return rescaled


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
    The matrix is published, and must not tell the counts: the shares in it are those of counts
    rounded to two digits, and to multiples of five below a hundred. Expected shares therefore move
    by up to 1 - ``retain`` times that rounding.

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

    works_on: ClassVar[WorksOn] = "rows"
    relation: ClassVar[Relation] = "drawn"
    takes: ClassVar[Takes] = "categories"
    random: ClassVar[bool] = True

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
        weights = {name: data.weights_for(name) if self.weighted else None for name in columns}
        matrices = {name: self._matrix(data[name].coded, weights[name]) for name in columns}
        public = {name: {"labels": labels[name], "matrix": matrices[name]} for name in columns}
        return PramPlan(self.step(columns, public), matrices, labels)

    def _matrix(self, column: Categorical, weights: Floats | None) -> Floats:
        refuse_many(column.name, len(column.labels))
        given = (self.matrix or {}).get(column.name)
        if given is None:
            matrix = retention_matrix(len(column.labels), self.retain)
        else:
            matrix = checked(column, given)
        if not self.invariant:
            return matrix
        counts = label_counts(column, weights)
        if counts.sum() == 0:
            return matrix
        shares = rounded_shares(counts / counts.sum() * label_counts(column).sum())
        if given is None:
            return invariant_retention(shares, self.retain)
        return invariant_matrix(matrix, shares)
