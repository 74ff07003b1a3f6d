"""Codes before and after masking on one list of labels, so that they can be compared."""

import numpy as np

from sudare.core import MISSING, NOT_APPLICABLE, Categorical, Codes, Integers, MismatchError
from sudare.engine.frames import written_labels


def common_codes(before: Categorical, after: Categorical) -> Codes:
    """Return the codes of ``after`` on the labels of ``before``, new labels numbered behind them.

    Examples
    --------
    >>> before = Categorical("x", np.array([0, 1]), ("a", "b"))
    >>> after = Categorical("x", np.array([0, 1]), ("a・b", "b"))
    >>> common_codes(before, after).tolist()
    [2, 1]
    """
    if before.labels == after.labels:
        return after.codes
    codes: Codes = common_places(before, after)[after.codes]
    return codes


def common_places(before: Categorical, after: Categorical) -> Codes:
    """Return the code of each label of ``after`` among those of ``before``, new ones behind them.

    A date is the same whether it is a number or text. Codes -2 and -1, for what is absent, are the
    last two entries, shape (labels + 2,).
    """
    old, new = written_labels(before), written_labels(after)
    code_of = {label: code for code, label in enumerate(old)}
    strangers = dict.fromkeys(label for label in new if label not in code_of)
    code_of.update((label, code) for code, label in enumerate(strangers, len(old)))
    return np.array([code_of[label] for label in new] + [NOT_APPLICABLE, MISSING], np.int32)


def merged_into(before: Categorical, after: Categorical) -> Integers:
    """Return the code after masking that each original code became, shape (labels,).

    Labels that do not occur keep their own label if the masked table has it.

    Raises
    ------
    MismatchError
        If a category became several: then this is no recoding.

    Examples
    --------
    >>> before = Categorical("x", np.array([0, 1, 2]), ("a", "b", "c"))
    >>> after = Categorical("x", np.array([0, 0, 1]), ("a・b", "c"))
    >>> merged_into(before, after).tolist()
    [0, 0, 1]
    """
    code_of = {label: code for code, label in enumerate(written_labels(after))}
    became = np.array([code_of.get(label, 0) for label in written_labels(before)], np.int64)
    both = (before.codes >= 0) & (after.codes >= 0)
    became[before.codes[both]] = after.codes[both]
    if (became[before.codes[both]] != after.codes[both]).any():
        raise MismatchError(
            "column '{column}' was not only recoded: one of its categories became several; "
            "merged counts cannot be spread back.",
            column=before.name,
        )
    return became
