"""Why an association cannot be computed, in a sentence, and what to do about it.

Sano's three patterns, read from the table that includes the absent values: (A) the two questions
have different target groups and "not applicable" became missing; (B) "none" and "not applicable"
were both coded missing, so that one category is left; (C) one question keeps "not applicable" as a
blank or a code of its own, the other as missing.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from sudare.core import Categorical, Column, Flags, say

Pattern = Literal["A", "B", "C", "constant", "empty"]


@dataclass(frozen=True)
class Obstacle:
    """The pattern, the reason and the remedy, each in a sentence."""

    pattern: Pattern
    reason: str
    remedy: str


def obstacle(first: Column, second: Column) -> Obstacle:
    """Return why the association of two columns cannot be computed."""
    for column in (first, second):
        if column.empty:
            reason = say("'{column}' has no values.", column=column.name)
            return Obstacle("empty", reason, say("Leave it out."))
    for column in (first, second):
        if column.missing.any() and len(column.coded.labels_that_occur()) == 1:
            return _one_value_left(column)
    blank = _kept_blank(first, second) or _kept_blank(second, first)
    if blank is not None:
        return blank
    both = first.known & second.known
    if not both.any():
        return _different_targets(first, second)
    constant = len(first.take(both).coded.labels_that_occur()) == 1
    name = first.name if constant else second.name
    return Obstacle(
        "constant",
        say("'{column}' has a single value among the records that have both.", column=name),
        say("Leave it out, or use more records."),
    )


def _different_targets(first: Column, second: Column) -> Obstacle:
    return Obstacle(
        "A",
        say(
            "No record has both '{first}' and '{second}': they were asked of different people, and "
            "not applicable was coded as missing.",
            first=first.name,
            second=second.name,
        ),
        say("Give not applicable a word of its own when reading, and study the two separately."),
    )


def _one_value_left(column: Column) -> Obstacle:
    return Obstacle(
        "B",
        say(
            "'{column}' has one value besides missing ones: none and not applicable were probably "
            "both coded as missing.",
            column=column.name,
        ),
        say('Give "none" a category of its own, and "not applicable" a word of its own.'),
    )


def _kept_blank(blank: Column, other: Column) -> Obstacle | None:
    """Return pattern C if one column is blank or not applicable wherever the other has a value."""
    if not isinstance(blank, Categorical):
        return None
    is_blank: Flags = blank.not_applicable | np.isin(
        blank.codes, [c for c, label in enumerate(blank.labels) if not str(label).strip()]
    )
    answered = blank.known & ~is_blank
    if not is_blank.any() or not answered.any() or (answered & other.known).any():
        return None
    if not other.missing[answered].any():
        return None
    return Obstacle(
        "C",
        say(
            "'{blank}' keeps not applicable as a blank or a code of its own, '{other}' as missing: "
            "'{other}' has values only where '{blank}' is not applicable.",
            blank=blank.name,
            other=other.name,
        ),
        say("Code not applicable in the same way in both, and study the two separately."),
    )
