"""Codes before and after masking on one list of labels, so that they can be compared."""

import numpy as np

from sudare.core.columns import MISSING, NOT_APPLICABLE, Categorical
from sudare.core.types import Codes


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
    place = {label: code for code, label in enumerate(before.labels)}
    for label in after.labels:
        place.setdefault(label, len(place))
    ends = [NOT_APPLICABLE, MISSING]  # codes -2 and -1 index the last two entries
    table = np.array([place[label] for label in after.labels] + ends, np.int32)
    codes: Codes = table[after.codes]
    return codes
