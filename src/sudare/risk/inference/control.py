"""Attacks against a baseline or a control: what a release tells beyond what anybody could know."""

from typing import Annotated, NamedTuple

import numpy as np

from sudare.core import AtLeast, Flags, Floats, Label, Microdata, SettingError
from sudare.risk.linkage import wilson_interval

_CONTROL, _MEMBERS = ("1", "true", "yes"), ("0", "false", "no")
Control = Annotated[
    str | None, "column that marks, by 1, originals from which the release was not made"
]
Attacked = Annotated[int, AtLeast(1), "largest number of records attacked"]


class Excess(NamedTuple):
    """A success rate beyond another, as a share of what was left: from 0 to 1, with bounds."""

    risk: float
    low: float
    high: float


def excess(success: Floats, reference: Floats, confidence: float) -> Excess:
    """Return how much better an attack does than a reference: (a − b) / (1 − b), at least 0.

    The bounds take the Wilson intervals of both rates, in the way of two independent shares.

    Parameters
    ----------
    success, reference
        Chance that each attempt succeeds, shapes (n,) and (m,).
    confidence
        Probability that the bounds aim for.

    References
    ----------
    Giomi, Boenisch, Wehmeyer and Tasnádi (2023). A unified framework for quantifying privacy risk
    in synthetic data. Proceedings on Privacy Enhancing Technologies 2023(2).

    Examples
    --------
    >>> [round(x, 3) for x in excess(np.ones(100), np.full(100, 0.5), 0.95)]
    [1.0, 0.794, 1.0]
    """
    a, b = float(success.mean()), float(reference.mean())
    if b >= 1:
        return Excess(0.0, 0.0, 0.0)
    low, high = wilson_interval(a, len(success), confidence)
    under, over = wilson_interval(b, len(reference), confidence)
    rate = (a - b) / (1 - b)
    below = np.hypot(a - low, over - b) / (1 - b)
    above = np.hypot(high - a, b - under) / (1 - b)
    risk, lower, upper = (float(np.clip(x, 0, 1)) for x in (rate, rate - below, rate + above))
    return Excess(risk, lower, upper)


def members(data: Microdata, control: str | None) -> Flags:
    """Return which originals the release was made from: all, or all but the control records.

    Parameters
    ----------
    data
        The original table, with the control records.
    control
        The column that marks them: with 1, true or yes; the others have 0, false or no.
    """
    if control is None:
        return np.ones(data.rows, np.bool_)
    column = data[control].coded
    words = [_word(label) for label in column.labels]
    if not column.known.all() or {*words} - {*_CONTROL, *_MEMBERS}:
        raise SettingError(
            "column '{column}' must mark control records with 1 and the others with 0 (or true "
            "and false, yes and no), without missing values.",
            column=control,
        )
    marked: Flags = np.array([word in _CONTROL for word in words])[column.codes]
    if marked.all() or not marked.any():
        raise SettingError(
            "column '{column}' marks {count} of {rows} records as control; some must be, and some "
            "must not.",
            column=control,
            count=int(marked.sum()),
            rows=data.rows,
        )
    return ~marked


def _word(label: Label) -> str:
    return f"{label:g}" if isinstance(label, float) else str(label).casefold()
