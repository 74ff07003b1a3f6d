"""Members of a household tell what masking did to one of them, by their number or without it."""

from collections.abc import Iterator

import numpy as np

from sudare.core import (
    Array,
    Categorical,
    Codes,
    Column,
    Flags,
    Integers,
    Message,
    Microdata,
    Names,
    label_codes,
)
from sudare.describe import suspicions
from sudare.engine.counting import joint_keys, tally
from sudare.release.inspection.derivable_values.determination import Telling, is_thin
from sudare.release.inspection.derivable_values.relations import told_by_relation
from sudare.release.inspection.derivable_values.shared_ranges import narrowed
from sudare.release.inspection.findings import Finding, Severity
from sudare.release.inspection.masked_pair import MaskedPair, class_codes, joined

_LONGEST_NUMBER = 100  # characters
_SOME = 0.1  # share of the changed values from which members count as telling
_LARGEST = 20  # members of a household that has no number
_FEWEST = 30  # pairs of records that have a value in common
_BEYOND_CHANCE = 0.5  # share of what chance leaves, in which members agree
_SHARED = 0.9  # share of the households of several members that agree in a column


def find_telling_members(pair: MaskedPair) -> Iterator[Finding]:
    """Yield the masked columns that the members of a household give away together.

    A column that is the same for all members is told by what most of the others show; others by
    rules, such as that each household has one head. Where the household number is not released,
    members are found by all that they have in common.
    """
    for number in pair.after.with_role("household"):
        households = _households(pair.after[number])
        for name in pair.masked:
            telling = _told(pair, name, households)
            is_shared = _is_shared(pair.before, name, households)
            is_sure = telling.is_sure or (is_shared and name not in pair.drawn)
            if telling.share > _SOME and is_sure:
                yield _by_number(pair, number, name, telling)
            elif is_shared:
                count, telling = narrowed(pair, name, households)
                if count:
                    yield _narrowed_by_number(number, name, count, telling.hidden)
            else:
                yield from _by_relation(pair, number, name, households)
        yield from _beside_others(pair, number, households)
        yield from _found_together(pair, number, households)
    for column in _left_out(pair):
        yield from _by_what_is_shared(pair, column)
    for number, households in _implied(pair):
        yield from _beside_others(pair, number, households)
        for name in pair.masked:
            yield from _by_relation(pair, number, name, households)


def _households(number: Column, most: int | None = None) -> Codes:
    """Return a code for each household, from 0; records without a number live alone.

    So do those of numbers that more than ``most`` records have.
    """
    codes = class_codes(number)
    sizes = np.bincount(codes)[codes]
    several = number.known if most is None else number.known & (sizes <= most)
    alone: Codes = codes.max(initial=0) + 1 + np.cumsum(~several, dtype=codes.dtype)
    return np.where(several, codes, alone)


def _found_together(pair: MaskedPair, number: str, households: Codes) -> Iterator[Finding]:
    """Yield that fewer households than records are alike, for whoever knows all members."""
    keys = [name for name in pair.after.keys if name not in pair.drawn]
    if pair.is_large or not set(keys).intersection(pair.masked):
        return
    classes = joined([class_codes(pair.after[name]) for name in keys])
    k, alike = int(np.bincount(classes).min()), households_alike(households, classes)
    if alike.min() < k:
        detail = Message(
            "'{column}' shows who lives together: whoever knows the keys of all members of a "
            "household finds it among {alike} {alike:household|households}, though {k} records or "
            "more share the keys of each record.",
            column=number,
            alike=int(alike.min()),
            k=k,
        )
        remedy = Message("Leave '{column}' out if nobody needs to know it.", column=number)
        count = int((alike < k).sum())
        yield Finding("household-numbers", (number,), count, "note", detail, remedy)


