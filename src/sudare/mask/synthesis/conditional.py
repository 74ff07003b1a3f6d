"""Draws from the distribution of a column given others, learnt by a tree or by a regression.

A tree puts every record in a leaf and draws a donor from it; a regression predicts normal scores,
or the probabilities of categories. Both return codes of values that somebody has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sudare.core import Array, Floats, Integers, MissingPartError, normal_from
from sudare.engine.counting import eigen, product, pseudoinverse, times
from sudare.mask.synthesis.predictors import Predictor, Ranks

Model = Literal["tree", "regression"]
_NO_VARIANCE = 1e-9  # a share of the largest that counts as none
_DECIMALS = 4  # of the effects of a logit: as near as it is fitted, and the same in every library


@dataclass(frozen=True, eq=False)
class Conditional:
    """How a column is drawn given others.

    Attributes
    ----------
    model
        "tree" or "regression".
    min_leaf
        Smallest number of donors in a leaf.
    predictors
        The columns that are given; there may be none.
    weights
        Of the records that are learnt from, shape (n,).
    """

    model: Model
    min_leaf: int
    predictors: Sequence[Predictor]
    weights: Floats

    def draw_category(self, codes: Integers, rows: Integers, uniform: Floats) -> Integers:
        """Return a category for every new record.

        Parameters
        ----------
        codes
            Categories that are learnt from, from 0, shape (n,).
        rows
            The records that are learnt from.
        uniform
            A draw in [0, 1) for every new record, shape (records,).
        """
        kinds, target = np.unique(codes[rows], return_inverse=True)
        if len(kinds) == 1:
            return np.full(len(uniform), kinds[0])
        if self.model == "tree" or not self.predictors:
            return kinds[self._from_leaf(target, target, rows, uniform)]
        old, new = self._design()
        return kinds[chosen(probabilities(old[rows], target, self.weights[rows], new), uniform)]

    def draw_level(
        self, ranks: Ranks, codes: Integers, rows: Integers, uniform: Floats
    ) -> Integers:
        """Return a level of an ordered column for every new record; see ``draw_category``."""
        from scipy.special import ndtr

        target = ranks.scores[codes[rows]]
        if self.model == "tree" or not self.predictors:
            return self._from_leaf(target, codes[rows], rows, uniform)
        old, new = self._design()
        drawn = regressed(old[rows], target, self.weights[rows], new, normal_from(uniform))
        share = np.minimum(ndtr(drawn), 1 - 2.0**-53)  # 1 would be a level that nobody has
        level: Integers = np.searchsorted(ranks.top, share, side="right")
        return level

    def _from_leaf(
        self, target: Array, codes: Integers, rows: Integers, uniform: Floats
    ) -> Integers:
        old, new = np.zeros(len(rows), np.int64), np.zeros(len(uniform), np.int64)
        if self.predictors:
            pairs = [predictor.for_tree(target, rows) for predictor in self.predictors]
            inputs, others = (np.hstack(part) for part in zip(*pairs, strict=True))
            old, new = leaves(inputs[rows], target, self.weights[rows], others, self.min_leaf)
        return donated(old, codes, self.weights[rows], new, uniform)

    def _design(self) -> tuple[Floats, Floats]:
        pairs = [predictor.for_regression for predictor in self.predictors]
        old, new = (
            np.column_stack([np.ones(len(part[0])), *part]) for part in zip(*pairs, strict=True)
        )
        return old, new


def leaves(
    inputs: Floats, target: Array, weights: Floats, others: Floats, min_leaf: int
) -> tuple[Integers, Integers]:
    """Grow a tree and return the leaf of every record it grew on, and of others.

    A numeric target gives a regression tree, whole numbers a classification tree.

    Parameters
    ----------
    inputs, others
        Shapes (n, q) and (records, q).
    target, weights
        Shape (n,).
    min_leaf
        Smallest number of records in a leaf.
    """
    try:
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
    except ImportError:
        raise MissingPartError(
            "synthesis by trees needs the library scikit-learn: pip install 'sudare[models]', or "
            "choose model='regression'."
        ) from None
    kind = DecisionTreeRegressor if target.dtype.kind == "f" else DecisionTreeClassifier
    tree = kind(min_samples_leaf=min_leaf, random_state=0)  # which of equal splits, never the data
    inputs, others = inputs.astype(np.float32), others.astype(np.float32)
    tree.fit(inputs, target, sample_weight=weights)
    return tree.apply(inputs), tree.apply(others)


def donated(
    leaf: Integers, codes: Array, weights: Floats, new_leaf: Integers, uniform: Floats
) -> Integers:
    """Return the code of a donor from the same leaf, drawn in proportion to the weights.

    Parameters
    ----------
    leaf, codes, weights
        Of the donors, shape (n,). Every leaf that a new record is in has a donor.
    new_leaf, uniform
        Of the new records, shape (records,); a draw in [0, 1) each.

    Examples
    --------
    >>> leaf, codes, weights = np.array([0, 0, 1]), np.array([4, 5, 6]), np.array([1.0, 3.0, 1.0])
    >>> donated(leaf, codes, weights, np.array([0, 0, 1]), np.array([0.2, 0.3, 0.9])).tolist()
    [4, 5, 6]
    """
    order = np.lexsort((codes, leaf))
    above = np.cumsum(weights[order])
    ends = np.cumsum(np.bincount(leaf))
    first = np.concatenate(([0], ends[:-1]))[new_leaf]
    last = ends[new_leaf] - 1
    below = np.where(first > 0, above[first - 1], 0.0)
    donor = np.searchsorted(above, below + uniform * (above[last] - below), side="right")
    return np.asarray(codes)[order[np.clip(donor, first, last)]].astype(np.int64)


def regressed(
    inputs: Floats, scores: Floats, weights: Floats, others: Floats, normal: Floats
) -> Floats:
    """Return scores of new records: least squares plus normal noise as large as what is left.

    The noise makes up the variance to 1, that of normal scores, whatever ties took from it, with
    the residual degrees of freedom.

    Parameters
    ----------
    inputs, others
        Shapes (n, q) and (records, q); columns may depend on each other.
    scores, weights
        Shape (n,).
    normal
        Standard normal draws, shape (records,).
    """
    weighted = inputs * weights[:, None]
    effects = times(pseudoinverse(product(weighted.T, inputs)), times(weighted.T, scores))
    fitted = times(inputs, effects)
    mean = np.average(fitted, weights=weights)
    explained = np.average((fitted - mean) ** 2, weights=weights)
    left = max(1 - explained, 0.0) * len(scores) / max(len(scores) - inputs.shape[1], 1)
    drawn: Floats = times(others, effects) + np.sqrt(left) * normal
    return drawn


def probabilities(inputs: Floats, target: Integers, weights: Floats, others: Floats) -> Floats:
    """Return the probability of each category by a multinomial logit, shape (records, categories).

    The slopes of whitened inputs have a ridge penalty as small as half a record, so that they stay
    finite where an input separates categories.

    Parameters
    ----------
    inputs, others
        Shapes (n, q) and (records, q); the first column is the constant.
    target
        Categories from 0, all of which occur, shape (n,).
    weights
        Shape (n,).
    """
    from scipy.optimize import minimize

    old, new = whitened(inputs[:, 1:], weights, others[:, 1:])
    share, own = weights / weights.sum(), np.arange(len(target))
    start = np.zeros((1 + old.shape[1], target.max() + 1))
    start[0] = np.log(np.bincount(target, share))

    def loss(flat: Floats) -> tuple[float, Floats]:
        effects = flat.reshape(start.shape)
        scores = _scored(effects, old @ effects[1:])
        chance = scores[own, target]
        total = np.exp(scores, out=scores).sum(axis=1)
        scores *= (share / total)[:, None]
        scores[own, target] -= share  # from here on, expected less observed
        penalty = effects / len(target)
        penalty[0] = 0.0
        slope = np.vstack([scores.sum(axis=0), old.T @ scores]) + penalty
        return float(
            (effects * penalty).sum() / 2 - share @ (chance - np.log(total))
        ), slope.ravel()

    options = {"maxiter": 100, "gtol": 1e-3}  # near enough for draws
    best = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options=options)
    effects = np.round(best.x.reshape(start.shape), _DECIMALS)
    shares = np.exp(_scored(effects, product(new, effects[1:])))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def _scored(effects: Floats, scores: Floats) -> Floats:
    """Return the linear scores of every category with the constant; the largest of them is 0."""
    scores += effects[0]
    scores -= scores.max(axis=1, keepdims=True)
    return scores


def whitened(inputs: Floats, weights: Floats, others: Floats) -> tuple[Floats, Floats]:
    """Return inputs without correlation and with variance 1, and others turned alike.

    Columns that depend on others fall away; a fit then needs few iterations.

    Examples
    --------
    >>> old, new = whitened(np.array([[1.0, 2.0], [3.0, 6.0]]), np.ones(2), np.array([[2.0, 4.0]]))
    >>> np.abs(old).round(9).tolist(), np.abs(new).round(9).tolist()
    ([[1.0], [1.0]], [[0.0]])
    """
    mean = np.average(inputs, axis=0, weights=weights)
    apart = inputs - mean
    sizes, directions = eigen(product(apart.T * weights, apart) / weights.sum())
    kept = sizes > _NO_VARIANCE * sizes[-1]
    turn = directions[:, kept] / np.sqrt(sizes[kept])
    return product(apart, turn), product(others - mean, turn)


def chosen(shares: Floats, uniform: Floats) -> Integers:
    """Return the category that a draw falls on, for every record.

    Examples
    --------
    >>> chosen(np.array([[0.5, 0.5], [0.1, 0.9]]), np.array([0.4, 0.4])).tolist()
    [0, 1]
    """
    ladder = np.cumsum(shares, axis=1)
    ladder[:, -1] = 1.0  # a rounding gap here would choose a category that does not exist
    categories: Integers = (uniform[:, None] >= ladder).sum(axis=1)
    return categories
