"""Twins: two columns that say the same, as a code and its label do, or one more coarsely."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sudare.core import Array, Codes, say
from sudare.describe.proposing.facts import Facts
from sudare.describe.proposing.proposal import Proposal
from sudare.describe.proposing.values import number_words

_MOST_LABELS = 5_000
_ALL_PAIRS = 100  # columns up to which every pair is tried
_NEAR = 8  # columns to either side that are tried in wider tables
_ALIKE = 0.02  # share of the records outside the commonest label that may differ between twins
_COARSER = 0.001
_CELLS = 1 << 16  # of a table of two columns that is counted whole


@dataclass(frozen=True)
class Twin:
    """Two columns of which one follows from the other.

    Attributes
    ----------
    code, label
        The column that has more to say, or is the code, and the other one.
    differing
        Number of records in which they do not agree.
    records
        Number of records that have both values.
    one_to_one
        Whether each follows from the other.
    """

    code: Facts
    label: Facts
    differing: int
    records: int
    one_to_one: bool

    def proposal(self) -> Proposal:
        """Return the proposal for the code."""
        evidence = {
            "categories": self.code.distinct,
            "partner_categories": self.label.distinct,
            "records": self.records,
            "differing": self.differing,
        }
        return Proposal(
            self.code.name, "twin", self.label.name, self._reason(), self._confidence(), evidence
        )

    def _confidence(self) -> float:
        sure = 0.97 if self.one_to_one else 0.9
        return sure if not self.differing else sure - 0.1

    def _reason(self) -> str:
        facts = {
            "partner": self.label.name,
            "count": self.code.distinct,
            "fewer": self.label.distinct,
            "differing": self.differing,
        }
        if self.one_to_one and not self.differing:
            return say("its {count} categories are those of '{partner}' in other words", **facts)
        if self.one_to_one:
            return say(
                "its {count} categories are those of '{partner}' in other words, except in "
                "{differing} {differing:record|records}, which should be checked",
                **facts,
            )
        if not self.differing:
            return say(
                "each of its {count} categories belongs to one of the {fewer} of '{partner}'",
                **facts,
            )
        return say(
            "each of its {count} categories belongs to one of the {fewer} of '{partner}', except "
            "in {differing} {differing:record|records}, which should be checked",
            **facts,
        )


def find_twins(columns: Sequence[Facts]) -> list[Twin]:
    """Return the twins among columns of categories; names and numbers of persons are none."""
    suited = [facts for facts in columns if _is_suited(facts)]
    patterns = {facts.name: _pattern(facts.sampled) for facts in suited}
    first: dict[bytes, Facts] = {}
    alike = [(first.setdefault(patterns[f.name], f), f) for f in suited]
    pairs = [pair for pair in alike if pair[0] is not pair[1]]
    pairs += [(a, b) for a, b in _near_pairs(suited) if patterns[a.name] != patterns[b.name]]
    twins = {
        (left.name, right.name): twin
        for left, right in pairs
        if _may_follow(left, right) and (twin := _twin(left, right)) is not None
    }
    codes = {twin.code.name for twin in twins.values() if twin.one_to_one}
    return [
        twin  # what is said of a label need not be said again of its code
        for twin in twins.values()
        if twin.one_to_one or not {twin.code.name, twin.label.name} & codes
    ]


def _is_suited(facts: Facts) -> bool:
    if facts.concept is not None and facts.concept.role in {"identifier", "household", "weight"}:
        return False
    few = facts.distinct <= min(_MOST_LABELS, facts.known // 5)
    return facts.distinct >= 2 and few and (facts.is_whole or not facts.is_number)


def _near_pairs(columns: Sequence[Facts]) -> Iterator[tuple[Facts, Facts]]:
    """Yield all pairs of a hundred columns, and of neighbors among more."""
    reach = len(columns) if len(columns) <= _ALL_PAIRS else _NEAR
    for position, first in enumerate(columns):
        for second in columns[position + 1 : position + 1 + reach]:
            yield first, second


def _pattern(codes: Codes) -> bytes:
    """Return codes renumbered in the order in which they appear."""
    _, first, places = np.unique(codes, return_index=True, return_inverse=True)
    return bytes(np.argsort(np.argsort(first)).astype(np.int32)[places].tobytes())


def _may_follow(first: Facts, second: Facts) -> bool:
    """Return whether one column nearly follows from the other on the sample."""
    fine, coarse = sorted((first, second), key=lambda facts: -facts.distinct)
    counts = _joint(fine.sampled, coarse.sampled, coarse)
    return counts is not None and _differing(*counts) <= 0.1 * counts[0].sum()


def _twin(first: Facts, second: Facts) -> Twin | None:
    fine, coarse = (second, first) if second.distinct > first.distinct else (first, second)
    joint = _joint(fine.codes, coarse.codes, coarse)
    if joint is None:
        return None
    counts, rows, columns = joint
    records = int(counts.sum())
    others = records - int(np.bincount(columns, counts).max())  # what the commonest label misses
    differing = _differing(counts, rows, columns)
    back = _differing(counts, columns, rows)
    if max(differing, back) <= _ALIKE * others and abs(fine.distinct - coarse.distinct) <= 1:
        code, label = (fine, coarse) if _codeness(fine) >= _codeness(coarse) else (coarse, fine)
        return Twin(code, label, max(differing, back), records, one_to_one=True)
    far_coarser = coarse.distinct < fine.distinct and records >= 20 * fine.distinct
    if far_coarser and differing <= _COARSER * others:
        return Twin(fine, coarse, differing, records, one_to_one=False)
    return None


def _joint(fine: Codes, coarse: Codes, second: Facts) -> tuple[Array, Array, Array] | None:
    """Return the cells that occur: counts, codes of the first and of the second column."""
    both = (fine >= 0) & (coarse >= 0)
    keys = fine[both].astype(np.int64) * len(second.labels) + coarse[both]
    if len(keys) and keys.max() < _CELLS:  # counting is faster than sorting
        table = np.bincount(keys)
        cells = np.flatnonzero(table)
        counts = table[cells]
    else:
        cells, counts = np.unique(keys, return_counts=True)
    rows, columns = np.divmod(cells, len(second.labels))
    varied = len(cells) > 1 and (rows != rows[0]).any() and (columns != columns[0]).any()
    return (counts, rows, columns) if varied else None


def _differing(counts: Array, rows: Array, columns: Array) -> int:
    """Return how many records are not in the commonest cell of their row."""
    starts = np.flatnonzero(np.diff(np.sort(rows), prepend=-1))
    return int(
        counts.sum() - np.maximum.reduceat(counts[np.argsort(rows, kind="stable")], starts).sum()
    )


def _codeness(facts: Facts) -> tuple[bool, bool, float]:
    """Return how much a column looks like the code of a pair rather than the label."""
    heading = facts.name.lower()
    named = any(word in heading for word in number_words("codes"))
    length = sum(map(len, facts.texts)) / max(len(facts.texts), 1)
    return facts.is_number, named, -length
