"""Survival models: Cox regression and the Kaplan–Meier curve."""

import numpy as np

from sudare.core import Flags, Floats, Integers
from sudare.describe.regression.linear_models import solved, standard_errors
from sudare.engine.counting import product, pseudoinverse, times

_ROUNDS = 50
_MOST_STEPS = 25
_TOLERANCE = 1e-8  # gain of the log-likelihood
_FARTHEST = 30.0  # a log hazard ratio beyond which exp tells nothing more
_DECIMALS = 6  # of effects: as near as they are fitted, and the same in every library


def kaplan_meier(time: Floats, event: Flags, at: Floats) -> Floats:
    """Return the share that survives beyond some times, shape of ``at``.

    Parameters
    ----------
    time, event
        When each record was last seen, and whether that is when the event came, shapes (n,).
    at
        The times asked for.

    References
    ----------
    Kaplan and Meier (1958). Nonparametric estimation from incomplete observations. Journal of the
    American Statistical Association 53(282).

    Examples
    --------
    >>> kaplan_meier(np.array([1.0, 2.0, 3.0]), np.array([True, False, True]), np.array([1.0, 3.0]))
    array([0.66666667, 0.        ])
    """
    moments = np.unique(time[event])
    ordered = np.sort(time)
    left = len(time) - np.searchsorted(ordered, moments, "left")
    came = np.sort(time[event])
    events = np.searchsorted(came, moments, "right") - np.searchsorted(came, moments, "left")
    curve = np.append(1.0, np.cumprod(1 - events / np.maximum(left, 1)))
    return curve[np.searchsorted(moments, at, "right")]


def cox_fit(inputs: Floats, time: Floats, event: Flags) -> Floats:
    """Return coefficients and standard errors of a Cox regression, shape (2, p).

    Newton's method on the partial likelihood, ties by Breslow. A coefficient that the data cannot
    tell has standard error 0.

    Parameters
    ----------
    inputs
        Shape (n, p).
    time, event
        When each record was last seen, and whether that is when the event came, shapes (n,).

    References
    ----------
    Cox (1972). Regression models and life-tables. Journal of the Royal Statistical Society B 34(2).
    """
    order = np.argsort(time, kind="stable")
    inputs, event = inputs[order] - inputs.mean(axis=0), event[order]
    level = np.unique(time[order], return_inverse=True)[1]
    weights, beta, likelihood = np.ones(len(time)), np.zeros(inputs.shape[1]), -np.inf
    for _ in range(_ROUNDS):
        before = likelihood
        likelihood, slope, information = partial_likelihood(inputs, level, event, weights, beta)
        if likelihood - before < 1e-10 * abs(likelihood):
            break
        step = solved(information, slope)
        beta = beta + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
    return np.stack([beta, standard_errors(information)])


def log_hazard_ratios(inputs: Floats, level: Integers, event: Flags, weights: Floats) -> Floats:
    """Return the effects of inputs on a hazard by Cox's partial likelihood, shape (q,).

    Newton's method, ties by Breslow, with a ridge penalty as small as one record, so that effects
    stay finite where an input separates those who have the event.

    Parameters
    ----------
    inputs
        Shape (n, q); the records are in the order of their times.
    level
        Number of the time of each record, ascending, shape (n,).
    event
        Whether the time ended by the event, shape (n,).
    weights
        Shape (n,).

    References
    ----------
    Cox (1972). Regression models and life-tables. Journal of the Royal Statistical Society B 34(2).
    Prentice et al. (1978). The analysis of failure times in the presence of competing risks.
    Biometrics 34(4).
    """
    effects = np.zeros(inputs.shape[1])
    weights = weights * (len(weights) / weights.sum())
    likelihood, slope, curve = _penalized(inputs, level, event, weights, effects)
    for _ in range(_MOST_STEPS):
        step = times(pseudoinverse(curve), slope)
        size = 1.0
        while size > _TOLERANCE:
            trial = _penalized(inputs, level, event, weights, effects + size * step)
            if trial[0] >= likelihood:
                break
            size /= 2
        gain = trial[0] - likelihood
        if gain < 0:
            break
        effects = effects + size * step
        likelihood, slope, curve = trial
        if gain < _TOLERANCE:
            break
    return np.asarray(np.round(effects, _DECIMALS))


def _penalized(
    inputs: Floats, level: Integers, event: Flags, weights: Floats, effects: Floats
) -> tuple[float, Floats, Floats]:
    likelihood, slope, curve = partial_likelihood(inputs, level, event, weights, effects)
    penalty = effects @ effects / 2
    return float(likelihood - penalty), slope - effects, curve + np.eye(len(effects))


def partial_likelihood(
    inputs: Floats, level: Integers, event: Flags, weights: Floats, effects: Floats
) -> tuple[float, Floats, Floats]:
    """Return the logarithm of Cox's partial likelihood, its slope, and what it curves down by.

    Ties by Breslow. The parameters are those of :func:`log_hazard_ratios`.
    """
    scores = log_risks(inputs, effects[:, None])[:, 0]
    risk = weights * np.exp(scores)
    events = np.bincount(level, weights * event)
    total = from_here_on(risk, level)
    mean = np.stack([from_here_on(risk * x, level) for x in inputs.T], axis=1) / total[:, None]
    hazard = np.cumsum(events / total)[level]  # up to the time of each record
    happened = weights * event
    likelihood = happened @ scores - events @ np.log(total)
    slope = times(inputs.T, happened) - times(mean.T, events)
    curve = product(inputs.T * (risk * hazard), inputs) - product(mean.T * events, mean)
    return float(likelihood), slope, curve


def log_risks(inputs: Floats, effects: Floats) -> Floats:
    """Return the log hazard ratios of records, shape (n, states), within what exp can tell."""
    return np.clip(product(inputs, effects), -_FARTHEST, _FARTHEST)


def from_here_on(amounts: Floats, level: Integers) -> Floats:
    """Return, for each level, the sum over the records at it or above, shape (levels,)."""
    return np.asarray(np.cumsum(np.bincount(level, amounts)[::-1])[::-1], np.float64)
