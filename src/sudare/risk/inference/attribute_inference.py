"""Attribute inference: what the nearest released record says about a person's secret."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

import numpy as np

from sudare.core import (
    Array,
    AtLeast,
    Column,
    Floats,
    Integers,
    Kind,
    Needs,
    Numeric,
    Result,
    Role,
    TablePair,
    Takes,
)
from sudare.describe import Sensitive
from sudare.describe.pairing import TableMeasure, comparable_codes, comparison_notes
from sudare.risk.inference.control import Attacked, Control, Excess, excess, members
from sudare.risk.inference.neighbors import TIE, Space, targets
from sudare.risk.linkage import Confidence


def guesses(space: Space, secret: tuple[Array, Array], rows: Integers, tolerance: float) -> Floats:
    """Return the chance that the nearest released records reveal each attacked secret.

    Parameters
    ----------
    space
        What the attacker knows, before and after.
    secret
        Codes or numbers of the sensitive column, before and after, shapes (n,) and (k,).
    rows
        The records attacked.
    tolerance
        How far a number may be off, as a share of the original.
    """
    chances, done = np.empty(len(rows)), 0
    for apart in space.distances(rows):
        block = rows[done : done + len(apart)]
        nearest = apart <= apart.min(axis=1, keepdims=True) + TIE
        right = _right(secret[0][block, None], secret[1], tolerance)
        chances[done : done + len(block)] = (nearest & right).sum(axis=1) / nearest.sum(axis=1)
        done += len(block)
    return chances


def blind_guesses(secret: tuple[Array, Array], rows: Integers, tolerance: float) -> Floats:
    """Return the chance that a released record taken at random tells each record's secret."""
    original, released = secret[0][rows], np.sort(secret[1])
    low, high = _bounds(original, tolerance)
    inside = np.searchsorted(released, high, "right") - np.searchsorted(released, low, "left")
    return inside / len(released)


class AttributeInference(TableMeasure):
    """How much better a secret is guessed from the nearest released records than without them.

    The attacker knows the keys of a person, looks for the nearest released records (categories that
    differ count 1, numbers their difference as a share of the range) and guesses their sensitive
    value; ties count as the expectation of a choice at random. A guess of a number is right within
    ``tolerance`` of it. This asks nothing of the records' correspondence: it is for synthetic data
    as well.

    The rate of right guesses is set against a baseline, a released record taken at random, or, if a
    ``control`` column marks originals that the release was not made from, against the rate among
    those: whatever is learnt about them as well is knowledge about the population, and no
    disclosure. The value is (rate − reference) / (1 − reference), at least 0, of the sensitive
    column with the largest; the parts are by column; the record detail is the chance of each
    record, NaN for those that were not attacked. Without a sensitive column each key is guessed
    from the others.

    References
    ----------
    Giomi, Boenisch, Wehmeyer and Tasnádi (2023). A unified framework for quantifying privacy risk
    in synthetic data. Proceedings on Privacy Enhancing Technologies 2023(2).

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> attack = AttributeInference(sensitive=("condition",))
    >>> attack(data).value > attack(data, data.take(np.arange(0, 400, 3))).value
    True
    """

    kind: ClassVar[Kind] = "risk"
    needs: ClassVar[Needs] = "records"
    takes: ClassVar[Takes] = "any"
    roles: ClassVar[tuple[Role, ...]] = ("key",)

    sensitive: Sensitive = None
    tolerance: Annotated[float, AtLeast(0), "share by which a guess of a number may be off"] = 0.05
    control: Control = None
    attacks: Attacked = 2000
    confidence: Confidence = 0.95

    def _measure(self, pair: TablePair) -> Result:
        before, after, columns = pair.before, pair.after, pair.columns
        secrets = self.sensitive or before.sensitive or columns
        inside = members(before, self.control)
        rows = targets(before.rows, self.attacks)
        excesses, detail = dict[str, Excess](), np.full(before.rows, np.nan)
        for name in secrets:
            known = [column for column in columns if column != name]
            secret = _secret(before[name], after[name])
            chances = guesses(Space.of(before, after, known), secret, rows, self.tolerance)
            reference = blind_guesses(secret, rows, self.tolerance)
            if self.control is not None:
                reference = chances[~inside[rows]]
            excesses[name] = excess(chances[inside[rows]], reference, self.confidence)
            detail[rows] = np.fmax(detail[rows], chances)
        worst = max(excesses.values())
        return self.result(
            worst.risk,
            best=0,
            worst=1,
            parts={name: each.risk for name, each in excesses.items()},
            interval=(worst.low, worst.high),
            baseline=0.0,  # the value is already what exceeds the reference
            by_record=detail,
            notes=comparison_notes(before, after, dict.fromkeys((*columns, *secrets))),
        )


def _secret(before: Column, after: Column) -> tuple[Array, Array]:
    """Return a sensitive column before and after: numbers, or codes as whole numbers."""
    if not isinstance(before, Numeric) or not isinstance(after, Numeric):
        return comparable_codes(before, after, 2)
    values: Sequence[Floats] = [
        np.where(c.known, c.values, np.where(c.missing, np.inf, -np.inf)) for c in (before, after)
    ]
    return values[0], values[1]


def _right(original: Array, guess: Array, tolerance: float) -> Array:
    low, high = _bounds(original, tolerance)
    return (guess >= low) & (guess <= high)


def _bounds(original: Array, tolerance: float) -> tuple[Array, Array]:
    """Return between what a guess is right: the code itself, or numbers within the tolerance."""
    if original.dtype.kind == "i":
        return original, original
    slack = np.where(np.isfinite(original), np.abs(original) * tolerance, 0.0)
    return original - slack, original + slack
