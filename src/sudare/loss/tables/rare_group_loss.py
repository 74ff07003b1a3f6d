"""The rare group: what masking does to the people with the rarest label."""

from typing import Annotated

import numpy as np

from sudare.core import AtLeast, Categorical, Flags, Microdata, Result, TablePair, say
from sudare.describe.pairing import TableMeasure, category_codes
from sudare.loss.tables.distribution_distances import shares, total_variation

_CLASSES = 5  # of numbers: more would be empty in a small group


class RareGroupLoss(TableMeasure):
    """What is lost of the smallest group: its size, and the distributions within it.

    The group are the records with the rarest label of ``group`` that at least ``fewest`` records
    have; by default, of each column of categories in turn. Compared are its share of the records
    (as a part of the larger of both shares) and the distribution of every other column within it
    (total variation; numbers in five classes of equal count of the original group). The loss is the
    mean of these, 1 where the group is gone. The parts are by column of the group, the value is
    their mean.

    A loss over all records hardly counts a group of one percent; methods that smooth or borrow from
    neighbors lose it first. Two samples of one population differ too, the more so the smaller the
    group is. Sampling weights count.

    Examples
    --------
    >>> import sudare
    >>> data = sudare.datasets.toy()
    >>> masked = sudare.apply(data, sudare.mask.Pram(retain=0.5), seed=1).data
    >>> RareGroupLoss()(data, masked).value > RareGroupLoss()(data, data).value == 0
    True
    """

    kind = "loss"
    formula = (
        "mean over the share of the group and the distributions within it of how far they moved"
    )
    counted = "The records of the smallest group that is large enough."
    needs = "records"

    group: Annotated[str | None, "column of the group; by default each one of categories"] = None
    fewest: Annotated[int, AtLeast(1), "fewest records that make a group"] = 20

    def _measure(self, pair: TablePair) -> Result:
        before, after = pair.before, pair.after
        groups = [self.group] if self.group else list(pair.columns)
        parts = {}
        for name in groups:
            if not isinstance(before[name], Categorical):
                continue
            sides = self._group(before, after, name)
            if sides is not None:
                others = [column for column in pair.columns if column != name]
                parts[name] = _loss((before, after), sides, others)
        if not parts:
            note = say(
                "no group was compared: no column has several labels, one of them with enough "
                "records."
            )
            return self.result(0, notes=(note,))
        return self.result(np.mean(list(parts.values())), parts=parts)

    def _group(self, before: Microdata, after: Microdata, name: str) -> tuple[Flags, Flags] | None:
        """Return who is in the smallest group of a column, before and after."""
        old = before[name].coded
        labels, counts = np.unique(old.codes[old.codes >= 0], return_counts=True)
        enough = counts >= self.fewest
        if len(labels) < 2 or not enough.any():
            return None
        rarest = labels[enough][counts[enough].argmin()]
        return old.codes == rarest, category_codes(old, after[name].coded) == rarest


def _loss(
    tables: tuple[Microdata, Microdata], sides: tuple[Flags, Flags], others: list[str]
) -> float:
    """Return the mean of the loss of size and of distributions within a group."""
    if not sides[1].any():
        return 1.0
    sizes = [
        float(data.counted[side].sum() / data.counted.sum())
        if data.counted is not None
        else float(side.mean())
        for data, side in zip(tables, sides, strict=True)
    ]
    old, new = (data.take(np.flatnonzero(s)) for data, s in zip(tables, sides, strict=True))
    losses = [abs(sizes[0] - sizes[1]) / max(*sizes, 1e-300)]
    losses += [total_variation(*shares(old, new, [name], _CLASSES)) for name in others]
    return float(np.mean(losses))
