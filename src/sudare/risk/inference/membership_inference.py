"""Membership inference: whether a release tells who was in the data it was made from."""

from typing import ClassVar

import numpy as np

from sudare.core import (
    Flags,
    Floats,
    Integers,
    Kind,
    Microdata,
    Needs,
    Result,
    TablePair,
    Takes,
)
from sudare.describe.pairing import TableMeasure, comparison_notes
from sudare.risk.inference.control import Attacked, Control, members
from sudare.risk.inference.neighbors import TIE, Space, targets
from sudare.risk.linkage import Confidence, wilson_interval


def nearest_released(space: Space, rows: Integers) -> Floats:
    """Return the distance of some originals to the nearest released record."""
    return np.concatenate([apart.min(axis=1) for apart in space.distances(rows)])


def nearest_other(space: Space, rows: Integers) -> Floats:
    """Return the distance of some originals to the nearest other original."""
    nearest, done = np.empty(len(rows)), 0
    for apart in space.distances(rows, among="original"):
        block = slice(done, done + len(apart))
        apart[np.arange(len(apart)), rows[block]] = np.inf
        nearest[block] = apart.min(axis=1)
        done += len(apart)
    return nearest


def closer(distance: Floats, other: Floats) -> Floats:
    """Return 1 where a distance is smaller than the other, 1/2 where both are equal, else 0."""
    return np.where(np.abs(distance - other) <= TIE, 0.5, (distance < other).astype(np.float64))


def closer_than_control(inside: Floats, outside: Floats) -> Floats:
    """Return with what chance each member is closer than a control record at random (its AUC)."""
    ordered = np.sort(outside)
    further = len(ordered) - np.searchsorted(ordered, inside + TIE, "right")
    ties = len(ordered) - further - np.searchsorted(ordered, inside - TIE, "left")
    return (further + ties / 2) / len(ordered)


class MembershipInference(TableMeasure):
    """How much better than by tossing a coin an attacker tells who the release was made from.

    The attacker holds the records of a person and takes a short distance to the nearest released
    record as a sign that the person was in the data. With a ``control`` column, which marks
    originals that the release was not made from, the rate of success is the chance that a member is
    closer than a control record (the area under the ROC curve). Without one it is the share of
    originals closer to the release than to the nearest other original: if the release were another
    sample from the same population, it would be a half. Ties count a half.

    The value is twice the rate less 1, at least 0, with Wilson's interval of the rate; the record
    detail is the chance that the attacker is right, NaN for records that were not attacked.
    Categories that differ count 1, numbers their difference as a share of the range, and missing is
    a value of its own.

    References
    ----------
    Yale, Dash, Dutta, Guyon, Pavao and Bennett (2019). Assessing privacy and quality of synthetic
    health data. AIDR 2019: nearest neighbor adversarial accuracy.

    Giomi, Boenisch, Wehmeyer and Tasnádi (2023). A unified framework for quantifying privacy risk
    in synthetic data. Proceedings on Privacy Enhancing Technologies 2023(2): control attacks.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> attack = MembershipInference()
    >>> attack(data).value > 0.9, attack(data, sudare.datasets.toy(seed=2)).value < 0.2
    (True, True)
    """

    kind: ClassVar[Kind] = "risk"
    needs: ClassVar[Needs] = "records"
    takes: ClassVar[Takes] = "any"

    control: Control = None
    attacks: Attacked = 2000
    confidence: Confidence = 0.95

    def chosen(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns that are compared: never the one that marks the control."""
        return tuple(name for name in super().chosen(data) if name != self.control)

    def _measure(self, pair: TablePair) -> Result:
        before, columns = pair.before, pair.columns
        rows = targets(before.rows, self.attacks)
        inside = members(before, self.control)[rows]
        success = self._success(Space.of(before, pair.after, columns), rows, inside)
        rate = float(success.mean())
        low, high = wilson_interval(rate, len(success), self.confidence)
        detail = np.full(before.rows, np.nan)
        detail[rows[inside]] = success
        return self.result(
            max(2 * rate - 1, 0.0),
            best=0,
            worst=1,
            interval=(max(2 * low - 1, 0.0), max(2 * high - 1, 0.0)),
            by_record=detail,
            notes=comparison_notes(before, pair.after, columns),
        )

    def _success(self, space: Space, rows: Integers, inside: Flags) -> Floats:
        near = nearest_released(space, rows)
        if self.control is None:
            return closer(near, nearest_other(space, rows))
        return closer_than_control(near[inside], near[~inside])
