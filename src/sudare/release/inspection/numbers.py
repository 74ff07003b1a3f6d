"""Exact numbers by which a record can be found: weights, and amounts that stand alone."""

from collections.abc import Collection, Iterator

import numpy as np

from sudare.core import Column, Flags, Floats, Message, Names, Numeric
from sudare.engine.counting import groups
from sudare.engine.frames import dates_of, is_dated
from sudare.release.inspection.findings import Finding, Severity
from sudare.release.inspection.masked_pair import (
    DISTINCT_AMOUNTS,
    MaskedPair,
    stated_number,
)

_MANY = 0.01  # share of the records
_MOST = 0.5  # the same, from which columns find persons together
_OWN = 0.2  # share of the records with a label of their own, from which it finds persons
_FINEST, _COARSEST = 1 / 50, 1.0  # steps between rounded weights, as a part of the middle one
_LITTLE = 0.1  # share of a value, by which who knows it roughly still finds it
_FAR = 5  # times as far from the middle as all but one in a hundred are


def find_exact_numbers(pair: MaskedPair) -> Iterator[Finding]:
    """Yield the released numbers that stand alone and are those of the original."""
    for column in pair.after.columns:
        if column.role in {"weight", "household"}:
            continue
        if not isinstance(column, Numeric):
            yield from _own_labels(pair, column)
            yield from _far_ends(pair, column)
            continue
        changed = pair.changed(column.name)
        # Noise that rounding takes away makes no number of many one of its own.
        alone = _alone(column if changed.any() else pair.before[column.name])
        exact = (alone | _of_one_household(pair, column)) & ~changed
        if exact.any():
            yield _stands_alone(column, exact)
        elif isinstance(before := pair.before[column.name], Numeric):
            yield from _still_far_out(column, before, alone)


def find_exact_together(pair: MaskedPair, told: Collection[str]) -> Iterator[Finding]:
    """Yield columns without a role that tell most records apart together, as they were.

    Parameters
    ----------
    pair
        The original and the masked table.
    told
        Columns of which something is said already.
    """
    fine = [
        column
        for column in pair.after.columns
        if column.role == "other" and column.name not in {*told, *pair.masked}
        if len(column.coded.labels) > DISTINCT_AMOUNTS
    ]
    fine.sort(key=lambda column: -len(column.coded.labels))
    for parts in range(2, len(fine) + 1):
        known = np.logical_and.reduce([column.known for column in fine[:parts]])
        count = int(((groups(fine[:parts]).size_of_record == 1) & known).sum())
        if count > _MOST * pair.after.rows:
            yield _together(tuple(column.name for column in fine[:parts]), count)
            return


def _together(names: tuple[str, ...], count: int) -> Finding:
    facts = {"columns": Names.of(names), "count": count}
    detail = Message(
        "{count} {count:record has|records have} exact values of the original in '{columns}' that "
        "no other record has together, and the columns have no role.",
        **facts,
    )
    remedy = Message(
        "Round or coarsen '{columns}', leave out what nobody needs, or declare as sensitive "
        "(--sensitive) what nobody else can know.",
        **facts,
    )
    return Finding("exact-numbers", names, count, "stop", detail, remedy)


def _own_labels(pair: MaskedPair, column: Column) -> Iterator[Finding]:
    """Yield labels, such as times or codes, of which many records have one of their own."""
    count = int((_alone(column) & ~pair.changed(column.name)).sum())
    if count < max(_OWN * column.known.sum(), 1):
        return
    facts = {"column": column.name, "count": count}
    detail = Message(
        "{count} {count:record has|records have} an exact value of the original in '{column}' "
        "that no other record has.",
        **facts,
    )
    remedy = Message("Leave it out (--identifier '{column}'), or recode it.", **facts)
    severity: Severity = "note" if column.role == "sensitive" else "stop"
    yield Finding("exact-numbers", (column.name,), count, severity, detail, remedy)


