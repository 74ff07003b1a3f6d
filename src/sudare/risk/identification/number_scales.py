"""Scales of numbers: how far apart an attacker who knows several of a person's takes two records.

Noise that several keys got together is undone along axes on which it is independent. Where no
formula tells how far numbers moved, there are several scales to try.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from sudare.core import Flags, Floats
from sudare.risk.identification.key_fits import SUPPRESSED, Distances

_SLIGHT = 0.05  # a correlation of the noise that is taken for none
_LEAST = 1e-10  # of the variance along an axis, as a share of the largest
_APART = 1e4  # between records of which other numbers are absent


def decorrelated(evidence: Sequence[Distances], counted: Floats) -> Sequence[Distances]:
    """Return the evidence of keys with noise in axes along which the noise is independent.

    The squared distances then add up to Mahalanobis'. Noise that is hardly correlated stays as it
    is.
    """
    true, shown, whole = _by_record(evidence)
    if len(evidence) < 2 or whole.sum() <= len(evidence):
        return evidence
    correlation: Floats = np.asarray(np.corrcoef((shown - true)[whole], rowvar=False))
    if not (np.abs(correlation - np.eye(len(evidence))) > _SLIGHT).any():
        return evidence
    return _turned(evidence, correlation, counted)


def scales(evidence: Sequence[Distances], counted: Floats) -> Iterator[Sequence[Distances]]:
    """Yield numbers on the scales that an attacker may try.

    By how far each key moved as a rule, by its spread, by ranks; along the axes of the moves, and
    of the published numbers.
    """
    yield evidence
    yield _calibrated([_divided(e, float(np.nanstd(e.true[e.own]))) for e in evidence])
    yield _calibrated([_ranked(e) for e in evidence])
    true, shown, whole = _by_record(evidence)
    if len(evidence) > 1 and whole.sum() > len(evidence):
        for numbers in (shown - true, shown):
            covariance = np.cov(numbers[whole], rowvar=False)
            yield _calibrated(_turned(evidence, covariance, counted))


def _divided(e: Distances, unit: float) -> Distances:
    return replace(e, true=e.true / (unit or 1.0), shown=e.shown / (unit or 1.0))


def _ranked(e: Distances) -> Distances:
    """Return the same by the share of published numbers that are smaller, half of the equal ones.

    Examples
    --------
    >>> codes = np.array([0, 1, 1, 2])
    >>> shares, numbers = np.array([0.25, 0.5, 0.25]), np.array([1.0, 10.0, 100.0])
    >>> _ranked(Distances(codes, codes, shares, numbers, numbers)).true.tolist()
    [0.125, 0.5, 0.875]
    """
    order = np.argsort(e.shown)
    numbers, until = e.shown[order], np.concatenate(([0.0], np.cumsum(e.shares[order])))

    def rank(values: Floats) -> Floats:
        ends = (until[np.searchsorted(numbers, values, side)] for side in ("left", "right"))
        return np.where(np.isnan(values), np.nan, sum(ends) / 2)

    return replace(e, true=rank(e.true), shown=rank(e.shown))


def _calibrated(evidence: Sequence[Distances]) -> Sequence[Distances]:
    """Return all in one unit: that by which records moved."""
    true, shown, _ = _by_record(evidence)
    unit = float(np.sqrt(np.nanmean((shown - true) ** 2)))
    return [_divided(e, unit) for e in evidence]


def _by_record(evidence: Sequence[Distances]) -> tuple[Floats, Floats, Flags]:
    """Return the true and the published numbers, shapes (n, k), and which records have all."""
    true = np.stack([e.true[e.own] for e in evidence], axis=1)
    shown = np.stack(
        [np.where(e.published < 0, np.nan, e.shown[e.published]) for e in evidence], axis=1
    )
    return true, shown, ~np.isnan(true + shown).any(axis=1)


def _turned(
    evidence: Sequence[Distances], covariance: Floats, counted: Floats
) -> Sequence[Distances]:
    """Return the evidence along axes on which a covariance is that of independent numbers.

    Numbers that are absent are absent on both sides; of records with a suppressed one, nothing of
    these keys is known.
    """
    true, shown, _ = _by_record(evidence)
    hidden = np.any([e.published < 0 for e in evidence], axis=0)
    sides = [_on_axes(numbers, covariance) for numbers in (true, shown)]
    return [_along(own, other, hidden, counted) for own, other in zip(*sides, strict=True)]


def _on_axes(numbers: Floats, covariance: Floats) -> Floats:
    """Return numbers along the axes, shape (k + 1, n); the last tells which are absent."""
    absent = np.isnan(numbers)
    axes = np.zeros((numbers.shape[1] + 1, len(numbers)))
    gaps, index = np.unique(absent, axis=0, return_inverse=True)
    for number, gap in enumerate(gaps):
        rows, kept = index.ravel() == number, np.flatnonzero(~gap)
        variances, directions = np.linalg.eigh(covariance[np.ix_(kept, kept)])
        apart = variances > _LEAST * variances.max(initial=0)
        turn = directions[:, apart] / np.sqrt(variances[apart])
        axes[: turn.shape[1], rows] = (numbers[np.ix_(rows, kept)] @ turn).T
        axes[-1, rows] = _APART * (gap @ 2.0 ** np.arange(len(gap)))
    return axes


def _along(true: Floats, shown: Floats, hidden: Flags, counted: Floats) -> Distances:
    """Return the evidence of one axis."""
    (own_numbers, own), (shown_numbers, published) = (
        np.unique(numbers, return_inverse=True) for numbers in (true, shown)
    )
    masses = np.bincount(published, np.where(hidden, 0.0, counted))
    shares = masses / max(float(masses.sum()), 1.0)
    return Distances(
        own, np.where(hidden, SUPPRESSED, published), shares, own_numbers, shown_numbers
    )
