"""Twins of masked columns: what is released tells what was masked."""

from collections.abc import Iterator, Mapping

import numpy as np

from sudare.core import Floats, Integers, Message, Names, Numeric
from sudare.release.inspection.derivable_values.column_combinations import (
    MOST_PARTS,
    find_not_combined,
    ordered_within,
    released_numbers,
    telling_together,
)
from sudare.release.inspection.derivable_values.determination import (
    ENOUGH,
    HiddenCategory,
    HiddenNumber,
    Telling,
    hidden_values,
    is_thin,
    read_numbers,
    told_by_columns,
)
from sudare.release.inspection.derivable_values.formulas import Formula, completed, formulas
from sudare.release.inspection.findings import Finding, Severity
from sudare.release.inspection.masked_pair import MaskedPair, class_codes, strata_of

_MOST = 0.5  # share of the hidden values from which a column counts as a twin
_SOME, _SOME_NUMBERS = 0.1, 0.3  # the same, from which it is reported how many a column reveals
_LIKELY = 0.6  # part of these shares on the sample, from which all records are looked at
_SAMPLE = 20_000  # records on which one column is tried
_TRIED = 1_000  # records on which formulas are tried
_EQUAL_FACTORS = 9  # digits behind the point in which factors of weights agree


def find_twins(pair: MaskedPair) -> Iterator[Finding]:
    """Yield the columns that tell masked ones: by themselves, by a formula, several together."""
    for name in pair.masked:
        tellings = _tellers(pair, name)
        alone = [column for column, telling in tellings.items() if telling.is_most]
        for column in alone:
            yield _finding(name, (column,), tellings[column])
        alike = list(_alike(pair, name, set(alone)))
        yield from alike
        yield from _by_stratum(pair, name, set(alone))
        if tellings and not alone and not alike:
            column = max(tellings, key=lambda teller: tellings[teller].told)
            yield _finding(name, (column,), tellings[column], "note")
        together = telling_together(pair, name, set(alone))
        together = together or ordered_within(pair, name, set(alone))
        if together:
            yield _twin(pair, name, together)
        if not alone and not together:
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


def _alike(pair: MaskedPair, name: str, alone: set[str]) -> Iterator[Finding]:
    """Yield the columns in which a masked number stands as it was, or that hold its class."""
    hidden = hidden_values(pair, name)
    if isinstance(hidden, HiddenCategory):
        return
    for column in pair.after.columns:
        if column.name in {name, *alone} or column.role == "household":
            continue
        numbers = read_numbers(column)
        equal = Telling(0, 0) if numbers is None else hidden.told_as_equal(numbers.values)
        if equal.share > _SOME and equal.is_sure:
            yield _finding(name, (column.name,), equal)
        elif not is_thin(column):
            of_class = hidden.told_by_class(class_codes(column))
            if (of_class.share > _MOST and of_class.is_sure) or of_class.told >= ENOUGH:
                yield _of_class(name, column.name, of_class)


def _by_stratum(pair: MaskedPair, name: str, alone: set[str]) -> Iterator[Finding]:
    """Yield the exact weights that were multiplied by N/n of strata made of a masked column.

    Weights of few digits give the factor back, and with it the stratum.
    """
    drawn_by = {part for step in pair.steps for part in strata_of(step)}
    rounded = {part for step in pair.steps if step.method == "Rounding" for part in step.columns}
    for weight in pair.after.with_role("weight"):
        if name not in drawn_by or weight in rounded | alone:
            continue
        before, after = pair.before[weight].numeric, pair.after[weight].numeric
        with np.errstate(invalid="ignore", divide="ignore"):
            factors = np.round(after.values / before.values, _EQUAL_FACTORS)
        codes = np.unique(factors, return_inverse=True)[1].astype(np.int32)
        telling = hidden_values(pair, name).told_by([codes], before.known & after.known)
        if telling.share > _SOME and telling.is_sure:
            yield _finding(name, (weight,), telling)


def _of_class(name: str, column: str, telling: Telling) -> Finding:
    facts = {"column": column, "masked": name, "count": round(telling.told)}
    detail = Message(
        "'{column}' is the class of the original '{masked}', and comes closer to it than what is "
        "released, in {count} of the {hidden} records whose value was hidden.",
        hidden=telling.hidden,
        **facts,
    )
    remedy = Message(
        "Recompute '{column}' from the masked '{masked}', or leave it out (--identifier).", **facts
    )
    return Finding("twin", (column, name), round(telling.told), "stop", detail, remedy)


def _computed(pair: MaskedPair, name: str) -> Iterator[Finding]:
    """Yield the released numbers from which a masked one can be computed by a formula.

    A formula is learned from half of the records, and has to hold in the others.
    """
    before, after = pair.before[name], pair.after[name]
    if not isinstance(before, Numeric):
        return
    columns = {column.name: column for column in released_numbers(pair, name)[:MOST_PARTS]}
    numbers = {column: own.values for column, own in columns.items()}
    known = np.flatnonzero(before.known)
    learnt = known[::2][np.unique(np.linspace(0, len(known[::2]) - 1, _TRIED).astype(np.int64))]
    kept = {column: values for column, values in numbers.items() if column not in pair.masked}
    tried = [
        (formula.names, formula.made(some))
        for some in ((numbers, kept) if len(kept) < len(numbers) else (numbers,))
        for formula in _tried(some, before.values, learnt)
    ]
    if isinstance(after, Numeric):
        rests = {column: completed(own, before, after.values) for column, own in columns.items()}
        tried += [((column,), made) for column, made in rests.items() if made is not None]
    hidden = HiddenNumber(before, after)
    held_out = ~np.isin(np.arange(before.rows), learnt)
    names, made = max(
        tried,
        key=lambda each: (hidden.told_by_value(each[1], held_out).told, -len(each[0])),
        default=((), None),
    )
    if made is None or hidden.told_by_value(made, held_out).share <= _MOST:
        return
    telling = hidden.told_by_value(made)
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
        "columns": Names.of(columns),
        "masked": name,
        "count": round(telling.told),
        "hidden": telling.hidden,
    }
    if len(columns) > 1:
        detail = Message(
            "'{columns}' together reveal the original value of '{masked}' in {count} of the "
            "{hidden} records whose value was hidden.",
            **facts,
        )
    else:
        detail = Message(
            "'{columns}' reveals the original value of '{masked}' in {count} of the {hidden} "
            "records whose value was hidden.",
            **facts,
        )
    remedy = Message("Mask '{columns}' as well, or leave it out (--identifier).", **facts)
    if len(columns) > 1:
        remedy = Message("Mask one of '{columns}', or leave it out (--identifier).", **facts)
    return Finding("twin", (*columns, name), round(telling.told), severity, detail, remedy)
