"""Attribute inference: what the nearest released record says about a person's secret."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from sudare.core import (
    Array,
    AtLeast,
    Column,
    Floats,
    Integers,
    Microdata,
    Numeric,
    Result,
    TablePair,
)
from sudare.describe import Confidence, Sensitive
from sudare.describe.distances import Space, nearest
from sudare.describe.pairing import comparable_codes
from sudare.risk.inference.control import (
    Attacked,
    ControlledRisk,
    Excess,
    attacked,
    excess,
    largest,
)
from sudare.risk.inference.rare_values import likely_copies


def guesses(
    targets: Floats,
    others: Floats,
    secret: tuple[Array, Array],
    tolerance: float,
    *,
    most: float = np.inf,
    skipped: Integers | None = None,
) -> Floats:
    """Return the chance that the nearest of other records reveal each attacked secret.

    Parameters
    ----------
    targets, others
        What the attacker knows of the persons and of the others, shapes (n, p) and (k, p).
    secret
        Codes or numbers of the sensitive column, of both, shapes (n,) and (k,).
    tolerance
        How far a number may be off, as a share of the original.
    most
        How far it may be off whatever the original is.
    skipped
        Which of the others each target itself is, shape (n,).
    """
    low, high = _bounds(secret[0], tolerance, most)
    near = nearest(targets, others, skipped=skipped, secret=(secret[1], low, high))
    return near.hits / np.maximum(near.ties, 1.0)


def guesses_from_copies(
    chances: Floats,
    points: tuple[Floats, Floats],
    secret: tuple[Array, Array],
    tolerance: float,
    most: float,
) -> Floats:
    """Return chances to tell secrets, of likely copies where some columns of a person came back.

    Parameters
    ----------
    chances
        Of the nearest released records, shape (n,).
    points, secret
        What the attacker knows, and the sensitive column, of the persons and of the release.
    tolerance, most
        As for :func:`guesses`.
    """
    person, copy = likely_copies(*points)
    low, high = _bounds(secret[0], tolerance, most)
    right = (low[person] <= secret[1][copy]) & (secret[1][copy] <= high[person])
    copies = np.bincount(person, minlength=len(chances))
    told = np.bincount(person, right, minlength=len(chances)) / np.maximum(copies, 1)
    return np.where(copies > 0, told, chances)


def blind_guesses(secret: tuple[Array, Array], tolerance: float, most: float = np.inf) -> Floats:
    """Return the chance that a released record taken at random tells each record's secret."""
    released = np.sort(secret[1])
    low, high = _bounds(secret[0], tolerance, most)
    inside = np.searchsorted(released, high, "right") - np.searchsorted(released, low, "left")
    return inside / max(len(released), 1)


def chances_of_nearest(
    persons: Microdata,
    released: Microdata,
    known: Sequence[str],
    secrets: Sequence[str],
    tolerance: float,
) -> dict[str, Floats]:
    """Return, by sensitive column, the chance that the nearest released record tells a secret.

    Parameters
    ----------
    persons, released
        Both tables.
    known, secrets
        What the attacker knows of the persons, and what is guessed.
    tolerance
        How far a number may be off, as a share of the original.
    """
    space = Space.of(persons, released, known)
    return {
        name: guesses(
            space.original, space.released, _secret(persons[name], released[name]), tolerance
        )
        for name in secrets
    }


