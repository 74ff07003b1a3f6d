"""Least squares and logistic regression with standard errors, for losses that compare models."""

import numpy as np

from sudare.core import Array, Flags, Floats
from sudare.engine.counting import products_on_one_thread

_RIDGE = 1e-8  # keeps a column that does not vary, or repeats another, from breaking the fit
_ROUNDS = 50
_BLOCK = 8192


def linear_fit(inputs: Floats, target: Floats, weights: Floats | None = None) -> Floats:
    """Return coefficients and standard errors of least squares, shape (2, p + 1).

    The first is the intercept. A coefficient that the data cannot tell has standard error 0.

    Examples
    --------
    >>> fit = linear_fit(np.arange(5.0)[:, None], np.arange(5.0) * 2 + 1)
    >>> np.round(fit[0], 6).tolist()
    [1.0, 2.0]
    """
    design, w = _with_intercept(inputs), _weights(weights, len(target))
    gram = _gram(design, w)
    unit = np.frexp(np.abs(target).max(initial=0))[1]  # a power of 2, so that no square overflows
    target = np.ldexp(target, -unit)
    beta = solved(gram, design.T @ (w * target))
    residual = target - design @ beta
    freedom = max(len(target) - np.linalg.matrix_rank(gram), 1)
    variance = float(w @ residual**2) / freedom
    return np.ldexp(np.stack([beta, standard_errors(gram) * np.sqrt(variance)]), unit)


def logistic_fit(inputs: Floats, target: Flags, weights: Array | None = None) -> Floats:
    """Return coefficients and standard errors of a logistic regression, shape (2, p + 1).

    Maximum likelihood by Newton's method, until the likelihood gains less than one part in 10¹⁰;
    so it ends where classes are separated, too.

    Examples
    --------
    >>> fit = logistic_fit(np.zeros((4, 0)), np.array([True, False, False, False]))
    >>> round(float(fit[0, 0]), 4)  # log(1/3)
    -1.0986
    """
    if len(target) > _BLOCK:
        return _logistic_fit(inputs, target, weights)
    with products_on_one_thread:  # so small a product only waits for other threads
        return _logistic_fit(inputs, target, weights)


def _logistic_fit(inputs: Floats, target: Flags, weights: Array | None) -> Floats:
    design, w = _with_intercept(inputs), _weights(weights, len(target))
    beta = np.zeros(design.shape[1])
    likelihood = -np.inf
    for _ in range(_ROUNDS):
        p = probabilities(design, beta)
        before, likelihood = likelihood, float(w @ np.log(np.where(target, p, 1 - p)))
        gram = _gram(design, w * p * (1 - p))
        if likelihood - before < 1e-10 * abs(likelihood):
            break
        step = solved(gram, design.T @ (w * (target - p)))
        beta = beta + step * min(1.0, 5.0 / max(np.abs(step).max(), 1e-300))
    return np.stack([beta, standard_errors(gram)])


def probabilities(design: Floats, beta: Floats) -> Floats:
    """Return the logistic probabilities of a design with intercept."""
    return 1 / (1 + np.exp(-np.clip(design @ beta, -30, 30)))


def fitted(inputs: Floats, beta: Floats) -> Floats:
    """Return the logistic probabilities of inputs without intercept."""
    return probabilities(_with_intercept(inputs), beta)


def _gram(design: Floats, weights: Floats) -> Floats:
    """Return XᵀWX, in blocks of rows, so that no second copy of the design is made."""
    total = np.zeros((design.shape[1], design.shape[1]))
    for start in range(0, len(design), _BLOCK):
        block = design[start : start + _BLOCK]
        total += block.T @ (block * weights[start : start + _BLOCK, None])
    return total


def _with_intercept(inputs: Floats) -> Floats:
    return np.column_stack([np.ones(len(inputs)), inputs])


def _weights(weights: Array | None, rows: int) -> Floats:
    return np.ones(rows) if weights is None else weights * (rows / weights.sum())


def solved(gram: Floats, right: Floats) -> Floats:
    """Return the solution of normal equations, with a ridge that keeps it from breaking."""
    ridge = _RIDGE * max(float(np.trace(gram)) / len(gram), 1e-12)
    return np.asarray(np.linalg.solve(gram + ridge * np.eye(len(gram)), right), dtype=np.float64)


def standard_errors(gram: Floats) -> Floats:
    """Return the standard errors that an information matrix gives; 0 for what it cannot tell."""
    seen = np.diag(gram) > 1e-10 * max(float(np.diag(gram).max()), 1e-300)
    variance = np.maximum(np.diag(np.linalg.pinv(gram, hermitian=True)), 0.0)
    return np.asarray(np.where(seen, np.sqrt(variance), 0.0), dtype=np.float64)