def households_alike(households: Codes, classes: Integers) -> Integers:
    """Return how many households have members of the same classes, shape (households,).

    Examples
    --------
    >>> households_alike(np.array([0, 0, 1, 1, 2]), np.array([4, 5, 5, 4, 4])).tolist()
    [2, 2, 1]
    """
    order = np.lexsort((classes, households))
    first = np.flatnonzero(np.diff(households[order], prepend=-1))
    sizes = np.diff(np.append(first, len(order)))
    kinds = sizes.astype(np.int64)
    for member in range(sizes.max(initial=0)):
        at = np.flatnonzero(sizes > member)
        longer = kinds[at] * (classes.max() + 1) + classes[order[first[at] + member]]
        kinds[at] = kinds.max() + 1 + np.unique(longer, return_inverse=True)[1]
    own = np.unique(kinds, return_inverse=True)[1]
    return np.bincount(own)[own]


def _left_out(pair: MaskedPair) -> Iterator[Column]:
    """Yield the household numbers of the original that are not released."""
    for column in pair.before.columns:
        if column.name in pair.after:
            continue
        if column.role == "household" or (not _is_long_text(column) and _is_household(column)):
            yield column


def _implied(pair: MaskedPair) -> Iterator[tuple[str, Codes]]:
    """Yield columns by which members of households are found though none has a number.

    Few records share a value of it, such as the income of a household or its rent, and those that
    do agree in other columns as well, much more than by chance.
    """
    if pair.after.with_role("household") or not pair.masked:
        return
    for column in pair.after.columns:
        if not is_thin(column) or column.name in pair.masked:
            continue
        codes = _households(column, most=_LARGEST)
        alike = [c for c in pair.after.columns if c is not column and _goes_with(c, codes)]
        if alike:
            yield column.name, joined([codes, *map(class_codes, alike)]).astype(codes.dtype)


def _goes_with(column: Column, households: Codes) -> bool:
    """Return whether members agree in a column of few values, much more than by chance."""
    codes = class_codes(column)
    order = np.argsort(households, kind="stable")
    same = np.diff(households[order]) == 0
    if is_thin(column) or same.sum() < _FEWEST or codes.min() == codes.max():
        return False
    agree = float((np.diff(codes[order])[same] == 0).mean())
    chance = float(((np.bincount(codes) / len(codes)) ** 2).sum())
    return agree - chance > _BEYOND_CHANCE * (1 - chance)


def _is_household(column: Column) -> bool:
    named = suspicions(Microdata((column,)))
    return any(suspicion.ground == "household" for suspicion in named)


def _is_long_text(column: Column) -> bool:
    """Return whether values are too long to be numbers of households; forms of them take time."""
    labels = column.labels if isinstance(column, Categorical) else ()
    return any(len(str(label)) > _LONGEST_NUMBER for label in labels)


def _beside_others(pair: MaskedPair, number: str, households: Codes) -> Iterator[Finding]:
    """Yield the columns in which the row of another member has what was masked: a spouse's age."""
    for name in pair.masked:
        for column in pair.after.columns:
            if column.name in {name, number}:
                continue
            telling = _told_beside(pair, name, column, households)
            if telling.share > _SOME and telling.is_sure:
                yield _in_the_row_of_another(number, column.name, name, telling)


