"""Derived columns: sums, differences and ratios of other columns.

Candidates are tried on a few records, and what passes is checked on all. An absent part of a sum
counts as zero. Where z = x - y, also x = y + z: the sum is proposed, unless z goes below zero.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from sudare.core import Array, Flags, Floats, Names, Numeric, say
from sudare.describe.proposing.facts import Facts
from sudare.describe.proposing.proposal import Derivation, Kind, Proposal

_MOST_COLUMNS = 60  # columns of numbers up to which all are tried together; else neighbors
_NEAR = 20
_TRIED = 8  # records on which every pair is tried
_SAMPLE = 256
_FEWEST = 20  # records in which two parts are not zero
_STRAY = 0.001  # share of the records in which it may be off


def find_derivations(columns: Sequence[Facts]) -> Iterator[Proposal]:
    """Yield a proposal for each column that follows from others by a sum, difference or ratio."""
    numbers = [facts for facts in columns if _is_suited(facts)]
    size = len(numbers) if len(numbers) <= _MOST_COLUMNS else _NEAR
    for start in range(0, len(numbers), max(size, 1)):
        group = numbers[start : start + size]
        if len(group) > 2 and len(group[0].codes) >= _FEWEST:
            yield from _among(group)


def _is_suited(facts: Facts) -> bool:
    if not facts.is_number or facts.is_date or facts.distinct < 3:
        return False
    return facts.concept is None or facts.concept.role not in {"identifier", "household", "weight"}


def _among(numbers: Sequence[Facts]) -> Iterator[Proposal]:
    table = np.array([f.column.values for f in numbers if isinstance(f.column, Numeric)])
    used: set[frozenset[int]] = set()
    for position, facts in enumerate(numbers):
        for derived, parts in _candidates(table, position):
            everyone = frozenset((position, *parts))
            goes_below = derived == "sum" and (table[list(parts)] < 0).any()
            if everyone in used or goes_below:  # one of x = y + z and z = x - y is enough
                continue
            records, differing = _checked(table[position], table[list(parts)], derived)
            if records < _FEWEST or differing > _STRAY * records:
                continue
            used.add(everyone)
            names = tuple(numbers[part].name for part in parts)
            yield _proposal(facts.name, Derivation(derived, names), records, differing)
            break


def _candidates(table: Floats, position: int) -> Iterator[tuple[Kind, tuple[int, ...]]]:
    """Yield what a column may be made of, by a few records in which it is not zero."""
    rows = np.flatnonzero(~np.isnan(table[position]) & (table[position] != 0))
    if not len(rows):
        return
    spread = np.linspace(0, len(rows) - 1, min(_SAMPLE, len(rows))).astype(int)
    sample = np.nan_to_num(table[:, rows[spread]])
    few = sample[:, np.linspace(0, sample.shape[1] - 1, _TRIED).astype(int)]
    others = np.delete(np.arange(len(table)), position)
    parts = few[others]
    agree = _Agreement(few[position])
    yield from _pairs("sum", np.triu(agree(parts[:, None] + parts), 1), others)
    if (table[position][rows] < 0).any():
        yield from _pairs("difference", agree(parts[:, None] - parts), others)
    with np.errstate(divide="ignore", invalid="ignore"):
        yield from _pairs("ratio", agree(parts[:, None] / parts), others)
    yield from _runs(parts, agree, others)
    yield from _solved(sample[others], sample[position], others)


class _Agreement:
    """Whether results agree with a target, up to its rounding, in every record (the last axis)."""

    def __init__(self, target: Floats) -> None:
        self.target = target
        self.tolerance = _tolerance(target)

    def __call__(self, made: Floats) -> Flags:
        return np.asarray((np.abs(made - self.target) <= self.tolerance).all(axis=-1))


def _tolerance(target: Floats) -> Floats:
    """Return how far rounding may carry a number: half of its last decimal, of three at most."""
    slack = 1e-9 * np.abs(target)
    decimals = (d for d in range(4) if (np.abs(target - np.round(target, d)) <= slack).all())
    rounded = next(decimals, 0)
    half = 0.5 * 10.0**-rounded * (1 + 1e-9) if rounded else 0.0
    return np.maximum(half, slack)


def _pairs(kind: Kind, agree: Flags, others: Array) -> Iterator[tuple[Kind, tuple[int, ...]]]:
    for first, second in np.argwhere(agree).tolist():
        if first != second:
            yield kind, (int(others[first]), int(others[second]))


def _runs(
    parts: Floats, agree: _Agreement, others: Array
) -> Iterator[tuple[Kind, tuple[int, ...]]]:
    """Yield columns side by side whose sum agrees."""
    ends = np.concatenate([np.zeros((1, parts.shape[1])), np.cumsum(parts, axis=0)])
    for first, last in np.argwhere(agree(ends[None] - ends[:, None])).tolist():
        if last - first > 2:
            yield "sum", tuple(others[first:last].tolist())


def _solved(parts: Floats, target: Floats, others: Array) -> Iterator[tuple[Kind, tuple[int, ...]]]:
    """Yield the columns whose sum is the least-squares solution, wherever they stand."""
    if len(others) > _MOST_COLUMNS or parts.shape[1] <= len(others):
        return
    shares = np.linalg.lstsq(parts.T, target)[0]
    ones = np.abs(shares - 1) < 1e-6
    if ones.sum() > 2 and (np.abs(shares[~ones]) < 1e-6).all():
        yield "sum", tuple(others[ones].tolist())


def _checked(target: Floats, parts: Floats, kind: Kind) -> tuple[int, int]:
    """Return the number of records that say something, and in how many of them it is off."""
    known = ~np.isnan(target)
    if kind == "ratio":
        known &= ~np.isnan(parts).any(axis=0) & (parts[1] != 0)
        made = parts[0, known] / parts[1, known]
    else:
        known &= ~np.isnan(parts).all(axis=0)
        values = np.nan_to_num(parts[:, known])
        made = values[0] - values[1] if kind == "difference" else values.sum(axis=0)
    telling = int((np.count_nonzero(np.nan_to_num(parts[:, known]), axis=0) > 1).sum())
    off = np.abs(made - target[known]) > _tolerance(target[known])
    return telling, int(off.sum())


def _proposal(name: str, derivation: Derivation, records: int, differing: int) -> Proposal:
    columns = Names.of(derivation.columns)
    if derivation.kind == "sum":
        reason = say("it is the sum of '{columns}'", columns=columns)
    elif derivation.kind == "difference":
        reason = say("it is the first minus the second of '{columns}'", columns=columns)
    else:
        reason = say("it is the first divided by the second of '{columns}'", columns=columns)
    if differing:
        reason = say(
            "{reason}, except in {differing} {differing:record|records}, which should be checked",
            reason=reason,
            differing=differing,
        )
    evidence = {"records": records, "differing": differing}
    return Proposal(name, "derived", derivation, reason, 0.8 if differing else 0.95, evidence)