def _far_ends(pair: MaskedPair, column: Column) -> Iterator[Finding]:
    """Yield how many numbers that stand far out, alone, are ends of ranges."""
    before = pair.before[column.name]
    if not isinstance(before, Numeric):
        return
    labels = {column.coded.labels[code] for code in np.unique(column.coded.codes[column.known])}
    ends = {end for label in labels for end in str(label).split("–")}
    far = before.values[_far_out(before.values, _alone(before))]
    if is_dated(before):
        count = len(ends.intersection(np.datetime_as_string(dates_of(before, far)).tolist()))
    else:
        count = len({stated_number(end) for end in ends}.intersection(far.tolist()))
    if count:
        facts = {"count": count, "column": column.name}
        detail = Message(
            "Ranges of '{column}' end at {count} exact {count:value|values} of the original that "
            "{count:is|are} far from all others.",
            **facts,
        )
        remedy = Message(
            "Top-code '{column}' before it is made into ranges: what is so far out is known of "
            "somebody.",
            **facts,
        )
        yield Finding("exact-numbers", (column.name,), count, "stop", detail, remedy)


def _of_one_household(pair: MaskedPair, column: Column) -> Flags:
    """Return the records whose number no other household has, where members share it."""
    alone = np.zeros(column.rows, np.bool_)
    for number in pair.before.with_role("household"):
        home, codes = pair.before[number], column.coded.codes
        rows = np.flatnonzero(home.known & column.known)
        pairs = np.unique(np.stack([codes[rows], home.coded.codes[rows]]), axis=1)
        homes = np.bincount(pairs[0], minlength=len(column.coded.labels))
        homes += np.bincount(codes[column.known & ~home.known], minlength=len(homes))
        alone[rows] |= homes[codes[rows]] == 1
    return alone


def _alone(column: Column) -> Flags:
    counts = np.bincount(column.coded.codes[column.known], minlength=len(column.coded.labels))
    single = np.append(counts == 1, [False, False])
    alone: Flags = single[column.coded.codes]
    return alone


def _stands_alone(column: Numeric, alone: Flags) -> Finding:
    count = int(alone.sum())
    far = int(_far_out(column.values, alone).sum())
    known = int(column.known.sum())
    facts = {"column": column.name, "count": count, "far": far}
    if far:
        detail = Message(
            "{count} {count:record has|records have} an exact value of the original in '{column}' "
            "that no other record, or no other household, has; {far} of them {far:is|are} far from "
            "all others.",
            **facts,
        )
    else:
        detail = Message(
            "{count} {count:record has|records have} an exact value of the original in '{column}' "
            "that no other record, or no other household, has.",
            **facts,
        )
    if column.role == "sensitive" and not far:
        remedy = Message("Round or top-code '{column}' if others may know its values.", **facts)
    elif column.role == "sensitive":
        remedy = Message("Top-code '{column}': what is so far out is known of somebody.", **facts)
    else:
        remedy = Message(
            "Round, coarsen or top-code '{column}', or declare it as sensitive (--sensitive) if "
            "nobody else can know its values.",
            **facts,
        )
    # What is declared as sensitive is what others do not know, so it cannot be looked up. But the
    # richest person of a town is known to be that, whatever the exact number is.
    stops = far or (column.role != "sensitive" and count >= _MANY * known)
    severity: Severity = "stop" if stops else "note"
    return Finding("exact-numbers", (column.name,), count, severity, detail, remedy)


def _still_far_out(column: Numeric, before: Numeric, alone: Flags) -> Iterator[Finding]:
    """Yield how many numbers were changed so little that they still stand far out, alone."""
    near = np.abs(column.values - before.values) <= _LITTLE * np.abs(before.values)
    count = int((_far_out(column.values, alone) & near).sum()) if alone.any() else 0
    if count:
        facts = {"count": count, "column": column.name}
        detail = Message(
            "{count} {count:record is|records are} still far from all others in '{column}', at "
            "nearly the value of the original.",
            **facts,
        )
        remedy = Message("Top-code '{column}': what is so far out is known of somebody.", **facts)
        yield Finding("exact-numbers", (column.name,), count, "stop", detail, remedy)


