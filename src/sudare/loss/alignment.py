"""Codes before and after masking on one list of labels, so that they can be compared."""

from collections.abc import Sequence

import numpy as np

from sudare.core.columns import MISSING, NOT_APPLICABLE, Categorical, Label
from sudare.core.errors import MismatchError
from sudare.core.types import Codes, Integers


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
    codes: Codes = common_places(before.labels, after.labels)[after.codes]
    return codes


def common_places(before: Sequence[Label], after: Sequence[Label]) -> Codes:
    """Return the code of each label of ``after`` among those of ``before``, new ones behind them.

    Codes -2 and -1, for what is absent, are the last two entries, shape (labels + 2,).
    """
    place = {label: code for code, label in enumerate(before)}
    for label in after:
        place.setdefault(label, len(place))
    return np.array([place[label] for label in after] + [NOT_APPLICABLE, MISSING], np.int32)


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
    place = {label: code for code, label in enumerate(after.labels)}
    became = np.array([place.get(label, 0) for label in before.labels], np.int64)
    both = (before.codes >= 0) & (after.codes >= 0)
    became[before.codes[both]] = after.codes[both]
    if (became[before.codes[both]] != after.codes[both]).any():
        raise MismatchError(
            "column '{column}' was not only recoded: one of its categories became several; "
            "merged counts cannot be spread back.",
            column=before.name,
        )
    return became
