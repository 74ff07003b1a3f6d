"""Keys counted: what a missing key counts as, and how many records share a combination of keys."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from sudare.core import Column, Flags, Floats, Integers, Microdata, Sizes, TablePair, say
from sudare.describe.diversity import Spread, spread, united
from sudare.describe.pairing.undeclared_words import undeclared_words
from sudare.engine.counting import (
    Groups,
    MissingKeys,
    distinct_rows,
    group_sizes,
    groups,
    wildcard_sizes,
    with_blank_value,
    without_blank_value,
)

Rule = Literal["category", "wildcard"]


def by_rule(
    pair: TablePair, missing: MissingKeys, more: Sequence[str] = ()
) -> tuple[TablePair, Rule]:
    """Return the tables and how their missing keys count: as a category, or as wildcards.

    With "suppressed", keys of the table returned are missing where masking made them so, and these
    are wildcards; blanks that the original had are a category among the others, and so are those
    that may stand for a word for no answer, in a masked table that was read by itself, unless the
    steps suppressed as many values as are gone. Of a released table alone the steps tell: where
    they suppressed as many values of a column as it lacks, all its blanks are wildcards. Where it
    cannot be told, all blanks of a column are a category.

    ``more`` are columns needed in addition to the keys.
    """
    if missing != "suppressed":
        return pair, missing
    if pair.stands_alone:
        return _by_steps(pair, more)
    if not pair.may_have_suppressed():
        return pair, "category"
    both = pair.on((*pair.columns, *more))
    told = _told_suppressed(pair)
    apart = [
        with_blank_value(
            both.after[name],
            both.after[name].missing & ~_suppressed(both.before[name], both.after[name], count),
        )
        for name, count in told.items()
    ]
    return replace(both, after=both.after.replacing(apart), columns=pair.columns), "wildcard"


def _told_suppressed(pair: TablePair) -> dict[str, int | None]:
    """Return how many values of each key the steps suppressed; None where that needs no proof."""
    if not pair.read_apart and not pair.stands_alone:
        return dict.fromkeys(pair.columns)
    return {
        name: sum(int(step.public.get(name, {}).get("suppressed", 0)) for step in pair.steps)
        for name in pair.columns
    }


def _suppressed(before: Column, after: Column, told: int | None) -> Flags:
    """Return which keys masking suppressed, by all that is known, shape (rows,)."""
    lost = after.suppressed_since(before)
    if told is None or told == _records(lost, after):
        return lost
    words = undeclared_words(before, after)
    return lost & ~words & ~(words & after.known).any()  # else blanks changed places


def _records(some: Flags, column: Column) -> int:
    return int(some.sum() if column.copies is None else some @ column.copies)


def key_counts(keys: Sequence[Column], missing: Rule, kinds: Groups | None = None) -> Integers:
    """Return how many records share the keys of each, itself included, shape (n,).

    ``kinds`` are the groups of equal records, where they are known.
    """
    kinds = kinds or groups(keys)
    return wildcard_sizes(keys, kinds) if missing == "wildcard" else kinds.size_of_record


def class_figures(
    data: Microdata,
    keys: Sequence[str],
    missing: Rule,
    sensitive: Mapping[str, Integers],
    figure: Callable[[str, Spread], Floats],
) -> tuple[dict[str, Floats], Integers]:
    """Return a figure of each class by sensitive column, and the class of each entry, shape (n,).

    A class is all records whose keys may be those of a person. Without wildcards these are equal
    keys. With them, classes overlap: they are the records that match, and those that are published
    with the same keys as one of them, from which nobody could tell them.

    Parameters
    ----------
    data
        The released table.
    keys
        Its key columns.
    missing
        How missing keys count.
    sensitive
        By sensitive column, the value of each entry as 0 …, shape (n,).
    figure
        Of a column and some classes, shape (classes,).
    """
    columns = [data[name] for name in keys]
    alike = groups([without_blank_value(column) for column in columns]).index
    parts = {name: spread(alike, codes, data.copies) for name, codes in sensitive.items()}
    if missing == "category":
        return {name: figure(name, part) for name, part in parts.items()}, alike
    kinds = groups(columns)
    rows, index = distinct_rows(columns, kinds)
    published = alike[kinds.example]
    figures = {name: np.empty(len(rows.sizes)) for name in parts}
    for owners, others in rows.pairs():
        own, classes = np.unique(owners, return_inverse=True)
        unions = np.unique(np.stack((classes, published[others])), axis=1)
        for name, part in parts.items():
            figures[name][own] = figure(name, united(part, *unions))
    return figures, index


def rule_notes(pair: TablePair, missing: MissingKeys, rule: Rule) -> tuple[str, ...]:
    """Return by which rule missing keys counted and, of wildcards, how many records it hides.

    These are the records that share their keys with fewer than k others when blanks of the original
    are a value of their own; k is what the rule makes of the table, and at least 2.
    """
    if missing == "suppressed" and rule == "wildcard":
        return (
            say(
                "keys that masking suppressed match every value; blanks of the original are a "
                "value of their own."
            ),
            *_words_noted(pair),
        )
    if missing != "wildcard":
        return _blanks_alone(pair) if missing == "suppressed" else ()
    after = pair.released(pair.columns)
    k = max(2, int(key_counts([after[name] for name in pair.columns], "wildcard").min()))
    strict, own = by_rule(pair, "suppressed")
    after = strict.released(pair.columns)
    counts = key_counts([after[name] for name in pair.columns], own)
    return (
        say(
            "every missing key matches every value; without that rule, {count} "
            "{count:record shares its|records share their} keys with fewer than {k}.",
            count=int(after.total(counts < k)),
            k=k,
        ),
    )


def _words_noted(pair: TablePair) -> tuple[str, ...]:
    """Return which keys have blanks that may replace a word for no answer."""
    if pair.stands_alone or not pair.read_apart:
        return ()
    both = pair.on(pair.columns)
    columns = [
        (both.before[n], both.after[n], count) for n, count in _told_suppressed(pair).items()
    ]
    return tuple(
        say(
            "'{column}': a value of the original is gone and may be a word for no answer that "
            "was written as blank; such blanks count as a value of their own, not as "
            "suppressed. Declare the word (--missing), or, if masking suppressed them all, "
            "name the column (--suppressed; in Python, give the steps).",
            column=after.name,
        )
        for before, after, count in columns
        if count != _records(after.suppressed_since(before), after)
        and undeclared_words(before, after).any()
    )


def _blanks_alone(pair: TablePair) -> tuple[str, ...]:
    """Return how blanks of a release in another order count, where it has any."""
    if not pair.is_shuffled:
        return ()
    after = pair.released(pair.columns)
    if not any(after[name].gaps for name in pair.columns):
        return ()
    return (
        say(
            "every blank key counts as a value of its own: the records are in another order, and "
            "nothing shows that masking suppressed any. Put the ledger or recipe of the release "
            "beside the file, or name the columns in which it did (--suppressed)."
        ),
    )


def key_sizes(
    pair: TablePair, groupings: Sequence[Sequence[str]], missing: Rule = "category"
) -> list[Sizes]:
    """Return the sizes of groups of equal keys after masking, and how many groups have each.

    Parameters
    ----------
    pair
        The tables; a large table may count groups where it is.
    groupings
        Keys of each grouping, the one with all keys first.
    missing
        Whether a missing key is a category, or matches every value; in that case each combination
        that occurs is a group.
    """
    sizes = pair.released_sizes(groupings) if missing == "category" else None
    return sizes or [_sizes(pair.released(names), names, missing) for names in groupings]


def _sizes(after: Microdata, names: Sequence[str], missing: Rule) -> Sizes:
    keys = [after[name] for name in names]
    if missing == "category":
        return np.unique(group_sizes(keys), return_counts=True)
    kinds = groups(keys)
    return np.unique(wildcard_sizes(keys, kinds)[kinds.example], return_counts=True)


def _by_steps(pair: TablePair, more: Sequence[str]) -> tuple[TablePair, Rule]:
    """Return a released table by itself, and how its missing keys count by what was done."""
    told = _told_suppressed(pair)
    if not any(told.values()):
        return pair, "category"
    after = pair.released((*pair.columns, *more))
    apart = [with_blank_value(after[n]) for n, count in told.items() if after[n].gaps != count]
    ruled = after.replacing(apart)
    return TablePair(ruled, ruled, pair.columns, pair.steps, pair.detail), "wildcard"
