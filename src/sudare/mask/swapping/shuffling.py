"""Data shuffling: values change places so that ranks follow a model and margins stay exact."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sudare.core import (
    Column,
    Draws,
    Floats,
    Integers,
    Masker,
    Microdata,
    Numeric,
    Plan,
    SettingError,
    normal_from,
)
from sudare.engine.counting import correlation, product, pseudoinverse, root, times
from sudare.mask.swapping.rank_swapping import ranking


def normal_scores(column: Column) -> Floats:
    """Return the standard normal quantiles of the ranks; NaN where there is no value, shape (n,).

    Equal values share their mean rank.

    Examples
    --------
    >>> normal_scores(Numeric("x", np.array([1.0, 5.0, 5.0, np.nan]))).round(2).tolist()
    [-0.97, 0.43, 0.43, nan]
    """
    known, codes = column.known, column.coded.codes[column.known]
    sizes = np.bincount(codes)
    middle = np.cumsum(sizes) - sizes / 2
    scores = np.full(column.rows, np.nan)
    scores[known] = normal_from(middle[codes] / len(codes))
    return scores


def regressors(columns: Sequence[Column]) -> Floats:
    """Return what is given, as numbers: a constant, scores and indicators, shape (n, q).

    Ordered columns give their normal scores, with 0 and an indicator where there is no value;
    others give an indicator for each category but the first, absent values being categories.
    """
    parts = [np.ones(columns[0].rows)] if columns else []
    for column in columns:
        codes = column.coded.codes
        kinds = np.unique(codes)
        if isinstance(column, Numeric) or column.scale == "ordinal":
            parts.append(np.nan_to_num(normal_scores(column)))
            kinds = kinds[kinds < 0]
        else:
            kinds = kinds[1:]
        parts.extend((codes == kind).astype(float) for kind in kinds)
    return np.stack(parts, axis=1)


def fitted(given: Floats, scores: Floats) -> Floats:
    """Return the least-squares prediction of scores for every record, shape (n,).

    Parameters
    ----------
    given
        Shape (n, q); its columns may depend on each other.
    scores
        Shape (n,); records without one (NaN) are predicted but not learned from.
    """
    known = ~np.isnan(scores)
    inputs = given[known]
    effects = times(pseudoinverse(product(inputs.T, inputs)), times(inputs.T, scores[known]))
    return times(given, effects)


def placed(column: Column, scores: Floats, ties: Floats) -> Integers:
    """Return the record each record takes its value from, so that values rank as scores do."""
    source = np.arange(column.rows)
    ranked = ranking(column, ties)
    by_score = np.sort(ranked)
    by_score = by_score[np.argsort(scores[by_score], kind="stable")]
    source[by_score] = ranked
    return source


@dataclass(frozen=True, repr=False)
class ShufflingPlan(Plan):
    """The columns whose relation with the shuffled ones is kept."""

    given: tuple[str, ...]

    def _transform(self, data: Microdata, draws: Draws) -> Microdata:
        shuffled = [data[name] for name in self.step.columns]
        scores = np.stack([normal_scores(column) for column in shuffled])
        means = np.zeros_like(scores)
        if self.given:
            inputs = regressors([data[name] for name in self.given])
            means = np.stack([fitted(inputs, score) for score in scores])
        residuals = scores - means
        sd = np.sqrt(np.nanmean(residuals**2, axis=1))
        independent = np.stack([draws.normal(c.name, data.rows) for c in shuffled])
        drawn = means + sd[:, None] * product(root(correlation(residuals)), independent)
        return data.replacing(
            column.take(placed(column, score, draws.uniform(column.name, data.rows, lane=1)))
            for column, score in zip(shuffled, drawn, strict=True)
        )


class Shuffling(Masker):
    """Shuffle values so that each column keeps its distribution exactly and ranks keep relations.

    New normal scores are drawn for the shuffled columns from their distribution given the
    regressors (``given``), and each column's own values are then put into the order of its new
    scores. So every value stays in the table; rank correlations among the shuffled columns, and
    with the regressors, are kept approximately; and, given the regressors, the new values say
    nothing more about the old ones. Without regressors only relations among the shuffled columns
    are kept.

    Numbers and ordinal categories can be shuffled; regressors may be anything, unordered ones
    acting through their categories. Missing and not-applicable values keep their place; among
    regressors they are categories. Weights stay with their record and do not count.

    References
    ----------
    Muralidhar and Sarathy (2006). Data shuffling: a new masking approach for numerical data.
    Management Science 52(5).

    Notes
    -----
    The paper turns rank correlations into correlations of normal scores; here these are taken
    from the normal scores themselves, which always fit together.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masker = Shuffling(given=("age", "education"), columns=("income",))
    >>> masked = sudare.apply(data, masker, seed=1).data
    >>> before, after = data["income"].values, masked["income"].values
    >>> bool(np.array_equal(np.sort(before), np.sort(after), equal_nan=True))
    True
    """

    works_on = "table"
    takes = "ordered"
    random = True
    roles = ("key", "sensitive")

    given: Annotated[
        tuple[str, ...] | None,
        "columns whose relation with the shuffled ones is kept; by default the other key columns",
    ] = None

    def _fit(self, data: Microdata, columns: tuple[str, ...]) -> Plan:
        given = self.given
        if given is None:
            given = tuple(name for name in data.keys if name not in columns)
        for name in given:
            if data[name].name in columns:
                raise SettingError(
                    "Shuffling: column '{column}' cannot be both shuffled and given; name it once.",
                    column=name,
                )
        return ShufflingPlan(self.step(columns, {}), given)