def _far_out(values: Floats, alone: Flags) -> Flags:
    known = values[~np.isnan(values)]
    low, middle, high = np.quantile(known, [0.01, 0.5, 0.99])
    above, below = values - middle, middle - values
    if not high > low:
        return np.zeros_like(alone)
    far: Flags = (above > _FAR * (high - middle)) | (below > _FAR * (middle - low))
    return far & alone


def find_weights(pair: MaskedPair) -> Iterator[Finding]:
    """Yield how many records stand alone by their weight that do not by their keys."""
    for name in pair.after.with_role("weight"):
        weights = pair.after[name]
        if not isinstance(weights, Numeric):
            continue
        alone = _alone_by(pair, weights.values)
        if pair.changed(name).any() and _is_coarse(weights.values):
            yield _rounded(name, alone, pair.after.rows)
        elif alone:
            yield _exact(name, alone, pair.after.rows)


def _exact(name: str, alone: int, records: int) -> Finding:
    detail = Message(
        "{count} of {records} records stand alone by their keys and their weight together, and "
        "do not by their keys.",
        count=alone,
        records=records,
    )
    remedy = Message(
        "Round the weights (--step \"rounding: columns = ['{column}'], base = …\"), or leave "
        "them out.",
        column=name,
    )
    severity: Severity = "stop" if alone > _MANY * records else "note"
    return Finding("weights", (name,), alone, severity, detail, remedy)


def _rounded(name: str, alone: int, records: int) -> Finding:
    detail = Message(
        "The weights were rounded: {count} of {records} records stand alone by their keys and "
        "their rounded weight together, and do not by their keys.",
        count=alone,
        records=records,
    )
    remedy = Message("Totals differ a little from those of the original weights.")
    severity: Severity = "repaired"
    if alone > _MANY * records:
        severity = "stop"
        remedy = Message(
            "Rounding does not suffice here: leave '{column}' out (--identifier '{column}'), "
            "or coarsen the keys.",
            column=name,
        )
    return Finding("weights", (name,), alone, severity, detail, remedy)


def weight_base(pair: MaskedPair, name: str) -> float | None:
    """Return the base to which weights are rounded, so that hardly a record stands alone by them.

    Between a fiftieth of the middle weight and the middle weight: the first of 1, 2, 5 times a
    power of ten that leaves one record in a hundred alone, or else the one that leaves fewest. None
    where weights need no rounding, or where the smallest of them would be lost.
    """
    weights = pair.after[name]
    if not isinstance(weights, Numeric):
        return None
    if _alone_by(pair, weights.values) <= _MANY * pair.after.rows:
        return None
    positive = weights.values[weights.values > 0]
    finest = _FINEST * float(np.median(positive))
    coarsest = min(_COARSEST * float(np.median(positive)), float(positive.min()))
    power = int(np.floor(np.log10(finest)))
    bases = [float(f"{digit}e{power + more}") for more in (0, 1, 2) for digit in (1, 2, 5)]
    left = {
        base: _alone_by(pair, np.rint(weights.values / base))
        for base in bases
        if finest <= base <= coarsest
    }
    enough = (base for base, alone in left.items() if alone <= _MANY * pair.after.rows)
    return next(enough, min(left, key=lambda base: left[base], default=None))


def _is_coarse(weights: Floats) -> bool:
    """Return whether weights are so far apart that they are rounded ones."""
    levels = np.unique(weights[weights > 0])
    if len(levels) < 2:
        return True
    # A rounding error of the computer is no step between two weights.
    return bool(np.diff(levels).min() >= _FINEST * np.median(weights[weights > 0]) * (1 - 1e-9))


def _alone_by(pair: MaskedPair, weights: Floats) -> int:
    """Return how many records stand alone by keys and weight, and not by their keys.

    A key that was changed at random tells nobody apart: where many do, others are counted without.
    """
    own = Numeric("weight", weights)
    counts: list[int] = []
    for names in (pair.after.keys, [name for name in pair.after.keys if name not in pair.drawn]):
        keys = [pair.after[name] for name in names]
        by_weight = groups([*keys, own]).size_of_record == 1
        if keys:
            by_weight &= groups(keys).size_of_record > 1
        counts.append(int(by_weight.sum()))
    return max(counts)
