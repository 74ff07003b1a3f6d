"""What members of a household hide though the others tell it: one head each, spouses of two sexes.

Rules are those of the original, in which a value is certain by what other members have, but for few
exceptions and far more often than without them: by all others together, by two others and how many
live there, or by one other and what both have in another key, such as their relation to the head.
A hidden value is told where such a rule has all that it needs among the values that are shown.
"""

from collections.abc import Iterator

import numpy as np

from sudare.core import Codes, Flags, Integers
from sudare.release.inspection.derivable_values.determination import is_thin
from sudare.release.inspection.masked_pair import MaskedPair, class_codes, joined

_EXCEPTIONS = 0.05  # members with another value, of those who have one without the rule
_SURE = 30.0  # evidence, in natural logarithms, that a rule does not hold by chance
_FEWEST = 20  # households that a rule is learned from
_LARGEST = 12  # members of a household of whom two are looked at together

_Rule = tuple[Integers, Integers, Integers, Flags]  # see _rules


def told_by_relation(pair: MaskedPair, name: str, households: Codes) -> Flags:
    """Return which hidden values of a masked column are told by other members, shape (n,)."""
    column = pair.before[name]
    hidden: Flags = pair.changed(name) & column.known
    told = np.zeros(len(hidden), np.bool_)
    if name not in pair.drawn and hidden.any() and not is_thin(column):
        values = class_codes(column)
        for members, groups, alone, is_usable in _rules(pair, name, households):
            is_told = is_usable & hidden[members]
            if is_told.any():
                is_told &= _is_certain(groups, alone, values[members])
                is_told &= _several(groups, households[members])
                told[members[is_told]] = True
    return told


def _rules(pair: MaskedPair, name: str, households: Codes) -> Iterator[_Rule]:
    """Yield kinds of rules: members, what others have, what is known without them, if all shows."""
    values, shown = class_codes(pair.before[name]), _is_shown(pair, name)
    sizes = np.bincount(households)[households]
    everybody, nothing = np.arange(len(values)), np.zeros(len(values), np.int64)
    hashes = np.random.default_rng(0).integers(2**63, size=int(values.max()) + 1, dtype=np.uint64)
    sums = np.zeros(int(households.max()) + 1, np.uint64)
    np.add.at(sums, households, hashes[values])  # of equal sets equal, in any order
    others = np.unique(sums[households] - hashes[values], return_inverse=True)[1]
    lacking = np.bincount(households, ~shown)[households]
    yield everybody, others, nothing, lacking == 1
    first, second = _pairs(households)
    for key in (k for k in pair.after.keys if k != name and not is_thin(pair.before[k])):
        own, is_there = class_codes(pair.before[key]), _is_shown(pair, key)
        groups = joined([own[first], own[second], values[second]])
        usable = is_there[first] & is_there[second] & shown[second]
        yield first, groups, own[first].astype(np.int64), usable
    few = sizes[first] <= _LARGEST
    first, second = first[few], second[few]
    members, second, third = _triples(first, second)
    both = np.sort(np.stack([values[second], values[third]]), axis=0)
    groups = joined([sizes[members].astype(np.int32), both[0], both[1]])
    yield members, groups, nothing[members], shown[second] & shown[third]


def _is_shown(pair: MaskedPair, name: str) -> Flags:
    shown: Flags = pair.after[name].known & ~pair.changed(name)
    return shown


def _pairs(households: Codes) -> tuple[Integers, Integers]:
    """Return every two members of a household, in both orders, sorted by the first.

    Examples
    --------
    >>> [members.tolist() for members in _pairs(np.array([0, 1, 0]))]
    [[0, 2], [2, 0]]
    """
    order = np.argsort(households, kind="stable")
    ordered = households[order]
    firsts, seconds = [order[:0]], [order[:0]]
    for apart in range(1, int(np.bincount(households).max(initial=1))):
        at = np.flatnonzero(ordered[apart:] == ordered[:-apart])
        firsts += [order[at], order[at + apart]]
        seconds += [order[at + apart], order[at]]
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    by_first = np.argsort(first, kind="stable")
    return first[by_first], second[by_first]


def _triples(first: Integers, second: Integers) -> tuple[Integers, Integers, Integers]:
    """Return every member with every two others, of pairs that are sorted by the first."""
    members, seconds, thirds = [first[:0]], [first[:0]], [first[:0]]
    for apart in range(1, int(np.bincount(first).max(initial=1))):
        at = np.flatnonzero(first[apart:] == first[:-apart])
        members.append(first[at])
        seconds.append(second[at])
        thirds.append(second[at + apart])
    return np.concatenate(members), np.concatenate(seconds), np.concatenate(thirds)


def _is_certain(groups: Integers, alone: Integers, values: Codes) -> Flags:
    """Return whether the group of a member tells its value, beyond what is known without it."""
    cells = joined([groups.astype(np.int32), values])
    without = joined([alone.astype(np.int32), values])
    count, total = np.bincount(cells)[cells], np.bincount(groups)[groups]
    share = np.bincount(without)[without] / np.bincount(alone)[alone]
    certain: Flags = total - count <= _EXCEPTIONS * (1 - share) * total
    certain &= count * -np.log(share) > _SURE
    return certain


def _several(groups: Integers, households: Codes) -> Flags:
    """Return whether the group of a member is of several households."""
    width = int(households.max()) + 1
    of_group = np.unique(groups * np.int64(width) + households) // width
    several: Flags = (np.bincount(of_group) >= _FEWEST)[groups]
    return several
