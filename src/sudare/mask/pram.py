"""Post-randomisation (PRAM): each category is kept or exchanged by a known matrix."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np

from sudare.core.columns import Column, Label
from sudare.core.draws import Draws
from sudare.core.masker import ColumnPlan, Masker, Plan, WorksOn
from sudare.core.method import Takes
from sudare.core.microdata import Microdata
from sudare.core.settings import Between
from sudare.core.types import Codes, Floats


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
    steps = np.cumsum(matrix, axis=1)
    last = size - 1 - np.argmax(matrix[:, ::-1] > 0, axis=1)  # a rounding gap must not go past it
    # Row i of the steps, moved up by i, makes one ascending list: a single search finds all.
    ladder = (steps + np.arange(size)[:, None]).ravel()
    known = codes >= 0
    old = codes[known]
    found = np.searchsorted(ladder, old + uniform[known], side="right") - old * size
    drawn = codes.copy()
    drawn[known] = np.clip(found, 0, last[old])
    return drawn


@dataclass(frozen=True, repr=False)
class PramPlan(ColumnPlan):
    """The matrix of each column, with the labels its rows stand for."""

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
    equally likely. The matrix is public, so that an analyst can allow for it. Missing and
    not-applicable values stay what they are.

    References
    ----------
    Gouweleeuw, Kooiman, Willenborg and de Wolf (1998). Post randomisation for statistical
    disclosure control. Journal of Official Statistics 14(4).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, Pram(retain=0.9, columns=("region",)), seed=2)
    >>> sudare.loss.DirectComparison(columns=("region",))(data, masked.data).value
    0.11
    """

    works_on: ClassVar[WorksOn] = "rows"
    takes: ClassVar[Takes] = "categories"
    random: ClassVar[bool] = True

    retain: Annotated[float, Between(0, 1), "probability that a category stays"] = 0.8

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        labels = {name: data[name].coded.labels for name in columns}
        matrices = {name: retention_matrix(len(labels[name]), self.retain) for name in columns}
        public = {name: {"labels": labels[name], "matrix": matrices[name]} for name in columns}
        return PramPlan(self.step(columns, public), matrices, labels)
