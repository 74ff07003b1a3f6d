"""What synthesis draws a column given: columns as numbers, learned on one table, used on another.

Ordered columns (numbers, ordinal categories) act through the normal scores of their ranks, so that
heavy tails and units do not matter; on hazards numbers act by their values. Categories act through
an order by the target (trees) or through indicators (regressions). Missing and not applicable are
distinguished from all values.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sudare.core import Array, Categorical, Column, Floats, Integers, Numeric, normal_from
from sudare.engine.counting import eigen, in_units, magnitude, product

_BELOW_ALL_SCORES = -10.0  # normal scores lie between -8.3 and 8.3
_MOST_INDICATORS = 30
_MOST_AXES = 3
_FARTHEST = 10.0  # standard deviations; values beyond act like these on a hazard


def is_ordered(column: Column) -> bool:
    """Return whether a column has an order: numbers or ordinal categories."""
    return isinstance(column, Numeric) or column.scale == "ordinal"


@dataclass(frozen=True, eq=False)
class Ranks:
    """The distinct values of an ordered column and where they stand among all.

    Attributes
    ----------
    levels
        Distinct numbers, or the codes of ordinal categories, ascending, shape (levels,).
    sizes
        Number of records of each level, shape (levels,).
    top
        Share of the weight that is at most the level, shape (levels,).
    scores
        Normal quantile of the middle of the level's ranks, shape (levels,).
    """

    levels: Floats
    sizes: Integers
    top: Floats
    scores: Floats

    @classmethod
    def of(cls, column: Column, weights: Floats) -> "Ranks":
        """Return the levels of a column and their weighted ranks; absent values do not count."""
        known, coded = column.known, column.coded
        codes, count = coded.codes[known], len(coded.labels)
        heavy: Floats = np.bincount(codes, weights[known], minlength=count).astype(np.float64)
        heavy = heavy if heavy.any() else np.ones(count)  # values of records without weight only
        top = np.cumsum(heavy)
        middle = (top - heavy / 2) / top[-1]
        levels = np.array(coded.labels, float) if isinstance(column, Numeric) else np.arange(count)
        scores = normal_from(np.minimum(middle, 1 - 2.0**-53))
        return cls(levels.astype(float), np.bincount(codes, minlength=count), top / top[-1], scores)

    def scores_of(self, column: Column, labels: tuple[object, ...]) -> Floats:
        """Return the score of every record, between those of the nearest levels; NaN if absent."""
        if isinstance(column, Numeric):
            return np.interp(column.values, self.levels, self.scores)
        codes = column.coded.codes_in(labels)
        return np.where(codes < 0, np.nan, self.scores[codes])


def category_scores(codes: Array, count: int, target: Array, weights: Floats) -> Floats:
    """Return numbers for every category, by which a tree may split, shape (count, 1 to 3).

    Categories are ordered by the mean of a numeric target, and by the first three axes of the
    correspondence analysis with a target of categories. With a numeric target, or one of two
    categories, the best split in two of all records is then a split of this order (Breiman et al.
    1984, Classification and Regression Trees). Several axes, because one that tells apart a pair
    that always goes together, such as missing and missing, has all others in one place.

    Parameters
    ----------
    codes
        0 … count - 1, shape (n,).
    count
        Number of categories.
    target
        Numbers, or whole numbers for categories from 0, shape (n,).
    weights
        Shape (n,).

    Examples
    --------
    >>> codes, ones = np.array([0, 0, 1, 2]), np.ones(4)
    >>> category_scores(codes, 3, np.array([1.0, 3.0, 0.0, 9.0]), ones).ravel().tolist()
    [2.0, 0.0, 9.0]
    >>> category_scores(codes, 3, np.array([0, 1, 1, 0]), ones).ravel().argsort().tolist()
    [2, 0, 1]
    """
    if target.dtype.kind == "f":
        total = np.bincount(codes, weights, minlength=count)
        sums = np.bincount(codes, weights * target, minlength=count)
        means: Floats = sums / np.where(total > 0, total, 1.0)
        return means[:, None]
    kinds = int(target.max()) + 1
    table = np.bincount(codes * kinds + target, weights, minlength=count * kinds)
    table = table.reshape(count, kinds) / weights.sum()
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    scale = np.sqrt(np.outer(rows, columns))
    apart = np.divide(table, scale, out=np.zeros_like(table), where=scale > 0) - scale
    number = min(_MOST_AXES, count - 1, kinds - 1)
    wide = count < kinds
    axes = eigen(product(apart, apart.T) if wide else product(apart.T, apart))[1]
    axes = axes[:, : -number - 1 : -1]
    axes = axes if wide else product(apart, axes)
    scores = np.divide(
        axes, np.sqrt(rows)[:, None], out=np.zeros_like(axes), where=rows[:, None] > 0
    )
    largest = scores[np.abs(scores).argmax(axis=0), np.arange(number)]
    return scores * np.where(largest < 0, -1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Predictor:
    """A column that others are drawn given: as it was learned from, and in the new table.

    Attributes
    ----------
    learnt, new
        The column where models are fitted, and where they are used.
    weights
        Of the records that are learned from, shape (n,).
    """

    learnt: Column
    new: Column
    weights: Floats

    def for_tree(self, target: Array, rows: Array) -> tuple[Floats, Floats]:
        """Return numbers for every record, learned and new, shapes (n, q) and (records, q).

        ``target`` is what the chosen ``rows`` of the learned table have, shape (len(rows),).
        """
        if is_ordered(self.learnt):
            old, new = (
                np.where(np.isnan(scores), _BELOW_ALL_SCORES - state, scores)[:, None]
                for scores, state in zip(self._scores, self._states, strict=True)
            )
            return old, new
        was, now = self._codes
        count = len(self.learnt.coded.labels) + 2
        scores = category_scores(was[rows], count, target, self.weights[rows])
        return scores[was], scores[now]

    @cached_property
    def for_regression(self) -> tuple[Floats, Floats]:
        """Scores and indicators, learned and new, shapes (n, q) and (records, q).

        An absent value has the score 0 and an indicator. The most frequent category has no
        indicator, nor have those beyond the 30 most frequent others.
        """
        return self._inputs(self._scores if is_ordered(self.learnt) else None)

    @cached_property
    def for_hazards(self) -> tuple[Floats, Floats]:
        """The same with values of numbers in place of scores, as those who fit Cox models do."""
        if isinstance(self.learnt, Numeric) and isinstance(self.new, Numeric):
            return self._inputs(standardized(self.learnt.values, self.new.values, self.weights))
        return self.for_regression

    def _inputs(self, scores: tuple[Floats, Floats] | None) -> tuple[Floats, Floats]:
        parts = list[tuple[Floats, Floats]]()
        both = self._codes if scores is None else self._states
        if scores is not None:
            parts.append((np.nan_to_num(scores[0]), np.nan_to_num(scores[1])))
        kinds, counts = np.unique(both[0], return_counts=True)
        for kind in kinds[np.argsort(-counts, kind="stable")][1 : _MOST_INDICATORS + 1]:
            parts.append(((both[0] == kind).astype(float), (both[1] == kind).astype(float)))
        old, new = (
            np.stack([part[side] for part in parts], axis=1)
            if parts
            else np.empty((column.rows, 0))
            for side, column in enumerate((self.learnt, self.new))
        )
        return old, new

    @cached_property
    def _scores(self) -> tuple[Floats, Floats]:
        ranks, labels = Ranks.of(self.learnt, self.weights), _labels(self.learnt)
        return ranks.scores_of(self.learnt, labels), ranks.scores_of(self.new, labels)

    @cached_property
    def _states(self) -> tuple[Integers, Integers]:
        return states(self.learnt), states(self.new)

    @cached_property
    def _codes(self) -> tuple[Integers, Integers]:
        """Codes from 0; the first two are not applicable and missing."""
        labels = _labels(self.learnt)
        old, new = (
            column.coded.codes_in(labels).astype(np.int64) + 2 for column in (self.learnt, self.new)
        )
        return old, new


def standardized(learnt: Floats, new: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return numbers in standard deviations from the mean of those learnt from; NaN stays.

    Examples
    --------
    >>> learnt, new = np.array([1.0, 3.0]), np.array([4.0, np.nan])
    >>> [part.tolist() for part in standardized(learnt, new, np.ones(2))]
    [[-1.0, 1.0], [2.0, nan]]
    """
    power = magnitude(learnt)
    values, others = in_units(learnt, power), in_units(new, power)
    used = ~np.isnan(values) & (weights > 0)
    if not used.any():
        return np.zeros_like(learnt), np.zeros_like(new)
    mean = np.average(values[used], weights=weights[used])
    sd = np.sqrt(np.average((values[used] - mean) ** 2, weights=weights[used])) or 1.0
    old, drawn = (np.clip((part - mean) / sd, -_FARTHEST, _FARTHEST) for part in (values, others))
    return old, drawn


def states(column: Column) -> Integers:
    """Return 0 where there is a value, 1 where it is missing, 2 where there can be none."""
    return column.missing + 2 * column.not_applicable.astype(np.int64)


def _labels(column: Column) -> tuple[object, ...]:
    return column.labels if isinstance(column, Categorical) else ()
