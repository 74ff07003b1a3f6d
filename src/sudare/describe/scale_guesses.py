"""The scale of a variable, guessed from the data, with the reason."""

from dataclasses import dataclass

import numpy as np

from sudare.core import Categorical, Column, Floats, Microdata, Numeric, Scale, say

_FEW = 12


@dataclass(frozen=True)
class ScaleGuess:
    """A scale and the reason for it, in a sentence."""

    scale: Scale
    reason: str


def scales(data: Microdata) -> dict[str, ScaleGuess]:
    """Return a guess of each column's scale, to be confirmed by someone who knows the data.

    Examples
    --------
    >>> import sudare
    >>> scales(sudare.datasets.toy())["age"].scale
    'ratio'
    """
    return {column.name: guess(column) for column in data.columns}


def guess(column: Column) -> ScaleGuess:
    """Return the scale a column seems to have, and why."""
    if isinstance(column, Categorical):
        if column.scale == "ordinal":
            return ScaleGuess("ordinal", say("its categories were given an order"))
        return ScaleGuess("nominal", say("it holds labels without an order"))
    column = column.numeric
    if column.scale == "interval":
        return ScaleGuess("interval", say("dates and times have no natural zero"))
    numbers = column.values[column.known]
    if len(numbers) and _looks_like_codes(column, numbers):
        return ScaleGuess("nominal", say("a few small whole numbers look like codes of categories"))
    if len(numbers) and numbers.min() < 0:
        return ScaleGuess("interval", say("it has numbers below zero, so zero is not an origin"))
    return ScaleGuess("ratio", say("its numbers are zero or above"))


def _looks_like_codes(column: Numeric, numbers: Floats) -> bool:
    distinct = len(column.coded.labels)
    whole = bool((numbers == np.rint(numbers)).all())
    small = bool(numbers.min() >= 0 and numbers.max() <= 2 * _FEW)
    return whole and small and distinct <= _FEW and distinct * 10 < len(numbers)
