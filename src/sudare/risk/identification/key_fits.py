"""Fits of a key: how well each published value fits each true one.

Scores are log-likelihoods of the published value, less that of the value that fits best: 0 for the
best fit. What was suppressed fits as well as a published value drawn at random does, so that a
record that shows a value that fits comes first.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from sudare.core import Floats, Integers

SUPPRESSED = -1
IMPOSSIBLE = -(2.0**18)  # the score of what cannot be; below all scores of what can
_LOWEST = -(2.0**14)
_SECOND = -(2.0**-10)  # the highest score of what is suppressed
_GRAIN = 2.0**32  # scores are multiples of 1/grain, so that sums and ties of them are exact
_DENSE = 2**22  # cells of a table of scores that is kept whole
_MOST_DRAWN = 512  # published numbers by which a suppressed one is scored


def rounded(scores: Floats) -> Floats:
    """Return scores on a grid on which sums are exact, whatever their order."""
    grains: Floats = np.rint(np.maximum(scores, _LOWEST) * _GRAIN)
    return grains / _GRAIN


@dataclass(frozen=True, eq=False)
class KeyFit(ABC):
    """One key: the true and the published value of every record, and how well any two fit.

    Attributes
    ----------
    own
        Code of each person's true value, shape (n,).
    published
        Code of each record's published value, ``SUPPRESSED`` where it has none, shape (n,).
    shares
        Of the records that have each published code among those that have any.
    """

    own: Integers
    published: Integers
    shares: Floats

    @cached_property
    def unseen(self) -> Floats:
        """The score of a suppressed cell for each true code."""
        fit: Floats = np.log(np.maximum(self._mean_fit(), 0.5 / len(self.published)))
        return rounded(np.minimum(fit, _SECOND))

    def _with_unseen(self, scores: Floats, own: Integers, published: Integers) -> Floats:
        """Return scores with those of suppressed cells in their places."""
        hidden = published < 0
        return np.where(hidden, self.unseen[own], scores) if hidden.any() else scores

    @abstractmethod
    def _mean_fit(self) -> Floats:
        """Return how well published values fit each true code on average, at most 1."""

    @property
    def best(self) -> Integers | None:
        """The published value that fits each true one best; None where several may."""
        return None

    @property
    def exact(self) -> bool:
        """Whether nothing but the best fits at all."""
        return False

    @abstractmethod
    def along(self, own: Integers, published: Integers) -> Floats:
        """Return the scores of pairs of codes, shape (m,)."""

    @abstractmethod
    def across(self, own: Integers, published: Integers) -> Floats:
        """Return the scores of each true code with each published one, shape (a, b)."""


@dataclass(frozen=True, eq=False)
class Fits(KeyFit):
    """Scores by pairs of codes that can occur together; all other pairs cannot.

    Attributes
    ----------
    scores
        Score above ``IMPOSSIBLE`` of each pair that can be, shape (true codes, published codes).
    """

    scores: csr_array

    @classmethod
    def of(
        cls,
        own: Integers,
        published: Integers,
        shares: Floats,
        likelihoods: tuple[Integers, Integers, Floats],
    ) -> "Fits":
        """Return evidence from likelihoods above 0 of pairs of codes."""
        rows, columns, values = likelihoods
        shape = (int(own.max(initial=0)) + 1, int(max(published.max(initial=0), 0)) + 1)
        known = rows < shape[0]
        rows, columns, values = rows[known], columns[known], values[known]
        largest = np.zeros(shape[0])
        np.maximum.at(largest, rows, values)
        known = columns < shape[1]  # a value that no record has cannot be named
        scores = rounded(np.log(values[known]) - np.log(largest[rows[known]])) - IMPOSSIBLE
        table = csr_array((scores, (rows[known], columns[known])), shape=shape)
        return cls(own, published, shares[: shape[1]], table)

    def _mean_fit(self) -> Floats:
        fits = self.scores.copy()
        fits.data = np.exp(fits.data + IMPOSSIBLE)
        return fits @ self.shares

    @cached_property
    def _first(self) -> tuple[Integers, bool, bool]:
        """The published code that fits best, whether it is the only one, and nothing else fits."""
        table = self.scores
        rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
        tops = table.data == -IMPOSSIBLE
        best = np.full(table.shape[0], -2)
        best[rows[tops]] = table.indices[tops]
        single = bool((np.bincount(rows[tops], minlength=table.shape[0]) <= 1).all())
        return best, single, single and bool(tops.all())

    @property
    def best(self) -> Integers | None:
        """The published value that fits each true one best; None where several may."""
        return self._first[0] if self._first[1] else None

    @property
    def exact(self) -> bool:
        """Whether nothing but the best fits at all."""
        return self._first[2]

    @cached_property
    def _dense(self) -> Floats | None:
        """All scores, and at the end those of what is suppressed, code -1."""
        cells = self.scores.shape[0] * self.scores.shape[1]
        if cells > _DENSE:
            return None
        return np.column_stack((self.scores.toarray() + IMPOSSIBLE, self.unseen))

    def along(self, own: Integers, published: Integers) -> Floats:
        """Return the scores of pairs of codes, shape (m,)."""
        if self._dense is not None:
            return self._dense[own, published]
        scores = np.asarray(self.scores[own, np.maximum(published, 0)]).ravel() + IMPOSSIBLE
        return self._with_unseen(scores, own, published)

    def across(self, own: Integers, published: Integers) -> Floats:
        """Return the scores of each true code with each published one, shape (a, b)."""
        rows = self.scores[own].toarray() + IMPOSSIBLE if self._dense is None else self._dense[own]
        return self._with_unseen(
            rows.take(np.maximum(published, 0), axis=1), own[:, None], published
        )


@dataclass(frozen=True, eq=False)
class Distances(KeyFit):
    """Scores by distance: −|x − y|²/2 as of normal noise, or −|x − y| as of Laplace noise.

    Attributes
    ----------
    true, shown
        The number of each code, in units of the noise; NaN has none, and fits only NaN.
    power
        2 or 1.
    """

    true: Floats
    shown: Floats
    power: int = 2

    def along(self, own: Integers, published: Integers) -> Floats:
        """Return the scores of pairs of codes, shape (m,)."""
        scores = self._scores(self.true[own], self.shown[np.maximum(published, 0)])
        return self._with_unseen(scores, own, published)

    def across(self, own: Integers, published: Integers) -> Floats:
        """Return the scores of each true code with each published one, shape (a, b)."""
        scores = self._scores(self.true[own][:, None], self.shown[np.maximum(published, 0)])
        return self._with_unseen(scores, own[:, None], published)

    def _mean_fit(self) -> Floats:
        """Return it by numbers at equal steps of their distribution."""
        order = np.argsort(self.shown)
        ends = np.cumsum(self.shares[order])
        steps = (np.arange(_MOST_DRAWN) + 0.5) / _MOST_DRAWN
        drawn = self.shown[order[np.searchsorted(ends[:-1], steps)]]
        parts = np.array_split(self.true, 1 + len(self.true) // _MOST_DRAWN)
        means = [np.exp(self._scores(part[:, None], drawn)).mean(axis=1) for part in parts]
        return np.concatenate(means)

    def _scores(self, true: Floats, shown: Floats) -> Floats:
        gap = np.abs(true - shown)
        scores = rounded(-gap if self.power == 1 else -(gap**2) / 2)
        absent = np.isnan(gap)
        if absent.any():
            both = np.isnan(true) & np.isnan(shown)
            scores[absent] = np.where(both, 0.0, IMPOSSIBLE)[absent]
        return scores
