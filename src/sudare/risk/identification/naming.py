"""Naming: the released records that fit each person best, by distinct combinations of keys."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from sudare.core import Array, Floats, Integers
from sudare.engine.counting import joint_keys, renumbered
from sudare.risk.identification.key_fits import IMPOSSIBLE, KeyFit

_BLOCK = 2**21  # pairs that are scored at a time: 16 megabytes
_MOST_PAIRS = 2**32
_FEW_BUCKETS = 512  # up to here each is a table of its own


class Chances(NamedTuple):
    """The chance that each record is named rightly; NaN for people who were not looked for."""

    values: Floats
    complete: bool


@dataclass(frozen=True, eq=False)
class _Sides:
    """Distinct people and distinct released records, as codes by key, shapes (u,) and (v,)."""

    evidence: Sequence[KeyFit]
    people: Sequence[Integers]
    records: Sequence[Integers]
    mass: Floats


class _Range(NamedTuple):
    """The released records that each person is compared with: ``order[start:stop]``.

    The score is that of the keys that have to agree, of which some are suppressed in all of them.
    """

    order: Integers
    start: Integers
    stop: Integers
    score: Floats


def naming_chances(
    evidence: Sequence[KeyFit], counted: Floats, most_pairs: int = _MOST_PAIRS
) -> Chances:
    """Return the chance that each record is named rightly by who looks for its person.

    The attacker names one of the records that fit the person's keys best, each with the same
    probability; where none fits, any record.

    Parameters
    ----------
    evidence
        One per key.
    counted
        How many people each record stands for, shape (n,).
    most_pairs
        Of people and records that are compared; beyond, only some of the people are looked for.
    """
    person, example = _distinct([(e.own, int(e.own.max()) + 1) for e in evidence])
    record, shown = _distinct([(e.published + 1, int(e.published.max()) + 2) for e in evidence])
    sides = _Sides(
        evidence,
        [e.own[example] for e in evidence],
        [e.published[shown] for e in evidence],
        np.bincount(record, counted, len(shown)).astype(np.float64),
    )
    top, mass = np.full(len(example), -np.inf), np.zeros(len(example))
    if all(e.best is not None for e in evidence):
        mass = _perfect(sides)
        top[mass > 0] = 0.0
    waiting = np.flatnonzero(mass == 0)
    left = waiting[:0]
    if len(waiting):
        left = _search(sides, waiting, top, mass, most_pairs)
    lost = top <= IMPOSSIBLE / 2
    own = np.zeros(len(person))
    for e in evidence:
        own += e.along(e.own, e.published)
    right = (own == top[person]) | lost[person]
    chance = 1 / np.maximum(np.where(lost, sides.mass.sum(), mass), 1.0)
    chance[left] = np.nan
    right |= np.isnan(chance)[person]
    return Chances(np.where(right, chance[person], 0.0), not len(left))


def share_named(evidence: KeyFit, counted: Floats, copies: Integers | None) -> float:
    """Return the mean chance of all records by one key alone; pairs of its values are few.

    Parameters
    ----------
    evidence, counted
        As for :func:`naming_chances`.
    copies
        How many records each entry stands for, shape (n,); None for one each.
    """
    sides = [(evidence.own, int(evidence.own.max()) + 1)]
    sides.append((evidence.published + 1, int(evidence.published.max()) + 2))
    index, example = _distinct(sides)
    pairs = replace(evidence, own=evidence.own[example], published=evidence.published[example])
    chances = naming_chances([pairs], np.bincount(index, counted).astype(np.float64))
    return float(np.average(chances.values, weights=np.bincount(index, copies)))


def _distinct(columns: Sequence[tuple[Array, int]]) -> tuple[Integers, Integers]:
    """Return the combination of each record, and a record of each combination."""
    index, number = renumbered(*joint_keys(columns))
    example = np.empty(number, np.int64)
    example[index] = np.arange(len(index))
    return index, example


def _perfect(sides: _Sides) -> Floats:
    """Return how many records fit each person as well as any could, shape (u,).

    Nothing of them is suppressed.
    """
    wanted = [np.asarray(e.best)[own] for e, own in zip(sides.evidence, sides.people, strict=True)]
    rows = np.flatnonzero(np.min(sides.records, axis=0) >= 0)
    keys, index = _joined(wanted, [codes[rows] for codes in sides.records])
    fitting = np.bincount(index, sides.mass[rows], int(keys.max()) + 1)
    return fitting.astype(np.float64)[keys]


def _joined(ours: Sequence[Array], theirs: Sequence[Array]) -> tuple[Integers, Integers]:
    """Return people's and records' combinations of codes on one numbering."""
    both = [np.concatenate(pair) for pair in zip(ours, theirs, strict=True)]
    index, _ = renumbered(*joint_keys([(c, int(c.max()) + 3) for c in both], shift=2))
    return index[: len(ours[0])], index[len(ours[0]) :]


def _by_gaps(records: Sequence[Integers]) -> Iterator[tuple[list[int], Integers]]:
    """Yield, by which keys are suppressed, the keys that are not and the records."""
    gaps = [(codes < 0).astype(np.int64) for codes in records]
    index, number = renumbered(*joint_keys([(gap, 2) for gap in gaps]))
    order = np.argsort(index, kind="stable")
    for rows in np.split(order, np.cumsum(np.bincount(index, minlength=number))[:-1]):
        yield [c for c, gap in enumerate(gaps) if not gap[rows[0]]], rows


def _search(
    sides: _Sides, waiting: Integers, top: Floats, mass: Floats, most_pairs: int
) -> Integers:
    """Find the best fits of some people; return those who were not looked for."""
    ranges = list(_ranges(sides, waiting))
    pairs = np.sum([r.stop - r.start for r in ranges], axis=0)
    sought = np.arange(len(waiting))
    if pairs.sum() > most_pairs:
        sought = sought[:: int(np.ceil(pairs.sum() / most_pairs))]
    soft = [c for c, e in enumerate(sides.evidence) if not e.exact]
    for part in ranges:
        few = len(np.unique(part.start[sought])) <= _FEW_BUCKETS
        compare = _bucket_by_bucket if few else _pair_by_pair
        for chosen, score, weight in (compare if soft else _alike)(
            sides, soft, waiting, sought, part
        ):
            people, best = waiting[chosen], score + part.score[chosen]
            better, equal = best > top[people], best == top[people]
            mass[people] = np.where(better, weight, mass[people] + np.where(equal, weight, 0.0))
            top[people] = np.maximum(best, top[people])
    return np.delete(waiting, sought)


def _ranges(sides: _Sides, waiting: Integers) -> Iterator[_Range]:
    """Yield which records agree with each person on the keys of which only one value fits."""
    exact = [c for c, e in enumerate(sides.evidence) if e.exact]
    wanted = [np.asarray(sides.evidence[c].best)[sides.people[c][waiting]] for c in exact]
    if not exact:
        whole = np.zeros(len(waiting), np.int64)
        every = np.arange(len(sides.mass))
        yield _Range(every, whole, whole + len(every), np.zeros(len(waiting)))
        return
    for kept, rows in _by_gaps([sides.records[c] for c in exact]):
        score = np.zeros(len(waiting))
        for c in set(range(len(exact))).difference(kept):
            score += sides.evidence[exact[c]].unseen[sides.people[exact[c]][waiting]]
        if not kept:
            whole = np.zeros(len(waiting), np.int64)
            yield _Range(rows, whole, whole + len(rows), score)
            continue
        people, index = _joined(
            [wanted[c] for c in kept], [sides.records[exact[c]][rows] for c in kept]
        )
        order = np.argsort(index, kind="stable")
        start, stop = (np.searchsorted(index[order], people, side) for side in ("left", "right"))
        yield _Range(rows[order], start, stop, score)


# Who of those who wait, their best score by the soft keys, and how many records have it.
Fit = tuple[Integers, Floats, Floats]


def _alike(
    sides: _Sides, soft: Sequence[int], waiting: Integers, sought: Integers, part: _Range
) -> Iterator[Fit]:
    chosen = sought[part.stop[sought] > part.start[sought]]
    until = np.concatenate(([0.0], np.cumsum(sides.mass[part.order])))
    yield chosen, np.zeros(len(chosen)), until[part.stop[chosen]] - until[part.start[chosen]]


def _bucket_by_bucket(
    sides: _Sides, soft: Sequence[int], waiting: Integers, sought: Integers, part: _Range
) -> Iterator[Fit]:
    starts, index = np.unique(part.start[sought], return_inverse=True)
    for number in range(len(starts)):
        group = sought[index == number]
        group = group[part.stop[group] > part.start[group]]
        if not len(group):
            continue
        records = part.order[starts[number] : part.stop[group[0]]]
        step = max(1, _BLOCK // len(records))
        for first in range(0, len(group), step):
            chosen = group[first : first + step]
            people = waiting[chosen]
            scores = np.zeros((len(people), len(records)))
            for c in soft:
                own, shown = sides.people[c][people], sides.records[c][records]
                scores += sides.evidence[c].across(own, shown)
            best = scores.max(axis=1)
            yield chosen, best, (scores == best[:, None]) @ sides.mass[records]


def _pair_by_pair(
    sides: _Sides, soft: Sequence[int], waiting: Integers, sought: Integers, part: _Range
) -> Iterator[Fit]:
    sought = sought[part.stop[sought] > part.start[sought]]
    sizes = part.stop[sought] - part.start[sought]
    blocks = np.cumsum(sizes) // _BLOCK
    for chosen in np.split(sought, np.flatnonzero(np.diff(blocks)) + 1):
        size = part.stop[chosen] - part.start[chosen]
        if not len(chosen):
            continue
        offsets = np.cumsum(size) - size
        people = np.repeat(waiting[chosen], size)
        steps = np.arange(len(people)) - np.repeat(offsets - part.start[chosen], size)
        records = part.order[steps]
        scores = np.zeros(len(people))
        for c in soft:
            own, shown = sides.people[c][people], sides.records[c][records]
            scores += sides.evidence[c].along(own, shown)
        best = np.maximum.reduceat(scores, offsets)
        alike = np.where(scores == np.repeat(best, size), sides.mass[records], 0.0)
        yield chosen, best, np.add.reduceat(alike, offsets)
