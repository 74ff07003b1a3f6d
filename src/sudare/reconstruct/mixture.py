"""The maximum likelihood of a mixture: the one problem behind every estimator of this room.

What was published has the density f = Σ p_j P(· | j), with known P and unknown shares p that are at
least 0 and add up to 1. The log-likelihood Σ_i s_i log f_i is concave in p. A multiplicative step
p_j ← p_j Σ_i s_i P(i | j) / f_i keeps both conditions and never lowers it (it is the step of the EM
algorithm, and a gradient step whose size is p itself).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from sudare.core import Array, Floats

_TINY = 1e-300
_FIRST_REACH = 64.0  # how many times as long as the first step a leap may be, at first
_REACH_FACTOR = 4.0  # by which this grows after a leap that long, and shrinks after a failed one


def product(left: Array, right: Array) -> Array:
    """Return a matrix product, silent about numbers that are none of ours.

    The matrix library fills up short rows with whatever is in memory, multiplies that too and drops
    it; now and then it is no number, and a warning would tell of an invalid value.

    Examples
    --------
    >>> product(np.eye(2, dtype=np.float32), np.array([1, 2], np.float32)).tolist()
    [1.0, 2.0]
    """
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        return np.asarray(left @ right)


class Transition(Protocol):
    """Known probabilities of what is seen given what is true, never needed as a matrix."""

    def seen(self, shares: Floats) -> Floats:
        """Return f = P p, the density of each thing seen under the shares of the true ones."""

    def true(self, ratios: Floats) -> Floats:
        """Return Pᵀ r, what the things seen say together about each true one."""


@dataclass(frozen=True, eq=False)
class Matrix:
    """A transition held as an array, seen by true."""

    probabilities: Array

    def seen(self, shares: Floats) -> Floats:
        """Return P p."""
        kind = self.probabilities.dtype
        return product(self.probabilities, shares.astype(kind)).astype(np.float64)

    def true(self, ratios: Floats) -> Floats:
        """Return Pᵀ r."""
        kind = self.probabilities.dtype
        return product(ratios.astype(kind), self.probabilities).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Ascent:
    """How a likelihood was climbed.

    Attributes
    ----------
    shares
        Where it ended.
    log_likelihood
        Mean over what was seen, at the start and after each round; it never falls.
    converged
        Whether the last round gained less than the tolerance.
    """

    shares: Floats
    log_likelihood: Floats
    converged: bool


def maximize(
    transition: Transition,
    observed: Floats,
    start: Floats,
    *,
    rounds: int,
    tolerance: float,
) -> Ascent:
    """Climb the likelihood of a mixture; no step ever lowers it.

    A round is two multiplicative steps and a leap along their direction, as long as the steps
    themselves suggest, up to a reach (SQUAREM). A leap that falls behind the first step is not
    taken, and the next ones reach less far; one that uses its reach lets the next reach farther.

    Parameters
    ----------
    transition
        P.
    observed
        Share of the records for each thing seen; adds up to 1.
    start
        Shares to start from, above 0 wherever mass may end up; add up to 1.
    rounds
        Limit of rounds.
    tolerance
        A round that gains less than this in mean log-likelihood is the last.

    References
    ----------
    Varadhan and Roland (2008). Simple and globally convergent methods for accelerating the
    convergence of any EM algorithm. Scandinavian Journal of Statistics 35(2): scheme S3.

    Examples
    --------
    >>> blurred = np.array([[0.7, 0.3], [0.3, 0.7]])
    >>> ascent = maximize(
    ...     Matrix(blurred), np.array([0.5, 0.5]), np.array([0.9, 0.1]), rounds=50, tolerance=1e-12
    ... )
    >>> ascent.shares.round(4).tolist()
    [0.5, 0.5]
    """
    here, density = start, transition.seen(start)
    path, reach = [_log_likelihood(observed, density)], _FIRST_REACH
    for _ in range(rounds):
        there, dense, reach = _round(transition, observed, here, density, reach)
        gain = _log_likelihood(observed, dense) - path[-1]
        if gain > 0:  # at the top, rounding may say otherwise
            here, density = there, dense
            path.append(path[-1] + gain)
        if gain < tolerance:
            return Ascent(here, np.array(path), converged=True)
    return Ascent(here, np.array(path), converged=False)


def _round(
    transition: Transition, observed: Floats, here: Floats, density: Floats, reach: float
) -> tuple[Floats, Floats, float]:
    """Return where a round ends, the density there, and how far the next leap may reach."""
    once = _step(transition, observed, here, density)
    first = transition.seen(once)
    twice = _step(transition, observed, once, first)
    length = _length(here, once, twice)
    leap = _leap(here, once, twice, min(length, reach))
    landed = transition.seen(leap)
    if _log_likelihood(observed, landed) >= _log_likelihood(observed, first):
        return leap, landed, reach * _REACH_FACTOR if length >= reach else reach
    return twice, transition.seen(twice), max(1.0, min(length, reach) / _REACH_FACTOR)


def _step(transition: Transition, observed: Floats, here: Floats, density: Floats) -> Floats:
    ratios = np.divide(observed, density, out=np.zeros_like(density), where=density > 0)
    there = here * transition.true(ratios)
    return np.asarray(there / there.sum())


def _length(here: Floats, once: Floats, twice: Floats) -> float:
    """Return how many steps long a leap is, by how much two steps differ; at least one."""
    first = once - here
    bend = twice - once - first
    ratio = float(first @ first) / max(float(bend @ bend), _TINY)
    return float(max(ratio, 1.0) ** 0.5)


def _leap(here: Floats, once: Floats, twice: Floats, length: float) -> Floats:
    first = once - here
    bend = twice - once - first
    leap = here + 2 * length * first + length**2 * bend
    leap = np.where(leap > 0, leap, twice)  # a share that has left the simplex takes the short step
    return np.asarray(leap / leap.sum())


def _log_likelihood(observed: Floats, density: Floats) -> float:
    return float(observed @ np.log(np.maximum(density, _TINY)))


def joined(paths: Sequence[Floats], shares: Sequence[float]) -> Floats:
    """Return the mean of several ascents round by round; a shorter one stays where it ended."""
    longest = max(len(path) for path in paths)
    padded = [np.concatenate((path, np.full(longest - len(path), path[-1]))) for path in paths]
    return np.average(padded, axis=0, weights=shares)
