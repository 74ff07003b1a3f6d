"""The formulas of conditional draws: donors from leaves, regressions and logits."""

import numpy as np

from sudare.core import Array, Floats, Integers, normal_from
from sudare.engine.counting import eigen, product, pseudoinverse, times

_NEIGHBORS = 20  # records with nearly the same prediction, one of which gives its residual
_NO_VARIANCE = 1e-9  # a share of the largest that counts as none
_DECIMALS = 4  # of the effects of a logit: as near as it is fitted, and the same in every library


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
    inputs: Floats, scores: Floats, weights: Floats, others: Floats, uniform: Floats
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
    uniform
        Draws in [0, 1), shape (records,).
    """
    effects = least_squares(inputs, scores, weights)
    fitted = times(inputs, effects)
    mean = np.average(fitted, weights=weights)
    explained = np.average((fitted - mean) ** 2, weights=weights)
    left = max(1 - explained, 0.0) * len(scores) / max(len(scores) - inputs.shape[1], 1)
    return times(others, effects) + np.sqrt(left) * normal_from(uniform)


def local_residuals(
    inputs: Floats, scores: Floats, weights: Floats, others: Floats, uniform: Floats
) -> Floats:
    """Return scores of new records: least squares plus what was left of a record alike.

    The record is drawn, in proportion to its weight, from the twenty whose predictions are nearest:
    noise is as large, and as skewed, as it is there. See ``regressed``.

    Examples
    --------
    >>> ones, scores = np.ones((4, 1)), np.array([0.0, 0.0, 0.0, 4.0])
    >>> local_residuals(ones, scores, np.ones(4), ones[:2], np.array([0.1, 0.9])).tolist()
    [0.0, 4.0]
    """
    effects = least_squares(inputs, scores, weights)
    fitted, predicted = times(inputs, effects), times(others, effects)
    order = np.lexsort((scores, fitted))
    above = np.concatenate(([0.0], np.cumsum(weights[order])))
    middle = np.searchsorted(fitted[order], predicted)
    first = np.clip(middle - _NEIGHBORS // 2, 0, max(len(order) - _NEIGHBORS, 0))
    last = np.minimum(first + _NEIGHBORS, len(order))
    share = above[first] + uniform * (above[last] - above[first])
    donor = np.clip(np.searchsorted(above, share, side="right") - 1, first, last - 1)
    return predicted + (scores - fitted)[order][donor]


def least_squares(inputs: Floats, scores: Floats, weights: Floats) -> Floats:
    """Return weighted least-squares effects, shape (q,); columns may depend on each other."""
    weighted = inputs * weights[:, None]
    return times(pseudoinverse(product(weighted.T, inputs)), times(weighted.T, scores))


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
    return (uniform[:, None] >= ladder).sum(axis=1)