def _told_beside(pair: MaskedPair, name: str, column: Column, households: Codes) -> Telling:
    """Return how many changed values are in a column of another member of the household."""
    before, shown = pair.before[name].coded, column.coded
    hidden: Flags = pair.changed(name) & before.known
    labels = tuple(map(str, shown.labels))
    true = label_codes(map(str, before.labels), labels, otherwise=-9)[before.codes]
    own = np.where(column.known, shown.codes, -9)
    rows = np.flatnonzero(column.known)
    width = np.int64(max(len(labels), 1))
    cells, counts = np.unique(households[rows] * width + own[rows], return_counts=True)

    def told(values: Array) -> int:
        keys = households * width + values
        places = np.minimum(np.searchsorted(cells, keys), max(len(cells) - 1, 0))
        there = np.where(cells[places] == keys, counts[places], 0) if len(cells) else 0
        return int((hidden & (values >= 0) & (there - (own == values) > 0)).sum())

    chance = told(np.roll(true, len(true) // 2))  # the values of other households
    return Telling(max(told(true) - chance, 0.0), int(hidden.sum()), float(chance))


def _in_the_row_of_another(number: str, column: str, name: str, telling: Telling) -> Finding:
    count = round(telling.told)
    facts = {"number": number, "column": column, "masked": name, "count": count}
    detail = Message(
        "'{number}' shows who lives together, and '{column}' of another member is the original "
        "'{masked}' in {count} of the {hidden} records that were changed.",
        hidden=telling.hidden,
        **facts,
    )
    remedy = Message("Mask '{column}' as well, or leave '{number}' out.", **facts)
    return Finding("twin", (number, column, name), count, "stop", detail, remedy)


def _by_what_is_shared(pair: MaskedPair, number: Column) -> Iterator[Finding]:
    households = _households(number)
    largest = int(np.bincount(households[number.known]).max(initial=0))
    shared = [name for name in pair.after.names if _is_shared(pair.before, name, households)]
    still = [name for name in shared if _is_shared(pair.after, name, households)]
    for name in pair.masked:
        others = tuple(column for column in still if column != name)
        if largest < 2 or not others:
            continue
        together = joined([class_codes(pair.after[column]) for column in others])
        telling = _told(pair, name, together, largest)
        if telling.share > _SOME and telling.is_sure:
            yield _without_number(number.name, others, name, telling)
        elif name in shared:
            count, telling = narrowed(pair, name, together, largest)
            if telling.share > _SOME and telling.is_sure:
                yield _narrowed_without_number(number.name, others, name, count, telling.hidden)


def _is_shared(before: Microdata, name: str, households: Codes) -> bool:
    """Return whether the members of nearly every household agree in a column."""
    if name not in before:
        return False
    codes = class_codes(before[name])
    sizes = np.bincount(households)
    lowest = np.full(len(sizes), np.iinfo(codes.dtype).max, codes.dtype)
    highest = np.zeros(len(sizes), codes.dtype)
    np.minimum.at(lowest, households, codes)
    np.maximum.at(highest, households, codes)
    several = sizes > 1
    agree = float((lowest == highest)[several].mean()) if several.any() else 0.0
    return agree > _SHARED and codes.min(initial=0) < codes.max(initial=0)


def _told(pair: MaskedPair, name: str, groups: Array, most: int | None = None) -> Telling:
    """Return how many changed values are what most others of a group show.

    Parameters
    ----------
    pair, name
        The masked column.
    groups
        Shape (n,), from 0.
    most
        Number of records above which a group is not one household.
    """
    before, after = pair.before[name].coded, pair.after[name].coded
    hidden: Flags = pair.changed(name) & before.known
    commonest, count = _commonest(groups, after.codes, len(after.labels))
    labels = tuple(map(str, after.labels))
    true = label_codes(map(str, before.labels), labels)[before.codes]
    alone = np.where(after.known, 2, 1)  # what a record shows itself is no word of another
    guessed = hidden & (count[groups] >= alone)
    if most is not None:
        guessed &= (np.bincount(groups) <= most)[groups]
    told = guessed & (commonest[groups] == true)
    shares = np.bincount(before.codes[before.known]) / max(before.known.sum(), 1)
    chance = shares[before.codes[guessed]]
    excess = max(float(told.sum() - chance.sum()), 0.0)
    return Telling(excess, int(hidden.sum()), float((chance * (1 - chance)).sum()))


def _commonest(groups: Array, codes: Codes, labels: int) -> tuple[Array, Array]:
    """Return the code that most records of each group show, and how many do; -9 for none."""
    number = int(groups.max(initial=0)) + 1
    rows = np.flatnonzero(codes >= 0)
    keys, _ = joint_keys([(groups[rows], number), (codes[rows], max(labels, 1))])
    cells, counts = tally(keys)
    of_group = cells // max(labels, 1)
    order = np.lexsort((counts, of_group))
    last = order[np.flatnonzero(np.diff(of_group[order], append=-1))]
    commonest = np.full(number, -9, np.int64)
    shown = np.zeros(number, np.int64)
    commonest[of_group[last]] = cells[last] % max(labels, 1)
    shown[of_group[last]] = counts[last]
    return commonest, shown


def _by_number(pair: MaskedPair, number: str, name: str, telling: Telling) -> Finding:
    count = round(telling.told)
    facts = {"column": number, "masked": name, "count": count, "hidden": telling.hidden}
    detail = Message(
        "'{column}' shows who lives together, and what most members show reveals the original "
        "value of '{masked}' in {count} of the {hidden} records that were changed.",
        **facts,
    )
    at_random = Message(
        "Leave '{column}' out, or recode '{masked}' instead of changing it at random.", **facts
    )
    remedy = at_random if name in pair.drawn else _for_everybody(number, name)
    return Finding("twin", (number, name), count, "stop", detail, remedy)


def _by_relation(pair: MaskedPair, number: str, name: str, households: Codes) -> Iterator[Finding]:
    count = int(told_by_relation(pair, name, households).sum())
    if count:
        hidden = int((pair.changed(name) & pair.before[name].known).sum())
        detail = Message(
            "'{column}' shows who lives together, and by rules of households, such as one head in "
            "each, what other members show reveals the original value of '{masked}' in {count} of "
            "the {hidden} records that were changed.",
            column=number,
            masked=name,
            count=count,
            hidden=hidden,
        )
        severity: Severity = "stop" if count > _SOME * hidden else "note"
        remedy = _for_everybody(number, name)
        yield Finding("twin", (number, name), count, severity, detail, remedy)


def _for_everybody(number: str, name: str) -> Message:
    return Message(
        "Leave '{column}' out, or recode '{masked}' in the same way for everybody and suppress it "
        "for nobody.",
        column=number,
        masked=name,
    )


def _without_number(number: str, shared: tuple[str, ...], name: str, telling: Telling) -> Finding:
    count = round(telling.told)
    facts = {
        "column": number,
        "columns": Names.of(shared),
        "masked": name,
        "count": count,
        "hidden": telling.hidden,
    }
    detail = Message(
        "Without '{column}', '{columns}' still show who lives together, and the other members of "
        "a household reveal the original value of '{masked}' in {count} of the {hidden} records "
        "that were changed.",
        **facts,
    )
    remedy = Message(
        "Recode '{masked}' for everybody, or coarsen what a household shares: '{columns}'.", **facts
    )
    return Finding("twin", (*shared, name), count, "stop", detail, remedy)


def _narrowed_by_number(number: str, name: str, count: int, hidden: int) -> Finding:
    facts = {"column": number, "masked": name, "count": count, "hidden": hidden}
    detail = Message(
        "'{column}' shows who lives together. Members have the same '{masked}', but were released "
        "with different ranges or sets of it: what these have in common tells '{masked}' more "
        "narrowly than it was released, in {count} of the {hidden} records that were changed.",
        **facts,
    )
    severity: Severity = "stop" if count > _SOME * hidden else "note"
    return Finding("twin", (number, name), count, severity, detail, _for_everybody(number, name))


def _narrowed_without_number(
    number: str, shared: tuple[str, ...], name: str, count: int, hidden: int
) -> Finding:
    columns = Names.of(shared)
    facts = {"column": number, "columns": columns, "masked": name, "count": count, "hidden": hidden}
    detail = Message(
        "Without '{column}', '{columns}' still show who lives together. Members have the same "
        "'{masked}', but were released with different ranges or sets of it: what these have in "
        "common tells '{masked}' more narrowly than it was released, in {count} of the {hidden} "
        "records that were changed.",
        **facts,
    )
    remedy = Message(
        "Recode '{masked}' for everybody, or coarsen what a household shares: '{columns}'.", **facts
    )
    return Finding("twin", (*shared, name), count, "stop", detail, remedy)
