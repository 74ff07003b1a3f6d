"""Twins of masked columns: what is released tells what was masked."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from sudare.core import Categorical, Codes, Column, Flags, Floats, Message, Numeric
from sudare.describe import Derivation, derived_columns
from sudare.engine.frames import numbers_of_texts
from sudare.release.inspection.determination import (
    HiddenCategory,
    HiddenNumber,
    Telling,
    is_thin,
)
from sudare.release.inspection.findings import Finding
from sudare.release.inspection.masked_pair import MaskedPair, class_codes, is_amount

_MOST = 0.5  # share of the hidden values from which a column counts as a twin
_LIKELY = 0.3  # share on the sample from which all records are looked at
_SAMPLE, _SMALL_SAMPLE = 20_000, 4_000  # records on which one column, and several, are tried
_MOST_PARTS = 60  # columns of which all pairs are tried
_LONGEST = 4  # columns that tell together


def find_twins(pair: MaskedPair) -> Iterator[Finding]:
    """Yield the columns that tell masked ones: by themselves, by a sum, or several together."""
    derived = _derivations(pair)
    for name in pair.masked:
        alone = [column for column in _tellers(pair, name) if _told(pair, name, (column,))]
        for column in alone:
            yield _twin(pair, name, (column,))
        yield from _sums(pair, name, derived, set(alone))
        together = _together(pair, name, set(alone))
        if together:
            yield _twin(pair, name, together)


def _tellers(pair: MaskedPair, name: str) -> Iterator[str]:
    """Yield the released columns that tell a masked one on a sample."""
    small = pair.sample(_SAMPLE)
    hidden = _hidden(small, name)
    for column in small.after.columns:
        suited = column.name != name and column.role != "household"
        if suited and _by(hidden, [column]).share > _LIKELY:
            yield column.name


def _told(pair: MaskedPair, name: str, columns: tuple[str, ...]) -> bool:
    """Return whether some columns tell most of what a masked one hides, in all records."""
    telling = _by(_hidden(pair, name), [pair.after[column] for column in columns])
    return telling.share > _MOST and telling.is_sure


def _hidden(pair: MaskedPair, name: str) -> "HiddenCategory | HiddenNumber":
    before, after = pair.before[name], pair.after[name]
    if isinstance(before, Numeric) and is_amount(before):
        return HiddenNumber(before, after)
    return HiddenCategory(before, after)


def _by(hidden: "HiddenCategory | HiddenNumber", columns: list[Column]) -> Telling:
    """Return what columns tell together; one of many values, by its order."""
    if len(columns) > 1 or not is_thin(columns[0]):
        known = np.logical_and.reduce([column.known for column in columns])
        return hidden.told_by([class_codes(column) for column in columns], known)
    column = columns[0]
    return hidden.told_by_order(_ordered(column), column.known)


def _ordered(column: Column) -> Floats:
    """Return the numbers of a column; of text, those that it writes, or else its order."""
    if isinstance(column, Numeric):
        return column.values
    coded = column.coded
    numbers = _written_numbers(coded)
    places = np.arange(len(coded.labels), dtype=np.float64) if numbers is None else numbers
    return np.append(places, [np.nan, np.nan])[coded.codes]


def _written_numbers(column: Categorical) -> Floats | None:
    texts = [str(label) for label in column.labels]
    read = numbers_of_texts(texts)
    return read.numbers if texts and read.readable.all() else None


def _derivations(pair: MaskedPair) -> dict[str, Derivation]:
    """Return which columns of the original are sums, differences or ratios of others."""
    small = pair.sample(_SMALL_SAMPLE).before
    return derived_columns(small.without([n for n in small.names if n not in pair.after]))


def _sums(
    pair: MaskedPair, name: str, derived: dict[str, Derivation], alone: set[str]
) -> Iterator[Finding]:
    """Yield the columns from which a masked number can be computed."""
    before = pair.before[name]
    if not isinstance(before, Numeric):
        return
    for result, derivation in derived.items():
        others = tuple(n for n in (result, *derivation.columns) if n != name)
        if len(others) > len(derivation.columns) or alone.intersection(others):
            continue
        made = _solved(pair, name, result, derivation)
        if made is None:
            continue
        telling = HiddenNumber(before, pair.after[name]).told_by_value(made)
        if telling.share > _MOST and telling.is_sure:
            yield _finding(pair, name, others, telling)


def _solved(pair: MaskedPair, name: str, result: str, derivation: Derivation) -> Floats | None:
    """Return a number computed from the released numbers that it goes together with."""
    numbers = {}
    for column in (result, *derivation.columns):
        released = pair.after[column]
        if column != name and not isinstance(released, Numeric):
            return None
        numbers[column] = released.numeric.values if column != name else np.zeros(released.rows)
    parts = [np.nan_to_num(numbers[column]) for column in derivation.columns]
    total = numbers[result]
    with np.errstate(divide="ignore", invalid="ignore"):
        if derivation.kind == "sum":
            together: Floats = np.sum(parts, axis=0)  # its own part is 0
            return together if name == result else total - together
        first, second = parts
        is_first = name == derivation.columns[0]
        if derivation.kind == "difference":
            made = (
                first - second if name == result else total + second if is_first else first - total
            )
        else:
            made = (
                first / second if name == result else total * second if is_first else first / total
            )
    return np.where(np.isfinite(made), made, np.nan)


def _together(pair: MaskedPair, name: str, alone: set[str]) -> tuple[str, ...]:
    """Return the fewest columns that tell a masked one together, if any do and none by itself."""
    small = pair.sample(_SMALL_SAMPLE)
    hidden = _hidden(small, name)
    if isinstance(hidden, HiddenNumber) or hidden.hidden.sum() < 20:
        return ()
    parts = {
        column.name: (class_codes(column), column.known)
        for column in small.after.columns
        if column.name not in {name, *alone}
        and column.role not in {"household", "weight"}
        and not is_thin(column)
        and len(column.coded.labels) > 1
    }
    if not 2 <= len(parts) <= _MOST_PARTS:
        return ()
    best: tuple[str, ...] = max(
        combinations(parts, 2), key=lambda names: _share(hidden, parts, names)
    )
    while len(best) <= _LONGEST:
        if _share(hidden, parts, best) > _MOST:
            return best if _told(pair, name, best) else ()
        more = [(*best, other) for other in parts if other not in best]
        longer = max(more, key=lambda names: _share(hidden, parts, names), default=best)
        if _share(hidden, parts, longer) <= _share(hidden, parts, best):
            return ()
        best = longer
    return ()


def _share(
    hidden: HiddenCategory, parts: dict[str, tuple[Codes, Flags]], names: tuple[str, ...]
) -> float:
    known = np.logical_and.reduce([parts[name][1] for name in names])
    return hidden.told_by([parts[name][0] for name in names], known).share


def _twin(pair: MaskedPair, name: str, columns: tuple[str, ...]) -> Finding:
    telling = _by(_hidden(pair, name), [pair.after[column] for column in columns])
    return _finding(pair, name, columns, telling)


def _finding(pair: MaskedPair, name: str, columns: tuple[str, ...], telling: Telling) -> Finding:
    facts = {
        "columns": "', '".join(columns),
        "masked": name,
        "count": round(telling.told),
        "hidden": telling.hidden,
    }
    if len(columns) > 1:
        detail = Message(
            "'{columns}' together tell '{masked}' as it was before it was masked, in {count} of "
            "the {hidden} records whose value was hidden.",
            **facts,
        )
    else:
        detail = Message(
            "'{columns}' tells '{masked}' as it was before it was masked, in {count} of the "
            "{hidden} records whose value was hidden.",
            **facts,
        )
    remedy = Message("Mask '{columns}' as well, or leave it out.", columns="', '".join(columns))
    return Finding("twin", (*columns, name), round(telling.told), "stop", detail, remedy)
