"""Noise that is correlated between keys, as an attacker turns it into noise that is not."""

from collections.abc import Sequence

import numpy as np

from sudare.core import Floats
from sudare.risk.identification.evidence import Distances

_SLIGHT = 0.05  # a correlation of the noise that is taken for none


def decorrelated(evidence: Sequence[Distances]) -> Sequence[Distances]:
    """Return the evidence of keys with noise in axes along which the noise is independent.

    The squared distances then add up to Mahalanobis'. Keys with absent values, and noise that is
    hardly correlated, stay as they are.
    """
    if len(evidence) < 2 or any((e.published < 0).any() for e in evidence):
        return evidence
    true = np.stack([e.true[e.own] for e in evidence], axis=1)
    shown = np.stack([e.shown[e.published] for e in evidence], axis=1)
    if np.isnan(true).any() or np.isnan(shown).any():
        return evidence
    correlation = np.corrcoef(shown - true, rowvar=False)
    apart = np.abs(correlation - np.eye(len(evidence)))
    if not (apart > _SLIGHT).any() or np.linalg.cond(correlation) > 1e12:
        return evidence
    turn = np.linalg.cholesky(np.linalg.inv(correlation))
    return [_along(*sides) for sides in zip((true @ turn).T, (shown @ turn).T, strict=True)]


def _along(true: Floats, shown: Floats) -> Distances:
    """Return the evidence of one axis."""
    (own_numbers, own), (shown_numbers, published) = (
        np.unique(numbers, return_inverse=True) for numbers in (true, shown)
    )
    return Distances(own, published, own_numbers, shown_numbers)