class AttributeInference(ControlledRisk):
    """How much better a secret is guessed from the nearest released records than without them.

    The attacker knows the keys of a person, looks for the nearest released records (categories that
    differ count 1, numbers their difference as a share of the range) and guesses their sensitive
    value; ties count as the expectation of a choice at random. A guess of a number is right within
    ``tolerance`` of it, as a share of the number or of the column's range, whichever is less: years
    and dates are far from 0. A released record that shares several rare values with the person,
    such as exact amounts, is taken for a copy and asked before the nearest. This asks nothing of
    the records' correspondence: it is for synthetic data as well.

    The rate of right guesses is set against what is learned about people whose record the release
    does not hold: with a ``control`` column, which marks originals that the release was not made
    from, the rate among those. Without one it is the rate at which the nearest *other* original
    tells the secret, or a released record taken at random if that is right more often. Whatever is
    learned about them as well is knowledge about the population, and no disclosure. The value is
    (rate − reference) / (1 − reference), at least 0, of the sensitive column with the largest; the
    parts are by column; the record detail is the chance of each record, NaN for those that were not
    attacked. The interval allows for the number of sensitive columns (Bonferroni). Without one each
    key is guessed from the others.

    Notes
    -----
    Only a control is attacked in exactly the same way. Without one a note says so: a release that
    states what is most likely is right more often than the nearest person, and so looks like a
    disclosure though it is none.

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

    formula = "(rate of right guesses − reference) / (1 − reference), at least 0"
    counted = "Records of the original that are attacked, and all released records."
    roles = ("key",)

    sensitive: Sensitive = None
    tolerance: Annotated[float, AtLeast(0), "share by which a guess of a number may be off"] = 0.05
    attacks: Attacked = 2000
    confidence: Confidence = 0.95

    def _measure(self, pair: TablePair) -> Result:
        before, after, columns = pair.before, pair.after, pair.columns
        secrets, inside = self.secrets(pair, self.sensitive), self.members(pair)
        rows = attacked(inside, self.attacks)
        excesses, detail = dict[str, Excess](), np.full(before.rows, np.nan)
        level = 1 - (1 - self.confidence) / len(secrets)
        for name in secrets:
            known = [column for column in columns if column != name]
            space, secret = Space.of(before, after, known), _secret(before[name], after[name])
            points, hidden = (space.original[rows], space.released), (secret[0][rows], secret[1])
            most = _most(before[name], self.tolerance)
            chances = guesses(*points, hidden, self.tolerance, most=most)
            chances = guesses_from_copies(chances, points, hidden, self.tolerance, most)
            if self.control is not None:
                reference = chances[~inside[rows]]
            else:
                reference = self._without_control(space, secret, rows, most)
            told = excess(chances[inside[rows]], reference, level)
            excesses[name] = told if _varies(secret[0]) else Excess(0.0, 0.0, 0.0)
            detail[rows] = np.fmax(detail[rows], chances)
        worst = largest(excesses.values())
        return self.result(
            worst.risk,
            parts={name: each.risk for name, each in excesses.items()},
            interval=(worst.low, worst.high),
            baseline=0.0,  # the value is already what exceeds the reference
            by_record=detail,
            notes=self.notes(pair, inside, (*columns, *secrets)),
        )

    def _without_control(
        self, space: Space, secret: tuple[Array, Array], rows: Integers, most: float
    ) -> Floats:
        """Return what the other originals tell, or what a released record at random does."""
        mine = secret[0][rows]
        blind = blind_guesses((mine, secret[1]), self.tolerance, most)
        others = guesses(
            space.original[rows], space.original, (mine, secret[0]), self.tolerance,
            most=most, skipped=rows,
        )  # fmt: skip
        return others if others.mean() > blind.mean() else blind


def _secret(before: Column, after: Column) -> tuple[Array, Array]:
    """Return a sensitive column before and after: numbers, or codes as whole numbers."""
    if not isinstance(before, Numeric) or not isinstance(after, Numeric):
        return comparable_codes(before, after, 2)
    values: Sequence[Floats] = [
        np.where(c.known, c.values, np.where(c.missing, np.inf, -np.inf)) for c in (before, after)
    ]
    return values[0], values[1]


def _varies(secret: Array) -> bool:
    """Return whether there is anything to guess: what everybody has is known."""
    return bool((secret != secret[0]).any())


def _most(secret: Column, tolerance: float) -> float:
    """Return how far any guess of a number may be off: a share of the range of the original.

    Years and dates are far from 0: a twentieth of 1960 is a century.
    """
    if not isinstance(secret, Numeric) or not secret.known.any():
        return np.inf
    low, high = np.nanmin(secret.values), np.nanmax(secret.values)
    return float(tolerance * high - tolerance * low)


def _bounds(original: Array, tolerance: float, most: float) -> tuple[Array, Array]:
    """Return between what a guess is right: the code itself, or numbers within the tolerance."""
    if original.dtype.kind == "i":
        return original, original
    near = np.minimum(np.abs(original) * tolerance, most)
    slack = np.where(np.isfinite(original), near, 0.0)
    return original - slack, original + slack
