"""Twins of masked columns: what is released tells what was masked."""

from collections.abc import Iterator, Mapping

import numpy as np

from sudare.core import Floats, Integers, Message, Numeric
from sudare.describe import Derivation, derived_columns
from sudare.release.inspection.derivable_values.column_combinations import (
    MOST_PARTS,
    find_not_combined,
    released_numbers,
    telling_together,
)
from sudare.release.inspection.derivable_values.determination import (
    HiddenNumber,
    Telling,
    hidden_values,
    told_by_columns,
)
from sudare.release.inspection.derivable_values.formulas import Formula, formulas
from sudare.release.inspection.findings import Finding, Severity
from sudare.release.inspection.masked_pair import MaskedPair

_MOST = 0.5  # share of the hidden values from which a column counts as a twin
_SOME, _SOME_NUMBERS = 0.1, 0.3  # the same, from which it is told how many a column tells
_LIKELY = 0.6  # part of these shares on the sample, from which all records are looked at
_SAMPLE, _SMALL_SAMPLE = 20_000, 4_000  # records on which one column, and several, are tried
_TRIED = 1_000  # records on which formulas are tried


def find_twins(pair: MaskedPair) -> Iterator[Finding]:
    """Yield the columns that tell masked ones: by themselves, by a formula, several together."""
    derived = _derivations(pair)
    for name in pair.masked:
        tellings = _tellers(pair, name)
        alone = [column for column, telling in tellings.items() if telling.is_most]
        for column in alone:
            yield _finding(name, (column,), tellings[column])
        if tellings and not alone:
            column = max(tellings, key=lambda teller: tellings[teller].told)
            yield _finding(name, (column,), tellings[column], "note")
        summed = list(_sums(pair, name, derived, set(alone)))
        yield from summed
        together = telling_together(pair, name, set(alone))
        if together:
            yield _twin(pair, name, together)
        if not alone and not summed and not together:
            yield from _computed(pair, name)
    yield from find_not_combined(pair)


def _tellers(pair: MaskedPair, name: str) -> dict[str, Telling]:
    """Return the released columns that tell some of what a masked one hides, and how much."""
    small = pair.sample(_SAMPLE)
    hidden = hidden_values(small, name)
    some = _SOME_NUMBERS if isinstance(hidden, HiddenNumber) else _SOME
    likely = [
        column.name
        for column in small.after.columns
        if column.name != name and column.role != "household"
        if told_by_columns(hidden, [column]).share > some * _LIKELY
    ]
    whole = hidden_values(pair, name) if likely else hidden
    tellings = {column: told_by_columns(whole, [pair.after[column]]) for column in likely}
    return {column: t for column, t in tellings.items() if t.share > some and t.is_sure}


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
            yield _finding(name, others, telling)


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


def _computed(pair: MaskedPair, name: str) -> Iterator[Finding]:
    """Yield the released numbers from which a masked one can be computed by a formula."""
    before = pair.before[name]
    if not isinstance(before, Numeric):
        return
    numbers = {column.name: column.values for column in released_numbers(pair, name)[:MOST_PARTS]}
    rows = np.flatnonzero(before.known)
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, _TRIED).astype(np.int64))]
    kept = {column: values for column, values in numbers.items() if column not in pair.masked}
    hidden = HiddenNumber(before, pair.after[name])
    tried = [
        (hidden.told_by_value(formula.made(some)), formula.names)
        for some in ((numbers, kept) if len(kept) < len(numbers) else (numbers,))
        for formula in _tried(some, before.values, rows)
    ]
    telling, names = max(tried, key=lambda result: result[0].told, default=(Telling(0, 0), ()))
    if telling.share > _MOST and telling.is_sure:
        yield _finding(name, names, telling)


def _tried(numbers: Mapping[str, Floats], target: Floats, rows: Integers) -> Iterator[Formula]:
    """Yield the formulas that fit some records."""
    if len(rows):
        yield from formulas({name: own[rows] for name, own in numbers.items()}, target[rows])


def _twin(pair: MaskedPair, name: str, columns: tuple[str, ...]) -> Finding:
    telling = told_by_columns(hidden_values(pair, name), [pair.after[column] for column in columns])
    return _finding(name, columns, telling)


def _finding(
    name: str, columns: tuple[str, ...], telling: Telling, severity: Severity = "stop"
) -> Finding:
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
    return Finding("twin", (*columns, name), round(telling.told), severity, detail, remedy)
