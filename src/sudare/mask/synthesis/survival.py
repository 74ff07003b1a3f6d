"""Times and the states that end them, drawn together: a proportional hazard for each state.

The hazards of all states determine the joint distribution of time and state. Censoring is a state
like the others, so that nothing is assumed of it; where it only happens at one time, its hazard is
0 at all others, and the rule that such a state has that time holds in what is drawn.
"""

from dataclasses import dataclass

import numpy as np

from sudare.core import Flags, Floats, Integers
from sudare.engine.counting import product, pseudoinverse, times
from sudare.mask.synthesis.draw_codes import chosen

_MOST_STEPS = 25
_TOLERANCE = 1e-8  # gain of the log-likelihood
_FARTHEST = 30.0  # a log hazard ratio beyond which exp tells nothing more
_DECIMALS = 6  # of effects: as near as they are fitted, and the same in every library
_ALL = 1 - 1e-12  # a share of those at risk as good as all, with a finite hazard


@dataclass(frozen=True, eq=False)
class Hazards:
    """The cumulative hazard of each state at each time, and the effects of inputs on it.

    Attributes
    ----------
    cumulative
        For inputs of 0, shape (states, levels); levels are the distinct times, ascending.
    effects
        Log hazard ratios, shape (inputs, states).
    """

    cumulative: Floats
    effects: Floats

    @classmethod
    def learnt(cls, inputs: Floats, level: Integers, state: Integers, weights: Floats) -> "Hazards":
        """Learn the hazards of all states.

        Parameters
        ----------
        inputs
            Shape (n, q), whitened.
        level, state
            Number of the time and of the state of each record, both from 0, shape (n,).
        weights
            Shape (n,).
        """
        number = int(state.max()) + 1
        order = np.argsort(level, kind="stable")
        inputs, weights = inputs[order], weights[order]
        level, state = level[order], state[order]
        effects = np.zeros((inputs.shape[1], number))
        if inputs.shape[1]:
            for cause in range(number):
                effects[:, cause] = log_hazard_ratios(inputs, level, state == cause, weights)
        at_risk = _from_here_on(weights, level)
        ended = np.bincount(level, weights, minlength=len(at_risk))
        share = np.minimum(ended / at_risk, _ALL)
        # Of times that many share, so that the share that ends there is that of the data.
        factor = -np.log1p(-share) / np.where(share > 0, share, 1.0)
        jumps = np.empty((number, len(at_risk)))
        for cause in range(number):
            risk = weights * np.exp(_scored(inputs, effects)[:, cause])
            events = np.bincount(level, weights * (state == cause), minlength=len(at_risk))
            jumps[cause] = factor * events / _from_here_on(risk, level)
        return cls(np.cumsum(jumps, axis=1), effects)

    def drawn(
        self, inputs: Floats, uniform: Floats, uniform_state: Floats
    ) -> tuple[Integers, Integers]:
        """Return the level of a time and a state for every new record, from draws in [0, 1)."""
        ratios = np.exp(_scored(inputs, self.effects))
        wanted = -np.log1p(-uniform)
        low, high = np.zeros(len(inputs), np.int64), np.full(len(inputs), self.cumulative.shape[1])
        while (low < high).any():  # the first level at which the summed hazards reach the draw
            middle = np.minimum((low + high) // 2, self.cumulative.shape[1] - 1)
            short = (ratios * self.cumulative[:, middle].T).sum(axis=1) < wanted
            low, high = np.where(short, middle + 1, low), np.where(short, high, middle)
        level = np.minimum(low, self.cumulative.shape[1] - 1)  # nobody outlives the last time
        jumps = np.diff(self.cumulative, axis=1, prepend=0.0)
        shares = ratios * jumps[:, level].T
        return level, chosen(shares / shares.sum(axis=1, keepdims=True), uniform_state)


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
    likelihood, slope, curve = _partial(inputs, level, event, weights, effects)
    for _ in range(_MOST_STEPS):
        step = times(pseudoinverse(curve), slope)
        size = 1.0
        while size > _TOLERANCE:
            trial = _partial(inputs, level, event, weights, effects + size * step)
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


def _partial(
    inputs: Floats, level: Integers, event: Flags, weights: Floats, effects: Floats
) -> tuple[float, Floats, Floats]:
    """Return the penalized log-likelihood, its slope, and what it curves down by."""
    scores = _scored(inputs, effects[:, None])[:, 0]
    risk = weights * np.exp(scores)
    events = np.bincount(level, weights * event)
    total = _from_here_on(risk, level)
    mean = np.stack([_from_here_on(risk * x, level) for x in inputs.T], axis=1) / total[:, None]
    hazard = np.cumsum(events / total)[level]  # up to the time of each record
    happened = weights * event
    likelihood = happened @ scores - events @ np.log(total) - effects @ effects / 2
    slope = times(inputs.T, happened) - times(mean.T, events) - effects
    curve = product(inputs.T * (risk * hazard), inputs) - product(mean.T * events, mean)
    return float(likelihood), slope, curve + np.eye(len(effects))


def _scored(inputs: Floats, effects: Floats) -> Floats:
    return np.clip(product(inputs, effects), -_FARTHEST, _FARTHEST)


def _from_here_on(amounts: Floats, level: Integers) -> Floats:
    """Return, for each level, the sum over the records at it or above, shape (levels,)."""
    return np.asarray(np.cumsum(np.bincount(level, amounts)[::-1])[::-1], np.float64)
