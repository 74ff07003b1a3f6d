"""Columns that tell a masked one together, though none of them does by itself."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from sudare.core import Codes, Column, Flags, Message, Numeric
from sudare.release.inspection.derivable_values.determination import (
    HiddenCategory,
    HiddenNumber,
    hidden_values,
    is_thin,
    ordered_numbers,
    read_numbers,
    told_by_columns,
)
from sudare.release.inspection.findings import Finding
from sudare.release.inspection.masked_pair import MaskedPair, association, class_codes, is_amount

MOST_PARTS = 60  # columns of which all pairs are tried
_MOST = 0.5  # share of the hidden values from which columns tell
_SMALL_SAMPLE = 4_000  # records on which they are tried
_FEW = 1_000  # the same, where an order is looked at within classes
_LONGEST = 4  # columns that tell together
_CLASSES = 20  # of a column within which the order of another is looked at


def telling_together(pair: MaskedPair, name: str, alone: set[str]) -> tuple[str, ...]:
    """Return the fewest columns that tell a masked one together, if any do and none by itself."""
    small = pair.sample(_SMALL_SAMPLE)
    hidden = hidden_values(small, name)
    if hidden.hidden.sum() < 20:
        return ()
    parts = {
        column.name: (class_codes(column), column.known)
        for column in _combined(small)
        if column.name not in {name, *alone}
    }
    if len(parts) > MOST_PARTS:
        values = _classes(small.before[name])
        strongest = sorted(parts, key=lambda other: -association(parts[other][0], values))
        parts = {other: parts[other] for other in strongest[:MOST_PARTS]}
    if len(parts) < 2:
        return ()
    best: tuple[str, ...] = max(
        combinations(parts, 2), key=lambda names: _share(hidden, parts, names)
    )
    while len(best) <= _LONGEST:
        if _share(hidden, parts, best) > _MOST:
            return best if is_told(pair, name, best) else ()
        more = [(*best, other) for other in parts if other not in best]
        longer = max(more, key=lambda names: _share(hidden, parts, names), default=best)
        if _share(hidden, parts, longer) <= _share(hidden, parts, best):
            return ()
        best = longer
    return ()


def ordered_within(pair: MaskedPair, name: str, alone: set[str]) -> tuple[str, ...]:
    """Return a column whose order tells a masked number within the classes of another, and that."""
    small = pair.sample(_FEW)
    hidden = hidden_values(small, name)
    if isinstance(hidden, HiddenCategory) or hidden.hidden.sum() < 20:
        return ()
    ordered = [
        (column.name, ordered_numbers(column), column.known)
        for column in small.after.columns
        if column.role != "household" and column.name not in {*pair.masked, *alone}
        if is_thin(column)
    ]
    classes = [
        (column.name, class_codes(column), column.known)
        for column in _combined(small)
        if column.name not in {name, *alone} and len(column.coded.labels) <= _CLASSES
    ]
    shares = {
        (first, second): hidden.told_by_order(values, known & is_known, codes).share
        for first, values, known in ordered[:MOST_PARTS]
        for second, codes, is_known in classes[:MOST_PARTS]
    }
    best = max(shares, key=lambda names: shares[names], default=())
    return best if best and shares[best] > _MOST / 2 and is_told(pair, name, best) else ()


def _combined(pair: MaskedPair) -> list[Column]:
    """Return the released columns of which several may tell together."""
    return [
        column
        for column in pair.after.columns
        if column.role not in {"household", "weight"}
        and not is_thin(column)
        and len(column.coded.labels) > 1
    ]


def find_not_combined(pair: MaskedPair) -> Iterator[Finding]:
    """Yield that a table has more columns than those of which all pairs are tried."""
    columns = len(_combined(pair.sample(_SMALL_SAMPLE)))
    numbers = max((len(released_numbers(pair, name)) for name in pair.masked), default=0)
    most = max(columns, numbers)
    if pair.masked and most > MOST_PARTS:
        detail = Message(
            "Each of the {columns} columns was checked on its own for revealing a masked one, "
            "but only {checked} together with others: up to {longest} at once of those most "
            "closely related to it, and formulas of the first {checked} numbers.",
            columns=most,
            checked=MOST_PARTS,
            longest=_LONGEST,
        )
        remedy = Message("Leave columns out that nobody needs, or check the others by hand.")
        yield Finding("not-checked", (), most - MOST_PARTS, "note", detail, remedy)


def _classes(column: Column) -> Codes:
    """Return codes of categories, or of tenths of the numbers, shape (n,)."""
    codes = class_codes(column)
    if not is_amount(column):
        return codes
    tenths = codes.argsort(kind="stable").argsort() * 10 // max(len(codes), 1)
    return tenths.astype(codes.dtype)


def _share(
    hidden: HiddenCategory | HiddenNumber,
    parts: dict[str, tuple[Codes, Flags]],
    names: tuple[str, ...],
) -> float:
    known = np.logical_and.reduce([parts[name][1] for name in names])
    return hidden.told_by([parts[name][0] for name in names], known).share


def released_numbers(pair: MaskedPair, name: str) -> list[Numeric]:
    """Return the released numbers beside a masked column; those of texts, too."""
    columns = [c for c in pair.after.columns if c.name != name and c.role != "household"]
    return [numbers for column in columns if (numbers := read_numbers(column)) is not None]


def is_told(pair: MaskedPair, name: str, columns: tuple[str, ...]) -> bool:
    """Return whether some columns tell most of what a masked one hides, in all records."""
    telling = told_by_columns(hidden_values(pair, name), [pair.after[column] for column in columns])
    return telling.is_most and telling.is_sure
