"""Times and the states that end them, drawn together: a proportional hazard for each state.

The hazards of all states determine the joint distribution of time and state. Censoring is a state
like the others, so that nothing is assumed of it; where it only happens at one time, its hazard is
0 at all others, and the rule that such a state has that time holds in what is drawn.
"""

from dataclasses import dataclass

import numpy as np

from sudare.core import Flags, Floats, Integers
from sudare.describe.regression import from_here_on, log_hazard_ratios, log_risks
from sudare.mask.synthesis.draw_codes import chosen

_EVENTS_PER_INPUT = 10  # with fewer, effects say more about chance
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
        at_risk = from_here_on(weights, level)
        ended = np.bincount(level, weights, minlength=len(at_risk))
        share = np.minimum(ended / at_risk, _ALL)
        # Of times that many share, so that the share that ends there is that of the data.
        factor = -np.log1p(-share) / np.where(share > 0, share, 1.0)
        jumps = np.empty((number, len(at_risk)))
        for cause in range(number):
            risk = weights * np.exp(log_risks(inputs, effects)[:, cause])
            events = np.bincount(level, weights * (state == cause), minlength=len(at_risk))
            jumps[cause] = factor * events / from_here_on(risk, level)
        return cls(np.cumsum(jumps, axis=1), effects)

    def drawn(
        self, inputs: Floats, uniform: Floats, uniform_state: Floats
    ) -> tuple[Integers, Integers]:
        """Return the level of a time and a state for every new record, from draws in [0, 1)."""
        ratios = np.exp(log_risks(inputs, self.effects))
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


def supported(inputs: Floats, state: Integers) -> Flags:
    """Return which inputs act on hazards: numbers, and as many indicators as there are events for.

    The most frequent indicators are kept, up to an input for ten of the second most frequent state.

    Examples
    --------
    >>> state = np.repeat([0, 1], [80, 20])
    >>> rows = np.arange(100)
    >>> supported(np.column_stack([rows % 9 == 0, rows % 3 == 0, rows]), state).tolist()
    [False, True, True]
    """
    events = np.sort(np.bincount(state))[-2:][0]
    share = np.where(((inputs == 0) | (inputs == 1)).all(axis=0), inputs.mean(axis=0), 2.0)
    rank = np.argsort(np.argsort(-share, kind="stable"))
    return (rank < events // _EVENTS_PER_INPUT) | (share > 1)
