"""Evidence of each key: how well published values fit true ones, as it was masked.

The attacker has it from what the public steps tell of the masking, or else from the pairs of
records.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Literal, NamedTuple

import numpy as np

from sudare.core import (
    Array,
    BoundedNoise,
    Column,
    Flags,
    Floats,
    Integers,
    Numeric,
    Published,
    Step,
    in_turn,
    label_codes,
    published_channel,
)
from sudare.describe.pairing import refuse_extreme
from sudare.engine.counting import groups
from sudare.risk.identification.key_fits import SUPPRESSED, Distances, Fits, KeyFit

_MOST_SHORT = 2**15 - 8
_MOST_PAIRS = 2**22  # of labels of which each is compared with each
_ABSENT = 2  # codes of missing and not applicable, in front of the labels
Source = Literal["steps", "combined", "pairs"]


class KeyEvidence(NamedTuple):
    """The evidence of a key, and where the attacker has it from.

    From the steps; from the pairs of records, because the steps have no formula in turn; or from
    the pairs because no step tells. It is free where the scale of its numbers is the attacker's
    choice. Where it is from the pairs, ``plain`` is by distance alone: another choice.
    """

    evidence: KeyFit
    source: Source
    is_free: bool = False
    plain: KeyFit | None = None


class _Key(NamedTuple):
    """A key before and after masking, as codes from 0."""

    before: Column
    after: Column
    own: Integers
    published: Integers
    copies: Floats

    @property
    def shares(self) -> Floats:
        """Of the records that have each published code among those that have any."""
        shown = self.published >= 0
        size = len(self.after.coded.labels) + _ABSENT
        masses = np.bincount(self.published[shown], self.copies[shown], size)
        return masses / max(masses.sum(), 1.0)


def hidden_cells(before: Sequence[Column], after: Sequence[Column]) -> list[Flags]:
    """Return which cells of each key hide a value from who sees the released table, shape (n,).

    Those that masking made missing, and blanks of the original in records that are published just
    like one with such a cell: nobody can tell them apart.

    Examples
    --------
    >>> from sudare.core import Categorical
    >>> own = Categorical("job", np.array([0, 0, -1]), ("nurse",))
    >>> hidden_cells([own], [Categorical("job", np.array([0, -1, -1]), ("nurse",))])[0].tolist()
    [False, True, True]
    """
    lost = [new.suppressed_since(old) for old, new in zip(before, after, strict=True)]
    if not any(flags.any() for flags in lost):
        return lost
    alike = groups(after)
    return [
        (np.bincount(alike.index, flags, len(alike.sizes)) > 0)[alike.index] & new.missing
        for flags, new in zip(lost, after, strict=True)
    ]


def key_evidence(
    before: Column, after: Column, hidden: Flags, steps: Sequence[Step]
) -> KeyEvidence:
    """Return how well published values of a key fit true ones.

    Parameters
    ----------
    before, after
        The key before and after masking, record by record.
    hidden
        Which of its cells hide a value, shape (n,).
    steps
        The steps that masked it, in their order.
    """
    published = _short(after)
    published[hidden] = SUPPRESSED
    copies = np.ones(before.rows) if before.copies is None else before.copies.astype(np.float64)
    key = _Key(before, after, _short(before), published, copies)
    open_steps = [step for step in steps if step.relation != "hides"]
    relations = {step.relation for step in open_steps}
    if relations == {"covers"}:
        return KeyEvidence(_counted(key, graded=False), "steps")
    public = [step.public.get(before.name, {}) for step in open_steps]
    drawn = _drawn(key, public) if relations == {"drawn"} else None
    if drawn is not None:
        return KeyEvidence(drawn, "steps")
    evidence = _paired(key)
    is_free = isinstance(evidence, Distances)
    if evidence.exact or (len(open_steps) == 1 and relations == {"near"}):
        return KeyEvidence(evidence, "steps", is_free)
    source: Source = "combined" if open_steps else "pairs"
    return KeyEvidence(evidence, source, is_free, _plain(key, evidence))


def _plain(key: _Key, evidence: KeyFit) -> KeyFit | None:
    """Return evidence by how far apart values are: numbers by their spread, others equal or not.

    A method that draws several keys together brings back whole combinations of them, which rates of
    each key alone take for chance.
    """
    if isinstance(evidence, Distances):
        unit = float(np.nanstd(evidence.true[evidence.own])) or 1.0
        true, shown = evidence.true / unit, evidence.shown / unit
        return replace(evidence, true=true, shown=shown, power=1)
    labels = [[*range(-_ABSENT, 0), *map(str, c.coded.labels)] for c in (key.before, key.after)]
    if len(labels[0]) * len(labels[1]) > _MOST_PAIRS:
        return None
    code_of = {label: code for code, label in enumerate(labels[1])}
    alike = np.array([code_of.get(label, SUPPRESSED) for label in labels[0]])
    rows, columns = np.indices((len(labels[0]), len(labels[1]))).reshape(2, -1)
    likelihoods = np.where(alike[rows] == columns, 1.0, np.exp(-1.0))
    return Fits.of(key.own, key.published, key.shares, (rows, columns, likelihoods))


def _short(column: Column) -> Array:
    """Return codes from 0 in two bytes where these have room: there may be millions of entries."""
    coded = column.coded
    codes: Array = coded.codes.astype(np.int16 if len(coded.labels) < _MOST_SHORT else np.int32)
    codes += _ABSENT
    return codes


def _drawn(key: _Key, public: Sequence[Mapping[str, Any]]) -> KeyFit | None:
    """Return evidence by the published probabilities; None where there is no formula."""
    channels = [published_channel(told) for told in public]
    if all(channel is not None for channel in channels):
        whole = reduce(_next, channels)
        return None if whole is None else _of_channel(key, whole)
    if len(public) > 1 or not isinstance(key.before, Numeric) or not isinstance(key.after, Numeric):
        return None
    true, shown = _numbers(key.before), _numbers(key.after)
    sd = _noise_size(public[0], shown)
    if sd > 0:
        return Distances(key.own, key.published, key.shares, true / sd, shown / sd)
    if public[0].get("factor_sd", 0) > 0:
        variance = np.log1p(float(public[0]["factor_sd"]) ** 2)
        sd = float(np.sqrt(variance))
        return Distances(
            key.own, key.published, key.shares, _logs(true) / sd, (_logs(shown) + variance / 2) / sd
        )
    return None


def _noise_size(public: Mapping[str, Any], shown: Floats) -> float:
    """Return the standard deviation of noise as far as it is public.

    It is published, or follows from its ratio c to that of the original: the released numbers have
    √(1 + c²) times the latter.
    """
    ratio = float(public.get("noise_ratio", 0))
    if ratio > 0 and not np.isnan(shown).all():
        return ratio / float(np.sqrt(1 + ratio**2)) * float(np.nanstd(shown))
    return float(public.get("noise_sd", 0))


def _next(first: Published | None, second: Published | None) -> Published | None:
    return None if first is None or second is None else in_turn(first, second)


def _of_channel(key: _Key, channel: Published) -> KeyFit | None:
    if isinstance(channel, BoundedNoise):
        if not isinstance(key.before, Numeric) or not isinstance(key.after, Numeric):
            return None
        # With endless noise all numbers fit alike.
        scale = channel.scale if channel.scale > 0 else 1.0
        true, shown = _numbers(key.before) / scale, _numbers(key.after) / scale
        return Distances(key.own, key.published, key.shares, true, shown, power=1)
    labels = tuple(map(str, channel.labels))
    own, other = (
        label_codes(map(str, column.coded.labels), labels, SUPPRESSED)[:-2]
        for column in (key.before, key.after)
    )
    seen = key.before.coded.codes[key.before.known], key.after.coded.codes[key.after.known]
    if (own[seen[0]] < 0).any() or (other[seen[1]] < 0).any():
        return None
    likelihoods = np.where((own < 0)[:, None] | (other < 0), 0.0, channel.matrix()[own][:, other])
    rows, columns = np.nonzero(likelihoods)
    absent = np.arange(_ABSENT)  # stays what it is
    return Fits.of(
        key.own,
        key.published,
        key.shares,
        (
            np.concatenate((absent, rows + _ABSENT)),
            np.concatenate((absent, columns + _ABSENT)),
            np.concatenate((np.ones(_ABSENT), likelihoods[rows, columns])),
        ),
    )


def _paired(key: _Key) -> KeyFit:
    """Return evidence by distance for numbers, by counted transitions for everything else."""
    if isinstance(key.before, Numeric) and isinstance(key.after, Numeric):
        refuse_extreme("Reidentification", (key.before, key.after))
        moved = key.after.values - key.before.values
        known = ~np.isnan(moved)
        squares = float(np.sum(moved[known] ** 2 * key.copies[known]))
        if squares > 0:
            sd = float(np.sqrt(squares / key.copies[known].sum()))
            true, shown = _numbers(key.before), _numbers(key.after)
            return Distances(key.own, key.published, key.shares, true / sd, shown / sd)
    return _counted(key, graded=True)


def _counted(key: _Key, *, graded: bool) -> Fits:
    """Return evidence by which published values the records of each true one have.

    Graded by how many have each, or all alike where one covers the other.
    """
    rows = key.published >= 0
    width = int(key.published.max(initial=0)) + 1
    joint = key.own[rows].astype(np.int64) * width + key.published[rows]
    pairs, index = np.unique(joint, return_inverse=True)
    counts = np.bincount(index, key.copies[rows], len(pairs)).astype(np.float64)
    likelihoods = counts if graded else np.ones(len(pairs))
    return Fits.of(key.own, key.published, key.shares, (pairs // width, pairs % width, likelihoods))


def _numbers(column: Numeric) -> Floats:
    """Return the number of each code; absent ones have none."""
    return np.array([np.nan] * _ABSENT + list(column.coded.labels), np.float64)


def _logs(numbers: Floats) -> Floats:
    """Return logarithms that keep signs far apart, and 0 by itself: factors never change these."""
    with np.errstate(divide="ignore"):
        logs = np.log(np.abs(numbers))
    sides = np.where(numbers < 0, 1e9, 0.0)  # beyond all logarithms of numbers there are
    return np.where(numbers == 0, -1e9, logs + sides)
