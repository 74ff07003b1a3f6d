"""The hierarchy of a column as it was declared: an object, a file, a few words, or none at all."""

from collections.abc import Mapping
from itertools import takewhile
from math import floor, log10
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import numpy as np

from sudare.core import Categorical, Codes, Column, ColumnError, Label, Numeric, SettingError
from sudare.describe.distances import Tree
from sudare.describe.hierarchies.date_classes import by_calendar, by_days
from sudare.describe.hierarchies.hierarchy import Hierarchy
from sudare.engine.counting import label_counts, refuse_wide
from sudare.engine.frames import is_dated, written_labels

# What a setting takes for one column; a text is the path of a file.
Declaration: TypeAlias = Hierarchy | Tree | str | Path | Mapping[str, object]
# The setting itself.
Declarations = Annotated[
    Mapping[str, Declaration] | None,
    "by column, a hierarchy: a file, or widths, cuts, prefixes, parents or ways",
]

_WORDS = ("widths", "cuts", "prefixes", "parents", "ways")
_FINEST = 32  # intervals of the first level, about
_RARE = (0.02, 0.1)  # shares below which categories go together, level by level
_OTHER = "other"


def declared(column: Column, declaration: Declaration | None) -> Hierarchy:
    """Return the hierarchy of a column from what a setting says about it.

    Parameters
    ----------
    column
        The column; intervals and prefixes are made for the values that occur in it.
    declaration
        A hierarchy or a tree; the path of a file; one of ``{"widths": [5, 10]}`` (and ``"start"``),
        ``{"cuts": [[18, 65]]}``, ``{"prefixes": [3, 2]}``, ``{"parents": {child: parent}}`` and
        ``{"ways": [[leaf, group, …]]}``; or None, for :func:`automatic`. Of dates, widths are days
        and cuts dates such as ``"2000-12-31"``; everywhere else a date is such a text.

    Examples
    --------
    >>> import sudare
    >>> ages = sudare.datasets.toy()["age"]
    >>> [len(labels) for labels in declared(ages, {"widths": [10, 20]}).labels]
    [85, 10, 5, 1]
    """
    if isinstance(declaration, Hierarchy):
        return declaration
    if isinstance(declaration, Tree):
        return Hierarchy.from_tree(declaration)
    if declaration is None:
        return automatic(column)
    if isinstance(declaration, str | Path):
        return Hierarchy.read(declaration)
    rest = dict(declaration)
    words = [word for word in _WORDS if word in rest]
    start = rest.pop("start", 0) if words == ["widths"] else 0
    if len(words) != 1 or len(rest) != 1:
        raise SettingError(
            "the hierarchy of '{column}' is a path, or a table with one of {known}.",
            column=column.name,
            known=", ".join(_WORDS),
        )
    return _worded(column, words[0], rest[words[0]], start)


def _worded(column: Column, word: str, value: Any, start: Any) -> Hierarchy:
    labels = column.coded.labels
    if word in {"widths", "cuts"}:
        if isinstance(column, Numeric) and is_dated(column):
            return by_days(column, start=start, **{word: value})
        if not all(isinstance(label, int | float) for label in labels):
            raise ColumnError(
                "the hierarchy of '{column}' is made of intervals, and its values are not numbers.",
                column=column.name,
            )
        return Hierarchy.intervals(labels, start=start, **{word: value})  # type: ignore[arg-type]
    if word == "prefixes":
        return Hierarchy.prefixes(map(str, written_labels(column)), lengths=value)
    return Hierarchy.of(value) if word == "ways" else Hierarchy.from_tree(Tree(value))


def extended(hierarchy: Hierarchy, *, absent: bool) -> Codes:
    """Return the groups of leaves and of absent values, shape (levels, leaves + 2).

    The last two columns are not applicable and missing, as in the codes of a column. Absent
    values are groups of their own up to the last level, where all values are one group.
    """
    groups = hierarchy.groups
    if absent and len(groups) == 1:
        groups = np.concatenate((groups, np.zeros_like(groups)))
    ends = groups.max(axis=1, keepdims=True) + np.array([[1, 2]], np.int32)
    if len(groups) > 1:
        ends[-1] = 0
    return np.ascontiguousarray(np.concatenate((groups, ends), axis=1), np.int32)


