"""Cox regression and the Kaplan–Meier curve, for losses that compare analyses of survival."""

import numpy as np

from sudare.core import Flags, Floats, Integers
from sudare.loss.models.regression import solved, standard_errors

_ROUNDS = 50


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
    survival: Floats = curve[np.searchsorted(moments, at, "right")]
    return survival


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
    order = np.argsort(-time, kind="stable")
    inputs, time, event = inputs[order] - inputs.mean(axis=0), time[order], event[order]
    last = np.searchsorted(-time, -time, "right") - 1  # of those who are still at risk then
    beta, likelihood = np.zeros(inputs.shape[1]), -np.inf
    for _ in range(_ROUNDS):
        before = likelihood
        likelihood, gradient, information = _partial_likelihood(inputs, event, last, beta)
        if likelihood - before < 1e-10 * abs(likelihood):
            break
        step = solved(information, gradient)
        beta = beta + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
    return np.stack([beta, standard_errors(information)])


def _partial_likelihood(
    inputs: Floats, event: Flags, last: Integers, beta: Floats
) -> tuple[float, Floats, Floats]:
    """Return the logarithm of the partial likelihood, its gradient and its information.

    Records are in descending order of time, so that sums from the first are those of the people at
    risk.
    """
    score = np.clip(inputs @ beta, -30, 30)
    risk = np.exp(score)
    at_risk = np.cumsum(risk)[last[event]]
    means = np.cumsum(risk[:, None] * inputs, axis=0)[last[event]] / at_risk[:, None]
    likelihood = float((score[event] - np.log(at_risk)).sum())
    gradient = (inputs[event] - means).sum(axis=0)
    # A person counts in the risk set of every event up to the own time: the cumulative hazard.
    shares = np.zeros(len(inputs))
    np.add.at(shares, last[event], 1 / at_risk)
    hazard = np.cumsum(shares[::-1])[::-1]
    information = inputs.T @ (inputs * (risk * hazard)[:, None]) - means.T @ means
    return likelihood, gradient, information
