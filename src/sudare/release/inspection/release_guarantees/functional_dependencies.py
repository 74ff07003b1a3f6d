"""Functional dependencies: released columns that follow from keys as they were before masking.

A column follows from others where the records that agree in these have one value of it, but for few
exceptions, and far more often than by chance. Sets of few columns are all tried, as far as a number
of trials goes; longer ones grow by the column that explains most, as a fee of age, illness and
income does from any of them. What follows from longer sets of which no column explains anything by
itself is not found.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, islice
from typing import TypeVar

import numpy as np

from sudare.core import Codes, Column, Floats, Integers, Microdata
from sudare.release.inspection.masked_pair import (
    MaskedPair,
    association,
    class_codes,
    is_amount,
    joined,
    strata_of,
)

SAMPLE = 10_000  # records on which it is tried whether a column follows
_MOST_KEYS = 3  # from which a column follows together, where all sets of them are tried
_MOST_OTHERS = 4  # the same, beside the keys
_LONGEST = 6  # columns from which one follows together, one after another
_NEIGHBOURS = 8  # amounts next to each other that count as one, as few are equal
EXCEPTIONS = 0.05  # records that may differ from their group, of those without the usual code
_TRIAL = 4_000  # records on which nearly all columns that do not follow are ruled out
_TRIALS = 1_000  # of some keys and other columns, from the fewest on
_EACH = 10  # records per value of columns that follow from others too; amounts do so in households
_AT_ONCE = 5_000_000  # comparisons of a person's keys with records of his class
SURE = 30.0  # evidence, in natural logarithms, that a column follows and does not agree by chance
Name = TypeVar("Name")


@dataclass(frozen=True)
class Dependency:
    """A released column that follows from keys as they were and from other released columns."""

    name: str
    keys: tuple[str, ...]
    others: tuple[str, ...]


class Dependencies:
    """The search for released columns that follow from some keys.

    Parameters
    ----------
    whole
        The table before and after masking.
    keys
        What an attacker knows of a person.
    names
        Released columns beside them.
    """

    def __init__(self, whole: MaskedPair, keys: Sequence[str], names: Sequence[str]) -> None:
        pair = whole.sample(SAMPLE)
        self.masked = set(whole.masked).intersection(keys)
        self.codes = {name: class_codes(pair.after[name]) for name in names}
        self.keys, self.before = tuple(keys), pair.before
        self.of_strata = {
            name: strata
            for strata in (strata_of(step) for step in pair.steps)
            for name in pair.after.with_role("weight")
            if strata and set(strata) <= set(keys) and name in self.codes
            if _is_one_each(joined([class_codes(pair.before[n]) for n in strata]), self.codes[name])
        }
        self.trial = np.unique(np.linspace(0, pair.after.rows - 1, _TRIAL).astype(np.int64))

    @cached_property
    def groups(self) -> dict[tuple[str, ...], Integers]:
        """Groups of records that agree in some keys."""
        sets = chain.from_iterable(combinations(self.keys, n + 1) for n in range(_MOST_KEYS))
        groups = ((some, groups_of(self.before, some)) for some in sets)
        return {some: codes for some, codes in groups if codes is not None}

    def from_keys(self) -> dict[str, tuple[str, ...]]:
        """Return the columns that follow from keys alone, and from which."""
        return self.following(self.codes) | self.of_strata

    def following(self, columns: Mapping[Name, Codes]) -> dict[Name, tuple[str, ...]]:
        """Return which codes of the sample follow from keys alone, and from which."""
        following: dict[Name, tuple[str, ...]] = {}
        if not columns:
            return following
        names, table, chance = self._table(columns)
        for keys, groups in self.groups.items():
            for name in (names[n] for n in _possible(groups[self.trial], table, chance)):
                if name not in following and _follows(groups, columns[name]):
                    following[name] = keys
        alone = self._alone()
        for name in names:
            if name not in following and (keys := self._grown(alone, columns[name])):
                following[name] = keys
        return following

    def from_others_too(self) -> tuple[Dependency, ...]:
        """Return the columns that follow from masked keys and others, the fewest first."""
        several = {n: c for n, c in self.codes.items() if _EACH * len(np.unique(c)) <= len(c)}
        smallest: dict[frozenset[str], Dependency] = {}
        for each in chain(self._from_few(several), self._from_many(several)):
            columns = frozenset((each.name, *each.others))
            if not any(smaller <= columns for smaller in smallest):
                smallest[columns] = each
        return tuple(smallest.values())

    def _from_few(self, several: Mapping[str, Codes]) -> Iterator[Dependency]:
        names, table, chance = self._table(several)
        sets = (
            (keys, others)
            for number in range(1, min(len(names), _MOST_OTHERS + 1))
            for keys in self.groups
            if self.masked.intersection(keys)
            for others in combinations(range(len(names)), number)
        )
        for keys, others in islice(sets, _TRIALS):
            groups = self.groups[keys][self.trial]
            for n in others:
                groups = groups * (int(table[n].max()) + 1) + table[n]
            for n in _possible(groups, table, chance):
                parts: list[Integers | Codes] = [self.groups[keys]]
                parts += (several[names[other]] for other in others)
                if n not in others and _follows_from_all(parts, several[names[n]]):
                    yield Dependency(names[n], keys, tuple(names[other] for other in others))

    def _from_many(self, several: Mapping[str, Codes]) -> Iterator[Dependency]:
        alone = self._alone()
        for name in several:
            parts = alone | {n: codes for n, codes in several.items() if n != name}
            chosen = self._grown(parts, several[name])
            keys = tuple(part for part in chosen if part in alone)
            others = tuple(part for part in chosen if part not in alone)
            if others and self.masked.intersection(keys):
                yield Dependency(name, keys, others)

    def _grown(self, parts: Mapping[str, Integers | Codes], codes: Codes) -> tuple[str, ...]:
        """Return columns from which one follows, grown by what explains most; or none."""
        chosen: tuple[str, ...] = ()
        explained, groups = 0.0, np.zeros(len(self.trial), np.int64)
        while len(chosen) < _LONGEST:
            longer = {
                part: np.unique(groups * (own.max() + 1) + own[self.trial], return_inverse=True)[1]
                for part, own in parts.items()
                if part not in chosen
            }
            gains = {part: association(own, codes[self.trial]) for part, own in longer.items()}
            best = max(gains, key=lambda part: gains[part], default="")
            if not best or gains[best] <= explained:
                return ()
            chosen, explained, groups = (*chosen, best), gains[best], longer[best]
            if _follows(_joined([parts[part] for part in chosen]), codes):
                break
        for part in chosen:
            fewer = tuple(other for other in chosen if other != part)
            if fewer and _follows(_joined([parts[other] for other in fewer]), codes):
                chosen = fewer
        return chosen if _follows_from_all([parts[part] for part in chosen], codes) else ()

    def _alone(self) -> dict[str, Integers]:
        return {keys[0]: groups for keys, groups in self.groups.items() if len(keys) == 1}

    def _table(self, columns: Mapping[Name, Codes]) -> tuple[list[Name], Codes, Floats]:
        """Return names, codes of the records tried first, and how often two of these differ."""
        table = np.array([codes[self.trial] for codes in columns.values()]).reshape(
            -1, len(self.trial)
        )
        alike = [((np.bincount(codes) / len(codes)) ** 2).sum() for codes in table]
        return list(columns), table, 1 - np.array(alike)


def groups_of(before: Microdata, names: Sequence[str]) -> Integers | None:
    """Return the groups of records with equal values, or near ones; None if most stand alone."""
    groups = joined([_near(before[name]) for name in names])
    return groups if 2 * (np.bincount(groups)[groups] > 1).sum() > len(groups) else None


def _near(column: Column) -> Codes:
    """Return codes of a column, shape (n,); of amounts that stand alone, those of neighbours."""
    codes = class_codes(column)
    if not is_amount(column) or 2 * (np.bincount(codes)[codes] > 1).sum() > len(codes):
        return codes
    codes[np.argsort(codes, kind="stable")] = np.arange(len(codes)) // _NEIGHBOURS
    return codes


def fitting(
    classes: Integers, groups: Integers, other: Integers, told: Integers
) -> Iterator[tuple[Integers, Integers, Integers]]:
    """Yield for persons, known by keys, which records of their class fit these.

    A record fits if its values were seen with these keys, or its other values never were.

    Parameters
    ----------
    classes
        Of equal keys after masking, shape (n,).
    groups
        Of equal keys as before, shape (n,).
    other, told
        What the other columns say, alone and with the column that follows, shape (n,).

    Yields
    ------
    persons, members, classes
        A person, 0 …, and a part of his class that fits him, shape (pairs,); parts are numbered as
        the combinations of class and ``told`` are. The class of each person, shape (persons,).
    """
    width, size = int(groups.max()) + 1, int(max(told.max(), other.max())) + 1
    people = np.unique(classes * width + groups)
    cells = np.unique(classes * size + told)
    other_of = np.zeros(size, np.int64)
    other_of[told] = other
    seen, seen_other = np.unique(groups * size + told), np.unique(groups * size + other)
    for some, who, at in company(people // width, cells // size):
        known, value = (people[some] % width)[who] * size, cells[at] % size
        fits = np.isin(known + value, seen) | ~np.isin(known + other_of[value], seen_other)
        yield who[fits], at[fits], people[some] // width


def company(persons: Integers, parts: Integers) -> Iterator[tuple[Integers, Integers, Integers]]:
    """Yield some persons, and each of them with each part of his class.

    Parameters
    ----------
    persons, parts
        The class of each person, and of each part, ascending.

    Yields
    ------
    some, who, at
        Persons; of each pair, which of these, 0 …, and the part, shape (pairs,).
    """
    first = np.searchsorted(parts, np.arange(persons.max(initial=0) + 2))
    number = np.diff(first)[persons]
    for some in np.array_split(np.arange(len(persons)), number.sum() // _AT_ONCE + 1):
        who = np.repeat(np.arange(len(some)), number[some])
        start = first[persons[some]] - np.cumsum(number[some]) + number[some]
        yield some, who, np.arange(len(who)) + start[who]


def _possible(groups: Integers, table: Codes, chance: Floats) -> Integers:
    """Return the rows of codes that may follow from groups: few records next to each other differ.

    It allows twice as many as :func:`_follows` and two more, so that it rules out only by far.
    """
    order = np.argsort(groups)
    alike = np.flatnonzero(np.diff(groups[order]) == 0)
    differing = (table[:, order[alike]] != table[:, order[alike + 1]]).sum(axis=1)
    return np.flatnonzero(differing <= 4 * EXCEPTIONS * chance * len(alike) + 2)


def _is_one_each(groups: Integers, codes: Codes) -> bool:
    """Return whether the records of each group have one code, as weights of a stratum do."""
    both = joined([groups.astype(np.int32), codes])
    return len(np.unique(both)) == len(np.unique(groups))


def _follows_from_all(parts: Sequence[Integers | Codes], codes: Codes) -> bool:
    """Return whether a column follows from the groups that parts make, and from no fewer."""
    fewer = [_joined([*parts[:n], *parts[n + 1 :]]) for n in range(len(parts)) if len(parts) > 1]
    return _follows(_joined(parts), codes, *fewer)


def _joined(parts: Sequence[Integers | Codes]) -> Integers:
    return joined([part.astype(np.int32) for part in parts])


def _follows(groups: Integers, codes: Codes, *parts: Integers) -> bool:
    """Return whether the records of a group have one code, far more often than by chance.

    Chance is how often records have one code that share a part of what makes the groups.
    """
    several = np.bincount(groups)[groups] > 1
    if 2 * several.sum() <= len(codes):
        return False
    codes = codes[several]
    most, _ = _agreement(groups[several], codes)
    for part in parts or (np.zeros_like(groups),):
        guessed, alike = _agreement(part[several], codes)
        if len(codes) - most.sum() > EXCEPTIONS * (len(codes) - guessed.sum()):
            return False
        if (most[most > 0] - 1).sum() * -np.log(alike) <= SURE:
            return False
    return True


def _agreement(groups: Integers, codes: Codes) -> tuple[Integers, float]:
    """Return the records with the usual code of each group, and how often two have the same."""
    cell = joined([groups.astype(np.int32), codes])
    counts = np.bincount(cell)
    group_of_cell = np.zeros(len(counts), np.int64)
    group_of_cell[cell] = groups
    most = np.zeros(int(groups.max(initial=0)) + 1, np.int64)
    np.maximum.at(most, group_of_cell, counts)
    return most, float((counts**2.0).sum() / max((np.bincount(groups) ** 2.0).sum(), 1))
