"""Distances from released to original records, which many reports show and which tell little."""

import numpy as np

from sudare.core import Floats, Result, TablePair, say
from sudare.describe.distances import Space, nearest
from sudare.risk.inference.control import Attacked, ControlledRisk, targets


def closest_record(released: Floats, originals: Floats) -> tuple[Floats, Floats]:
    """Return the distance to the closest original (DCR), and its ratio to the next one (NNDR).

    The distance is the mean over the columns, so from 0 to 1. The ratio of two distances of 0 is 1:
    the released record is as near to one original as to another.
    """
    near = nearest(released, originals)
    ratio = np.divide(near.distance, near.second, out=np.ones(len(released)), where=near.second > 0)
    return near.distance / max(released.shape[1], 1), np.where(np.isfinite(ratio), ratio, 1.0)


class NearestDistances(ControlledRisk):
    """How far released records are from the closest original (DCR, NNDR): a weak sign of safety.

    The value is the median distance of a released record to the closest original, from 0 (the same)
    to 1 (different in every column): categories that differ count 1, numbers their difference as a
    share of the range. The parts are its median and its fifth percentile, the same of the ratio
    between the closest and the next original (NNDR), and the share of released records that are
    copies. With a ``control`` column, the distances to the control records stand beside.

    Notes
    -----
    These figures are offered since others ask for them, and must not be taken for a risk. Releases
    that give people away can be far from every original on average, and releases that give nobody
    away are near where people are alike; see :class:`sudare.risk.MembershipInference`.

    References
    ----------
    Yao, Krčo, Ganev and de Montjoye (2025). The DCR delusion: measuring the privacy risk of
    synthetic data. arXiv:2505.01524.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> NearestDistances()(data).value
    0.0
    """

    formula = "median over released records of the distance to the closest original"

    attacks: Attacked = 2000

    def _measure(self, pair: TablePair) -> Result:
        space = Space.of(pair.before, pair.after, pair.columns)
        inside = self.members(pair)
        released = space.released[targets(np.arange(pair.after.rows), self.attacks)]
        parts = _summary(*closest_record(released, space.original[inside]))
        value = parts[say("DCR, median")]
        if self.control is not None:
            control = _summary(*closest_record(released, space.original[~inside]))
            parts |= {f"{say('control')}, {name}": each for name, each in control.items()}
        warning = say(
            "distances to the closest record say little about risk: a release can be far from the "
            "originals and still give people away. Use membership inference with a control."
        )
        notes = (warning, *self.notes(pair, inside, pair.columns))
        return self.result(value, best=1, worst=0, parts=parts, notes=notes)


def _summary(distance: Floats, ratio: Floats) -> dict[str, float]:
    return {
        say("DCR, median"): float(np.median(distance)),
        say("DCR, fifth percentile"): float(np.quantile(distance, 0.05)),
        say("NNDR, median"): float(np.median(ratio)),
        say("NNDR, fifth percentile"): float(np.quantile(ratio, 0.05)),
        say("copies"): float((distance <= 1e-12).mean()),
    }
