"""Replicated uniques: people alone with their keys who are alone in the synthetic table too."""

from collections.abc import Mapping

import numpy as np

from sudare.core import (
    Flags,
    Floats,
    Integers,
    Result,
    TablePair,
    say,
)
from sudare.describe import Confidence, wilson_interval
from sudare.describe.pairing import shared_keys
from sudare.risk.inference import ControlledRisk


def unique_shares(original: Integers, released: Integers, size: int) -> dict[str, float]:
    """Return UiO, UiS, UiOiS and repU, as shares of the originals (UiS: of the release).

    Parameters
    ----------
    original, released
        A number for the keys of each record, from 0, shapes (n,) and (k,).
    size
        How many combinations of keys there are.

    Examples
    --------
    >>> unique_shares(np.array([0, 1, 1, 2]), np.array([0, 2, 2, 3]), 4)
    {'UiO': 0.5, 'UiS': 0.5, 'UiOiS': 0.5, 'repU': 0.25}
    """
    old, new = (np.bincount(keys, minlength=size) for keys in (original, released))
    alone = old == 1
    return {
        "UiO": float(alone.sum() / max(len(original), 1)),
        "UiS": float((new == 1).sum() / max(len(released), 1)),
        "UiOiS": float((alone & (new > 0)).sum() / max(len(original), 1)),
        "repU": float((alone & (new == 1)).sum() / max(len(original), 1)),
    }


class ReplicatedUniques(ControlledRisk):
    """The share of people who are alone with their keys in the original and in the release (repU).

    The parts are UiO, the share of originals that are alone with their keys, UiS, that of released
    records, UiOiS, the share of originals that are alone and whose keys occur in the release, and
    repU, those that are alone in both, which is the value. It is synthpop's measure of identity
    disclosure in synthetic data: nobody is in such a table, yet who finds himself there alone will
    think otherwise.

    A combination that occurs by chance is no copy. With a ``control`` column, which marks originals
    that the release was not made from, the baseline is repU of equally many control records: what
    is above it was replicated. The interval is Wilson's; the record detail is whether a record was
    replicated. Missing and not applicable are values of their own, numbers are compared exactly;
    sampling weights are not used.

    References
    ----------
    Raab, Nowok and Dibben (2024). Practical privacy metrics for synthetic data. arXiv:2406.16826.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> result = ReplicatedUniques()(data, sudare.datasets.toy(seed=2))
    >>> result.value < result.parts["UiO"]
    True
    """

    formula = (
        "number of originals alone with their keys both in the original and in the release / "
        "number of originals"
    )
    roles = ("key",)

    confidence: Confidence = 0.95

    def _measure(self, pair: TablePair) -> Result:
        before, after, columns = pair.before, pair.after, pair.columns
        inside = self.members(pair)
        original, released, size = shared_keys(before, after, columns)
        mine = original[inside]
        parts = unique_shares(mine, released, size)
        replicated = (np.bincount(mine, minlength=size) == 1) & (
            np.bincount(released, minlength=size) == 1
        )
        baseline = None
        if self.control is not None:
            baseline = _chance(original, inside, replicated_in=released, size=size)
        return self.result(
            parts["repU"],
            parts=parts,
            interval=wilson_interval(parts["repU"], len(mine), self.confidence),
            baseline=baseline,
            by_record=np.where(inside, replicated[original], np.nan),
            notes=(*several_notes(parts, len(mine)), *self.notes(pair, inside, columns)),
        )


def several_notes(shares: Mapping[str, float], people: int) -> tuple[str, ...]:
    """Return a warning where most people who are alone are in the release several times."""
    several = shares["UiOiS"] - shares["repU"]
    if several <= shares["UiO"] / 2:
        return ()
    return (
        say(
            "the keys of {count} of {total} people who are alone with them in the original occur "
            "in the release several times: UiOiS counts them, and repU does not.",
            count=round(several * people),
            total=round(shares["UiO"] * people),
        ),
    )


def _chance(original: Integers, inside: Flags, *, replicated_in: Integers, size: int) -> float:
    """Return repU of control records: each takes the place of a member, so that sizes agree.

    A control record is alone where no member has its keys, as if it had come in the place of one.
    """
    members_with = np.bincount(original[inside], minlength=size)
    released_with = np.bincount(replicated_in, minlength=size)
    held = original[~inside]
    chance: Floats = (members_with[held] == 0) & (released_with[held] == 1)
    return float(chance.mean())
