"""Columns before and after masking on one code, so that their values can be compared."""

from collections.abc import Iterable, Sequence

import numpy as np

from sudare.core import (
    Categorical,
    Codes,
    Column,
    Integers,
    Microdata,
    MismatchError,
    Numeric,
    label_codes,
    say,
)
from sudare.engine.counting import joint_keys, quantile_codes, quantile_edges, renumbered
from sudare.engine.frames import written_labels


def places_among(before: Categorical, after: Categorical) -> Codes:
    """Return the code of each label of ``after`` among those of ``before``, new ones behind them.

    Codes -2 and -1, for what is absent, are the last two entries, shape (labels + 2,).
    """
    return label_codes(written_labels(after), written_labels(before))


def category_codes(before: Categorical, after: Categorical) -> Codes:
    """Return the codes of ``after`` on the labels of ``before``, new labels numbered behind them.

    Examples
    --------
    >>> before = Categorical("x", np.array([0, 1]), ("a", "b"))
    >>> after = Categorical("x", np.array([0, 1]), ("a・b", "b"))
    >>> category_codes(before, after).tolist()
    [2, 1]
    """
    if before.labels == after.labels:
        return after.codes
    return places_among(before, after)[after.codes]


def class_codes(before: Column, after: Column, classes: int) -> tuple[Integers, Integers]:
    """Return both columns as codes from 0, equal where the values are; -1 missing, -2 none.

    Labels are compared one by one. Numbers fall into classes of equal count of the original.

    Examples
    --------
    >>> first = Categorical("job", np.array([0, 1, -1]), ("farmer", "nurse"))
    >>> second = Categorical("job", np.array([0, 0, 1]), ("nurse", "other"))
    >>> [codes.tolist() for codes in class_codes(first, second, 10)]
    [[0, 1, -1], [1, 1, 2]]
    """
    if isinstance(before, Numeric) and isinstance(after, Numeric):
        edges = quantile_edges(before, classes)
        return quantile_codes(before, edges), quantile_codes(after, edges)
    codes = before.coded.codes, category_codes(before.coded, after.coded)
    return codes[0].astype(np.int64), codes[1].astype(np.int64)


def comparable_codes(before: Column, after: Column, classes: int) -> tuple[Integers, Integers]:
    """Return both columns as codes for an attacker who compares them.

    Raises
    ------
    MismatchError
        If one holds numbers and the other labels none of which is one of them: nothing would ever
        agree, and the attack would find no risk where it only cannot read the column.
    """
    old, new = class_codes(before, after, classes)
    mixed = isinstance(before, Numeric) != isinstance(after, Numeric)
    is_there = before.known.any() and after.known.any()
    if mixed and is_there and not np.isin(old[old >= 0], new).any():
        raise MismatchError(
            "column '{column}' holds numbers in one table and categories that are none of them in "
            "the other, so its values cannot be compared; mask it into numbers, or leave it out.",
            column=before.name,
        )
    return old, new


def exact_codes(before: Column, after: Column) -> tuple[Integers, Integers]:
    """Return both columns as codes that are equal where the values are; absent below 0."""
    if not isinstance(before, Numeric) or not isinstance(after, Numeric):
        return comparable_codes(before, after, 2)
    both = np.concatenate([before.values, after.values])
    known = ~np.isnan(both)
    codes = np.full(len(both), -1)
    codes[known] = np.unique(both[known], return_inverse=True)[1]
    codes[np.concatenate([before.not_applicable, after.not_applicable])] = -2
    return codes[: before.rows], codes[before.rows :]


def shared_keys(
    before: Microdata, after: Microdata, columns: Sequence[str]
) -> tuple[Integers, Integers, int]:
    """Return a number for each combination of keys in both tables, and how many there are."""
    pairs = [np.concatenate(exact_codes(before[name], after[name])) for name in columns]
    sized = [(codes, int(codes.max()) + 3) for codes in pairs]
    keys, size = renumbered(*joint_keys(sized, shift=2))
    return keys[: before.rows], keys[before.rows :], size


def comparison_notes(
    before: Microdata, after: Microdata, columns: Iterable[str]
) -> tuple[str, ...]:
    """Return what to know about columns whose masked values mostly do not occur in the original.

    Merged labels and ranges agree with nothing, so an attack that compares values sees little of
    them: a low risk may then be a column that the attack cannot read.
    """
    notes = []
    for old, new in ((before[name], after[name]) for name in columns):
        if isinstance(old, Numeric) and isinstance(new, Numeric):
            continue
        codes = category_codes(old.coded, new.coded)
        occurs = np.isin(codes[codes >= 0], old.coded.codes)
        if len(occurs) and occurs.mean() < 0.5:
            notes.append(
                say(
                    "column '{column}': {share} % of the masked values occur in the original; the "
                    "others count as different, so the risk may be higher than stated.",
                    column=old.name,
                    share=round(100 * float(occurs.mean())),
                )
            )
    return tuple(notes)


def merged_into(before: Categorical, after: Categorical) -> Integers:
    """Return the code after masking that each original code became, shape (labels,).

    Labels that do not occur keep their own label if the masked table has it.

    Raises
    ------
    MismatchError
        If a category became several: then this is not a recoding.

    Examples
    --------
    >>> before = Categorical("x", np.array([0, 1, 2]), ("a", "b", "c"))
    >>> after = Categorical("x", np.array([0, 0, 1]), ("a・b", "c"))
    >>> merged_into(before, after).tolist()
    [0, 0, 1]
    """
    became = label_codes(written_labels(before), written_labels(after), 0)[:-2].astype(np.int64)
    both = (before.codes >= 0) & (after.codes >= 0)
    became[before.codes[both]] = after.codes[both]
    if (became[before.codes[both]] != after.codes[both]).any():
        raise MismatchError(
            "column '{column}' was not only recoded: one of its categories became several; "
            "merged counts cannot be spread back.",
            column=before.name,
        )
    return became