def leaf_of_record(column: Column, hierarchy: Hierarchy) -> Codes:
    """Return the leaf of each record, in the columns of :func:`extended`."""
    leaves = len(hierarchy.leaves)
    table = np.r_[hierarchy.leaf_codes(column), leaves, leaves + 1].astype(np.int32)
    return np.asarray(table[column.coded.codes])


def automatic(column: Column) -> Hierarchy:
    """Return a hierarchy made from nothing but the column.

    Numbers get intervals of round width, each level twice as wide as the one below; dates become
    days, months, years and decades; ordered categories join their neighbors, two, four, eight at a
    time; codes of digits of one length lose their last digits. Of other categories the rare ones go
    together: those with less than 2 % of the records, then those with less than 10 %. The last
    level is one group of all.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> [labels[0] for labels in automatic(data["age"]).labels]
    [3, '0–4', '0–9', '0–19', '0–39', '0–79', '*']
    >>> automatic(data["education"]).labels[1]
    ('primary–secondary', 'college–university', 'graduate')
    """
    if isinstance(column, Numeric):
        return by_calendar(column) if is_dated(column) else _by_width(column)
    coded = column.coded
    if coded.scale == "ordinal":
        return _by_neighbors(coded)
    texts = [label for label in coded.labels if isinstance(label, str)]
    if len(texts) == len(coded.labels) > 1 and _are_codes(texts):
        return Hierarchy.prefixes(texts)
    return _by_rarity(coded)


def _are_codes(texts: list[str]) -> bool:
    return len({len(t) for t in texts}) == 1 and len(texts[0]) > 1 and all(map(str.isdigit, texts))


def _by_width(column: Numeric) -> Hierarchy:
    refuse_wide(column)
    labels: Any = column.coded.labels
    span = float(labels[-1] - labels[0])
    if span == 0:
        return Hierarchy.of([(label,) for label in labels])
    width = float(_round_up(span / _FINEST))
    whole = all(isinstance(label, int) for label in labels)
    widths = (width * 2**level for level in range(64))
    kept = [w for w in takewhile(lambda w: w <= span, widths) if not whole or w > 1]
    if not kept:
        return Hierarchy.of([(label,) for label in labels])
    return Hierarchy.intervals(labels, widths=[int(w) if w.is_integer() else w for w in kept])


def _round_up(number: float) -> float:
    """Return the next number of the series 1, 2, 5, 10, …, or of its tenths."""
    power = floor(log10(number))
    rounds = (
        float(f"{step}e{power}") for step in (1, 2, 5, 10)
    )  # 5 * 10.0**-6 is just below 5e-06
    return next(round_number for round_number in rounds if round_number >= number * (1 - 1e-9))


def _by_neighbors(column: Categorical) -> Hierarchy:
    labels = column.labels
    sizes = [2**level for level in range(len(labels).bit_length())]
    return Hierarchy.of(
        [_joined(labels, position // size * size, size) for size in sizes]
        for position in range(len(labels))
    )


def _joined(labels: tuple[Label, ...], first: int, size: int) -> Label:
    last = min(first + size, len(labels)) - 1
    return labels[first] if first == last else f"{labels[first]}–{labels[last]}"


def _by_rarity(column: Categorical) -> Hierarchy:
    counts = label_counts(column)
    shares = counts / max(counts.sum(), 1)
    levels: list[tuple[Label, ...]] = [column.labels]
    for share in _RARE:
        rare = shares < share
        merged = np.where(rare, _OTHER, np.array(column.labels, object))
        if rare.sum() > 1 and 1 < len(set(merged)) < len(set(levels[-1])):
            levels.append(tuple(merged.tolist()))
    return Hierarchy.of(zip(*levels, strict=True))
